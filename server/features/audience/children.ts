import { type Kysely, sql } from 'kysely'
import type { CustomChild } from '#contract/audience.ts'
import { sentenceOrNull } from '#contract/outcome.ts'
import { OPEN_PUSH, PUSH_STATUS } from '#contract/push.ts'
import type { CrowdKind } from '../../crowds/kinds.ts'
import type { Database } from '../../postgres/schema.ts'

/** A child has the current name of its crowd, which may have changed since it was pushed. */
export const childNameSql = sql<string>`coalesce(custom_crowd.name, people.name, audience.name)`

/** The audiences of uploaded crowds and rule crowds on platform accounts, with their open push. */
export const childRows = (db: Kysely<Database>) =>
  db
    .selectFrom('audience')
    .innerJoin('platform_account', 'platform_account.id', 'audience.account_id')
    .innerJoin('viewer', 'viewer.id', 'audience.creator_id')
    .leftJoin('custom_crowd', 'custom_crowd.id', 'audience.custom_id')
    .leftJoin('people', 'people.id', 'audience.people_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('push')
          .leftJoin('task', 'task.id', 'push.task_id')
          .select(['push.id', 'push.status', 'push.reason', 'task.progress', 'task.stage'])
          .whereRef('push.child_id', '=', 'audience.id')
          .where('push.status', 'in', OPEN_PUSH)
          // A push that waits behind another one has nothing to show yet.
          .orderBy((order) => order.case().when('push.status', '=', 'waiting').then(1).else(0).end())
          .orderBy('push.id', 'desc')
          .limit(1)
          .as('open'),
      (join) => join.onTrue(),
    )
    .select([
      'audience.id',
      'audience.custom_id',
      'audience.people_id',
      childNameSql.as('name'),
      'audience.platform_name',
      'audience.audience_id',
      'audience.types',
      'audience.cnt_type',
      'audience.account_id',
      'platform_account.name as adv_name',
      'platform_account.external_id',
      'platform_account.adv_id as owner_id',
      'audience.status',
      'audience.reason',
      'audience.accepted',
      'audience.covered',
      'audience.keeps_step',
      'audience.types',
      'audience.creator_id',
      sql<string>`coalesce(nullif(viewer.realname, ''), viewer.username)`.as('creator'),
      'audience.created_at',
      'open.id as push_id',
      'open.status as push_status',
      'open.reason as push_reason',
      'open.progress',
      'open.stage',
    ])
    .where('audience.deleted_at', 'is', null)
    .orderBy('audience.cnt_type')
    .orderBy('audience.id')
export type ChildRow = Awaited<ReturnType<ReturnType<typeof childRows>['execute']>>[number]

export const presentChild = (row: ChildRow): CustomChild => ({
  id: row.id,
  is_children: true,
  cnt_id: row.custom_id ?? row.people_id ?? 0,
  name: row.name,
  platform_name: row.platform_name,
  tag_id: row.audience_id,
  cnt_type: row.cnt_type,
  adv_id: row.account_id,
  adv_name: row.adv_name,
  external_id: row.external_id,
  status: row.status,
  reason: sentenceOrNull(row.push_reason ?? row.reason),
  reason_outcome: row.push_reason ?? row.reason,
  push:
    row.push_id === null || row.push_status === null
      ? null
      : {
          id: row.push_id,
          progress: row.progress ?? 0,
          stage: row.stage || PUSH_STATUS[row.push_status],
          is_paused: row.push_status === 'paused',
        },
  // Unknown while it is computed, and after that failed.
  user_count: row.status === 'computing' || row.status === 'failed' ? null : (row.covered ?? row.accepted),
  keeps_step: row.keeps_step,
  types: row.types,
  creator_id: row.creator_id,
  creator: row.creator,
  created_at: row.created_at,
})

/** The audiences of crowds, by crowd; a crowd without any has an empty list. */
export async function childrenOf(
  db: Kysely<Database>,
  kind: CrowdKind,
  ids: readonly number[],
): Promise<Map<number, CustomChild[]>> {
  const found = new Map<number, CustomChild[]>(ids.map((id) => [id, []]))
  if (ids.length === 0) return found
  const children = await childRows(db)
    .where(kind === 'custom' ? 'audience.custom_id' : 'audience.people_id', 'in', [...ids])
    .execute()
  for (const row of children) found.get(row.custom_id ?? row.people_id ?? 0)?.push(presentChild(row))
  return found
}

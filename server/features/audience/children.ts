import { type Kysely, sql } from 'kysely'
import type { CustomChild } from '#contract/audience.ts'
import { sentenceOrNull } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { nextAttemptOf, pushStateOf } from '#contract/push-state.ts'
import { OPEN_PUSH, PUSH_STATUS, type PushStatus } from '#contract/push-status.ts'
import type { CrowdKind } from '../../crowds/kinds.ts'
import type { Database } from '../../postgres/schema.ts'

/** A child has the current name of its crowd, which may have changed since it was pushed. */
export const childNameSql = sql<string>`coalesce(custom_crowd.name, people.name, audience.name)`

/** Why a push is paused, failed or waits for its next attempt, also where only its job knows. */
export const waitsForSql = sql<AnyOutcome | null>`coalesce(push.reason, case
  when push.status = 'running' and task.status = 'waiting' and task.stage_outcome->>'code' = 'task_retries_after'
  then task.stage_outcome end)`

/** The audiences of uploaded crowds and rule crowds on platform accounts, with their open push, or the last one. */
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
          .select(['push.id', 'push.status', waitsForSql.as('reason'), 'task.progress', 'task.stage'])
          .whereRef('push.child_id', '=', 'audience.id')
          // An open push before an ended one; one that waits behind another has nothing to show yet.
          .orderBy((order) =>
            order
              .case()
              .when('push.status', 'in', ['running', 'paused'])
              .then(0)
              .when('push.status', '=', 'waiting')
              .then(1)
              .else(2)
              .end(),
          )
          .orderBy('push.id', 'desc')
          .limit(1)
          .as('last'),
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
      'platform_account.remark as account_remark',
      'platform_account.adv_id as owner_id',
      'audience.status',
      'audience.reason',
      'audience.accepted',
      'audience.covered',
      'audience.keeps_step',
      'audience.creator_id',
      sql<string>`coalesce(nullif(viewer.realname, ''), viewer.username)`.as('creator'),
      'audience.created_at',
      'last.id as push_id',
      'last.status as push_status',
      'last.reason as push_reason',
      'last.progress',
      'last.stage',
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
  account_remark: row.account_remark,
  status: row.status,
  ...shownReason(row),
  ...shownPush(row),
  // Unknown while it is computed, and after that failed. What the platform accepted is another number.
  user_count: row.status === 'computing' || row.status === 'failed' ? null : row.covered,
  keeps_step: row.keeps_step,
  types: row.types,
  creator_id: row.creator_id,
  creator: row.creator,
  created_at: row.created_at,
})

/** Why an open push is paused or waits, else why the audience failed or what a cancelled push had sent. */
function shownReason({ push_status, push_reason, reason }: ChildRow) {
  const why = isOpenPush(push_status)
    ? (push_reason ?? reason)
    : (reason ?? (push_status === 'cancelled' ? push_reason : null))
  return { reason: sentenceOrNull(why), reason_outcome: why }
}

function shownPush(row: ChildRow): Pick<CustomChild, 'push' | 'last_push'> {
  const { push_id: id, push_status: status, push_reason: reason } = row
  if (id === null || status === null) return { push: null, last_push: null }
  const last_push = { id, state: pushStateOf({ status, reason }), next_at: nextAttemptOf({ status, reason }) }
  if (!isOpenPush(status)) return { push: null, last_push }
  const stage = row.stage || PUSH_STATUS[status]
  return { push: { id, progress: row.progress ?? 0, stage, is_paused: status === 'paused' }, last_push }
}

const isOpenPush = (status: PushStatus | null) => OPEN_PUSH.some((open) => open === status)

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

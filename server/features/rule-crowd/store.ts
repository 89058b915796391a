import { type Kysely, sql } from 'kysely'
import { FOLLOWS_DATA } from '#contract/crowd-schedule.ts'
import { outcome, sentenceOrNull } from '#contract/outcome.ts'
import type { RuleCrowd, RuleCrowdStatus } from '#contract/rule-crowd.ts'
import { statusOf } from '#contract/rule-crowd.ts'
import { controlShareSql } from '../../crowds/control-groups.ts'
import { ruleCrowdsInUse } from '../../crowds/crowd-plans.ts'
import type { Database } from '../../postgres/schema.ts'

/** Rule crowds with everything that their status and their row show. */
export const crowdRows = (db: Kysely<Database>, at: number) =>
  db
    .selectFrom('people')
    .innerJoin('advertiser', 'advertiser.id', 'people.adv_id')
    .innerJoin('viewer', 'viewer.id', 'people.creator_id')
    .leftJoin('task', (join) =>
      join.onRef('task.id', '=', 'people.task_id').on('task.status', 'in', ['waiting', 'running']),
    )
    .select((eb) => [
      'people.id',
      'people.name',
      'people.tag_id',
      'people.rule_id',
      'people.adv_id',
      'advertiser.name as adv_name',
      'people.dir_id',
      'people.creator_id',
      sql<string>`coalesce(nullif(viewer.realname, ''), viewer.username)`.as('creator'),
      'people.created_at',
      'people.invalid_time',
      'people.magnitude',
      'people.computed_at',
      'people.took_ms',
      'people.fail_reason',
      'people.version',
      'people.rule_changed',
      'people.ver',
      'people.schedule',
      'people.next_at',
      'people.due_at',
      'people.is_behind',
      'people.tell_share',
      controlShareSql('rule').as('control_share'),
      'task.progress',
      eb('people.id', 'in', ruleCrowdsInUse(db)).as('in_use'),
      expiredUse(at).as('expired_use'),
    ])
    .where('people.deleted_at', 'is', null)

export type CrowdRow = Awaited<ReturnType<ReturnType<typeof crowdRows>['execute']>>[number]

/** The name of an expired crowd that its rule uses, which keeps it from being computed. */
const expiredUse = (at: number) => sql<string | null>`(
  select used.name from crowd_use join people used on used.id = crowd_use.uses_id
  where crowd_use.people_id = people.id and crowd_use.uses_kind = 'crowd' and used.invalid_time < ${at}
  order by used.id limit 1)`

/** `statusOf` of the contract as SQL, for filters and counts. */
export const statusSql = (db: Kysely<Database>, at: number) => sql<RuleCrowdStatus>`case
  when people.invalid_time < ${at} then 'invalid'
  when people.id in (${ruleCrowdsInUse(db)}) then 'in_use'
  when people.fail_reason is not null or ${expiredUse(at)} is not null then 'failed'
  when people.version = 0 or people.rule_changed then 'computing'
  else 'completed' end`

export function present(row: CrowdRow, at: number): RuleCrowd {
  const failReason = row.fail_reason ?? (row.expired_use ? expiredReason(row.expired_use) : null)
  const status = statusOf(
    {
      invalidTime: row.invalid_time,
      inUse: Boolean(row.in_use),
      failed: failReason !== null,
      hasResult: row.version > 0,
      ruleChanged: row.rule_changed,
    },
    at,
  )
  const runs = row.progress !== null
  return {
    id: row.id,
    name: row.name,
    tagId: row.tag_id,
    rId: row.rule_id,
    adv_id: row.adv_id,
    adv_name: row.adv_name,
    dirId: row.dir_id,
    status,
    refreshing: runs && status !== 'computing' && status !== 'invalid',
    progress: runs ? row.progress : null,
    creatorId: row.creator_id,
    creator: row.creator,
    createTime: row.created_at,
    invalidTime: row.invalid_time,
    magnitude: row.magnitude,
    computedAt: row.computed_at,
    tookMs: row.took_ms,
    failReason: sentenceOrNull(status === 'failed' ? failReason : null),
    fail_outcome: status === 'failed' ? failReason : null,
    schedule: row.schedule ?? FOLLOWS_DATA,
    nextAt: status === 'invalid' ? null : (row.next_at ?? row.due_at),
    dataChanged: row.is_behind,
    tellShare: row.tell_share,
    control_share: row.control_share,
    ver: row.ver,
  }
}

export const expiredReason = (name: string) => outcome('history_crowd_expired', { name })

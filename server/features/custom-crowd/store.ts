import { type Kysely, sql } from 'kysely'
import type { CustomChild, CustomStatus } from '#contract/audience.ts'
import type { CustomCrowd } from '#contract/custom-crowd.ts'
import { sentenceOrNull } from '#contract/outcome.ts'
import { platformsTaking } from '#contract/platform.ts'
import { controlShareSql } from '../../crowds/control-groups.ts'
import type { Database } from '../../postgres/schema.ts'
import { childrenOf } from '../audience/children.ts'

/** The files of a crowd's last upload. */
const OF_LAST_UPLOAD = sql`crowd_id = custom_crowd.id
  and version = (select max(version) from crowd_file where crowd_id = custom_crowd.id)`

/** Uploaded crowds with all columns of their row and status; at most one version of a crowd is computed at a time. */
export const crowdRows = (db: Kysely<Database>) =>
  db
    .selectFrom('custom_crowd')
    .innerJoin('advertiser', 'advertiser.id', 'custom_crowd.adv_id')
    .innerJoin('viewer', 'viewer.id', 'custom_crowd.creator_id')
    .leftJoin('custom_version as open', (join) =>
      join.onRef('open.crowd_id', '=', 'custom_crowd.id').on('open.status', '=', 'computing'),
    )
    .leftJoin('task', 'task.id', 'open.task_id')
    .select([
      'custom_crowd.id',
      'custom_crowd.name',
      'custom_crowd.adv_id',
      'advertiser.name as adv_name',
      'custom_crowd.dir_id',
      'custom_crowd.user_id_type',
      'custom_crowd.creator_id',
      sql<string>`coalesce(nullif(viewer.realname, ''), viewer.username)`.as('creator'),
      'custom_crowd.created_at',
      'custom_crowd.version',
      'custom_crowd.size',
      'custom_crowd.matched',
      'custom_crowd.counted_at',
      'custom_crowd.fail_reason',
      'open.no as open_no',
      'task.progress',
      'task.stage',
      statusSql.as('status'),
      sql<number | null>`(select task.id from custom_version last join task on task.id = last.task_id
        where last.crowd_id = custom_crowd.id and last.status = 'failed'
          and last.no = (select max(no) from custom_version where crowd_id = custom_crowd.id)
          and task.status = 'failed' and task.job is not null)`.as('retry_task_id'),
      sql<number>`(select count(*)::int from crowd_file where ${OF_LAST_UPLOAD} and status = 'failed')`.as(
        'unread_files',
      ),
      sql<number>`(select coalesce(sum(jsonb_array_length(unread)), 0)::int from crowd_file where ${OF_LAST_UPLOAD})`.as(
        'unread_members',
      ),
      sql<number | null>`(select (sum(malformed) / nullif(sum(line_count), 0))::float8 from crowd_file
        where ${OF_LAST_UPLOAD} and status = 'done')`.as('invalid_share'),
      controlShareSql('custom').as('control_share'),
    ])
    .where('custom_crowd.deleted_at', 'is', null)
export type CrowdRow = Awaited<ReturnType<ReturnType<typeof crowdRows>['execute']>>[number]

/** A failed version leaves the previous one in force, so only a crowd without any version has failed. */
export const statusSql = sql<CustomStatus>`case
  when open.id is not null then 'computing'
  when custom_crowd.version = 0 then 'failed'
  else 'available' end`

const presentCrowd = (row: CrowdRow, audiences: CustomChild[]): CustomCrowd => ({
  id: row.id,
  is_children: false,
  name: row.name,
  tag_id: String(row.id),
  status: row.status,
  reason: row.status === 'computing' ? null : sentenceOrNull(row.fail_reason),
  reason_outcome: row.status === 'computing' ? null : row.fail_reason,
  retry_task_id: row.retry_task_id,
  progress: row.status === 'computing' ? (row.progress ?? 0) : null,
  stage: row.status === 'computing' ? row.stage || '等待校验' : '',
  creator_id: row.creator_id,
  creator: row.creator,
  created_at: row.created_at,
  adv_id: row.adv_id,
  adv_name: row.adv_name,
  dir_id: row.dir_id,
  user_id_type: row.user_id_type,
  cnt_type: platformsTaking(row.user_id_type),
  user_count: row.version === 0 ? null : row.size,
  matched: row.version === 0 ? null : row.matched,
  counted_at: row.counted_at,
  unread_files: row.unread_files,
  unread_members: row.unread_members,
  invalid_share: row.invalid_share,
  control_share: row.control_share,
  audiences,
})

/** Crowds as rows of the wire, each with its children on the platform accounts. */
export async function presentAll(db: Kysely<Database>, rows: readonly CrowdRow[]): Promise<CustomCrowd[]> {
  const children = await childrenOf(
    db,
    'custom',
    rows.map((row) => row.id),
  )
  return rows.map((row) => presentCrowd(row, children.get(row.id) ?? []))
}

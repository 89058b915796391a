import { type Kysely, sql } from 'kysely'
import { leftOutWords } from '#contract/targeting/there.ts'
import type { MirrorState, TargetingPackage, TargetingStatus } from '#contract/targeting-package.ts'
import { packagesInUse } from '../../crowds/package-plans.ts'
import { leftOutSql } from '../../postgres/left-out.ts'
import type { Database } from '../../postgres/schema.ts'

/** A package in the lists, without its targeting. */
export const packageRows = (db: Kysely<Database>, at: number) =>
  db
    .selectFrom('targeting_package')
    .innerJoin('advertiser', 'advertiser.id', 'targeting_package.adv_id')
    .innerJoin('platform_account', 'platform_account.id', 'targeting_package.account_id')
    .leftJoin('viewer', 'viewer.id', 'targeting_package.creator_id')
    .leftJoin('targeting_mirror', 'targeting_mirror.package_id', 'targeting_package.id')
    .leftJoin('targeting_there', 'targeting_there.package_id', 'targeting_package.id')
    .select([
      'targeting_package.id',
      'targeting_package.name',
      statusSql(db, at).as('status'),
      inUseSql(db).as('in_use'),
      'targeting_package.creator_id',
      sql<string>`coalesce(nullif(viewer.realname, ''), viewer.username, '')`.as('creator'),
      'targeting_package.created_at',
      'targeting_package.adv_id',
      'advertiser.name as adv_name',
      'targeting_package.platform',
      'targeting_package.account_id',
      'platform_account.name as account_name',
      'targeting_package.dir_id',
      'targeting_package.landing_type',
      'targeting_package.targeting_id',
      'targeting_package.origin',
      mirrorSql.as('mirror'),
      'targeting_mirror.outcome as fail_outcome',
      'targeting_mirror.synced_at as mirrored_at',
      sql<boolean>`targeting_mirror.found is not null`.as('platform_changed'),
      'targeting_package.user_count',
      'targeting_package.counted_at',
      'targeting_package.is_estimating',
      'targeting_package.invalid_time',
      'targeting_package.ver',
      leftOutSql.as('left_out'),
      'targeting_there.plans as plans_there',
    ])
    .where('targeting_package.deleted_at', 'is', null)

export type PackageRow = Awaited<ReturnType<ReturnType<typeof packageRows>['execute']>>[number]

/** How the copy on the platform stands. One made there is its own copy. */
const mirrorSql = sql<MirrorState>`case
  when targeting_package.origin = 'platform' then 'synced'
  else coalesce(targeting_mirror.state, 'local') end`

const inUseSql = (db: Kysely<Database>) => sql<boolean>`(targeting_package.id in (${packagesInUse(db)}))`

/** The status: past its last day, a crowd lost, not on its platform, used by a live plan, otherwise 正常. */
export const statusSql = (db: Kysely<Database>, at: number) => sql<TargetingStatus>`case
  when targeting_package.invalid_time < ${at} then 5
  when targeting_package.is_crowd_lost then -1
  when targeting_mirror.state in ('failed', 'gone') then 4
  when targeting_mirror.state in ('waiting', 'paused') then 3
  when ${inUseSql(db)} then 2
  else 1 end`

export const presentPackage = ({ account_id, invalid_time, left_out, ...row }: PackageRow): TargetingPackage => ({
  ...row,
  tag_id: row.id,
  advertiser_id: account_id,
  is_local: row.mirror === 'local',
  left_out: leftOutWords(row.platform, left_out ?? []),
  magnitude: row.user_count,
  invalidTime: invalid_time,
})

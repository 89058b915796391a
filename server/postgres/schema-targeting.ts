import type { Generated, JSONColumnType } from 'kysely'
import type { HistoryKind, PackageCode } from '#contract/targeting-package.ts'

/** A package's targeting as it is saved: the wire form of its platform. */
export type StoredTargeting = Record<string, unknown>
type Targeting = JSONColumnType<StoredTargeting, string | StoredTargeting, string | StoredTargeting>

/** Tables of targeting packages. */
export interface TargetingTables {
  targeting_package: TargetingPackageTable
  targeting_version: TargetingVersionTable
  targeting_use: { package_id: number; plan_id: number; plan_name: string; live: boolean }
}

export interface TargetingPackageTable {
  id: Generated<number>
  adv_id: number
  account_id: number
  platform: PackageCode
  dir_id: number
  name: string
  targeting: Targeting
  landing_type: string | null
  /** Last second of its expiry day. */
  invalid_time: number
  /** The platform's own id; null for a package that is only kept here. */
  targeting_id: string | null
  /** The last estimate at saving, and its time. */
  user_count: number | null
  counted_at: number | null
  /** A crowd that it uses expired, froze, was deleted or withdrawn. */
  is_crowd_lost: Generated<boolean>
  creator_id: number
  created_at: number
  saved_by: number
  saved_at: number
  ver: Generated<number>
  deleted_at: number | null
}

/** What was saved as one version of a package. */
export interface TargetingVersionTable {
  package_id: number
  ver: number
  kind: HistoryKind
  restored_from: number | null
  viewer_id: number
  at: number
  name: string
  invalid_time: number
  targeting: Targeting
}

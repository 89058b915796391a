import type { Generated, JSONColumnType } from 'kysely'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import type { LeftOut } from '#contract/targeting/there.ts'
import type { HistoryKind, MirrorState, PackageOrigin } from '#contract/targeting-package.ts'
import type { OutcomeColumn } from './outcome-column.ts'

/** A package's targeting as it is saved: the wire form of its platform. */
export type StoredTargeting = Record<string, unknown>
type Targeting = JSONColumnType<StoredTargeting, string | StoredTargeting, string | StoredTargeting>

/** Tables of targeting packages. */
export interface TargetingTables {
  targeting_package: TargetingPackageTable
  targeting_version: TargetingVersionTable
  targeting_template: TargetingTemplateTable
  region_plan: RegionPlanTable
  dictionary_copy: DictionaryCopyTable
  /** How many people a targeting reached in an account. */
  reach_estimate: { account_id: number; hash: string; count: number; at: number }
  targeting_mirror: TargetingMirrorTable
  targeting_account: TargetingAccountTable
  /** Plans of the platform that a package is bound to there, as it was read last. */
  targeting_platform_use: { package_id: number; plan_id: string; name: string; live: boolean }
  targeting_there: TargetingThereTable
  targeting_use: { package_id: number; plan_id: number; plan_name: string; live: boolean; until: number | null }
}

export interface TargetingPackageTable {
  id: Generated<number>
  adv_id: number
  account_id: number
  platform: PackageCode
  dir_id: number
  /** 'platform': made there, and only shown here. */
  origin: Generated<PackageOrigin>
  name: string
  targeting: Targeting
  landing_type: string | null
  /** Last second of its expiry day. */
  invalid_time: number
  /** The platform's own id; null for a package that is only kept here. */
  targeting_id: string | null
  /** The last estimate of what was saved, and its time. */
  user_count: number | null
  counted_at: number | null
  /** Its reach is being asked for. */
  is_estimating: Generated<boolean>
  /** A crowd that it uses expired, froze, was deleted or withdrawn. */
  is_crowd_lost: Generated<boolean>
  /** Null for a package made on its platform, as is `saved_by`. */
  creator_id: number | null
  created_at: number
  saved_by: number | null
  saved_at: number
  ver: Generated<number>
  deleted_at: number | null
}

/** What a platform last answered to a question. */
export interface DictionaryCopyTable {
  key: string
  content: JSONColumnType<unknown[], string, string>
  read_at: number
  /** At most a day old while the copy is used. */
  used_at: number
}

/** What packages of an advertiser may start from; it holds no account's crowds. */
export interface TargetingTemplateTable {
  id: Generated<number>
  adv_id: number
  platform: PackageCode
  name: string
  targeting: Targeting
  creator_id: number
  created_at: number
}

/** Regions under a name; packages that chose it hold a copy. */
export interface RegionPlanTable {
  id: Generated<number>
  adv_id: number
  platform: PackageCode
  name: string
  regions: JSONColumnType<string[], string, string>
  creator_id: number
  created_at: number
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
  /** The folder and its path at that time; null in versions that were saved before they were kept. */
  dir_id: number | null
  dir_name: string | null
  targeting: Targeting
}

type Content = JSONColumnType<Record<string, unknown>, string, string>
/** A package's copy that someone changed on the platform. */
export interface FoundCopy {
  name: string
  content: Record<string, unknown>
  targeting: StoredTargeting
  /** Missing in those that were found before it was kept. */
  left_out?: LeftOut[]
  /** The same. What restricts the copy and is in no content. */
  others?: LeftOut[]
}

/** The copy of a package on its platform; packages that are only kept here have none. */
export interface TargetingMirrorTable {
  package_id: number
  account_id: number
  /** Stands in the description of the copy. */
  key: string
  state: Exclude<MirrorState, 'local'>
  /** Whether its creation was begun: the copy may be there although its id is not known. */
  is_tried: Generated<boolean>
  /** Whether what someone changed on the platform is to be overwritten. */
  is_forced: Generated<boolean>
  /** Counts what was done to the copy, so that an older reading of the platform is not taken for news. */
  rev: Generated<number>
  /** Consecutive failures. */
  attempts: Generated<number>
  outcome: OutcomeColumn
  /** What stands on the platform by our hand; null before it is created. */
  name: string | null
  content: Content | null
  /** What restricts the copy besides its content and is known here: made there, and kept by whoever decided on it. */
  others: JSONColumnType<LeftOut[], string | undefined, string>
  found: JSONColumnType<FoundCopy, string, string> | null
  /** What a call is writing, or wrote without an answer. */
  sending: JSONColumnType<Pick<FoundCopy, 'name' | 'content'>, string, string> | null
  /** When the copy last equalled the package. */
  synced_at: number | null
}

/** What its platform says of a package made there, as it was read last. */
export interface TargetingThereTable {
  package_id: number
  /** What our targeting cannot hold. */
  left_out: JSONColumnType<LeftOut[], string, string>
  /** The targeting in the platform's own words. */
  words: string | null
  /** Its crowds that are lost; null where the platform does not tell. */
  lost_crowds: JSONColumnType<{ id: string; name: string }[], string, string> | null
  /** How many plans use it; null where the platform does not tell. */
  plans: number | null
}

/** When the packages of an account were last read on its platform, or why they could not be. */
export interface TargetingAccountTable {
  account_id: number
  read_at: number | null
  /** Since when readings fail, with the latest reason. */
  failed_at: number | null
  outcome: OutcomeColumn
}

import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { ImportMapping, ImportReport } from '#contract/import.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { RuleNode } from '#contract/rule.ts'
import type { CategoryIcon, LeftOut, TagDefinition, TagType } from '#contract/tag.ts'
import type { OutcomeColumn } from './outcome-column.ts'
import type { CustomTables } from './schema-custom.ts'

/** All times are epoch seconds in bigint columns; ids of advertisers and platform accounts come from one sequence. */
export interface Database extends CustomTables {
  viewer: ViewerTable
  viewer_advertiser: { viewer_id: number; adv_id: number }
  session: SessionTable
  api_token: ApiTokenTable
  embed_token: EmbedTokenTable
  sign_in_attempt: { key: string; failures: number; first_at: number; until: number }
  advertiser: AdvertiserTable
  platform_account: PlatformAccountTable
  platform_login: PlatformLoginTable
  asset_folder: { id: Generated<number>; name: string; parent_id: number | null; created_at: number }
  attribute: AttributeTable
  event_name: EventNameTable
  tag_category: TagCategoryTable
  tag: TagTable
  tag_leftover: TagLeftoverTable
  rule: RuleTable
  people: PeopleTable
  crowd_use: { people_id: number; uses_kind: 'tag' | 'crowd'; uses_id: number }
  plan_use: { people_id: number; plan_id: number; plan_name: string; live: boolean }
  import: ImportTable
  task: TaskTable
  audit: AuditTable
  setting: { name: string; value: string }
  /** The latest start on each DATA_DIR. */
  instance: { id: string; data_dir: string; started_at: Generated<Date> }
}

type Json<T> = JSONColumnType<T & object, string | (T & object), string | (T & object)>

export interface ViewerTable {
  id: Generated<number>
  username: string
  realname: string
  password_hash: string
  is_admin: boolean
  see_phones: boolean
  see_restricted: boolean
  is_disabled: Generated<boolean>
  created_at: number
}

export interface SessionTable {
  id: Generated<number>
  viewer_id: number
  /** sha256 of the cookie's value, hex. */
  token_hash: string
  created_at: number
  last_seen: number
  expires_at: number
  address: string
  agent: string
  /** The only advertiser that a frame's session sees; null for a session of the console. */
  adv_id: number | null
  /** The API token that created a frame's session; the session ends with it. */
  api_token_id: number | null
}

export interface ApiTokenTable {
  id: Generated<number>
  viewer_id: number
  name: string
  /** sha256 of the token, hex. */
  token_hash: string
  tail: string
  created_at: number
  last_used: number | null
  expires_at: number | null
}

export interface EmbedTokenTable {
  /** sha256 of the token, hex. */
  token_hash: string
  viewer_id: number
  adv_id: number
  api_token_id: number | null
  origin: string
  expires_at: number
}

export interface AdvertiserTable {
  id: Generated<number>
  name: string
  is_demo: Generated<boolean>
  created_at: number
}

export interface PlatformAccountTable {
  id: Generated<number>
  adv_id: number
  /** The number in PLATFORMS. */
  platform: number
  external_id: string
  name: string
  scope_list: Json<string[]>
  /** The login whose tokens are used for it; null if it was never authorised or was revoked. */
  login_id: number | null
  authorised_at: number | null
  /** Why the platform refuses this account though its login has tokens. */
  auth_error: OutcomeColumn
}

/** A platform login, with one pair of tokens for all the accounts that it manages. */
export interface PlatformLoginTable {
  id: Generated<number>
  platform: number
  external_id: string
  name: string
  /** Encrypted; null when they are no longer valid. */
  tokens: string | null
  /** When the access token and the refresh token expire. */
  expires_at: number | null
  refresh_expires_at: number | null
  /** Why only a new authorisation helps. */
  error: OutcomeColumn
  /** Who is refreshing the tokens, and when that hold expires. */
  hold: string | null
  hold_until: number | null
  /** The instance (a start of a process) that took the hold. */
  hold_instance: Generated<string | null>
  authorised_at: number
}

/** An attribute of an advertiser's people; its values live in column a{slot} of the warehouse's person_row. */
export interface AttributeTable {
  id: Generated<number>
  adv_id: number
  name: string
  slot: number
  type: 'text' | 'number' | 'date'
  display_name: string
  /** Distinct values at the last count, and the frequent ones (at most 200). */
  distinct_values: Generated<number>
  /** New data arrived after `values` was counted exactly. */
  values_due: Generated<boolean>
  values: Json<string[]>
  /** Kinds of values that get no tag; a kind stays once found, though its count may fall to 0. */
  left_out: JSONColumnType<LeftOut[], string | undefined, string>
}

export interface EventNameTable {
  id: Generated<number>
  adv_id: number
  name: string
  display_name: string
  properties: Json<string[]>
  /** The day (YYYY-MM-DD) from which windowed tags must be rebuilt because of late events; null when there are none. */
  dirty_since: string | null
}

export interface TagCategoryTable {
  id: Generated<number>
  adv_id: number
  name: string
  icon: CategoryIcon
  tag_type: TagType
  /** The attribute that an import made it for; null if a viewer made it. */
  source: string | null
  position: Generated<number>
}

/** Its bitmap rows in the warehouse have (adv_id, tag id, version); version and count change together here. */
export interface TagTable {
  id: Generated<number>
  adv_id: number
  name: string
  tag_type: TagType
  category_id: number
  definition: Json<TagDefinition>
  is_automatic: boolean
  is_built_in: boolean
  /** 0 before the first build. */
  version: Generated<number>
  count: number | null
  counted_at: number | null
  /** Set when data or definition changed after the last build read them. */
  is_dirty: Generated<boolean>
  /** Grows with each change; a build stores the one it read as `built_generation`, so later changes are not lost. */
  generation: Generated<number>
  built_generation: Generated<number>
  error: OutcomeColumn
  creator_id: number | null
  created_at: number
  position: Generated<number>
}

/** Rows of tag_member to drop after a grace period; tag_id is null for all rows of a build that was never in use. */
export interface TagLeftoverTable {
  id: Generated<number>
  adv_id: number
  tag_id: number | null
  version: number
  since: number
}

/** A rule; a draft until a crowd uses it. */
export interface RuleTable {
  id: Generated<number>
  adv_id: number
  def: Json<RuleNode> | null
  creator_id: number
  created_at: number
  updated_at: number
}

export interface PeopleTable {
  id: Generated<number>
  name: string
  adv_id: number
  dir_id: number
  rule_id: number
  tag_id: Generated<number>
  creator_id: number
  created_at: number
  invalid_time: number
  /** Grows with each save; a save with an older one is refused. */
  ver: Generated<number>
  saved_by: number
  saved_at: number
  /** Version of its rows in the warehouse's crowd_member; 0 before the first. */
  version: Generated<number>
  magnitude: number | null
  /** The time of the data that it counts. */
  computed_at: number | null
  took_ms: number | null
  /** The rule changed since `version` was computed. */
  rule_changed: Generated<boolean>
  is_dirty: Generated<boolean>
  fail_reason: OutcomeColumn
  /** The task of the running or waiting computation. */
  task_id: number | null
  /** Its number among the crowd's recomputations; a job that is not the newest stops. */
  compute_seq: Generated<number>
  deleted_at: number | null
}

/** Rows of a file with the same outcome. Imports of earlier versions stored its sentence. */
export type StoredRows = { outcome: AnyOutcome; rows: number } | { reason: string; rows: number }
/** Earlier versions stored no warnings. */
export type StoredReport = Omit<ImportReport, 'reasons' | 'warnings'> & {
  reasons: StoredRows[]
  warnings?: StoredRows[]
}

export interface ImportTable {
  id: Generated<number>
  adv_id: number
  kind: 'users' | 'events'
  file_name: string
  /** Below DATA_DIR's uploads folder, or absolute; an upload is removed after its import. */
  path: string | null
  size: number
  mapping: Json<ImportMapping>
  report: Json<StoredReport> | null
  status: 'waiting' | 'running' | 'done' | 'failed'
  error: OutcomeColumn
  task_id: number | null
  viewer_id: number | null
  created_at: number
  finished_at: number | null
  /** What a resumed run needs to continue where the killed one stopped. */
  state: Json<Record<string, unknown>> | null
}

export interface TaskTable {
  id: Generated<number>
  kind: string
  title: string
  adv_id: number | null
  viewer_id: number | null
  link: string | null
  status: 'waiting' | 'running' | 'done' | 'failed'
  progress: Generated<number>
  stage: Generated<string>
  /** Why it waits, which is the sentence in `stage`; null while it runs. */
  stage_outcome: OutcomeColumn
  error: OutcomeColumn
  job_id: string | null
  /** Name, data and group of the job, to send it again. */
  job: Json<{ name: string; data: Record<string, unknown>; group?: string }> | null
  result: Json<Record<string, unknown>> | null
  created_at: number
  started_at: number | null
  finished_at: number | null
}

export interface AuditTable {
  id: Generated<number>
  at: number
  /** null: the system or the command line. */
  viewer_id: number | null
  action: string
  detail: ColumnType<Record<string, unknown>, string | Record<string, unknown>, never>
}

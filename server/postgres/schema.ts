import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { CrowdSchedule } from '#contract/crowd-schedule.ts'
import type { FramedPage } from '#contract/embed.ts'
import type { ImportKind, ImportMapping, ImportReport, ImportStatus, UndoExtent } from '#contract/import.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { RuleNode } from '#contract/rule.ts'
import type { EventMeaning } from '#contract/standard-event.ts'
import type { CategoryIcon, LeftOut, TagType } from '#contract/tag.ts'
import type { TagDefinition } from '#contract/tag-definition.ts'
import type { DictionaryEntry, FieldType } from '#contract/tag-field.ts'
import type { EstimateGoals } from '#contract/targeting/estimate-goals.ts'
import type { OutcomeColumn } from './outcome-column.ts'
import type { ActivityTables } from './schema-activity.ts'
import type { CustomTables } from './schema-custom.ts'
import type { ForgetTables } from './schema-forget.ts'
import type { ReportTables } from './schema-report.ts'
import type { TargetingTables } from './schema-targeting.ts'

/** All times are epoch seconds in bigint columns; ids of advertisers and platform accounts come from one sequence. */
export interface Database extends ActivityTables, CustomTables, ForgetTables, ReportTables, TargetingTables {
  viewer: ViewerTable
  viewer_advertiser: { viewer_id: number; adv_id: number; is_read_only: Generated<boolean> }
  session: SessionTable
  api_token: ApiTokenTable
  embed_token: EmbedTokenTable
  sign_in_attempt: { key: string; failures: number; first_at: number; until: number }
  known_place: KnownPlaceTable
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
  /** Of every version that was in force. */
  crowd_size: CrowdSizeTable
  /** Versions of sets that are still read, until when. */
  member_hold: { id: Generated<number>; adv_id: number; sets: Json<HeldSet[]>; until: number }
  crowd_use: { people_id: number; uses_kind: 'tag' | 'crowd'; uses_id: number }
  plan_use: { people_id: number; plan_id: number; plan_name: string; live: boolean; until: number | null }
  import: ImportTable
  write_key: WriteKeyTable
  tracking_batch: TrackingBatchTable
  tracking_refusal: TrackingRefusalTable
  task: TaskTable
  task_seen: TaskSeenTable
  audit: AuditTable
  setting: { name: string; value: string }
  /** The latest start on each DATA_DIR. */
  instance: { id: string; data_dir: string; started_at: Generated<Date> }
}

export interface CrowdSizeTable {
  crowd_id: number
  version: number
  count: number
  counted_at: number
  /** The order in which versions came into force. */
  no: GeneratedAlways<number>
  /** Whether the version's people are still in the warehouse. */
  has_members: Generated<boolean>
  /** When the next version came into force, epoch seconds; null of the version in force. */
  replaced_at: number | null
}

export interface HeldSet {
  kind: 'tag' | 'crowd'
  id: number
  version: number
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
  /** When the viewer was deleted: the row stays for the names of what they made, and is disabled for good. */
  deleted_at: number | null
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
  /** A frame that was opened to watch. */
  is_read_only: Generated<boolean>
  /** What a frame shows; null for a session of the console. */
  framed_page: FramedPage | null
  /** Its id; 0 for a new one. */
  framed_id: number | null
}

/** Where a viewer signed in before; guesses from elsewhere never lock it out. */
export interface KnownPlaceTable {
  viewer_id: number
  kind: 'browser' | 'address'
  /** sha256 of the browser's cookie, hex; or the address. */
  value: string
  last_used: number
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
  is_read_only: Generated<boolean>
  framed_page: FramedPage
  framed_id: number
  origin: string
  expires_at: number
}

export interface AdvertiserTable {
  id: Generated<number>
  name: string
  is_demo: Generated<boolean>
  /** The greatest number that a person had before an undo; no number is given twice. */
  last_uid: Generated<number>
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
  /** What viewers wrote about it; empty without a remark. */
  remark: Generated<string>
  /** What its estimates of reach are for; null until somebody said so. */
  estimate_goals: Json<EstimateGoals> | null
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
  /** Its automatic tags: one for each value, or ranges (有值 for a text); null before the first look at its values. */
  tagged_by: 'values' | 'ranges' | null
  /** A viewer chose the type, so new data do not change it. */
  is_type_fixed: Generated<boolean>
  /** Names of values. */
  dictionary: JSONColumnType<StoredEntry[], string | undefined, string>
}

/** The name of a value. `is_tagged`: its tag was made, and is not made again where a viewer deleted it. */
export interface StoredEntry extends DictionaryEntry {
  is_tagged?: boolean
}

/** What a viewer settled about a property of an event. */
export interface PropertySettings {
  display_name?: string
  /** null or missing: guessed from the data. */
  type?: FieldType | null
  /** Names of its values. */
  dictionary?: StoredEntry[]
}

export interface EventNameTable {
  id: Generated<number>
  adv_id: number
  name: string
  display_name: string
  properties: Json<string[]>
  /** By the property's name. */
  property_settings: JSONColumnType<Record<string, PropertySettings>, string | undefined, string>
  /** The day (YYYY-MM-DD) from which windowed tags must be rebuilt because of late events; null when there are none. */
  dirty_since: string | null
  /** Its automatic tag was made, and is not made again where a viewer deleted it. */
  is_tagged: Generated<boolean>
  /** What it stands for in the reports of activities. */
  meaning: ColumnType<EventMeaning | null, string | null | undefined, string | null>
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
  /** A viewer named it, so it does not follow the display name of its field. */
  is_renamed: Generated<boolean>
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
  /** Rule editors do not offer it; rules that use it stay. */
  is_hidden: Generated<boolean>
  /** A viewer named it, so it does not follow the name of its value or event. */
  is_renamed: Generated<boolean>
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
  /** A computation is to come, or a recomputation with others has begun and not ended. */
  is_dirty: Generated<boolean>
  /** When a crowd whose data changed is recomputed at the earliest, epoch seconds; null when nothing waits. */
  due_at: number | null
  /** Its own times of recomputation; null if it follows its data. */
  schedule: ColumnType<CrowdSchedule | null, string | null, string | null>
  /** The next of these times, epoch seconds. */
  next_at: number | null
  /** Its data changed since it was last computed, and it waits for its time. */
  is_behind: Generated<boolean>
  /** Webhooks are told of a change by more than this share, percent; null: of none. */
  tell_share: number | null
  /** The version that changes are compared with: the one told last. */
  told_version: number | null
  /** The last version that was compared. */
  checked_version: number | null
  /** When somebody last opened it, to the hour, epoch seconds. */
  looked_at: number | null
  fail_reason: OutcomeColumn
  /** The task of the running or waiting computation. */
  task_id: number | null
  /** Its number among the crowd's recomputations; a job that is not the newest stops. */
  compute_seq: Generated<number>
  deleted_at: number | null
}

/** Rows of a file with the same outcome. Imports of earlier versions stored its sentence. */
export type StoredRows = { outcome: AnyOutcome; rows: number; first?: number[] } | { reason: string; rows: number }
/** Earlier versions stored no warnings. */
export type StoredReport = Omit<ImportReport, 'reasons' | 'warnings'> & {
  reasons: StoredRows[]
  warnings?: StoredRows[]
}

/** The attributes and events that an import named. */
export interface StoredBrought {
  /** Epoch seconds. */
  began: number
  /** `type`: of the values that it stored; null when it stored none, missing when its rows repeat stored ones. */
  attributes: { name: string; type?: AttributeTable['type'] | null }[]
  events: { name: string; properties: string[] }[]
  /** What its mapping settled about them; missing of earlier versions. */
  settled?: StoredSetting[]
}

/** A setting that an import's mapping made of an attribute or of a property of an event. */
export interface StoredSetting {
  attribute?: string
  event?: string
  property?: string
  what: 'display_name' | 'type' | 'label'
  /** The value that a label names. */
  value?: string
  set: string
  /** null: it was not settled. */
  before: string | null
}

export interface StoredUndo {
  /** Who asked; null on the command line. */
  viewer_id: number | null
  asked_at: number
  finished_at: number | null
  /** Counted before the first row goes; null until then. */
  extent: UndoExtent | null
}

/** A key for tracking calls. */
export interface WriteKeyTable {
  id: Generated<number>
  adv_id: number
  kind: 'server' | 'page'
  name: string
  /** sha256 of the key, hex. */
  key_hash: string
  /** The key, encrypted, to be shown again. */
  sealed: string
  tail: string
  viewer_id: number | null
  created_at: number
  last_used: number | null
  revoked_at: number | null
}

/** A batch of tracked messages that was taken out of the warehouse's track_message: the imports that count it. */
export interface TrackingBatchTable {
  batch: number
  adv_id: number
  /** Null if no message has traits. */
  users_import: number | null
  events_import: number
  messages: number
  taken_at: number
}

/** Messages that were refused, or kept in part: a row for each key, reason and second, with one of them. */
export interface TrackingRefusalTable {
  id: Generated<number>
  adv_id: number
  /** Null where it was found while messages of several keys were counted. */
  key_id: number | null
  at: number
  outcome: Json<AnyOutcome>
  times: number
  kind: string
  event: string
  message_id: string
  is_kept: boolean
}

export interface ImportTable {
  id: Generated<number>
  adv_id: number
  kind: ImportKind
  /** A file that a viewer handed in, or messages of tracking calls, which no list shows. */
  source: Generated<'file' | 'tracking'>
  file_name: string
  /** Below DATA_DIR's uploads folder, or absolute; an upload is removed after its import. */
  path: string | null
  size: number
  mapping: Json<ImportMapping>
  report: Json<StoredReport> | null
  status: ImportStatus
  error: OutcomeColumn
  /** The task of the import, later that of its undoing. */
  task_id: number | null
  viewer_id: number | null
  created_at: number
  finished_at: number | null
  /** What it brought; null before the import ended, and if an earlier version ran it: it cannot be undone. */
  brought: Json<StoredBrought> | null
  /** Set when it is to be undone. */
  undo: Json<StoredUndo> | null
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
  status: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
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

/** A failed task that a viewer has seen. */
export interface TaskSeenTable {
  task_id: number
  viewer_id: number
}

export interface AuditTable {
  id: Generated<number>
  at: number
  /** null: the system or the command line. */
  viewer_id: number | null
  action: string
  detail: ColumnType<Record<string, unknown>, string | Record<string, unknown>, never>
}

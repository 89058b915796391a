import type { Generated, JSONColumnType } from 'kysely'
import type { CntType } from '#contract/audience.ts'
import type { AuthorisationOutcome } from '#contract/authorisation.ts'
import type { CrowdFile } from '#contract/custom-crowd.ts'
import type { IdentifierType } from '#contract/identifier.ts'
import type { SentChoice } from '#contract/identifier-column.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { PushStatus } from '#contract/push-status.ts'
import type { WebhookEvent } from '#contract/webhook.ts'
import type { OutcomeColumn } from './outcome-column.ts'

type Json<T> = JSONColumnType<T & object, string | (T & object), string | (T & object)>

/** Tables of uploaded crowds, their audiences on platforms and the pushes that fill them. */
export interface CustomTables {
  custom_folder: { id: Generated<number>; name: string; parent_id: number | null; created_at: number }
  custom_crowd: CustomCrowdTable
  custom_version: CustomVersionTable
  crowd_file: CrowdFileTable
  custom_log: CustomLogTable
  upload: UploadTable
  oauth_state: OauthStateTable
  audience: AudienceTable
  audience_use: { child_id: number; plan_id: number; plan_name: string; live: boolean; until: number | null }
  control_group: ControlGroupTable
  push: PushTable
  push_part: PushPartTable
  consent: { adv_id: number; attribute: string | null; refused_values: Json<string[]> }
  webhook: WebhookTable
}

/** Its id never equals a rule crowd's, since rules name both as history crowds. */
export interface CustomCrowdTable {
  id: Generated<number>
  adv_id: number
  dir_id: number
  name: string
  user_id_type: IdentifierType
  creator_id: number
  created_at: number
  /** The current version, as in the rows of the warehouse; 0 before the first is done. */
  version: Generated<number>
  /** Distinct identifiers of `version`, and how many of our people match them. */
  size: number | null
  matched: number | null
  counted_at: number | null
  /** The version of these people in the warehouse's crowd_member; it changes with every new matching. */
  members_version: Generated<number>
  match_seq: Generated<number>
  /** Values taken out because their person was forgotten. */
  removed_on_request: Generated<number>
  fail_reason: OutcomeColumn
  deleted_at: number | null
}

/** One change of a crowd; numbers grow by one and are never reused. */
export interface CustomVersionTable {
  id: Generated<number>
  crowd_id: number
  no: number
  kind: 'create' | 'append' | 'remove' | 'restore'
  restored_from: number | null
  status: 'computing' | 'done' | 'failed'
  /** lines = valid + duplicate + malformed of all its files. */
  lines: number | null
  valid: number | null
  duplicate: number | null
  malformed: number | null
  /** Distinct identifiers of the crowd after this version. */
  size: number | null
  error: OutcomeColumn
  task_id: number | null
  viewer_id: number | null
  created_at: number
  finished_at: number | null
}

export interface CrowdFileTable {
  id: Generated<number>
  crowd_id: number
  /** The version it belongs to. */
  version: number
  name: string
  size: number
  /** The upload's id; null after it was read and removed. */
  uri: string | null
  hashed: Json<NonNullable<CrowdFile['hashed']>> | null
  choice: Json<SentChoice> | null
  /** Texts of an archive that could not be read. */
  unread: Json<{ name: string; error: AnyOutcome }[]>
  status: 'waiting' | 'checking' | 'done' | 'failed'
  error: OutcomeColumn
  line_count: number | null
  valid_count: number | null
  duplicate: number | null
  malformed: number | null
  /** `outcome` is missing in rows stored before outcomes had codes. */
  reasons: Json<{ reason: string; lines: number; listed?: number; outcome?: AnyOutcome }[]>
  /** Of its malformed lines, those taken out of the list because their person was forgotten. */
  removed_on_request: Generated<number>
  created_at: number
}

export interface CustomLogTable {
  id: Generated<number>
  crowd_id: number
  child_id: number | null
  op_type: 0 | 1 | 2 | 3 | 4 | 5
  what: string
  version: number | null
  viewer_id: number | null
  op_at: number
}

export interface UploadTable {
  /** Random; the `uri` on the wire. */
  id: string
  viewer_id: number
  purpose: Generated<'crowd' | 'import'>
  name: string
  size: number
  store: 'tus' | 's3'
  object_key: string | null
  multipart_id: string | null
  is_complete: Generated<boolean>
  /** The crowd's file that uses it; such an upload is not swept by age. */
  crowd_file_id: number | null
  created_at: number
}

export interface OauthStateTable {
  id: Generated<number>
  /** sha256 (hex) of the state that is sent to the platform and returned. */
  state_hash: string
  viewer_id: number
  adv_id: number
  platform: number
  back: string
  redirect_uri: string
  created_at: number
  expires_at: number
  used_at: number | null
  /** The result, for the page that the viewer returns to. */
  result: Json<AuthorisationOutcome> | null
}

export interface AudienceTable {
  id: Generated<number>
  custom_id: number | null
  people_id: number | null
  account_id: number
  cnt_type: CntType
  types: Json<IdentifierType[]>
  name: string
  platform_name: string
  /** Makes it unique on the platform; never changes. */
  key: string
  audience_id: string | null
  source_id: string | null
  status: 'available' | 'computing' | 'failed' | 'expired' | 'frozen'
  reason: OutcomeColumn
  accepted: number | null
  covered: number | null
  looked_at: number | null
  next_look_at: number | null
  /** The crowd's version in the last finished push. */
  pushed_version: number | null
  /** The last publication on the platform that we asked for. */
  published_at: number | null
  /** Plans up to this one filled an audience that the platform no longer has, so none of their values is there. */
  void_plan: Generated<number>
  keeps_step: Generated<boolean>
  creator_id: number
  created_at: number
  deleted_at: number | null
}

/** People of a crowd whom none of its pushes sends, drawn by `isHeldOut` of the contract. */
export interface ControlGroupTable {
  id: Generated<number>
  custom_id: number | null
  people_id: number | null
  /** Percent. */
  share: number
  seed: string
  viewer_id: number
  created_at: number
  /** When its first push was planned, and the version of the crowd's members then. From then on it stays as it is. */
  pushed_at: number | null
  members_version: number | null
  /** When another group took its place, or none. */
  ended_at: number | null
}

export interface PushTable {
  id: Generated<number>
  child_id: number
  /** The crowd's version that it pushes. */
  version: number
  status: PushStatus
  /** Where a resumed run continues. */
  step: 'plan' | 'create' | 'send' | 'apply' | 'settle' | 'publish' | 'done'
  reason: OutcomeColumn
  task_id: number | null
  viewer_id: number | null
  adds: Generated<number>
  removes: Generated<number>
  /** Identifiers of the crowd: total = values kept or added + suppressed + no_consent + held_out + not_sendable. */
  total: Generated<number>
  suppressed: Generated<number>
  no_consent: Generated<number>
  held_out: Generated<number>
  not_sendable: Generated<number>
  sent: Generated<number>
  accepted: number | null
  /** Consecutive failures. */
  attempts: Generated<number>
  /** Set where it only removes a forgotten person from its audience. */
  forget_account_id: Generated<number | null>
  /** The id of its rows in the warehouse's push_value; null until the plan is complete. Later pushes have larger ids. */
  plan_id: number | null
  state: Json<PushState>
  created_at: number
  finished_at: number | null
}

/** A call's request and answer, stored per part; secrets are left out, bodies are cut. */
export interface CallSample {
  at: number
  method: string
  path: string
  request: string
  status: number | null
  answer: string
  took_ms: number
}

/** What a resumed run needs besides the step. */
export interface PushState {
  /** A plan that was begun and may be incomplete; its rows belong to no push. */
  planning?: number
  /** The audience was missing on the platform and is made again, once. */
  remade?: boolean
  /** How often the platform was asked whether it is ready since the last change. */
  polls?: number
  /** Calls that belong to no part: creating, asking, publishing. */
  samples?: CallSample[]
}

export interface PushPartTable {
  push_id: number
  no: number
  op: 'add' | 'remove'
  type: IdentifierType
  count: number
  status: 'waiting' | 'sent' | 'done' | 'failed'
  receipt: string | null
  accepted: number | null
  reason: OutcomeColumn
  attempts: Generated<number>
  /** Grows when a file that the platform could not read is sent again under another key. */
  round: Generated<number>
  sent_at: number | null
  /** On platforms that take data first: whether the audience was told to apply it. */
  is_applied: Generated<boolean>
  samples: Json<CallSample[]>
}

export interface WebhookTable {
  id: Generated<number>
  adv_id: number
  kind: 'wecom' | 'feishu' | 'json'
  /** Encrypted, since it contains the robot's key. */
  url: string
  is_on: boolean
  /** What it is told of. */
  events: Generated<WebhookEvent[]>
  last_at: number | null
  last_error: OutcomeColumn
}

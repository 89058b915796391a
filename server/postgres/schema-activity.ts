import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { BudgetMode } from '#contract/activity/budget.ts'
import type { Snapshot } from '#contract/activity/changes.ts'
import type { PlanCreation } from '#contract/activity/creation.ts'
import type { CrowdRole, Plan } from '#contract/activity/plan.ts'
import type { Switch } from '#contract/activity/status.ts'
import type { FaceThere, PlanBudget, PlanPart, PlatformPlan, WantedPlan } from '#contract/activity/there.ts'
import type { OperationType } from '#contract/activity-log.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { PlatformCode } from '#contract/platform.ts'
import type { OutcomeColumn } from './outcome-column.ts'

type Json<T> = JSONColumnType<T & object, string, string>
type NullableJson<T> = JSONColumnType<(T & object) | null, string | null, string | null>

/** Tables of activities. */
export interface ActivityTables {
  campaign: CampaignTable
  campaign_plan: CampaignPlanTable
  campaign_plan_crowd: { plan_id: number; child_id: number; role: CrowdRole }
  campaign_log: CampaignLogTable
  campaign_plan_there: PlanThereTable
  campaign_change: CampaignChangeTable
  plan_account: PlanAccountTable
  campaign_product: { id: GeneratedAlways<number>; adv_id: number; name: string; created_at: number }
  campaign_asset: CampaignAssetTable
  /** The columns of the list that a viewer chose, in order. */
  campaign_columns: { viewer_id: number; keys: Json<string[]> }
  report_link: ReportLinkTable
}

export interface ReportLinkTable {
  id: GeneratedAlways<number>
  campaign_id: number
  /** Who made it: it shows what they may see. */
  viewer_id: number
  token_hash: string
  created_at: number
  expires_at: number
  revoked_at: number | null
  opened: Generated<number>
  last_opened_at: number | null
}

export interface CampaignTable {
  id: GeneratedAlways<number>
  adv_id: number
  name: string
  product_id: number | null
  auto_sync: Switch
  is_open: Generated<Switch>
  /** Null for a draft. */
  submitted_at: number | null
  /** The last of its plans' days (YYYY-MM-DD); null while one of them has no end. */
  last_day: string | null
  creator_id: number
  created_at: number
  saved_by: number
  saved_at: number
  ver: Generated<number>
  deleted_at: number | null
}

export interface CampaignPlanTable {
  id: GeneratedAlways<number>
  campaign_id: number
  /** Its place among the activity's plans. */
  position: number
  name: string
  platform: PlatformCode
  account_id: number | null
  /** The platform's own id; null for a plan that is only kept here. */
  plan_id: string | null
  /** How it is created on its platform, or was; null where it is not created by us. */
  creation: NullableJson<PlanCreation>
  package_id: number | null
  budget_mode: BudgetMode
  /** Fen. */
  budget: number | null
  start_date: string | null
  end_date: string | null
  hours: string | null
  is_open: Switch
  created_at: number
  deleted_at: number | null
}

export interface CampaignLogTable {
  id: GeneratedAlways<number>
  campaign_id: number
  op_type: OperationType
  /** Null for what was changed on a platform. */
  viewer_id: number | null
  at: number
  before: NullableJson<Snapshot>
  after: NullableJson<Snapshot>
}

/** The creation of a plan on its platform, as it was sent or is about to be. */
export interface Making {
  /** Epoch seconds. */
  at: number
  wanted: WantedPlan
}
/** What a platform refused last, to be asked for again when somebody wants that. */
export interface RefusedWish {
  budget: PlanBudget | null
  parts: PlanPart[]
}

/** The copy of a linked or created plan on its platform, and what is to become of it. */
export interface PlanThereTable {
  plan_id: number
  account_id: number
  /** The platform's own id; null for a plan that is not created yet. */
  there_id: string | null
  /** 'waiting': something is wanted and not done yet; 'failed': refused, with the reason; 'paused': until a new authorisation. */
  state: Generated<'idle' | 'waiting' | 'failed' | 'paused'>
  /** What it is to become; null where nothing is wanted. */
  want_on: Switch | null
  want_mode: BudgetMode | null
  /** Fen. */
  want_budget: number | null
  /** Whether it is to be created; false for one that is only looked for, to be stopped. */
  want_create: Generated<boolean>
  want_parts: JSONColumnType<PlanPart[], string | undefined, string>
  /** Unique; at the end of its name there, by which it is found. Null for a plan that was made on the platform. */
  mark: string | null
  /** The creation that may have been carried out without an answer. */
  making: NullableJson<Making>
  refused: NullableJson<RefusedWish>
  /** Its switch there before the change that it belongs to, to be restored. */
  was_on: Switch | null
  change_id: number | null
  /** Counts what was wanted, so that an answer to something older is not taken for it. */
  rev: Generated<number>
  attempts: Generated<number>
  outcome: OutcomeColumn
  /** As it was read last; null before, and where it is gone. */
  found: NullableJson<PlatformPlan>
  is_gone: Generated<boolean>
  /** As it stood there after we wrote it last; null for a plan of which we wrote nothing. */
  agreed: NullableJson<FaceThere>
  read_at: number | null
}

/** A change of an activity that several plans carry to their platforms, all or none. */
export interface CampaignChangeTable {
  id: GeneratedAlways<number>
  campaign_id: number
  kind: 'activity' | 'plan' | 'delete'
  /** Of kind 'plan'. */
  plan_id: number | null
  /** What the switch becomes, and what it was. */
  is_open: Switch
  was_open: Switch
  viewer_id: number
  at: number
  state: Generated<'running' | 'done' | 'failed' | 'replaced'>
  problems: NullableJson<AnyOutcome[]>
}

export interface PlanAccountTable {
  account_id: number
  /** The operator's real-name token, sealed. */
  user_token: string | null
  /** When the account's plans were read last, and why they could not be. */
  read_at: number | null
  outcome: OutcomeColumn
}

/** What an activity was when it was saved as an asset, without days and platform ids. */
export interface AssetContent {
  name: string
  product_id: number | null
  auto_sync: Switch
  plans: Plan[]
}

export interface CampaignAssetTable {
  id: GeneratedAlways<number>
  adv_id: number
  name: string
  content: Json<AssetContent>
  creator_id: number
  created_at: number
}

import type { Kysely, Selectable } from 'kysely'
import type { BudgetMode } from '#contract/activity/budget.ts'
import { planStatus, planStatusName, planTypeOf, type Switch } from '#contract/activity/status.ts'
import { changedThere, differencesThere, type FaceThere, type PlatformPlan } from '#contract/activity/there.ts'
import type { PlanSync } from '#contract/activity-plan.ts'
import type { PlatformCode } from '#contract/platform.ts'
import type { Database } from '../../../postgres/schema.ts'
import type { PlanThereTable } from '../../../postgres/schema-activity.ts'

/** What is kept of plans on their platforms, by plan. */
export async function thereOf(db: Kysely<Database>, plan_ids: readonly number[]) {
  const rows = await db
    .selectFrom('campaign_plan_there')
    .selectAll()
    .where('plan_id', 'in', [0, ...plan_ids])
    .execute()
  return new Map(rows.map((row) => [row.plan_id, row]))
}
export type ThereRow = Selectable<PlanThereTable>

interface Plan {
  name: string
  start_date: string | null
  platform: PlatformCode
  is_open: Switch
  end_date: string | null
  budget_mode: BudgetMode
  budget: number | null
}

/** A plan's status with what its platform says of it. */
export function shownPlan(
  activity: { is_submitted: boolean; is_open: Switch },
  plan: Plan,
  there: ThereRow | undefined,
  today: string,
) {
  const ours = planStatus(activity, plan, today)
  const type = planTypeOf(plan.platform)
  // Under way, what is wanted is shown; otherwise what the platform says, which may wait for a review.
  const found = ours !== 0 && there?.found && there.state !== 'waiting' ? there.found : null
  // Not there, nothing of it delivers.
  const isMissing = there !== undefined && (there.there_id === null || there.is_gone) && there.state !== 'waiting'
  const status = found ? found.status : isMissing && ours === 1 ? 2 : ours
  const plan_status_name = planStatusName(type, status, found !== null)
  return { type, status, plan_status_name, sync: syncOf(ours === 1, plan, there) }
}

/** What of a plan there people may change on the platform's pages, beside its switch and its budget. */
export const faceOf = ({ name, days }: PlatformPlan): FaceThere => ({ name, ...(days && { days }) })

/** What people changed of a plan's name and days there, that nobody decided on yet; nothing while it is being changed. */
export function foreignChange(plan: Pick<Plan, 'name' | 'start_date' | 'end_date'>, row: ThereRow): Partial<FaceThere> {
  return row.state === 'waiting' ? {} : changedThere({ ...plan, mark: row.mark }, row.agreed, row.found)
}

/** Whether there is something that the platform can be asked for again. */
export const canRetry = ({ state, there_id, refused }: Pick<ThereRow, 'state' | 'there_id' | 'refused'>): boolean =>
  state === 'paused' || (state === 'failed' && (there_id === null || refused !== null))

function syncOf(delivers: boolean, plan: Plan, there: ThereRow | undefined): PlanSync {
  if (!there) return { state: 'local', reason: null, told: [], read_at: null, can_retry: false, can_settle: false }
  const { found, is_gone, read_at, outcome } = there
  const can_retry = canRetry(there)
  if (there.there_id === null) {
    const state = there.state === 'waiting' ? 'creating' : 'uncreated'
    return { state, reason: outcome, told: [], read_at: null, can_retry, can_settle: false }
  }
  const state = there.state === 'waiting' ? 'syncing' : there.state === 'idle' ? 'synced' : 'failed'
  const isRead = found !== null || is_gone
  const changed = foreignChange(plan, there)
  const told = state === 'syncing' || !isRead ? [] : differencesThere({ ...plan, delivers }, found, changed)
  return { state, reason: outcome, told, read_at, can_retry, can_settle: Object.keys(changed).length > 0 }
}

import type { ActivityRow, PlanRow } from '#contract/activity-list.ts'
import type { PlanSync } from '#contract/activity-plan.ts'

/** Milliseconds between looks at plans that their platforms change, and at those that are only read there. */
const CHANGING_MS = 2000
const READING_MS = 3000

/** Whether a plan is being created or changed on its platform, so that it stands otherwise soon. */
export const isUnderWay = ({ state }: PlanSync): boolean => state === 'syncing' || state === 'creating'

/** Whether a plan that is to be off here is on there. */
export const runsThere = ({ told }: PlanSync): boolean => told.some(({ code }) => code === 'plan_runs_there')

/** The plans of a row, or the plan that it is. */
export const plansOfRow = (row: Pick<ActivityRow, 'children'> | PlanRow): readonly PlanRow[] =>
  'children' in row ? row.children : [row]

/** When plans are looked at again, since their platforms change or read them; false: not by themselves. */
export function nextLook(plans: readonly { sync: PlanSync }[], isReading = false): number | false {
  return plans.some(({ sync }) => isUnderWay(sync)) ? CHANGING_MS : isReading && READING_MS
}

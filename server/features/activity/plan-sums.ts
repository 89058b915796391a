import { addSums, type MetricSums } from '#contract/activity/formulas.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import type { Days } from '../../reports/days-in-force.ts'
import { type ReportedPlan, reportSums } from '../../reports/sums.ts'

/** A plan of the platform, whose reports are ours to show. */
export interface LinkedPlan {
  id: number
  adv_id: number
  /** The account's id on its platform, and the plan's in the account. */
  external_id: string
  plan_id: string
  /** Whether rows that name no account are this plan's: the first plan with this number has them. */
  takes_unnamed: boolean
}

/** What reports say of each of these plans within some days. */
export async function sumsOfPlans(
  on: AcrossShards,
  plans: readonly LinkedPlan[],
  days: Days,
): Promise<ReadonlyMap<number, MetricSums>> {
  const found = new Map<number, MetricSums>()
  for (const [adv_id, own] of Map.groupBy(plans, (plan) => plan.adv_id)) {
    const named = namesOf(own)
    const rows = await reportSums(on, { adv_id, ...days, plans: named.map(({ name }) => name) }, ['account', 'plan'])
    const ids = new Map(named.map(({ name, id }) => [keyOf(name), id]))
    for (const { sums, ...name } of rows) {
      const id = ids.get(keyOf(name))
      if (id !== undefined) found.set(id, addSums(found.get(id) ?? {}, sums))
    }
  }
  return found
}

/** The same of all of them together, by day. */
export async function sumsByDay(
  on: AcrossShards,
  plans: readonly LinkedPlan[],
  days: Days,
): Promise<ReadonlyMap<string, MetricSums>> {
  const found = new Map<string, MetricSums>()
  for (const [adv_id, own] of Map.groupBy(plans, (plan) => plan.adv_id)) {
    const named = namesOf(own).map(({ name }) => name)
    for (const { date, sums } of await reportSums(on, { adv_id, ...days, plans: named }, ['day'])) {
      found.set(date, addSums(found.get(date) ?? {}, sums))
    }
  }
  return found
}

/** How reports name these plans. */
export const namesOf = (plans: readonly LinkedPlan[]): { id: number; name: ReportedPlan }[] =>
  plans.flatMap(({ id, external_id, plan_id, takes_unnamed }) => [
    { id, name: { account_id: external_id, plan_id } },
    ...(takes_unnamed ? [{ id, name: { account_id: '', plan_id } }] : []),
  ])

const keyOf = ({ account_id, plan_id }: ReportedPlan) => JSON.stringify([account_id, plan_id])

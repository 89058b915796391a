import type { MetricSums } from '#contract/activity/formulas.ts'
import type { AcrossShards } from '../clickhouse/handles.ts'
import { type DayInForce, type DaySums, type Days, type InForce, inForceOn, nameOf, readDays } from './days-in-force.ts'
import { addLayouts, combined } from './layout-sums.ts'
import { countedRows } from './rows-in-force.ts'
import { PLANS_LOOKED_UP, planName, reportSums } from './sums.ts'

/** Plans of an advertiser whose sums are asked for again and again. */
export interface PlanSet {
  adv_id: number
  /** The same for the same plans alone. */
  key: string
  /** As reports name them; '' if rows that name no account may be of these plans. */
  accounts: readonly string[]
  /** The plans of an account; none of one that is not among the accounts. */
  plansOf(account_id: string): readonly string[]
}

interface Kept {
  set: PlanSet
  days: Map<string, DaySums>
  /** When the calls before are answered, which may have read the same days. */
  turn: Promise<unknown>
}

/** Sums of an account's day take about a kilobyte, the plans of a set up to half a megabyte. */
const DAYS_KEPT = 50_000
const SETS_KEPT = 100
/** More plans than these are not looked up to make the sums of a set from those of a like one. */
const DIFFERENT_MAX = 2000
/** Sets that are compared with a new one, the one used last first. */
const COMPARED_MAX = 8

/**
 * Sums of sets of many plans. The sums of each day of an account are kept in memory with what was in force on it; a call
 * asks what is in force now, and reads the days on which it is something else. So an answer is as exact as one that reads
 * all. Of plans that are nearly those of another set, and more than `few`, only the different ones are read.
 */
export function keptSums(on: AcrossShards, { few = PLANS_LOOKED_UP, setsKept = SETS_KEPT } = {}) {
  /** The one used last is last. */
  const sets = new Map<string, Kept>()

  function keptOf(set: PlanSet): Kept {
    const name = `${set.adv_id} ${set.key}`
    const kept = sets.get(name) ?? { set, days: new Map(), turn: Promise.resolve() }
    sets.delete(name)
    sets.set(name, kept)
    return kept
  }

  function forgetOldest() {
    let days = [...sets.values()].reduce((sum, kept) => sum + kept.days.size, 0)
    for (const [name, kept] of sets) {
      if (sets.size <= 1 || (days <= DAYS_KEPT && sets.size <= setsKept)) return
      sets.delete(name)
      days -= kept.days.size
    }
  }

  /** A kept set that has nearly the same plans. */
  function likeOne(kept: Kept): { days: Kept['days']; added: Plans; removed: Plans } | null {
    const plans = plansOf(kept.set)
    const others = [...sets.values()]
      .reverse()
      .filter(({ set, days }) => set.adv_id === kept.set.adv_id && set.key !== kept.set.key && days.size > 0)
    for (const { set, days } of others.slice(0, COMPARED_MAX)) {
      const before = plansOf(set)
      const added = without(plans, before)
      const removed = without(before, plans)
      if (sizeOf(added) + sizeOf(removed) <= DIFFERENT_MAX) return { days, added, removed }
    }
    return null
  }

  /** Makes days from those of a like set where that has them as they are in force. */
  async function deriveDays(kept: Kept, days: Days, stale: readonly DayInForce[]): Promise<void> {
    if (sizeOf(plansOf(kept.set)) <= few) return
    const like = likeOne(kept)
    if (!like) return
    let derived = new Map(
      stale.flatMap((day) => {
        const had = like.days.get(nameOf(day))
        return had?.state === day.state ? [[nameOf(day), had] as const] : []
      }),
    )
    for (const [plans, sign] of [
      [like.added, 1],
      [like.removed, -1],
    ] as const) {
      const asked = stale.filter((day) => derived.has(nameOf(day)) && plans.has(day.account_id))
      if (asked.length === 0) continue
      const { read } = await readDays(on, { adv_id: kept.set.adv_id, days, names: namesIn(plans) }, asked)
      derived = new Map(
        stale.flatMap((day) => {
          const name = nameOf(day)
          const one = derived.get(name)
          if (!one || !plans.has(day.account_id)) return one ? [[name, one] as const] : []
          const other = read.get(name)
          // Otherwise the day is read as a whole.
          if (other?.state !== one.state) return []
          return [[name, { state: one.state, layouts: combined(one.layouts, other.layouts, sign) }] as const]
        }),
      )
    }
    for (const [name, day] of derived) kept.days.set(name, day)
  }

  async function sumOf(kept: Kept, set: PlanSet, days: Days): Promise<MetricSums> {
    const own = new Set(set.accounts)
    const ownOf = (all: InForce) => [...all.values()].filter(({ account_id }) => own.has(account_id))
    const staleOf = (all: readonly DayInForce[]) => all.filter((day) => kept.days.get(nameOf(day))?.state !== day.state)
    let inForce = ownOf(await inForceOn(on, set.adv_id, days))
    if (staleOf(inForce).length > 0) await deriveDays(kept, days, staleOf(inForce))
    for (let stale = staleOf(inForce); stale.length > 0; stale = staleOf(inForce)) {
      const accounts = [...new Set(stale.map(({ account_id }) => account_id))]
      const names = namesIn(plansOf(set, accounts))
      const found = await readDays(on, { adv_id: set.adv_id, days, names }, stale)
      for (const [name, day] of found.read) kept.days.set(name, day)
      inForce = ownOf(found.inForce)
    }
    const sums: MetricSums = {}
    for (const day of inForce) addLayouts(sums, kept.days.get(nameOf(day))?.layouts ?? new Map())
    return sums
  }

  return async (set: PlanSet, days: Days): Promise<MetricSums> => {
    if (!(await countedRows(on)).isOneSnapshot) {
      const [whole] = await reportSums(on, { adv_id: set.adv_id, ...days, names: namesIn(plansOf(set)) })
      return whole?.sums ?? {}
    }
    const kept = keptOf(set)
    const turn = kept.turn.then(() => sumOf(kept, set, days))
    // Who asked is told; the next one does not wait in vain.
    kept.turn = turn.catch(() => {})
    const sums = await turn
    forgetOldest()
    return sums
  }
}

/** Plans by their account. */
type Plans = ReadonlyMap<string, ReadonlySet<string>>

const plansOf = (set: PlanSet, accounts = set.accounts): Plans =>
  new Map(accounts.map((account_id) => [account_id, new Set(set.plansOf(account_id))]))

const without = (plans: Plans, others: Plans): Plans =>
  new Map(
    [...plans].flatMap(([account_id, own]) => {
      const left = own.difference(others.get(account_id) ?? new Set())
      return left.size === 0 ? [] : [[account_id, left] as const]
    }),
  )

const sizeOf = (plans: Plans): number => [...plans.values()].reduce((sum, own) => sum + own.size, 0)

const namesIn = (plans: Plans): string[] =>
  [...plans].flatMap(([account_id, own]) => [...own].map((plan_id) => planName({ account_id, plan_id })))

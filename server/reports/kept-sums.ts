import { addSums, type MetricSums } from '#contract/activity/formulas.ts'
import type { ReportedKey } from '#contract/activity/metrics.ts'
import type { AcrossShards } from '../clickhouse/handles.ts'
import { countedRows, DAYS_IN_FORCE } from './rows-in-force.ts'
import { ALL_METRICS, limitOfNames, reportSums } from './sums.ts'

/** Plans of an advertiser whose sums are asked for again and again. */
export interface PlanSet {
  adv_id: number
  /** The same for the same plans alone. */
  key: string
  /** The plans as reports name them (`planName`), with their key: they may be others by now. */
  read(): Promise<{ key: string; names: readonly string[] }>
}

interface Days {
  /** YYYY-MM-DD, both included. */
  from: string
  to: string
}

interface Kept {
  days: Map<string, { state: string; sums: MetricSums }>
  /** When the calls before are answered, which may have read the same days. */
  turn: Promise<unknown>
}

/** Sets whose sums are kept: some kilobytes each for a year. */
const SETS_KEPT = 100

/**
 * Sums of sets of many plans. The sums of each day are kept in memory with what was in force on it; a call asks what is in
 * force now, and reads the days on which it is something else. So an answer is as exact as one that reads all.
 */
export function keptSums(on: AcrossShards) {
  /** The one used last is last. */
  const sets = new Map<string, Kept>()

  function keptOf(name: string): Kept {
    const kept = sets.get(name) ?? { days: new Map(), turn: Promise.resolve() }
    sets.delete(name)
    sets.set(name, kept)
    const [oldest] = sets.keys()
    if (sets.size > SETS_KEPT && oldest !== undefined) sets.delete(oldest)
    return kept
  }

  async function statesOf(adv_id: number, days: Days): Promise<Map<string, string>> {
    const rows = await on.query<{ day: string; state: string }>(DAYS_IN_FORCE, { adv_id, ...days })
    return new Map(rows.map(({ day, state }) => [day, state]))
  }

  /** The sums of these days, and what is in force on all days in the same snapshot. */
  async function readDays(adv_id: number, days: Days, stale: readonly string[], names: readonly string[]) {
    const { sql, settings } = await countedRows(on)
    const limit = limitOfNames(names)
    const rows = await on.query<{ day: string; key: string; text: string }>(
      `SELECT toString(date) AS day, toString(key) AS key, toString(sum(toInt128(value))) AS text
       FROM (${sql(`date IN {stale:Array(Date)} AND ${limit.sql}`)}) ${ALL_METRICS}
       GROUP BY date, key
       UNION ALL SELECT day, '' AS key, state AS text FROM (${DAYS_IN_FORCE})`,
      { adv_id, ...days, stale, ...limit.params },
      { settings },
    )
    const states = new Map<string, string>()
    const sums = new Map<string, MetricSums>()
    for (const { day, key, text } of rows) {
      if (key === '') states.set(day, text)
      else sums.set(day, { ...sums.get(day), [key as ReportedKey]: BigInt(text) })
    }
    return { states, sums }
  }

  /** Null if the set has other plans by now. */
  async function sumOf(kept: Kept, set: PlanSet, days: Days): Promise<MetricSums | null> {
    let states = await statesOf(set.adv_id, days)
    for (;;) {
      const stale = [...states].flatMap(([day, state]) => (kept.days.get(day)?.state === state ? [] : [day]))
      if (stale.length === 0) break
      const { key, names } = await set.read()
      if (key !== set.key) return null
      const found = await readDays(set.adv_id, days, stale, names)
      for (const day of stale) {
        const state = found.states.get(day)
        if (state !== undefined) kept.days.set(day, { state, sums: found.sums.get(day) ?? {} })
      }
      states = found.states
    }
    return [...states.keys()].reduce<MetricSums>((sum, day) => addSums(sum, kept.days.get(day)?.sums ?? {}), {})
  }

  return async (given: PlanSet, days: Days): Promise<MetricSums> => {
    let set = given
    if (!(await countedRows(on)).isOneSnapshot) {
      const names = (await set.read()).names
      const [whole] = await reportSums(on, { adv_id: set.adv_id, ...days, names })
      return whole?.sums ?? {}
    }
    for (;;) {
      const kept = keptOf(`${set.adv_id} ${set.key}`)
      const mine = set
      const turn = kept.turn.then(() => sumOf(kept, mine, days))
      kept.turn = turn.catch(() => {})
      const sums = await turn
      if (sums) return sums
      set = { ...set, key: (await set.read()).key }
    }
  }
}

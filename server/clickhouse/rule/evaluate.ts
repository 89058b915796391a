import { availableParallelism } from 'node:os'
import type { RuleNode } from '#contract/rule.ts'
import { type Handles, sumOf } from '../handles.ts'
import { countSql, MEMBER_TABLES, type MemberTables, memberRows, setIndex } from './count-sql.ts'
import { NotHot, openHot } from './hot.ts'
import { joinPlans, otherSize, planRule, type RulePlan, type SetVersion, type StoredSet } from './plan.ts'
import { ROW_BYTES_MAX, type RuleToStore, rulesStorage } from './store-rules.ts'

export type { SetVersion, StoredSet } from './plan.ts'

/** Number of people by node id. */
export type RuleCounts = Record<string, number>

/** Bytes. A first count waits while sets of up to this size are read; larger ones are read in the background. */
const READ_AT_ONCE = 96 * 1024 * 1024
/** Upper bound in memory: a block of 8 KB stores bits once it has more than 512 people. */
const PERSON_BYTES_MAX = 16
const BUCKETS_MAX = 4096
const CHUNK_BYTES = 32 * 1024 * 1024

export type RuleEvaluator = ReturnType<typeof openEvaluator>

/**
 * Counts and stores rules over tag_member and crowd_member. Counts use copies in memory (hot.ts), up to `bitmapMemory`
 * bytes. The engine counts what does not fit or is not read yet, in one statement, and it stores all rules. Both give the
 * same numbers.
 */
export function openEvaluator(
  { live: { everyShard: live }, load: { everyShard: load } }: Record<'live' | 'load', Pick<Handles, 'everyShard'>>,
  {
    bitmapMemory,
    lanes = Math.min(8, availableParallelism()),
    tables = MEMBER_TABLES,
  }: { bitmapMemory: number; lanes?: number; tables?: MemberTables },
) {
  const hot = openHot({ budget: bitmapMemory, lanes })
  const running = new Map<string, Promise<RuleCounts>>()
  const storeRules = rulesStorage({ command: load.command, extentOf, membersOf: bySetCounts, dropVersions, tables })

  /**
   * Starts to read sets into memory if they may fit; answers whether a count should wait for them. Those that it should
   * not wait for are read once the engine has `answered` it: both at once would take it half as long again.
   */
  async function read(adv_id: number, sets: readonly SetVersion[], answered?: Promise<void>): Promise<boolean> {
    const { bytes, buckets } = await sizeOf(adv_id, sets)
    if (bytes > Math.max(bitmapMemory, READ_AT_ONCE)) return false
    const step = bytes <= READ_AT_ONCE ? buckets : Math.max(1, Math.floor((buckets * CHUNK_BYTES) / bytes))
    async function* chunks(cold: readonly StoredSet[]): AsyncGenerator<Uint8Array> {
      if (bytes > READ_AT_ONCE) await answered
      for (let from = 0; from < buckets; from += step) {
        // A second thread costs more for merging than it saves, and counts need the core.
        // A bucket lies on one shard.
        yield* await live.bytes(
          `SELECT ${setIndex(cold)} AS place, bucket, groupBitmapMergeState(bitmap)
           FROM (${memberRows(adv_id, cold, tables)}) WHERE bucket >= ${from} AND bucket < ${from + step}
           GROUP BY place, bucket SETTINGS max_threads = 1 FORMAT RowBinary`,
        )
      }
    }
    hot.add(adv_id, sets, { chunks, long: bytes > READ_AT_ONCE })
    return bytes <= READ_AT_ONCE
  }

  /** An upper bound of the sets' bytes in memory, and the number of buckets. */
  async function sizeOf(adv_id: number, sets: readonly SetVersion[]): Promise<{ bytes: number; buckets: number }> {
    const byPeople = sets.reduce((sum, set) => sum + set.count, 0) * PERSON_BYTES_MAX
    if (byPeople <= READ_AT_ONCE) return { bytes: byPeople, buckets: BUCKETS_MAX }
    const { rows, buckets } = await extentOf(adv_id, sets)
    return { bytes: Math.min(rows * ROW_BYTES_MAX, byPeople), buckets }
  }

  /** How many rows the sets have, and one more than their last bucket. */
  async function extentOf(adv_id: number, sets: readonly SetVersion[]): Promise<{ rows: number; buckets: number }> {
    const found = await live.query<{ rows: number; buckets: number }>(
      `SELECT count() AS rows, if(rows = 0, 0, max(bucket) + 1) AS buckets FROM (${memberRows(adv_id, sets, tables)})`,
    )
    return { rows: sumOf(found, 'rows'), buckets: Math.max(0, ...found.flat().map((row) => row.buckets)) }
  }

  async function bySql(adv_id: number, plan: RulePlan, signal: AbortSignal | undefined) {
    type Answer = { sets: number[]; nodes: number[] }
    const rows = (await live.query<Answer>(countSql(adv_id, plan, tables), {}, { signal })).flat()
    // When no bucket has people, the sum over no rows is an empty list.
    const sum = (kind: keyof Answer, at: number) => rows.reduce((all, row) => all + (row[kind][at] ?? 0), 0)
    return { sets: plan.sets.map((_, at) => sum('sets', at)), nodes: plan.steps.map((_, at) => sum('nodes', at)) }
  }

  async function counted(adv_id: number, plan: RulePlan, signal: AbortSignal | undefined) {
    if (bitmapMemory === 0) return bySql(adv_id, plan, signal)
    const { promise: answered, resolve: say } = Promise.withResolvers<void>()
    try {
      const cold = hot.cold(adv_id, plan.sets)
      const near = cold.length === 0 || (await read(adv_id, cold, answered))
      signal?.throwIfAborted()
      if (!near || hot.isFar(adv_id, plan.sets)) return await bySql(adv_id, plan, signal)
    } finally {
      say()
    }
    try {
      return await hot.count(adv_id, plan, signal)
    } catch (error) {
      if (!(error instanceof NotHot)) throw error
      signal?.throwIfAborted()
      return bySql(adv_id, plan, signal)
    }
  }

  async function countPlan(adv_id: number, plan: RulePlan, signal?: AbortSignal): Promise<RuleCounts> {
    if (plan.sets.length === 0) return Object.fromEntries(plan.steps.map(({ id }) => [id, 0]))
    const first = await counted(adv_id, plan, signal)
    // A copy of the wrong size is read again once before the store is taken for damaged.
    const others = setsOfAnotherSize(plan, first.sets)
    if (others.length > 0) hot.drop(adv_id, others)
    const { sets, nodes } = others.length > 0 ? await counted(adv_id, plan, signal) : first
    refuseOtherSizes(plan, sets)
    return Object.fromEntries(plan.steps.map(({ id }, at) => [id, nodes[at] ?? 0]))
  }

  return {
    /** The exact number of people of every node. Equal concurrent calls share one computation. */
    async countRule(
      adv_id: number,
      rule: RuleNode,
      sets: readonly SetVersion[],
      { signal }: { signal?: AbortSignal } = {},
    ): Promise<RuleCounts> {
      const plan = planRule(rule, sets)
      if (signal) return countPlan(adv_id, plan, signal)
      const question = JSON.stringify([adv_id, plan])
      const known = running.get(question)
      if (known) return known
      const answer = countPlan(adv_id, plan).finally(() => running.delete(question))
      running.set(question, answer)
      return answer
    },

    /** The same for the nodes of several rules, whose ids differ; each set is read once. */
    countRules: (
      adv_id: number,
      rules: readonly RuleNode[],
      sets: readonly SetVersion[],
      { signal }: { signal?: AbortSignal } = {},
    ): Promise<RuleCounts> => countPlan(adv_id, joinPlans(rules.map((rule) => planRule(rule, sets))), signal),

    /** How many people two sets have in common, which may be two versions of one crowd; reads no copy into memory. */
    async countShared(
      adv_id: number,
      one: SetVersion,
      other: SetVersion,
      { signal }: { signal?: AbortSignal } = {},
    ): Promise<number> {
      const plan: RulePlan = { sets: [one, other], steps: [{ id: 'shared', op: 'n', parts: [0, 1] }] }
      const { sets, nodes } = await bySql(adv_id, plan, signal)
      refuseOtherSizes(plan, sets)
      return nodes[0] ?? 0
    },

    /** Writes the people of the root as a version of a crowd and answers their number. May be repeated. */
    async storeRule(
      adv_id: number,
      rule: RuleNode,
      sets: readonly SetVersion[],
      into: { crowd_id: number; version: number },
      { signal }: { signal?: AbortSignal } = {},
    ): Promise<number> {
      const [count] = await storeRules(adv_id, [{ rule, sets, into }], signal)
      if (count instanceof Error) throw count
      return count ?? 0
    },

    /**
     * The same for many crowds, which reads what they share once. Answers for each its number of people, or the error of
     * a crowd one of whose sets does not hold the people that it should.
     */
    storeRules: (
      adv_id: number,
      wanted: readonly RuleToStore[],
      { signal }: { signal?: AbortSignal } = {},
    ): Promise<(number | Error)[]> => storeRules(adv_id, wanted, signal),

    /** People of each set, read from the store. */
    membersOf: bySetCounts,
    dropVersions,
    /** Frees the disk space of dropped versions by rewriting their parts; until then their rows are only hidden. */
    async compact(): Promise<void> {
      for (const kind of ['tag', 'crowd']) await load.command(`ALTER TABLE ${kind}_member APPLY DELETED MASK`)
    },
    /** Reads sets into memory before the first count needs them, as far as they fit. */
    async warm(adv_id: number, sets: readonly SetVersion[]): Promise<void> {
      const cold = hot.cold(adv_id, sets)
      if (bitmapMemory > 0 && cold.length > 0) await read(adv_id, cold)
      await hot.whenReady(adv_id, sets)
    },
    held: hot.held,
    /** Drops every copy, after the store was emptied or replaced. */
    forget: hot.dropAll,
    close: hot.close,
  }

  async function bySetCounts(adv_id: number, sets: readonly StoredSet[]): Promise<number[]> {
    if (sets.length === 0) return []
    const rows = await live.query<{ place: number; people: number }>(
      `SELECT ${setIndex(sets)} AS place, sum(people) AS people FROM (
         SELECT set, bucket, groupBitmapMerge(bitmap) AS people FROM (${memberRows(adv_id, sets, tables)}) GROUP BY set, bucket
       ) GROUP BY place`,
    )
    const people = new Array<number>(sets.length).fill(0)
    for (const row of rows.flat()) people[row.place] = (people[row.place] ?? 0) + row.people
    return people
  }

  async function dropVersions(adv_id: number, sets: readonly StoredSet[]): Promise<void> {
    hot.drop(adv_id, sets)
    for (const kind of ['tag', 'crowd'] as const) {
      const leaving = sets.filter((set) => set.kind === kind)
      if (leaving.length === 0) continue
      const pairs = leaving.map(({ id, version }) => `(${Number(id)}, ${Number(version)})`).join(', ')
      const where = `adv_id = ${Number(adv_id)} AND (${kind}_id, version) IN (${pairs})`
      // A delete touches every part; a count first is cheap.
      const found = await load.query<{ n: number }>(`SELECT count() AS n FROM ${kind}_member WHERE ${where}`)
      if (sumOf(found, 'n') > 0) await load.command(`DELETE FROM ${kind}_member WHERE ${where}`)
    }
  }
}

const setsOfAnotherSize = (plan: RulePlan, counts: readonly number[]) =>
  plan.sets.filter((set, at) => set.count !== counts[at])

function refuseOtherSizes(plan: RulePlan, counts: readonly number[]): void {
  for (const set of setsOfAnotherSize(plan, counts)) throw otherSize(set, counts[plan.sets.indexOf(set)] ?? 0)
}

import type { RuleNode } from '#contract/rule.ts'
import type { EveryShard } from '../handles.ts'
import { type BucketRange, type MemberTables, storeSql } from './count-sql.ts'
import {
  type JoinedPlan,
  joinPlans,
  otherSize,
  planRule,
  type RulePlan,
  type SetVersion,
  type StoredSet,
} from './plan.ts'

/** A rule whose people become a version of a crowd. */
export type RuleToStore = {
  rule: RuleNode
  sets: readonly SetVersion[]
  into: { crowd_id: number; version: number }
}
type PlanToStore = Pick<RuleToStore, 'into'> & { plan: RulePlan }

interface Deps {
  command: EveryShard['command']
  /** How many rows the sets have, and one more than their last bucket. */
  extentOf(adv_id: number, sets: readonly SetVersion[]): Promise<{ rows: number; buckets: number }>
  membersOf(adv_id: number, sets: readonly StoredSet[]): Promise<number[]>
  dropVersions(adv_id: number, sets: readonly StoredSet[]): Promise<void>
  tables: MemberTables
}

/** A row holds the bits of one bucket, 2^20 people. */
export const ROW_BYTES_MAX = 131_072
/** A statement with more of them takes longer to read than they save together. */
const CROWDS_MAX = 32
const SETS_MAX = 256
const STEPS_MAX = 400
/** Bytes of the sets and results that one statement holds at once; a rule of many people is stored a few buckets at a time. */
const STATEMENT_BYTES = 512 * 1024 * 1024

const crowdOf = ({ crowd_id, version }: RuleToStore['into']): StoredSet => ({ kind: 'crowd', id: crowd_id, version })
const keyOf = ({ kind, id }: StoredSet) => `${kind} ${id}`

/** Stores the people of rules as versions of crowds, many crowds in one statement. */
export function rulesStorage({ command, extentOf, membersOf, dropVersions, tables }: Deps) {
  async function bucketRanges(adv_id: number, { sets, roots }: JoinedPlan): Promise<BucketRange[]> {
    const { buckets } = await extentOf(adv_id, sets)
    const step = Math.max(1, Math.floor(STATEMENT_BYTES / (ROW_BYTES_MAX * (sets.length + 2 * roots.length))))
    return Array.from({ length: Math.ceil(buckets / step) }, (_, at) => ({ from: at * step, to: (at + 1) * step }))
  }

  async function storeBatch(adv_id: number, batch: readonly PlanToStore[], signal: AbortSignal | undefined) {
    // A rule without sets has no people.
    const filled = batch.filter(({ plan }) => plan.sets.length > 0)
    if (filled.length === 0) return batch.map(() => 0)
    const joined = joinPlans(filled.map(({ plan }) => plan))
    const targets = filled.map(({ into }) => into)
    for (const range of await bucketRanges(adv_id, joined)) {
      await command(storeSql(adv_id, joined, targets, range, tables), {}, { signal })
    }
    // Members are only removed, never added: sets that are complete now were complete while they were read.
    const counts = await membersOf(adv_id, [...joined.sets, ...targets.map(crowdOf)])
    const people = new Map([...joined.sets, ...targets.map(crowdOf)].map((set, at) => [keyOf(set), counts[at] ?? 0]))
    return batch.map(({ plan, into }) => {
      if (plan.sets.length === 0) return 0
      const wrong = plan.sets.find((set) => set.count !== people.get(keyOf(set)))
      return wrong ? otherSize(wrong, people.get(keyOf(wrong)) ?? 0) : (people.get(keyOf(crowdOf(into))) ?? 0)
    })
  }

  return async (
    adv_id: number,
    wanted: readonly RuleToStore[],
    signal: AbortSignal | undefined,
  ): Promise<(number | Error)[]> => {
    await dropVersions(
      adv_id,
      wanted.map(({ into }) => crowdOf(into)),
    )
    const plans = wanted.map(({ rule, sets, into }) => ({ plan: planRule(rule, sets), into }))
    const answers: (number | Error)[] = []
    for (const batch of batchesOf(plans)) answers.push(...(await storeBatch(adv_id, batch, signal)))
    return answers
  }
}

/** Cuts the list, in its order, so that each part names a set in one version alone and stays within the limits. */
function batchesOf(wanted: readonly PlanToStore[]): PlanToStore[][] {
  const batches: PlanToStore[][] = []
  let versions = new Map<string, number>()
  let steps = 0
  for (const one of wanted) {
    const into = crowdOf(one.into)
    const added = one.plan.sets.filter((set) => !versions.has(keyOf(set)))
    const isApart =
      one.plan.sets.some((set) => (versions.get(keyOf(set)) ?? set.version) !== set.version) ||
      versions.has(keyOf(into))
    const last = batches.at(-1)
    const isFull =
      last === undefined ||
      last.length >= CROWDS_MAX ||
      versions.size + added.length + 1 > SETS_MAX ||
      steps + one.plan.steps.length > STEPS_MAX
    if (last && !isFull && !isApart) last.push(one)
    else {
      batches.push([one])
      versions = new Map()
      steps = 0
    }
    for (const set of [...one.plan.sets, into]) versions.set(keyOf(set), set.version)
    steps += one.plan.steps.length
  }
  return batches
}

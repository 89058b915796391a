import { isEmpty, leavesOf, nodesOf, type RuleNode, type SubTag } from '#contract/rule.ts'
import type { RuleCrowd } from '#contract/rule-crowd.ts'
import { keyOfTag } from './shown-tags.ts'

/** The answer of a count, with the rule that was counted. */
export interface Counted {
  rule: RuleNode
  cnt: Record<string, number>
  countedAt: number | null
  /** Counts of the rule's tags in the same version of the data. */
  tags: ReadonlyMap<string, number | null>
}

export interface NodeCount {
  /** null: not counted yet. */
  people: number | null
  /** The rule has changed since and is being counted. */
  isStale: boolean
}

export interface RuleCounts {
  of(node: RuleNode): NodeCount
  /** undefined: not counted together with a rule yet. */
  ofTag(tag: SubTag): number | null | undefined
  countedAt: number | null
}

/**
 * Maps the last answer to the current rule. Operations keep untouched nodes as the same
 * objects, so only counts that may have changed are stale.
 */
export function countsFor(rule: RuleNode, counted: Counted | null): RuleCounts {
  const isSame = counted !== null && (counted.rule === rule || JSON.stringify(counted.rule) === JSON.stringify(rule))
  const then = new Map(counted ? nodesOf(counted.rule).map((node) => [node.id, node]) : [])
  return {
    of(node) {
      if (leavesOf(node).every(isEmpty)) return { people: 0, isStale: false }
      const people = counted?.cnt[node.id] ?? null
      return { people, isStale: !isSame && then.get(node.id) !== node }
    },
    ofTag: (tag) => counted?.tags.get(keyOfTag(tag)),
    countedAt: counted?.countedAt ?? null,
  }
}

/** The whole rule's count, with the time of the data that it holds for. */
export interface WholeCount extends NodeCount {
  asOf: number | null
  /** The count in newer data than the crowd's own result; null where they agree. */
  newest: { people: number; asOf: number | null } | null
}

/**
 * A crowd's saved rule shows the crowd's own result, with the time that the list shows, and what the newest data give
 * beside it. A changed rule, or one without a result yet, has only its count.
 */
export function wholeCountOf(rule: RuleNode, counts: RuleCounts, crowd: SavedCrowd | null): WholeCount {
  const count = counts.of(rule)
  const whole = { ...count, asOf: counts.countedAt, newest: null }
  if (!crowd || count.isStale || count.people === null) return whole
  const { status, magnitude, computedAt } = crowd.ruleCrowd
  if (status === 'computing' || magnitude === null || computedAt === null) return whole
  if (rule !== crowd.rule.def && JSON.stringify(rule) !== JSON.stringify(crowd.rule.def)) return whole
  const isNewer = count.people !== magnitude
  return {
    people: magnitude,
    isStale: false,
    asOf: computedAt,
    newest: isNewer ? { people: count.people, asOf: counts.countedAt } : null,
  }
}

interface SavedCrowd {
  ruleCrowd: Pick<RuleCrowd, 'status' | 'magnitude' | 'computedAt'>
  rule: { def: RuleNode | null }
}

/**
 * A node's share of the largest count among its box and the parts beside it. In a union that is its share
 * of the box; in an intersection or difference a part may be larger than the box.
 */
export function shareOf(people: number | null, beside: readonly (number | null)[]): number | null {
  if (people === null) return null
  const largest = Math.max(people, ...beside.map((n) => n ?? 0))
  return largest === 0 ? 0 : people / largest
}

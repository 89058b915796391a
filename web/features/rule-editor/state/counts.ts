import { isEmpty, leavesOf, nodesOf, type RuleNode, type SubTag } from '#contract/rule.ts'
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

/**
 * When the whole rule's count holds. A crowd's own result has the time that the list shows; a newer count, of a changed
 * rule or of newer data, has its own.
 */
export function totalAsOf(
  { people, isStale }: NodeCount,
  countedAt: number | null,
  crowd: { magnitude: number | null; computedAt: number | null } | null,
): number | null {
  const isResult = crowd !== null && !isStale && crowd.computedAt !== null && people === crowd.magnitude
  return isResult ? crowd.computedAt : countedAt
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

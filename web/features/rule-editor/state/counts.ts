import { isEmpty, leavesOf, nodesOf, type RuleNode, type SubTag } from '#contract/rule.ts'
import { keyOfTag } from './shown-tags.ts'

/** One answer to a count: which rule was counted, and what came back. */
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
  /** The rule changed since; the new count is on its way. */
  isStale: boolean
}

export interface RuleCounts {
  of(node: RuleNode): NodeCount
  /** undefined: not counted together with a rule yet. */
  ofTag(tag: SubTag): number | null | undefined
  countedAt: number | null
}

/**
 * Lays the last answer over the rule as it is now. Operations leave the nodes that they do not touch as the same
 * objects, so that only numbers which may have changed are held stale.
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
 * What a node's bar is measured against: the largest of its box and what stands beside it. In a union that is its share
 * of the box; in an intersection or difference, where a part is larger than the whole, it shows which part holds whom.
 */
export function shareOf(people: number | null, beside: readonly (number | null)[]): number | null {
  if (people === null) return null
  const largest = Math.max(people, ...beside.map((n) => n ?? 0))
  return largest === 0 ? 0 : people / largest
}

import { isLeaf, type RuleNode, type RuleOp } from '#contract/rule.ts'

/** A leaf as drawn. */
export interface LeafBox {
  kind: 'leaf'
  node: RuleNode
}

/**
 * A node as drawn. Each added rule wraps the whole tree, so a long rule is a comb. A node whose first child has
 * the same operator shares a box with it (`(a 交 b) 交 c` as `a 交 b 交 c`); otherwise 64 rules would be 63 boxes deep.
 */
export interface GroupBox {
  kind: 'group'
  /** The outermost of the nodes drawn as this box. */
  node: RuleNode
  op: RuleOp
  /** `steps[i]` is the node that joins `parts[i + 1]` to all before it; the last step is `node`. */
  steps: RuleNode[]
  parts: Box[]
}
export type Box = LeafBox | GroupBox

export function boxOf(node: RuleNode): Box {
  const [first, second] = node.exps
  if (isLeaf(node) || !first || !second) return { kind: 'leaf', node }
  const op = node.op ?? 'u'
  const left = boxOf(first)
  const right = boxOf(second)
  if (left.kind === 'group' && left.op === op) {
    return { kind: 'group', node, op, steps: [...left.steps, node], parts: [...left.parts, right] }
  }
  return { kind: 'group', node, op, steps: [node], parts: [left, right] }
}

/** How deep the boxes are nested. */
export const depthOf = (box: Box): number => (box.kind === 'leaf' ? 1 : 1 + Math.max(...box.parts.map(depthOf)))

/** The boxes around a node, outermost first; the last is its own box, or the one in which its step is drawn. */
export function pathToBox(box: Box, id: string): Box[] {
  if (box.node.id === id) return [box]
  if (box.kind === 'leaf') return []
  for (const part of box.parts) {
    const path = pathToBox(part, id)
    if (path.length > 0) return [box, ...path]
  }
  return box.steps.some((step) => step.id === id) ? [box] : []
}

/** Boxes nested deeper than this start folded, so that a deeply nested rule is readable. */
const OPEN_DEPTH = 8

export function deepGroupsOf(box: Box, depth = 1): string[] {
  if (box.kind === 'leaf') return []
  if (depth > OPEN_DEPTH) return [box.node.id]
  return box.parts.flatMap((part) => deepGroupsOf(part, depth + 1))
}

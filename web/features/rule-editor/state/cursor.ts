import { findNode, isEmpty, leavesOf, type RuleNode, type SubTag, sameTag } from '#contract/rule.ts'
import { type Box, boxOf, pathToBox } from './boxes.ts'

/** Where the keyboard is: on a box, or on a tag in a leaf. */
export interface Cursor {
  node: string
  tag?: SubTag | undefined
}

export type Direction = 'up' | 'down' | 'left' | 'right' | 'first' | 'last'

/** The cursor if its tag or node still exists; else its leaf, else the first rule. */
export function existingCursor(rule: RuleNode, cursor: Cursor): Cursor {
  const node = findNode(rule, cursor.node)
  const { tag } = cursor
  if (node && (!tag || node.subTags.some((t) => sameTag(t, tag)))) return cursor
  return { node: node?.id ?? (leavesOf(rule)[0] as RuleNode).id }
}

/**
 * Up moves to the box around, down into the box, left and right to the part beside it or, at the end of a box, to
 * the part beside that box. A folded box is not entered.
 */
export function step(
  rule: RuleNode,
  cursor: Cursor,
  to: Direction,
  isFolded: (id: string) => boolean = () => false,
): Cursor {
  const root = boxOf(rule)
  const path = pathToBox(root, cursor.node)
  const box = path.at(-1)
  if (!box) return existingCursor(rule, cursor)
  if (to === 'first' || to === 'last') return { node: edge(root, to, isFolded).node.id }

  const { tag } = cursor
  if (tag) {
    const at = box.node.subTags.findIndex((t) => sameTag(t, tag))
    if (to === 'up') return { node: box.node.id }
    const beside = to === 'left' ? box.node.subTags[at - 1] : to === 'right' ? box.node.subTags[at + 1] : undefined
    return beside ? { node: box.node.id, tag: beside } : cursor
  }
  if (to === 'up') return { node: (path.at(-2) ?? box).node.id }
  if (to === 'down') {
    if (box.kind === 'leaf') return { node: box.node.id, tag: box.node.subTags[0] }
    return isFolded(box.node.id) ? cursor : { node: (box.parts[0] as Box).node.id }
  }
  for (let depth = path.length - 1; depth > 0; depth--) {
    const around = path[depth - 1] as Box
    const inside = path[depth] as Box
    const parts = around.kind === 'group' ? around.parts : []
    const beside = parts[parts.indexOf(inside) + (to === 'left' ? -1 : 1)]
    if (beside) return { node: beside.node.id }
  }
  return cursor
}

function edge(box: Box, to: 'first' | 'last', isFolded: (id: string) => boolean): Box {
  if (box.kind === 'leaf' || isFolded(box.node.id)) return box
  return edge(box.parts[to === 'first' ? 0 : box.parts.length - 1] as Box, to, isFolded)
}

/** The leaf that a tag chosen in the tree goes into: the one at the cursor; in a box the first empty one, else the last. */
export function targetLeaf(rule: RuleNode, cursor: Cursor): RuleNode {
  const leaves = leavesOf(findNode(rule, cursor.node) ?? rule)
  return (leaves.find(isEmpty) ?? leaves.at(-1)) as RuleNode
}

/** The node that joins a box to the part before it, and has the operator between them; undefined for a first part. */
export function joinOf(rule: RuleNode, id: string): RuleNode | undefined {
  const around = pathToBox(boxOf(rule), id).at(-2)
  if (around?.kind !== 'group') return undefined
  return around.steps[around.parts.findIndex((part) => part.node.id === id) - 1]
}

import type { TagNode } from '#contract/targeting-tags.ts'

/** A chosen node stands for everything below it, so nothing below a chosen node is chosen itself. */
export type Chosen = readonly string[]

export interface TreeMarks {
  /** Chosen, itself or by a node above. */
  checked: string[]
  /** Something below is chosen. */
  halfChecked: string[]
}

/** How the boxes of a tree stand. */
export function marksOf(tree: readonly TagNode[], chosen: Chosen): TreeMarks {
  const ids = new Set(chosen)
  const marks: TreeMarks = { checked: [], halfChecked: [] }
  /** Whether something in the branch is chosen. */
  const walk = (node: TagNode, isAbove: boolean): boolean => {
    const isChecked = isAbove || ids.has(node.value)
    if (isChecked) marks.checked.push(node.value)
    let isBelow = false
    for (const child of node.children) if (walk(child, isChecked)) isBelow = true
    if (!isChecked && isBelow) marks.halfChecked.push(node.value)
    return isChecked || isBelow
  }
  for (const root of tree) walk(root, false)
  return marks
}

const idsBelow = (node: TagNode): string[] => node.children.flatMap((child) => [child.value, ...idsBelow(child)])

function pathTo(tree: readonly TagNode[], id: string): TagNode[] {
  for (const node of tree) {
    if (node.value === id) return [node]
    const below = pathTo(node.children, id)
    if (below.length > 0) return [node, ...below]
  }
  return []
}

/**
 * What is chosen once a box was clicked. Choosing a node gives up what is chosen below it; giving up one below a chosen
 * node leaves the others beside it chosen.
 */
export function toggled(tree: readonly TagNode[], chosen: Chosen, id: string): string[] {
  const path = pathTo(tree, id)
  const node = path.at(-1)
  if (!node) return chosen.filter((one) => one !== id)
  const at = path.findIndex(({ value }) => chosen.includes(value))
  if (at < 0) {
    const below = new Set(idsBelow(node))
    return [...chosen.filter((one) => !below.has(one)), id]
  }
  const rest = path.slice(at).flatMap((above, i, branch) => {
    const next = branch[i + 1]
    return next ? above.children.filter(({ value }) => value !== next.value).map(({ value }) => value) : []
  })
  return [...chosen.filter((one) => one !== path[at]?.value), ...rest]
}

/** The branches in which a node's name is wanted: the node with all below it, and those above. */
export function branchesWith(tree: readonly TagNode[], isWanted: (name: string) => boolean): TagNode[] {
  return tree.flatMap((node) => {
    if (isWanted(node.label)) return [node]
    const children = branchesWith(node.children, isWanted)
    return children.length > 0 ? [{ ...node, children }] : []
  })
}

/** A tree without the nodes that are not wanted, and what is below them. */
export const prunedTree = (tree: readonly TagNode[], isWanted: (node: TagNode) => boolean): TagNode[] =>
  tree.filter(isWanted).map((node) => ({ ...node, children: prunedTree(node.children, isWanted) }))

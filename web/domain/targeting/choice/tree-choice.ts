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

/** Where in a name what was searched for begins; null if it is not there. */
export type Finder = (name: string) => number | null

/**
 * The branches in which a name is found: the node with all below it, and those above. Those come first whose name begins
 * with it, and of these the higher ones: `sh` means 上海 before 石景山区.
 */
export const branchesWith = (tree: readonly TagNode[], find: Finder): TagNode[] =>
  rankedBranches(tree, find, 0).map(({ node }) => node)

/** Beyond any depth: a name that begins with it goes before each that only has it. */
const IN_THE_MIDDLE = 100

function rankedBranches(tree: readonly TagNode[], find: Finder, depth: number): { node: TagNode; rank: number }[] {
  return tree
    .flatMap((node) => {
      const at = find(node.label)
      if (at !== null) return [{ node, rank: depth + (at === 0 ? 0 : IN_THE_MIDDLE) }]
      const below = rankedBranches(node.children, find, depth + 1)
      const [first] = below
      return first ? [{ node: { ...node, children: below.map((one) => one.node) }, rank: first.rank }] : []
    })
    .toSorted((one, other) => one.rank - other.rank)
}

/** A tree without the nodes that are not wanted, and what is below them. */
export const prunedTree = (tree: readonly TagNode[], isWanted: (node: TagNode) => boolean): TagNode[] =>
  tree.filter(isWanted).map((node) => ({ ...node, children: prunedTree(node.children, isWanted) }))

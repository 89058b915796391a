import type { TagNode } from '#contract/targeting-tags.ts'

/**
 * The fewest codes for the same places: a place within another chosen one is left out, and a place of which all parts are
 * chosen stands for them. Codes that the tree does not know stay.
 */
export function foldRegions(tree: readonly TagNode[], codes: readonly string[]): string[] {
  const chosen = new Set(codes)
  const known = new Set<string>()
  const learn = ({ value, children }: TagNode): void => {
    known.add(value)
    children.forEach(learn)
  }
  tree.forEach(learn)
  /** Codes of what is chosen within a place, and whether that is all of it. */
  const fold = (node: TagNode): { codes: string[]; isWhole: boolean } => {
    if (chosen.has(node.value)) return { codes: [node.value], isWhole: true }
    const below = node.children.map(fold)
    if (below.length > 0 && below.every(({ isWhole }) => isWhole)) return { codes: [node.value], isWhole: true }
    return { codes: below.flatMap((one) => one.codes), isWhole: false }
  }
  return [...tree.flatMap((node) => fold(node).codes), ...codes.filter((code) => !known.has(code))]
}

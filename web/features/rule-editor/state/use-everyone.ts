import { useQuery } from '@tanstack/react-query'
import { ATTRIBUTE_TAG, getTagTree, type TagTreeNode } from '#contract/tag.ts'
import { queryOf } from '../../../lib/query.ts'
import { WHOLE_TREE_MAX } from '../tag-panel/use-tag-tree.ts'

/** The number of all people of the advertiser: the count of its built-in tag 全部用户. */
export function useEveryone(advId: number): number | null {
  const tree = useQuery({
    // The same answer as the panel's: it holds the built-in tag, however large the tree is.
    ...queryOf(getTagTree, { query: { tag_type: ATTRIBUTE_TAG, adv_id: advId, most: WHOLE_TREE_MAX } }),
    staleTime: 15_000,
    meta: { silent: 'optional' },
  })
  return builtInOf(tree.data?.data ?? [])?.count ?? null
}

/** The built-in tag of a tree, at any depth. */
export function builtInOf(nodes: readonly TagTreeNode[]): TagTreeNode | undefined {
  if (nodes.length === 0) return undefined
  return nodes.find((node) => node.is_built_in) ?? builtInOf(nodes.flatMap((node) => node.group ?? []))
}

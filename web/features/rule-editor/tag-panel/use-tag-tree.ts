import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { getTagTree, type TagTreeNode, type TagType } from '#contract/tag.ts'
import { SEARCH_DELAY_MS, useDebounced } from '../../../lib/debounced.ts'
import { queryOf } from '../../../lib/query.ts'
import { groupsOf } from './tag-rows.ts'

/** A tree of more tags is loaded by category, as categories are opened. */
export const WHOLE_TREE_MAX = 2000

const STALE_MS = 15_000

/** Whether a category was answered without its tags. */
const isOpenEnded = ({ group = [], tags = 0 }: TagTreeNode) => group.length < tags

const treeQuery = (advId: number, tagType: TagType) => ({
  ...queryOf(getTagTree, { query: { tag_type: tagType, adv_id: advId, most: WHOLE_TREE_MAX } }),
  staleTime: STALE_MS,
  meta: { inPlace: true },
})

/** The attribute or event tags of an advertiser, by category. `need` loads the tags of categories. */
export function useTagTree(advId: number, tagType: TagType) {
  const query = useQuery(treeQuery(advId, tagType))
  const [needed, setNeeded] = useState<readonly number[]>([])
  const parts = useQueries({
    queries: needed.map((category_id) => ({
      ...queryOf(getTagTree, { query: { tag_type: tagType, adv_id: advId, category_id } }),
      staleTime: STALE_MS,
      meta: { silent: 'optional' as const },
    })),
    combine: (results) => results.flatMap(({ data }) => data?.data ?? []),
  })
  const items = useMemo(() => {
    const loaded = new Map(parts.map((node) => [node.id, node]))
    return (
      query.data && groupsOf(query.data.data.map((node) => (isOpenEnded(node) ? (loaded.get(node.id) ?? node) : node)))
    )
  }, [query.data, parts])
  const need = (ids: readonly number[]) => setNeeded((known) => [...new Set([...known, ...ids])])
  return { query, items, need }
}

/** The tags among which a search looks; of a large tree only those that the server finds. */
export function useSearchedTree(advId: number, tagType: TagType, keyword: string) {
  const tree = useQuery(treeQuery(advId, tagType))
  const isLarge = tree.data?.data.some(isOpenEnded) === true
  const settled = useDebounced(keyword, SEARCH_DELAY_MS)
  const rest = useQuery({
    ...queryOf(getTagTree, { query: { tag_type: tagType, adv_id: advId, keyword: settled } }),
    enabled: isLarge && settled !== '',
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
    meta: { inPlace: true },
  })
  const found = isLarge ? rest : tree
  const items = useMemo(() => found.data && groupsOf(found.data.data), [found.data])
  return { query: found, items }
}

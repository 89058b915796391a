import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { NameOf } from '#contract/targeting/names.ts'
import type { Place } from '#contract/targeting/place.ts'
import type { TagType } from '#contract/targeting/tag-types.ts'
import { findTags, getTags, type TagNode } from '#contract/targeting-tags.ts'
import { queryOf } from '../../lib/query.ts'
import { useEditing } from './editor-context.ts'

export type Filtering = NonNullable<Parameters<typeof queryOf<typeof findTags>>[1]['body']['filtering']>

const HOUR_MS = 3_600_000

type TreeType = 'REGION' | 'BUSINESS_DISTRICT' | 'BEHAVIOR' | 'INTEREST' | 'INTENTION' | 'AWEME'
export type KeywordType = 'BEHAVIOR_KEYWORDS' | 'INTEREST_KEYWORDS'

function useAnswer(type: TagType, filtering: Filtering, enabled: boolean) {
  const { accountId } = useEditing()
  return useQuery({
    ...queryOf(findTags, { body: { advertiser_id: accountId, type, filtering } }),
    enabled,
    staleTime: HOUR_MS,
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })
}

/** A tree of the platform, kept for the visit. */
export const useTree = (type: TreeType, filtering: Filtering = [], enabled = true) =>
  useAnswer(type, filtering, enabled)

/** A search of the platform; the last answer stays while the next one is on its way. */
export const useSearch = (type: KeywordType | 'AWEME_AUTHOR', filtering: Filtering, enabled = true) =>
  useAnswer(type, filtering, enabled)

/**
 * What the platform calls chosen keywords: null of one that it has no more, undefined before it answered. `areTexts`: the
 * platform knows keywords by their text.
 */
export function useKeywordNames(type: KeywordType, chosen: readonly string[], areTexts: boolean): NameOf<string> {
  const asked: Filtering = [{ field: areTexts ? 'words' : 'ids', values: [...chosen] }]
  const { data, isPlaceholderData } = useSearch(type, asked, chosen.length > 0)
  const labels = new Map(data?.[type]?.map(({ value, label }) => [value, label]))
  return (id) => labels.get(id) ?? (data && !isPlaceholderData ? null : undefined)
}

/** What the platform calls 商圈 among places: null of one that it has no more. */
export const useDistrictNames = (places: readonly Place[]): NameOf<string> =>
  useLabels(
    useTree(
      'BUSINESS_DISTRICT',
      [],
      places.some(({ kind }) => kind === 'business_district'),
    ).data?.BUSINESS_DISTRICT,
  )

/** The advertiser's region plans for the package's platform. */
export function usePlans(enabled: boolean) {
  const { accountId } = useEditing()
  return useQuery({
    ...queryOf(getTags, { query: { advertiser_id: accountId, type: 'REGION_PLAN' } }),
    enabled,
    meta: { inPlace: true },
  })
}

/** The nodes of a tree by their ids. */
export function useNodes(tree: readonly TagNode[] | undefined): ReadonlyMap<string, TagNode> {
  return useMemo(() => {
    const nodes = new Map<string, TagNode>()
    const add = (node: TagNode) => {
      nodes.set(node.value, node)
      node.children.forEach(add)
    }
    tree?.forEach(add)
    return nodes
  }, [tree])
}

/** What a tree calls an id: null of what it has no more, undefined before it is loaded. */
export function useLabels(tree: readonly TagNode[] | undefined): NameOf<string> {
  const nodes = useNodes(tree)
  return (id) => nodes.get(id)?.label ?? (tree ? null : undefined)
}

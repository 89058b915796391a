import { useQuery } from '@tanstack/react-query'
import { ALL_PEOPLE_TAG, getTagTree } from '#contract/tag.ts'
import { queryOf } from '../../../lib/query.ts'
import { groupsOf, tagsIn } from '../tag-panel/tag-rows.ts'

/** How many people the advertiser has: the count of its built-in tag for everyone. */
export function useEveryone(advId: number): number | null {
  const tree = useQuery({
    ...queryOf(getTagTree, { query: { tag_type: 1, adv_id: advId } }),
    staleTime: 15_000,
    meta: { quiet: true },
  })
  const all = tree.data && tagsIn(groupsOf(tree.data.data))
  return all?.find((tag) => tag.icon === 'all' && tag.name === ALL_PEOPLE_TAG)?.count ?? null
}

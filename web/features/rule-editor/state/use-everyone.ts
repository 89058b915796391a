import { useQuery } from '@tanstack/react-query'
import { ALL_PEOPLE_TAG, getTagTree } from '#contract/tag.ts'
import { queryOf } from '../../../lib/query.ts'
import { groupsOf, tagsIn } from '../tag-panel/tag-rows.ts'

/** The number of all people of the advertiser: the count of its built-in tag 全部用户. */
export function useEveryone(advId: number): number | null {
  const tree = useQuery({
    ...queryOf(getTagTree, { query: { tag_type: 1, adv_id: advId } }),
    staleTime: 15_000,
    meta: { quiet: true },
  })
  const all = tree.data && tagsIn(groupsOf(tree.data.data))
  return all?.find((tag) => tag.icon === 'all' && tag.name === ALL_PEOPLE_TAG)?.count ?? null
}

import { useInfiniteQuery } from '@tanstack/react-query'
import { listTargetingCrowds } from '#contract/targeting-tags.ts'
import { call } from '../../../lib/call.ts'
import { keyOf, useAction } from '../../../lib/query.ts'

const PAGE_SIZE = 10

/** Which crowds are listed: all, the platform's own (0), the advertiser's (1). */
export type CrowdKind = '' | '0' | '1'

/** The account's crowds, page by page. */
export function useCrowds(accountId: number, name = '', type: CrowdKind = '') {
  return useInfiniteQuery({
    queryKey: [keyOf(listTargetingCrowds), accountId, name, type],
    queryFn: ({ pageParam: page, signal }) => {
      const query = {
        advertiser_id: accountId,
        page,
        page_size: PAGE_SIZE,
        ...(name && { name }),
        ...(type !== '' && { type }),
      }
      return call(listTargetingCrowds, { query }, { signal })
    },
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length * PAGE_SIZE < last.total_num ? pages.length + 1 : undefined),
    staleTime: 60_000,
    meta: { inPlace: true },
  })
}

/** Has the crowds read from the platform anew: the server serves a list of some minutes ago. */
export function useCrowdsReread(accountId: number) {
  const { mutate, isPending } = useAction(listTargetingCrowds, [listTargetingCrowds])
  return { isPending, now: () => mutate({ query: { advertiser_id: accountId, refresh: '1' } }) }
}

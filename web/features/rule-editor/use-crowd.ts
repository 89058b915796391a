import { useQuery, useQueryClient } from '@tanstack/react-query'
import { loadCrowd } from './saving/load-crowd.ts'

/** A crowd with its rule, fetched each time a page opens and not refetched: the editor works on a copy. */
export function useCrowd(id: number) {
  const client = useQueryClient()
  return useQuery({
    queryKey: ['crowd with rule', id],
    queryFn: () => loadCrowd(client, id),
    enabled: id > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    meta: { inPlace: true },
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })
}

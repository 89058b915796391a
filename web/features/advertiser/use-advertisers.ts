import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { ADVERTISERS_PER_PAGE, listAdvertisers } from '#contract/advertiser.ts'
import type { DataOf } from '#contract/endpoint.ts'
import type { CallError } from '../../lib/call.ts'
import { queryOf } from '../../lib/query.ts'
import { saved } from '../../lib/saved-context.ts'
import { useSame } from '../../lib/use-same.ts'

/** Pages that are loaded at the start; advertisers beyond them are found by the search. */
const PAGES_MAX = 5

const page = (number: number) =>
  queryOf(listAdvertisers, { query: { page: number, per_page: ADVERTISERS_PER_PAGE, auth_type: -1 } })

/** What the frame of every page waits for. */
export const FIRST_ADVERTISERS = page(1)

/** The pages after the first; the same object until one of them changes. */
const together = (pages: UseQueryResult<DataOf<typeof listAdvertisers>, CallError>[]) => ({
  isLoaded: pages.every(({ data }) => data !== undefined),
  rows: pages.flatMap(({ data }) => data?.data ?? []),
  failed: pages.find(({ error, data }) => error && data === undefined)?.error ?? null,
  refetch: () => Promise.all(pages.map((one) => one.refetch())),
})

/** The viewer's advertisers, and the one chosen on an earlier visit where it is beyond the pages loaded. */
export function useAdvertisers(isEnabled: boolean) {
  const first = useQuery({ ...FIRST_ADVERTISERS, enabled: isEnabled, meta: { inPlace: true } })
  const { data: rows = NONE, total = 0 } = first.data ?? {}
  const pages = Math.min(PAGES_MAX, Math.ceil(total / ADVERTISERS_PER_PAGE))
  const others = useQueries({
    queries: Array.from({ length: Math.max(0, pages - 1) }, (_, i) => ({ ...page(i + 2), meta: { inPlace: true } })),
    combine: together,
  })
  const isLoaded = first.data !== undefined && others.isLoaded
  const list = useMemo(() => [...rows, ...others.rows], [rows, others.rows])
  // One chosen during this visit is known already.
  const [remembered] = useState(() => saved.advertiser.get())
  const isBeyond = isLoaded && remembered !== null && total > list.length && !list.some((one) => one.id === remembered)
  const chosen = useQuery({
    ...queryOf(listAdvertisers, { query: { page: 1, per_page: 1, auth_type: -1, adv_id: remembered ?? 0 } }),
    enabled: isBeyond,
    meta: { inPlace: true },
  })
  const isReady = isLoaded && !chosen.isLoading
  const beyond = isBeyond ? (chosen.data?.data ?? NONE) : NONE
  return {
    data: useMemo(() => (isReady ? [...list, ...beyond] : undefined), [isReady, list, beyond]),
    error: (first.data === undefined ? first.error : null) ?? others.failed,
    refetch: useSame(() => Promise.all([first.refetch(), others.refetch()])),
  }
}

const NONE: DataOf<typeof listAdvertisers>['data'] = []

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ADVERTISERS_PER_PAGE, listAdvertisers } from '#contract/advertiser.ts'
import type { DataOf } from '#contract/endpoint.ts'
import type { PlatformCode } from '#contract/platform.ts'
import { SEARCH_DELAY_MS, useDebounced } from '../../lib/debounced.ts'
import { queryOf } from '../../lib/query.ts'

type Row = DataOf<typeof listAdvertisers>['data'][number]
/** A platform account that is chosen. */
export type ChosenAccount = Pick<Row, 'id' | 'name' | 'external_id'>

const usableIn = (rows: readonly Row[] | undefined): readonly Row[] =>
  (rows ?? []).filter(({ is_authorised }) => is_authorised)

/**
 * The authorised accounts of a platform: of one advertiser, or of all that are the viewer's. The first page of them is
 * searched here; where there are more, the server searches.
 */
export function useUsableAccounts(platform: PlatformCode, adv_id?: number) {
  const [typed, setTyped] = useState('')
  const name = useDebounced(typed.trim(), SEARCH_DELAY_MS)
  const asked = { auth_type: platform, page: 1, per_page: ADVERTISERS_PER_PAGE, ...(adv_id && { adv_id }) }
  const first = useQuery({
    ...queryOf(listAdvertisers, { query: asked }),
    meta: { inPlace: true },
    // An account is authorised in another tab.
    refetchOnWindowFocus: 'always',
  })
  const hasMore = (first.data?.total ?? 0) > ADVERTISERS_PER_PAGE
  const isSearched = hasMore && name !== ''
  const found = useQuery({
    ...queryOf(listAdvertisers, { query: { ...asked, name } }),
    enabled: isSearched,
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })
  // Authorised accounts come first.
  const usable = usableIn(first.data?.data)
  return {
    isPending: first.isPending,
    error: first.error ?? found.error,
    usable,
    /** What the list of the field shows. */
    shown: isSearched ? usableIn(found.data?.data) : usable,
    isSearched,
    isFetching: first.isFetching || found.isFetching,
    search: setTyped,
  }
}
export type UsableAccounts = ReturnType<typeof useUsableAccounts>

/** Whether an account can be used now, found by its name; undefined while that is not known. */
export function useIsUsable(platform: PlatformCode, account: { id: number; name: string } | null): boolean | undefined {
  const { data } = useQuery({
    ...queryOf(listAdvertisers, {
      query: { auth_type: platform, page: 1, per_page: ADVERTISERS_PER_PAGE, name: account?.name ?? '' },
    }),
    enabled: account !== null,
    meta: { silent: 'optional' },
    // It is authorised in another tab.
    refetchOnWindowFocus: 'always',
  })
  return data?.data.find(({ id }) => id === account?.id)?.is_authorised
}

/** An account by its id, of those with this name; undefined while loading, null if it cannot be used. */
export function useUsableAccount(platform: PlatformCode, wanted: { id: number; name: string } | null) {
  const { data, error } = useQuery({
    ...queryOf(listAdvertisers, {
      query: { auth_type: platform, page: 1, per_page: ADVERTISERS_PER_PAGE, name: wanted?.name ?? '' },
    }),
    enabled: wanted !== null,
    meta: { inPlace: true },
  })
  if (wanted === null || error) return null
  return data && (usableIn(data.data).find(({ id }) => id === wanted.id) ?? null)
}

import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ADVERTISERS_PER_PAGE, listAdvertisers } from '#contract/advertiser.ts'
import type { DataOf } from '#contract/endpoint.ts'
import { useDebounced } from '../../lib/debounced.ts'
import { queryOf } from '../../lib/query.ts'

const DELAY_MS = 300
/** Names that are asked for one by one. */
const NAMES_MAX = 50

type Advertiser = DataOf<typeof listAdvertisers>['data'][number]
type Named = Pick<Advertiser, 'id' | 'name'>

const byId = (adv_id: number) => ({
  ...queryOf(listAdvertisers, { query: { page: 1, per_page: 1, auth_type: -1, adv_id } }),
  staleTime: 60_000,
  meta: { inPlace: true },
})

/** The advertiser of an id, asked for where it is not among those `known`; null if there is none or it is not loaded yet. */
export function useAdvertiserOf(known: readonly Advertiser[], id: number | undefined) {
  const here = known.find((one) => one.id === id)
  const { data, isLoading } = useQuery({ ...byId(id ?? 0), enabled: id !== undefined && id > 0 && !here })
  return { advertiser: here ?? data?.data[0] ?? null, isLoading }
}

/**
 * The options of a field that chooses advertisers. Of many, those beyond the ones `known` are searched by the server, and
 * the names of those that are `chosen` are asked for.
 */
export function useAdvertiserOptions(known: readonly Named[], chosen: readonly number[]) {
  const [typed, setTyped] = useState('')
  const name = useDebounced(typed.trim(), DELAY_MS)
  const isSearching = known.length >= ADVERTISERS_PER_PAGE && name !== ''
  const found = useQuery({
    ...queryOf(listAdvertisers, { query: { page: 1, per_page: ADVERTISERS_PER_PAGE, auth_type: -1, name } }),
    enabled: isSearching,
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })
  const beyond = chosen.filter((id) => !known.some((one) => one.id === id))
  const named = useQueries({ queries: beyond.slice(0, NAMES_MAX).map(byId) })
  const shown: readonly Named[] = isSearching
    ? (found.data?.data ?? [])
    : [...named.flatMap(({ data }) => data?.data ?? []), ...known]
  return {
    options: shown.map((one) => ({ value: one.id, label: one.name })),
    /** Props of the field. */
    search: {
      showSearch: {
        onSearch: setTyped,
        ...(isSearching ? { filterOption: false } : { optionFilterProp: 'label' }),
      },
      loading: found.isFetching,
      notFoundContent: found.error
        ? `广告主加载失败：${found.error.message || '请求失败'}`
        : found.isFetching
          ? '加载中'
          : '没有符合的广告主',
    },
  }
}

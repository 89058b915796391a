import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { ADVERTISERS_PER_PAGE, listAdvertisers } from '#contract/advertiser.ts'
import { useDebounced } from '../../lib/debounced.ts'
import { queryOf } from '../../lib/query.ts'

const DELAY_MS = 300

interface Named {
  id: number
  name: string
}

/** Chooses an advertiser. Those beyond the first page are searched by the server. */
export function AdvertiserSelect<Extra extends string = never>(props: {
  label: string
  value: number | Extra
  onChange: (value: number | Extra, name: string) => void
  /** Offered before anything is typed. */
  known: readonly Named[]
  /** Offered first, such as all advertisers. */
  extra?: readonly { value: Extra; label: string }[]
  className?: string | undefined
}) {
  const { label, value, onChange, known, extra = [], className } = props
  const [typed, setTyped] = useState('')
  const name = useDebounced(typed.trim(), DELAY_MS)
  const isPartial = known.length >= ADVERTISERS_PER_PAGE
  const found = useQuery({
    ...queryOf(listAdvertisers, { query: { page: 1, per_page: ADVERTISERS_PER_PAGE, auth_type: -1, name } }),
    enabled: isPartial && name !== '',
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })
  const isSearching = isPartial && name !== ''
  const rows: readonly Named[] = isSearching ? (found.data?.data ?? []) : known
  const options = [...extra, ...rows.map((one) => ({ value: one.id, label: one.name }))]
  return (
    <Select<number | Extra, { value: number | Extra; label: string }>
      aria-label={label}
      value={value}
      onChange={(chosen, option) => onChange(chosen, Array.isArray(option) ? '' : (option?.label ?? ''))}
      showSearch={{
        onSearch: setTyped,
        ...(isSearching ? { filterOption: false } : { optionFilterProp: 'label' }),
      }}
      loading={found.isFetching}
      notFoundContent={
        found.error ? `广告主加载失败：${found.error.message}` : found.isFetching ? '加载中' : '没有符合的广告主'
      }
      options={options}
      popupMatchSelectWidth={false}
      className={className}
    />
  )
}

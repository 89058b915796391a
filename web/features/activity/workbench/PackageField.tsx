import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { listTargetings } from '#contract/targeting-package.ts'
import { SEARCH_DELAY_MS, useDebounced } from '../../../lib/debounced.ts'
import { queryOf } from '../../../lib/query.ts'

const SHOWN = 50

interface Named {
  id: number
  name: string
}

/** Chooses one of the account's targeting packages; those that expired are not offered. */
export function PackageField(props: {
  id: string
  accountId: number | null
  value: Named | null
  onChange: (value: Named | null) => void
}) {
  const { id, accountId, value, onChange } = props
  const [typed, setTyped] = useState('')
  const name = useDebounced(typed.trim(), SEARCH_DELAY_MS)
  const packages = useQuery({
    ...queryOf(listTargetings, {
      body: { advertiser_id: accountId ?? 0, status: '1,2,3,4', page_size: SHOWN, ...(name && { name }) } as never,
    }),
    enabled: accountId !== null,
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })
  const found = accountId === null ? [] : (packages.data?.list ?? [])
  const isBeyond = value !== null && !found.some((one) => one.id === value.id)
  return (
    <Select
      id={id}
      allowClear
      disabled={accountId === null}
      placeholder={accountId === null ? '请先选择投放账户' : '请选择定向包，也可以只用人群'}
      loading={packages.isFetching}
      showSearch={{ onSearch: setTyped, filterOption: false }}
      notFoundContent={
        packages.error ? `定向包加载失败：${packages.error.message || '请求失败'}` : '该账户没有可用的定向包'
      }
      value={value?.id ?? null}
      onChange={(chosen: number | undefined) => {
        const one = found.find((row) => row.id === chosen)
        onChange(one ? { id: one.id, name: one.name } : null)
      }}
      options={[...(isBeyond ? [value] : []), ...found].map((one) => ({ value: one.id, label: one.name }))}
    />
  )
}

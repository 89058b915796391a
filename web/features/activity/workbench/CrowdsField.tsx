import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { listPlanCrowds } from '#contract/activity.ts'
import { SEARCH_DELAY_MS, useDebounced } from '../../../lib/debounced.ts'
import { formatLarge } from '../../../lib/format.ts'
import { queryOf } from '../../../lib/query.ts'
import type { PlanDraft } from './draft.ts'

const SHOWN = 100
type Crowds = PlanDraft['crowds']

/** Chooses crowds that were pushed to the account, in one of the two roles; one that has the other role is not offered. */
export function CrowdsField(props: {
  id: string
  accountId: number | null
  role: 'include' | 'exclude'
  value: Crowds
  onChange: (value: Crowds) => void
}) {
  const { id, accountId, role, value, onChange } = props
  const [typed, setTyped] = useState('')
  const name = useDebounced(typed.trim(), SEARCH_DELAY_MS)
  const crowds = useQuery({
    ...queryOf(listPlanCrowds, {
      query: { account_id: accountId ?? 0, page_size: SHOWN, ...(name && { name }) },
    }),
    enabled: accountId !== null,
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })
  const found = accountId === null ? [] : (crowds.data?.list ?? [])
  const own = value.filter((one) => one.role === role)
  const others = value.filter((one) => one.role !== role)
  const beyond = own.filter((one) => !found.some((row) => row.id === one.id))
  const nameOf = (crowd: number) =>
    found.find((row) => row.id === crowd)?.name ?? own.find((one) => one.id === crowd)?.name ?? ''
  return (
    <Select
      id={id}
      mode="multiple"
      allowClear
      disabled={accountId === null}
      placeholder={accountId === null ? '请先选择投放账户' : '可不选'}
      loading={crowds.isFetching}
      maxTagCount={4}
      showSearch={{ onSearch: setTyped, filterOption: false }}
      notFoundContent={
        crowds.error ? `人群加载失败：${crowds.error.message || '请求失败'}` : '该账户没有可用的人群，请先推送人群'
      }
      value={own.map((one) => one.id)}
      onChange={(ids: number[]) =>
        onChange([...others, ...ids.map((crowd) => ({ id: crowd, role, name: nameOf(crowd) }))])
      }
      options={[
        ...beyond.map((one) => ({ value: one.id, label: one.name, disabled: false })),
        ...found.map((row) => ({
          value: row.id,
          label: row.cover_num === null ? row.name : `${row.name}（覆盖 ${formatLarge(row.cover_num)}）`,
          disabled: others.some((one) => one.id === row.id),
        })),
      ]}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Select } from 'antd'
import { listCreators } from '#contract/rule-crowd.ts'
import { DateRange } from '../../components/DateRange.tsx'
import { FilterText } from '../../components/FilterText.tsx'
import { queryOf } from '../../lib/query.ts'
import { isFiltered, type ListState, UNFILTERED } from './list-state.ts'

/** The filters of the list in one row that wraps; each takes effect at once and begins on page 1. */
export function ListFilters<Status extends string>(props: {
  state: ListState<Status>
  /** By value, in the order in which they are offered. */
  statuses: Record<Status, string>
  onChange: (change: Partial<ListState<Status>>) => void
  /** Given where the deployment shows advertisers (SaaS). */
  advertisers: readonly { id: number; name: string }[] | null
}) {
  const { state, statuses, onChange, advertisers } = props
  const isSaas = advertisers !== null
  const creators = useQuery({ ...queryOf(listCreators), enabled: isSaas, staleTime: 60_000, meta: { quiet: true } })
  return (
    <Flex wrap gap={8} role="search" aria-label="筛选">
      <FilterText label="名称" value={state.name} onChange={(name) => onChange({ name })} />
      {isSaas ? (
        <Select
          mode="multiple"
          allowClear
          maxTagCount="responsive"
          placeholder="创建人"
          aria-label="创建人"
          style={{ width: 160 }}
          loading={creators.isPending}
          value={state.creator_id}
          onChange={(creator_id) => onChange({ creator_id })}
          showSearch={{ optionFilterProp: 'label' }}
          options={(creators.data ?? []).map((one) => ({ value: one.id, label: one.realname }))}
        />
      ) : (
        <FilterText label="创建人" width={140} value={state.creator} onChange={(creator) => onChange({ creator })} />
      )}
      <Select
        mode="multiple"
        allowClear
        maxTagCount="responsive"
        placeholder="状态"
        aria-label="状态"
        style={{ width: 200 }}
        value={state.status}
        onChange={(status: Status[]) => onChange({ status })}
        options={(Object.keys(statuses) as Status[]).map((value) => ({ value, label: statuses[value] }))}
      />
      <DateRange label="创建时间" value={state.created_at} onChange={(created_at) => onChange({ created_at })} />
      {isSaas && (
        <Select
          allowClear
          placeholder="广告主"
          aria-label="广告主"
          style={{ width: 180 }}
          popupMatchSelectWidth={false}
          value={state.adv_id}
          onChange={(adv_id) => onChange({ adv_id: adv_id ?? null })}
          showSearch={{ optionFilterProp: 'label' }}
          options={advertisers.map((one) => ({ value: one.id, label: one.name }))}
        />
      )}
      <FilterText label="标签ID" width={110} digits value={state.tag_id} onChange={(tag_id) => onChange({ tag_id })} />
      {isFiltered(state) && (
        <Button type="link" style={{ paddingInline: 4 }} onClick={() => onChange(UNFILTERED)}>
          清除筛选
        </Button>
      )}
    </Flex>
  )
}

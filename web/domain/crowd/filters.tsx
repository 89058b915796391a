import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { listCreators } from '#contract/rule-crowd.ts'
import { DateRange } from '../../components/DateRange.tsx'
import { FilterText } from '../../components/FilterText.tsx'
import { queryOf } from '../../lib/query.ts'
import styles from './crowd-list.module.css'
import { asId, type FieldProps, type Filter } from './list-state.ts'

/** Filters for lists of crowds; a list has those that its table names. */

const listIn = (text: string): string[] => text.split(',').filter(Boolean)

const textFilter = (label: string, width: number): Filter<string> => ({
  empty: '',
  read: (text) => text,
  write: (value) => value,
  field: ({ value, onChange }) => <FilterText label={label} width={width} value={value} onChange={onChange} />,
})

export const nameFilter = textFilter('名称', 180)

/** RPS filters creators by their names, SaaS by their ids. */
export const creatorNameFilter: Filter<string> = { ...textFilter('创建人', 140), shownIn: 'rps' }

/** Offers who made crowds of this kind. */
export const creatorsFilter = (kind: 'custom' | 'rule'): Filter<number[]> => ({
  empty: [],
  read: (text) => listIn(text).flatMap((id) => asId(id) ?? []),
  write: (value) => value.join(','),
  shownIn: 'saas',
  field: (props) => <CreatorsField {...props} kind={kind} />,
})

function CreatorsField({ value, onChange, kind }: FieldProps<number[]> & { kind: 'custom' | 'rule' }) {
  const creators = useQuery({
    ...queryOf(listCreators, { body: { kind } }),
    staleTime: 60_000,
    meta: { inPlace: true },
  })
  return (
    <Select
      mode="multiple"
      allowClear
      maxTagCount="responsive"
      placeholder="创建人"
      aria-label="创建人"
      className={styles.creator}
      loading={creators.isPending}
      value={value}
      onChange={onChange}
      showSearch={{ optionFilterProp: 'label' }}
      notFoundContent={creators.error ? `创建人加载失败：${creators.error.message}` : '没有创建人'}
      options={(creators.data ?? []).map((one) => ({ value: one.id, label: one.realname }))}
    />
  )
}

/** `statuses`: labels by value, in the order shown. */
export function statusFilter<Status extends string>(statuses: Record<Status, string>): Filter<Status[]> {
  const isStatus = (text: string): text is Status => Object.hasOwn(statuses, text)
  const options = Object.keys(statuses)
    .filter(isStatus)
    .map((value) => ({ value, label: statuses[value] }))
  return {
    empty: [],
    read: (text) => listIn(text).filter(isStatus),
    write: (value) => value.join(','),
    field: ({ value, onChange }) => (
      <Select
        mode="multiple"
        allowClear
        maxTagCount="responsive"
        placeholder="状态"
        aria-label="状态"
        className={styles.status}
        value={value}
        onChange={onChange}
        options={options}
      />
    ),
  }
}

export const createdFilter: Filter<[number, number] | null> = {
  empty: null,
  read(text) {
    const [from, to] = listIn(text).map(Number)
    return from !== undefined && to !== undefined && Number.isInteger(from) && Number.isInteger(to) ? [from, to] : null
  },
  write: (value) => value?.join(',') ?? '',
  field: ({ value, onChange }) => <DateRange label="创建时间" value={value} onChange={onChange} />,
}

export const advertiserFilter: Filter<number | null> = {
  empty: null,
  read: asId,
  write: (value) => (value === null ? '' : String(value)),
  shownIn: 'saas',
  field: ({ value, onChange, advertisers }) => (
    <Select
      allowClear
      placeholder="广告主"
      aria-label="广告主"
      className={styles.advertiser}
      popupMatchSelectWidth={false}
      value={value}
      onChange={(id: number | undefined) => onChange(id ?? null)}
      showSearch={{ optionFilterProp: 'label' }}
      options={advertisers.map((one) => ({ value: one.id, label: one.name }))}
    />
  ),
}

/** Kept as text: a platform's ids can exceed a safe integer. */
export const tagIdFilter: Filter<string> = {
  empty: '',
  read: (text) => /^\d{1,30}$/.exec(text)?.[0] ?? '',
  write: (value) => value,
  field: ({ value, onChange }) => <FilterText label="标签ID" width={110} digits value={value} onChange={onChange} />,
}

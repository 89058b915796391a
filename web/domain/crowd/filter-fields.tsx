import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { type CreatedKind, listCreators } from '#contract/rule-crowd.ts'
import { useLabelSearch } from '../../lib/name-search.ts'
import { queryOf } from '../../lib/query.ts'
import styles from './crowd-list.module.css'

/** The fields of the filters; a list's first rows do not wait for them. */

export { FilterText } from '../../components/FilterText.tsx'
export { AdvertiserSelect } from '../advertiser/AdvertiserSelect.tsx'

interface Choice<Value> {
  value: Value
  onChange(value: Value): void
}

export function CreatorsField({ value, onChange, kind }: Choice<number[]> & { kind: CreatedKind }) {
  const search = useLabelSearch()
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
      showSearch={search}
      notFoundContent={creators.error ? `创建人加载失败：${creators.error.message || '请求失败'}` : '没有创建人'}
      options={(creators.data ?? []).map((one) => ({ value: one.id, label: one.realname }))}
    />
  )
}

export const StatusField = <Status extends string>(
  props: Choice<Status[]> & { options: { value: Status; label: string }[] },
) => (
  <Select
    mode="multiple"
    allowClear
    maxTagCount="responsive"
    placeholder="状态"
    aria-label="状态"
    className={styles.status}
    {...props}
  />
)

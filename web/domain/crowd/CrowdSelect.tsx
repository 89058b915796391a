import { useQuery } from '@tanstack/react-query'
import { Flex, Select } from 'antd'
import { useState } from 'react'
import { listRuleCrowds } from '#contract/rule-crowd.ts'
import text from '../../components/text.module.css'
import { useDebounced } from '../../lib/debounced.ts'
import { formatCount } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'
import { useSteady } from '../../lib/steady.ts'

const CROWDS_SHOWN = 50
const SEARCH_DELAY_MS = 300

export interface ChosenCrowd {
  id: number
  name: string
}

interface Props {
  advId: number
  label: string
  placeholder: string
  chosen: readonly ChosenCrowd[]
  /** Rule crowds in any state, instead of the computed crowds of both kinds. */
  isOfRulesOnly?: boolean
  /** How many may be chosen; one of them replaces the other. */
  max: number
  /** Crowds that are not offered. */
  without?: readonly number[]
  onChange: (chosen: ChosenCrowd[]) => void
  className?: string | undefined
}

/** Crowds of an advertiser; the server searches their names, by pinyin too where both kinds are offered. */
export function CrowdSelect(props: Props) {
  const {
    advId,
    label,
    placeholder,
    isOfRulesOnly = false,
    chosen,
    max,
    without = [],
    onChange,
    className = '',
  } = props
  const [typed, setTyped] = useState('')
  const name = useDebounced(typed.trim(), SEARCH_DELAY_MS)
  const crowds = useQuery({
    ...queryOf(listRuleCrowds, {
      query: {
        adv_id: advId,
        page_size: CROWDS_SHOWN,
        ...(isOfRulesOnly ? {} : { ordinary: '1' as const }),
        ...(name ? { name } : {}),
      },
    }),
    meta: { inPlace: true },
  })
  const offered = (crowds.data?.res ?? []).filter(({ id }) => !without.includes(id))
  const nameOf = (id: number) => [...chosen, ...offered].find((one) => one.id === id)?.name ?? String(id)
  const change = useSteady((ids: number | number[] | null | undefined) =>
    onChange([ids ?? []].flat().map((id) => ({ id, name: nameOf(id) }))),
  )
  const ids = chosen.map(({ id }) => id)
  return (
    <Select<number | number[] | null>
      {...(max > 1 ? { mode: 'multiple' as const, maxCount: max, value: ids } : { value: ids[0] ?? null })}
      className={className}
      aria-label={label}
      placeholder={placeholder}
      allowClear
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={crowds.isFetching}
      // antd empties the field when it is left, and does not say so.
      onBlur={() => setTyped('')}
      notFoundContent={crowds.isFetching ? '加载中' : crowds.error ? '人群加载失败' : '没有符合的人群'}
      options={[
        ...chosen
          .filter(({ id }) => !offered.some((one) => one.id === id))
          .map(({ id, name }) => ({ value: id, label: name, count: null })),
        ...offered.map(({ id, name, magnitude }) => ({ value: id, label: name, count: magnitude })),
      ]}
      optionRender={({ data }) => (
        <Flex justify="space-between" gap={8}>
          <span className={text.cut}>{data.label}</span>
          {data.count !== null && <span className={text.small}>{formatCount(data.count)} 人</span>}
        </Flex>
      )}
      onChange={change}
    />
  )
}

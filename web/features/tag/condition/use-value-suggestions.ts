import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listFieldValues } from '#contract/tag-field.ts'
import { SEARCH_DELAY_MS, useDebounced } from '../../../lib/debounced.ts'
import { queryOf } from '../../../lib/query.ts'

/** Whose values are suggested; null while nothing is chosen. */
export type ValueSource = { adv_id: number } & ({ attribute: string } | { event: string; property: string })

/** Why the viewer may not ask for the values of a field, as a sentence; null if they may, or while nothing is chosen. */
export function useClosedField(source: ValueSource | null): string | null {
  const { data } = useQuery({
    ...queryOf(listFieldValues, { query: { adv_id: 0, ...source, keyword: '' } }),
    enabled: source !== null,
    staleTime: 60_000,
    meta: { silent: 'optional' },
  })
  return (source && data?.closed) ?? null
}

/** Options for the values that the data hold and that contain what was typed. Masked ones cannot be chosen. */
export function useValueSuggestions(source: ValueSource | null, typed: string) {
  const keyword = useDebounced(typed.trim().slice(0, 100), SEARCH_DELAY_MS)
  const { data, isFetching } = useQuery({
    ...queryOf(listFieldValues, { query: { adv_id: 0, ...source, keyword } }),
    enabled: source !== null,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    meta: { silent: 'optional' },
  })
  const options = (source && data?.list)?.map(({ value, label, is_masked }) => ({
    value,
    label: is_masked ? `${value}（无权查看手机号，不能选择）` : label === null ? value : `${label}（${value}）`,
    disabled: is_masked,
  }))
  return { options: options ?? [], isLoading: isFetching }
}

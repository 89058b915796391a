import { useState } from 'react'
import { findText, mayBePinyin } from '#contract/find-text.ts'
import { useReadings } from './readings.ts'

/** The search of a select among names: by their characters, or typed as pinyin. */
export function useNameSearch() {
  const [typed, setTyped] = useState('')
  const readings = useReadings(mayBePinyin(typed))
  return {
    onSearch: setTyped,
    isFound: (name: string, keyword: string) => findText(name, keyword, readings) !== null,
  }
}

/** The same as `showSearch` of a select whose options have their names as labels. */
export function useLabelSearch() {
  const { onSearch, isFound } = useNameSearch()
  return {
    onSearch,
    filterOption: (typed: string, option?: { label?: unknown }) => isFound(String(option?.label), typed),
  }
}

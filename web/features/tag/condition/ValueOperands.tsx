import { AutoComplete, Input, Select } from 'antd'
import { useState } from 'react'
import { VALUE_MAX } from '#contract/tag-condition.ts'
import styles from '../tag.module.css'
import type { OperandProps } from './operand.ts'
import { useValueSuggestions } from './use-value-suggestions.ts'

const NOTHING_FOUND = '数据中没有匹配的值，可直接输入'

/** One value, typed or chosen among those in the data. */
export function ValueOperand({ value, set, source, status }: OperandProps) {
  const { options } = useValueSuggestions(source, value.value)
  return (
    <AutoComplete
      aria-label="值"
      placeholder="值"
      status={status}
      value={value.value}
      onChange={(text: string) => set({ value: text ?? '' })}
      options={options}
      className={styles.value}
    />
  )
}

/** Several values, chosen among those in the data, typed or pasted. */
export function ValuesOperand({ value, set, source, status }: OperandProps) {
  const [typed, setTyped] = useState('')
  const { options, isLoading } = useValueSuggestions(source, typed)
  return (
    <Select
      mode="tags"
      aria-label="值"
      placeholder="选择或输入值，可粘贴以逗号分隔的多个值"
      status={status}
      value={value.values}
      onChange={(values: string[]) => set({ values })}
      // The server searches; antd would hide what it found by other letters.
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={isLoading && source !== null}
      notFoundContent={NOTHING_FOUND}
      options={options}
      tokenSeparators={[',', '，', '\n', '\t']}
      maxCount={1000}
      className={styles.value}
    />
  )
}

/** A part of a value. */
export const TextOperand = ({ value, set, status }: OperandProps) => (
  <Input
    aria-label="文字"
    placeholder="文字，区分大小写"
    status={status}
    maxLength={VALUE_MAX}
    value={value.value}
    onChange={(event) => set({ value: event.target.value })}
    className={styles.value}
  />
)

import { AutoComplete, DatePicker, Flex, Input, Select } from 'antd'
import dayjs from 'dayjs'
import { VALUE_OPS } from '#contract/tag.ts'
import type { ConditionDraft } from './definition-draft.ts'
import styles from './tag.module.css'

const OPERATORS = Object.entries(VALUE_OPS).map(([value, label]) => ({ value, label }))
const AS = [
  { value: 'number', label: '数字' },
  { value: 'date', label: '日期' },
]

const DAY = 'YYYY-MM-DD'

/** The operator and the values of one condition. */
export function ConditionFields(props: {
  value: ConditionDraft
  onChange: (value: ConditionDraft) => void
  /** Known values, most frequent first. */
  suggestions: readonly string[]
  /** The field's type; null if it is unknown. */
  type: 'text' | 'number' | 'date' | null
  hasProblem: boolean
}) {
  const { value, onChange, suggestions, type, hasProblem } = props
  const set = (change: Partial<ConditionDraft>) => onChange({ ...value, ...change })
  const status = hasProblem ? 'error' : undefined
  const options = suggestions.map((one) => ({ value: one, label: one }))
  const compareAs = type === 'number' || type === 'date' ? type : value.as

  const end = (name: 'from' | 'to', label: string) =>
    compareAs === 'date' ? (
      <DatePicker
        aria-label={label}
        placeholder={label}
        {...(status ? { status } : {})}
        value={value[name] ? dayjs(value[name]) : null}
        onChange={(day) => set({ [name]: day ? day.format(DAY) : '', as: 'date' })}
        className={styles.date}
      />
    ) : (
      <Input
        aria-label={label}
        placeholder={label}
        {...(status ? { status } : {})}
        inputMode="decimal"
        value={value[name]}
        onChange={(event) => set({ [name]: event.target.value.trim(), as: 'number' })}
        className={styles.number}
      />
    )

  return (
    <Flex gap={8} wrap align="center" className={styles.condition}>
      <Select
        aria-label="条件"
        value={value.is}
        onChange={(is) => set({ is, as: compareAs })}
        options={OPERATORS}
        className={styles.operator}
      />
      {value.is === 'equals' && (
        <AutoComplete
          aria-label="值"
          placeholder="值"
          {...(status ? { status } : {})}
          value={value.value}
          onChange={(text: string) => set({ value: text ?? '' })}
          options={options}
          showSearch={{ filterOption: (typed, option) => String(option?.value).includes(typed) }}
          className={styles.value}
        />
      )}
      {value.is === 'in' && (
        <Select
          mode="tags"
          aria-label="值"
          placeholder="选择或输入值，可粘贴以逗号分隔的多个值"
          {...(status ? { status } : {})}
          value={value.values}
          onChange={(values: string[]) => set({ values })}
          options={options}
          tokenSeparators={[',', '，', '\n', '\t']}
          maxCount={1000}
          className={styles.value}
        />
      )}
      {value.is === 'range' && (
        <>
          {(type === null || type === 'text') && (
            <Select
              aria-label="比较方式"
              value={value.as}
              onChange={(as) => set({ as, from: '', to: '' })}
              options={AS}
              className={styles.compareAs}
            />
          )}
          {end('from', '不小于')}
          <span>到</span>
          {end('to', '小于')}
        </>
      )}
    </Flex>
  )
}

import { DatePicker, Select } from 'antd'
import dayjs from 'dayjs'
import styles from '../tag.module.css'
import { DAY } from './DayOperands.tsx'
import { NumberRange } from './NumberRange.tsx'
import type { OperandProps } from './operand.ts'

const AS = [
  { value: 'number', label: '数字' },
  { value: 'date', label: '日期' },
]

/** The ends of a range of numbers or dates, either of them open. */
export function RangeOperand({ value, set, type, status }: OperandProps) {
  const compareAs = type === 'number' || type === 'date' ? type : value.as
  const day = (name: 'from' | 'to', label: string) => (
    <DatePicker
      aria-label={label}
      placeholder={label}
      {...(status ? { status } : {})}
      value={value[name] ? dayjs(value[name]) : null}
      onChange={(chosen) => set({ [name]: chosen ? chosen.format(DAY) : '', as: 'date' })}
      className={styles.date}
    />
  )
  return (
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
      {compareAs === 'date' ? (
        <>
          {day('from', '不早于')}
          <span>到</span>
          {day('to', '早于（不含当天）')}
        </>
      ) : (
        <NumberRange
          from={value.from}
          to={value.to}
          onChange={(ends) => set({ ...ends, as: 'number' })}
          status={status}
        />
      )}
    </>
  )
}

import { DatePicker, InputNumber, Select } from 'antd'
import dayjs from 'dayjs'
import { RELATIVE_DAYS, type RelativeDays, WINDOW_DAYS_MAX } from '#contract/tag-condition.ts'
import text from '../../../components/text.module.css'
import { DaySpan } from '../DaySpan.tsx'
import { relativeDaysHint } from '../relative-days-hint.ts'
import styles from '../tag.module.css'
import type { OperandProps } from './operand.ts'

export const DAY = 'YYYY-MM-DD'

const WHEN = Object.entries(RELATIVE_DAYS).map(([value, label]) => ({ value: value as RelativeDays, label }))

/** One day, which `before` leaves out. */
export const DayOperand = ({ value, set, status }: OperandProps) => (
  <>
    <DatePicker
      aria-label="日期"
      placeholder="日期"
      {...(status ? { status } : {})}
      value={value.day ? dayjs(value.day) : null}
      onChange={(day) => set({ day: day ? day.format(DAY) : '' })}
      className={styles.date}
    />
    {value.is === 'before' && <span className={text.hint}>不含当天</span>}
  </>
)

/** Days from one to another, both included. */
export const DaySpanOperand = ({ value, set, status }: OperandProps) => (
  <DaySpan
    label="日期"
    from={value.day}
    to={value.lastDay}
    onChange={(from, to) => set({ day: from, lastDay: to })}
    status={status}
  />
)

/** Days counted from today. */
export const DaysOperand = ({ value, set, status }: OperandProps) => (
  <>
    <Select
      aria-label="相对天数"
      value={value.when}
      onChange={(when) => set({ when })}
      options={WHEN}
      className={styles.relative}
    />
    <InputNumber
      aria-label="天数"
      status={status}
      min={1}
      max={WINDOW_DAYS_MAX}
      precision={0}
      value={value.days}
      onChange={(days) => set({ days })}
      className={styles.days}
    />
    <span>天</span>
    <span className={text.hint}>{relativeDaysHint(value.when, value.days)}</span>
  </>
)

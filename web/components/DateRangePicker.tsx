import { DatePicker } from 'antd'
import { daysOfSeconds, plainToday, quickRanges, secondsOfDays } from '../lib/days.ts'
import type { DateRangeProps } from './DateRange.tsx'
import styles from './fields.module.css'

/** Whole days of the deployment's zone, as epoch seconds with both ends included; nothing after the last day. */
export function DateRangePicker(props: DateRangeProps) {
  const { value, onChange, label, lastDay = 'today' } = props
  const now = plainToday()
  const last = lastDay === 'today' ? now : now.subtract(1, 'day')
  return (
    <DatePicker.RangePicker
      value={value && daysOfSeconds(value)}
      presets={quickRanges(now, last)}
      maxDate={last}
      // Without it Tab does not leave an empty field (antd).
      allowEmpty={[true, true]}
      placeholder={[`${label}起`, '止']}
      aria-label={label}
      onChange={(days) => {
        // A start alone means until the last day, an end alone means that day.
        const from = days?.[0] ?? days?.[1]
        onChange(from ? secondsOfDays([from, days?.[1] ?? last]) : null)
      }}
      className={styles.dateRange}
    />
  )
}

import { DatePicker } from 'antd'
import { daysOfSeconds, plainToday, quickRanges, secondsOfDays } from '../lib/days.ts'
import type { DateRangeProps } from './DateRange.tsx'
import styles from './fields.module.css'

/** Whole days of the deployment's zone, as epoch seconds with both ends included; nothing after today. */
export function DateRangePicker(props: DateRangeProps) {
  const { value, onChange, label } = props
  const now = plainToday()
  return (
    <DatePicker.RangePicker
      value={value && daysOfSeconds(value)}
      presets={quickRanges(now)}
      maxDate={now}
      // Without it Tab does not leave an empty field (antd).
      allowEmpty={[true, true]}
      placeholder={[`${label}起`, '止']}
      aria-label={label}
      onChange={(days) => {
        // A start alone means until today, an end alone means that day.
        const from = days?.[0] ?? days?.[1]
        onChange(from ? secondsOfDays([from, days?.[1] ?? now]) : null)
      }}
      className={styles.dateRange}
    />
  )
}

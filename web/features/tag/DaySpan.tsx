import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { festivalRanges, plainToday, quickRanges } from '../../lib/days.ts'
import styles from './tag.module.css'

const DAY = 'YYYY-MM-DD'

/** Days from one to another, both included, as YYYY-MM-DD; an end may be empty where `mayBeOpen`. */
export function DaySpan(props: {
  label: string
  from: string
  to: string
  onChange: (from: string, to: string) => void
  status: 'error' | ''
  mayBeOpen?: boolean
}) {
  const { label, from, to, onChange, status, mayBeOpen = false } = props
  const now = plainToday()
  return (
    <DatePicker.RangePicker
      aria-label={label}
      {...(status ? { status } : {})}
      value={[from ? dayjs(from) : null, to ? dayjs(to) : null]}
      presets={[...festivalRanges(now), ...quickRanges(now)]}
      // Without it Tab does not leave an empty field (antd).
      allowEmpty={[true, true]}
      placeholder={mayBeOpen ? ['最早不限', '最晚不限'] : ['开始日期', '结束日期']}
      onChange={(days) => onChange(days?.[0]?.format(DAY) ?? '', days?.[1]?.format(DAY) ?? '')}
      className={styles.daySpan}
    />
  )
}

import { FieldFace } from './FieldFace.tsx'
import styles from './fields.module.css'
import { afterPage, useAfterPage } from './later.tsx'

export interface DateRangeProps {
  value: [number, number] | null
  onChange: (value: [number, number] | null) => void
  label: string
  /** No day after it can be chosen; today unless told. */
  lastDay?: 'today' | 'yesterday'
}

const PICKER = afterPage(() => import('./DateRangePicker.tsx'))

/** Whole days of the deployment's zone. The calendar is large, so a page's first rows do not wait for its code. */
export function DateRange(props: DateRangeProps) {
  const picker = useAfterPage(PICKER)
  return picker ? (
    <picker.DateRangePicker {...props} />
  ) : (
    <FieldFace text={`${props.label}起`} className={styles.dateRange} />
  )
}

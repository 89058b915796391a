import { Input } from 'antd'
import styles from '../tag.module.css'

/** Two ends of a range of numbers, either of them open. */
export function NumberRange(props: {
  from: string
  to: string
  onChange: (change: { from?: string; to?: string }) => void
  status: 'error' | ''
}) {
  const { from, to, onChange, status } = props
  const end = (label: string, value: string, change: (text: string) => void) => (
    <Input
      aria-label={label}
      placeholder={label}
      status={status}
      inputMode="decimal"
      value={value}
      onChange={(event) => change(event.target.value.trim())}
      className={styles.number}
    />
  )
  return (
    <>
      {end('不小于', from, (text) => onChange({ from: text }))}
      <span>到</span>
      {end('小于', to, (text) => onChange({ to: text }))}
    </>
  )
}

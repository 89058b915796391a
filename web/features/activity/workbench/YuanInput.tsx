import { InputNumber } from 'antd'
import { narrow } from '#contract/activity/metric-cell.ts'
import styles from './workbench.module.css'

const FEN = 100

/** As antd reads a number, and wide digits, which it takes for nothing. */
const parsed = (text = ''): string => narrow(text).replace(/[^\w.-]+/g, '')

/** An amount in yuan, kept in fen; null where there is none, or zero. */
export const YuanInput = (props: {
  id: string
  placeholder: string
  disabled?: boolean
  value: number | null
  onChange: (fen: number | null) => void
}) => (
  <InputNumber<string | number>
    id={props.id}
    className={styles.budget}
    {...(props.disabled !== undefined && { disabled: props.disabled })}
    min={0}
    precision={2}
    suffix="元"
    placeholder={props.placeholder}
    parser={parsed}
    value={props.value === null ? null : props.value / FEN}
    onChange={(amount) => props.onChange(Math.round(Number(amount) * FEN) || null)}
  />
)

import { Input, InputNumber } from 'antd'
import { AMOUNT_HIDDEN } from '#contract/activity/budget.ts'
import { narrow } from '#contract/activity/metric-cell.ts'
import styles from './workbench.module.css'
import { fenIn, yuanIn, yuanText } from './yuan.ts'

/** As antd reads a number, and wide digits, which it takes for nothing. */
const parsed = (text = ''): string => narrow(text).replace(/[^\w.-]+/g, '')

/** An amount in yuan, kept in fen; null where there is none. What is no amount of money stays as it was typed. */
export const YuanInput = (props: {
  id: string
  placeholder: string
  disabled?: boolean
  /** The amount is not for this viewer. */
  isHidden?: boolean
  value: number | null
  onChange: (fen: number | null) => void
}) =>
  props.isHidden ? (
    <Input id={props.id} className={styles.budget} disabled value={AMOUNT_HIDDEN} />
  ) : (
    <InputNumber<string | number>
      id={props.id}
      className={styles.budget}
      {...(props.disabled !== undefined && { disabled: props.disabled })}
      suffix="元"
      placeholder={props.placeholder}
      parser={parsed}
      formatter={(value, { userTyping, input }) => (userTyping ? input : yuanText(value))}
      value={yuanIn(props.value)}
      onChange={(amount) => props.onChange(fenIn(amount))}
    />
  )

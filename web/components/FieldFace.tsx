import { DownOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import styles from './fields.module.css'

interface Props {
  /** The placeholder, or the value. */
  text: ReactNode
  isValue?: boolean
  icon?: ReactNode
  /** One of several can be chosen. */
  isChoice?: boolean
  className?: string | undefined
  width?: number
}

/** What a field looks like until its code has arrived, so that nothing moves when it does. */
export const FieldFace = ({ text, isValue = false, icon, isChoice = false, className = '', width }: Props) => (
  <span aria-hidden className={`${styles.face} ${className}`} style={{ width }}>
    {icon}
    <span className={isValue ? styles.faceText : `${styles.faceText} ${styles.placeholder}`}>{text}</span>
    {isChoice && <DownOutlined className={styles.caret} />}
  </span>
)

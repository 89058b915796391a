import { CheckCircleFilled, ExclamationCircleFilled, MinusCircleOutlined } from '@ant-design/icons'
import styles from './editor.module.css'

const MARKS = {
  done: { icon: <CheckCircleFilled />, className: styles.isDone, label: '已设置' },
  wrong: { icon: <ExclamationCircleFilled />, className: styles.isWrong, label: '未完成' },
  untouched: { icon: <MinusCircleOutlined />, className: styles.isUntouched, label: '未设置' },
} as const
export type TabState = keyof typeof MARKS

/** A tab's name with the mark of how far it is. */
export function TabLabel({ label, state }: { label: string; state: TabState }) {
  const mark = MARKS[state]
  return (
    <span>
      <span role="img" aria-label={mark.label} className={`${styles.mark} ${mark.className}`}>
        {mark.icon}
      </span>
      {label}
    </span>
  )
}

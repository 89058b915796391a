import { Empty } from 'antd'
import type { ReactNode } from 'react'
import styles from './empty-state.module.css'
import text from './text.module.css'

interface Props {
  title: string
  /** What belongs here, or why nothing is here. */
  hint?: ReactNode
  /** The next thing to do. */
  action?: ReactNode
}

export function EmptyState({ title, hint, action }: Props) {
  return (
    <Empty
      image={Empty.PRESENTED_IMAGE_SIMPLE}
      className={styles.empty}
      description={
        <>
          <div>{title}</div>
          {hint && <span className={text.hint}>{hint}</span>}
        </>
      }
    >
      {action}
    </Empty>
  )
}

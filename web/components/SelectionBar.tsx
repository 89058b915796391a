import { Button } from 'antd'
import type { ReactNode } from 'react'
import styles from './SelectionBar.module.css'

/** Slides in from below when rows are selected. */
export function SelectionBar(props: { count: number; onClear: () => void; children: ReactNode }) {
  const { count, onClear, children } = props
  if (count === 0) return null
  return (
    <section className={styles.bar} aria-label="批量操作" data-focus-row>
      <span aria-live="polite">
        已选 <strong>{count}</strong> 项
      </span>
      {children}
      <Button type="link" size="small" onClick={onClear}>
        取消选择
      </Button>
    </section>
  )
}

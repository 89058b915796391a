import { Button } from 'antd'
import { memo, type ReactNode, useDeferredValue } from 'react'
import styles from './SelectionBar.module.css'

interface Props {
  rows: readonly unknown[]
  onClear: () => void
  children: ReactNode
}

/** Slides in from below when rows are selected. A click on a box is answered first, and the bar follows. */
export function SelectionBar(props: Props) {
  const shown = useDeferredValue(props)
  // What would be done to an earlier selection cannot be clicked.
  return <Bar {...shown} isBehind={shown.rows !== props.rows} />
}

const Bar = memo(({ rows, onClear, children, isBehind }: Props & { isBehind: boolean }) =>
  rows.length === 0 ? null : (
    <section className={styles.bar} aria-label="批量操作" data-focus-row>
      <div
        className={styles.content}
        data-behind={isBehind}
        // The keyboard clicks too.
        onClickCapture={isBehind ? (event) => event.stopPropagation() : undefined}
      >
        <span aria-live="polite">
          已选 <strong>{rows.length}</strong> 项
        </span>
        {children}
        <Button type="link" size="small" onClick={onClear}>
          取消选择
        </Button>
      </div>
    </section>
  ),
)

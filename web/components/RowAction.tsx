import { Button, type ButtonProps, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './row-actions.module.css'

interface Props extends Pick<ButtonProps, 'onClick' | 'href' | 'download' | 'danger' | 'loading'> {
  /** Why the action is not open now: it is disabled and says so on hover. */
  refusal?: string | null
  /** What it does, on hover, where the word alone does not tell. */
  hint?: string
  /** A page of ours to go to instead of something to do. */
  to?: string
  children: ReactNode
}

/** One action of a table's row. */
export function RowAction({ refusal = null, hint, to, children, ...button }: Props) {
  if (to && refusal === null) {
    return (
      <Link to={to} className={styles.action}>
        {children}
      </Link>
    )
  }
  return (
    <Tooltip title={refusal ?? hint}>
      <Button type="link" size="small" className={styles.action} disabled={refusal !== null} {...button}>
        {children}
      </Button>
    </Tooltip>
  )
}

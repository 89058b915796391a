import { Button, type ButtonProps, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type Changes, useReadOnly } from '../lib/read-only.ts'
import styles from './row-actions.module.css'

interface Props extends Pick<ButtonProps, 'onClick' | 'href' | 'download' | 'danger' | 'loading'> {
  /** Whose things it changes; members who may only look are refused. */
  changes?: Changes | undefined
  /** Why the action is disabled; shown on hover. */
  refusal?: ReactNode
  /** Explains the action on hover. */
  hint?: string
  /** Makes the action a link to one of our pages. */
  to?: string
  /** Opens the link in a new tab, so that a dialog stays open. */
  inNewTab?: boolean
  onFollow?: () => void
  children: ReactNode
}

/** One action in a table row. */
export function RowAction({
  changes,
  refusal: given = null,
  hint,
  to,
  inNewTab = false,
  onFollow,
  children,
  ...button
}: Props) {
  const refusal = useReadOnly()(changes) ?? given
  if (to && refusal === null) {
    return (
      <Link
        to={to}
        className={styles.action}
        onClick={onFollow}
        {...(inNewTab && { target: '_blank', rel: 'noreferrer' })}
      >
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

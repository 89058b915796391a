import { Button, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type Changes, useReadOnly } from '../lib/read-only.ts'

interface Props {
  to: string
  primary?: boolean
  icon?: ReactNode
  /** Whose things the page changes; members who may only look are refused. */
  changes?: Changes | undefined
  children: ReactNode
}

/** A link to one of our pages that looks like a button and is one tab stop. */
export function LinkButton({ to, primary = false, icon, changes, children }: Props) {
  const refusal = useReadOnly()(changes)
  const type = primary ? 'primary' : 'default'
  if (refusal !== null)
    return (
      <Tooltip title={refusal}>
        <Button type={type} icon={icon} disabled>
          {children}
        </Button>
      </Tooltip>
    )
  return (
    <Link to={to}>
      <Button type={type} icon={icon} tabIndex={-1}>
        {children}
      </Button>
    </Link>
  )
}

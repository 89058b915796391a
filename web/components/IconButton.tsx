import { Button, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { type Changes, useReadOnly } from '../lib/read-only.ts'

interface Props {
  /** For screen readers. */
  name: string
  /** Shown on hover; defaults to the name. */
  hint?: string
  icon: ReactNode
  size?: 'small' | 'medium'
  disabled?: boolean
  /** Whose things it changes; members who may only look are refused. */
  changes?: Changes
  onClick: () => void
}

/** A button with an icon only. */
export function IconButton({ name, hint = name, icon, size = 'medium', disabled = false, changes, onClick }: Props) {
  const refusal = useReadOnly()(changes)
  return (
    <Tooltip title={refusal ?? hint}>
      <Button
        type="text"
        size={size}
        icon={icon}
        aria-label={name}
        disabled={disabled || refusal !== null}
        onClick={onClick}
      />
    </Tooltip>
  )
}

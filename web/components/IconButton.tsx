import { Button, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { TOOLTIP_DELAY_S } from './WholeOnHover.tsx'

interface Props {
  /** For screen readers. */
  name: string
  /** Shown on hover; defaults to the name. */
  hint?: string
  icon: ReactNode
  size?: 'small' | 'medium'
  disabled?: boolean
  onClick: () => void
}

/** A button with an icon only. */
export const IconButton = ({ name, hint = name, icon, size = 'medium', disabled = false, onClick }: Props) => (
  <Tooltip title={hint} mouseEnterDelay={TOOLTIP_DELAY_S}>
    <Button type="text" size={size} icon={icon} aria-label={name} disabled={disabled} onClick={onClick} />
  </Tooltip>
)

import { Button, type ButtonProps, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { type Changes, useReadOnly } from '../lib/read-only.ts'

interface Props extends Omit<ButtonProps, 'disabled'> {
  /** Whose things it changes: members who may only look see it disabled, with the reason. */
  changes: Changes
  /** Another reason why it is disabled, shown on hover. */
  refusal?: ReactNode
}

/** A button that changes something of an advertiser. */
export function ChangeButton({ changes, refusal = null, ...button }: Props) {
  const why = useReadOnly()(changes) ?? refusal
  return (
    <Tooltip title={why}>
      <Button disabled={why !== null} {...button} />
    </Tooltip>
  )
}

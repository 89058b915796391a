import { theme } from 'antd'
import type { ReactNode } from 'react'

export type Tone = 'done' | 'waiting' | 'running' | 'failed' | 'idle'

/** A state as a coloured dot and text. */
export function StatusDot({ tone, children }: { tone: Tone; children: ReactNode }) {
  const { token } = theme.useToken()
  const color = {
    done: token.colorSuccess,
    waiting: token.colorWarning,
    running: token.colorPrimary,
    failed: token.colorError,
    idle: token.colorTextQuaternary,
  }[tone]
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 8, whiteSpace: 'nowrap' }}>
      <span aria-hidden style={{ width: 7, height: 7, borderRadius: '50%', background: color, flex: 'none' }} />
      {children}
    </span>
  )
}

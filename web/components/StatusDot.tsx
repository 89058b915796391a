import type { ReactNode } from 'react'
import styles from './status-dot.module.css'

export type Tone = 'done' | 'waiting' | 'running' | 'failed' | 'idle'

/** A state as a coloured dot and text. */
export const StatusDot = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={styles.status}>
    <span aria-hidden className={`${styles.dot} ${styles[tone]}`} />
    {children}
  </span>
)

import { Tooltip } from 'antd'
import type { CustomStatus } from '#contract/audience.ts'
import { StatusDot, type Tone } from '../../components/StatusDot.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import styles from './audience.module.css'

export const CUSTOM_TONES: Record<CustomStatus, Tone> = {
  available: 'done',
  computing: 'waiting',
  failed: 'failed',
  expired: 'idle',
  frozen: 'idle',
}

export const percent = (progress: number | null): string => (progress === null ? '' : ` ${Math.floor(progress * 100)}%`)

/** A state with its reason on hover and on keyboard focus. */
export function Dot({ tone, words, reason }: { tone: Tone; words: string; reason: string | null }) {
  return (
    <Tooltip title={reason}>
      <span tabIndex={reason ? 0 : undefined}>
        <StatusDot tone={tone}>{words}</StatusDot>
      </span>
    </Tooltip>
  )
}

/** The current step, in one line. */
export const Stage = ({ words }: { words: string }) => (
  <WholeOnHover text={words}>
    <div className={`${text.small} ${text.cut}`}>{words}</div>
  </WholeOnHover>
)

/** Why it is paused or failed, in one line; the whole text on hover. */
export const Reason = ({ words, reason }: { words: string | null; reason: string | null }) =>
  words && (
    <WholeOnHover text={reason ?? words}>
      <div className={`${text.secondary} ${text.cut} ${styles.reason}`}>{words}</div>
    </WholeOnHover>
  )

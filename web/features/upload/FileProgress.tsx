import { Progress } from 'antd'
import { StatusDot, type Tone } from '../../components/StatusDot.tsx'
import text from '../../components/text.module.css'
import { formatBytes, formatDuration } from '../../lib/format.ts'
import { secondsLeft } from '../../lib/transfer-speed.ts'
import type { Phase } from '../../lib/upload/transfer.ts'
import { PHASES, type UploadItem } from './items.ts'
import styles from './upload.module.css'

const TONES: Record<Phase, Tone> = {
  reading: 'waiting',
  hashing: 'running',
  uploading: 'running',
  reconnecting: 'waiting',
  paused: 'waiting',
  failed: 'failed',
  done: 'done',
  lost: 'waiting',
}

/** A file's progress, speed and time left. */
export function FileProgress({ item }: { item: UploadItem }) {
  const { name, phase, sent, total, speed, hashing } = item
  const share = phase === 'hashing' ? hashing : phase === 'done' ? 1 : total > 0 ? sent / total : 0
  const left = secondsLeft(total, sent, speed)
  return (
    <>
      <Progress
        percent={Math.floor(share * 100)}
        size="small"
        aria-label={`「${name}」的上传进度`}
        status={
          phase === 'failed'
            ? 'exception'
            : phase === 'done'
              ? 'success'
              : phase === 'uploading' || phase === 'hashing'
                ? 'active'
                : 'normal'
        }
      />
      <div className={styles.progressLine}>
        <StatusDot tone={TONES[phase]}>{PHASES[phase]}</StatusDot>
        <span className={text.small}>
          {phase === 'uploading' && speed !== null
            ? `${formatBytes(speed)}/秒${left === null ? '' : `，剩余 ${formatDuration(left)}`}`
            : phase === 'hashing'
              ? ''
              : `${formatBytes(sent)} / ${formatBytes(total)}`}
        </span>
      </div>
    </>
  )
}

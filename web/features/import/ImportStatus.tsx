import { Progress, Tooltip } from 'antd'
import { IMPORT_STATUS, type ImportRow } from '#contract/import.ts'
import { StatusDot, type Tone } from '../../components/StatusDot.tsx'
import styles from './import.module.css'

const TONES: Record<ImportRow['status'], Tone> = {
  waiting: 'waiting',
  running: 'running',
  done: 'done',
  failed: 'failed',
  undoing: 'running',
  undone: 'idle',
  undo_failed: 'failed',
}

export const isUnderWay = (row: ImportRow): boolean =>
  row.status === 'waiting' || row.status === 'running' || row.status === 'undoing'

/** The status of an import: its progress while it runs, the reason if it failed. */
export function ImportStatus({ row }: { row: ImportRow }) {
  if (row.status === 'running')
    return (
      <Tooltip title={row.stage}>
        <Progress
          percent={Math.floor(row.progress * 100)}
          size="small"
          status="active"
          aria-label="导入进度"
          className={styles.progress}
        />
      </Tooltip>
    )
  return (
    <Tooltip title={row.error}>
      <span tabIndex={row.error ? 0 : undefined}>
        <StatusDot tone={TONES[row.status]}>{IMPORT_STATUS[row.status]}</StatusDot>
      </span>
    </Tooltip>
  )
}

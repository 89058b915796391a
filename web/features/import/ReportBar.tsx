import type { ImportReport, ImportRow } from '#contract/import.ts'
import { formatCount } from '../../lib/format.ts'
import { countedNow } from './counted-now.ts'
import styles from './import.module.css'

interface Props {
  row: Pick<ImportRow, 'status' | 'taken_over'>
  report: ImportReport
  compact?: boolean
}

const PARTS = [
  { key: 'stored', label: '已存入' },
  { key: 'duplicate', label: '重复' },
  { key: 'refused', label: '被拒绝' },
] as const

/** rows = stored + duplicate + refused, as one bar and three numbers: as they are now. */
export function ReportBar({ row, report: asImported, compact = false }: Props) {
  const report = countedNow(row, asImported)
  return (
    <div>
      <div
        className={styles.bar}
        role="img"
        aria-label={PARTS.map(({ key, label }) => `${label} ${formatCount(report[key])} 行`).join('，')}
      >
        {PARTS.map(({ key }) =>
          report[key] > 0 ? <span key={key} className={styles[key]} style={{ flexGrow: report[key] }} /> : null,
        )}
      </div>
      <div className={compact ? styles.compactNumbers : styles.numbers}>
        {PARTS.map(({ key, label }) => (
          <span key={key}>
            <i className={`${styles.dot} ${styles[key]}`} />
            {label} <b>{formatCount(report[key])}</b>
          </span>
        ))}
      </div>
    </div>
  )
}

import type { ImportReport } from '#contract/import.ts'
import { formatCount } from '../../lib/format.ts'
import styles from './import.module.css'

const PARTS = [
  { key: 'stored', label: '已存入' },
  { key: 'duplicate', label: '重复' },
  { key: 'refused', label: '被拒绝' },
] as const

/** rows = stored + duplicate + refused, as one bar and three numbers. */
export function ReportBar({ report, compact = false }: { report: ImportReport; compact?: boolean }) {
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

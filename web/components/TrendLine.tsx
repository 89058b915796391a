import styles from './trend-line.module.css'
import { trendPath } from './trend-path.ts'

const BOX = { width: 72, height: 14 }
/** Room for the line's own width at the top and the bottom. */
const EDGE = 1

/**
 * How values went, as a small line without axes. It takes its room before there are values, so that nothing moves when they
 * come. `label`: the same in words.
 */
export function TrendLine({ values, label }: { values: readonly (number | null)[]; label: string }) {
  const path = trendPath(values, BOX)
  const sight = `0 ${-EDGE} ${BOX.width} ${BOX.height + 2 * EDGE}`
  return path === '' ? (
    <div className={styles.line} />
  ) : (
    <svg className={styles.line} viewBox={sight} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  )
}

import type { CrowdLog } from '#contract/custom-crowd.ts'
import text from '../../components/text.module.css'
import { formatCount } from '../../lib/format.ts'
import styles from './custom-crowd.module.css'

export type LogVersion = NonNullable<CrowdLog['version']>

/** How a version came about: the lines of its files, or the version that it was restored from. */
export function VersionReport({ version }: { version: LogVersion }) {
  if (version.status === 'computing') return <span className={text.small}>计算中</span>
  if (version.status === 'failed') return <span className={text.problem}>{version.error ?? '计算失败'}</span>
  if (version.restored_from !== null) return <span className={text.small}>恢复自版本 {version.restored_from}</span>
  const lines = [
    ['行数', version.lines],
    ['有效', version.valid],
    ['重复', version.duplicate],
    ['无效', version.malformed],
  ] as const
  return (
    <dl className={`${text.small} ${styles.lines}`}>
      {lines.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{formatCount(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

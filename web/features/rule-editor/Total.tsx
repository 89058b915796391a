import { Button } from 'antd'
import { CountUp } from '../../components/CountUp.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatAsOf, formatCount, formatShare } from '../../lib/format.ts'
import styles from './rule-editor.module.css'
import type { WholeCount } from './state/counts.ts'

interface Props {
  count: WholeCount
  /** All people of the advertiser. */
  everyone: number | null
  error?: Error | null
  onRetry?(): unknown
}

/** The whole rule's count, its share of all people, the time that it holds for, and what newer data give. */
export function Total({ count, everyone, error = null, onRetry }: Props) {
  const { asOf, newest } = count
  const fault = error && (error.message || '请求失败')
  return (
    <>
      <span className={`${styles.total} ${count.isStale ? styles.stale : ''}`} aria-live="polite" data-total>
        <CountUp value={count.people} />
        <small>人</small>
      </span>
      {count.people !== null && asOf !== null && newest === null && everyone !== null && everyone > 0 && (
        <span className={`${styles.note} ${count.isStale ? styles.stale : ''}`}>
          占全部 {formatShare(count.people, everyone)}
        </span>
      )}
      {fault !== null ? (
        <span role="status" className={`${styles.fault} ${styles.warn}`}>
          <WholeOnHover text={fault}>
            <span className={text.cut}>人数未更新：{fault}</span>
          </WholeOnHover>
          <Button type="link" size="small" onClick={() => onRetry?.()}>
            重试
          </Button>
        </span>
      ) : (
        asOf !== null && <span className={styles.note}>{formatAsOf(asOf)}</span>
      )}
      {fault === null && newest && (
        <span className={styles.note}>
          最新数据为 {formatCount(newest.people)} 人，{formatAsOf(newest.asOf)}，重算后采用
        </span>
      )}
    </>
  )
}

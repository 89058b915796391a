import { useQuery } from '@tanstack/react-query'
import { Progress, Tooltip } from 'antd'
import { getRuleCrowdQuota } from '#contract/rule-crowd.ts'
import { formatCount } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'
import styles from './rule-crowd.module.css'

const NEARLY_FULL = 90

/** Used and maximum number of rule crowds of an advertiser. */
export function RuleCrowdQuota({ advId, advName }: { advId: number; advName: string | null }) {
  const quota = useQuery({
    ...queryOf(getRuleCrowdQuota, { query: { advertiser_id: advId } }),
    meta: { silent: 'optional' },
  })
  if (!quota.data) return <div className={styles.quota} />
  const { used, capacity } = quota.data
  const percent = capacity > 0 ? Math.min(100, (used / capacity) * 100) : 100
  return (
    <Tooltip
      title={`${advName ? `${advName}的` : ''}组合定向包：已用 ${formatCount(used)}，上限 ${formatCount(capacity)}`}
    >
      <div className={styles.quota}>
        配额 {formatCount(used)} / {formatCount(capacity)}
        <Progress
          percent={percent}
          size={{ height: 4 }}
          showInfo={false}
          status={percent >= 100 ? 'exception' : 'normal'}
          {...(percent >= NEARLY_FULL && percent < 100 ? { strokeColor: 'var(--ant-color-warning)' } : {})}
          aria-label="配额"
        />
      </div>
    </Tooltip>
  )
}

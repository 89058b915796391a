import { useQuery } from '@tanstack/react-query'
import { Alert, Flex, Progress } from 'antd'
import { type CntType, getCustomQuota } from '#contract/audience.ts'
import { audienceInfo } from '#contract/platform.ts'
import text from '../../components/text.module.css'
import { AccountId, AccountName } from '../../domain/platform/AccountName.tsx'
import { PlatformMark } from '../../domain/platform/PlatformMark.tsx'
import { formatCount } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'
import styles from './custom-crowd.module.css'

/** Used and maximum number of audiences of a platform account. */
export function QuotaBar(props: { account_id: number; account_name: string; external_id: string; cnt_type: CntType }) {
  const { account_id, account_name, external_id, cnt_type } = props
  const quota = useQuery({
    ...queryOf(getCustomQuota, { query: { adv_id: account_id, cnt_type } }),
    meta: { inPlace: true },
  })
  return (
    <div className={styles.quota}>
      <div className={styles.quotaLine}>
        <PlatformMark platform={cnt_type} />
        <Flex gap={8} align="baseline" className={styles.quotaAccount}>
          <AccountName name={account_name} external_id={external_id} />
          <span className={text.nowrap}>
            <AccountId external_id={external_id} />
          </span>
        </Flex>
        {quota.error && !quota.data ? (
          <span className={text.problem}>配额加载失败：{quota.error.message || '请求失败'}</span>
        ) : (
          <>
            <Progress
              percent={quota.data ? Math.min(100, (quota.data.used / quota.data.total) * 100) : 0}
              size={{ height: 6 }}
              showInfo={false}
              status={quota.data && quota.data.used >= quota.data.total ? 'exception' : 'normal'}
              className={styles.quotaBar}
              aria-label={`${account_name}的配额`}
            />
            <span className={text.nowrap}>
              已用 {formatCount(quota.data?.used)} / {formatCount(quota.data?.total)}
            </span>
          </>
        )}
      </div>
      {quota.data && quota.data.used >= quota.data.total && (
        <Alert type="warning" showIcon title={`${account_name}${audienceInfo(cnt_type).quotaFull}`} />
      )}
    </div>
  )
}

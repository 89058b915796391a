import { Alert, Progress, Table } from 'antd'
import { IDENTIFIERS } from '#contract/identifier.ts'
import type { PushCheck } from '#contract/push.ts'
import text from '../../components/text.module.css'
import { OutcomeActions } from '../../domain/outcome/OutcomeActions.tsx'
import { formatCount } from '../../lib/format.ts'
import styles from './push.module.css'

const WHY_DIFFERENT = '过长或重名时会改短并加后缀，改名后的人群在下次推送时更新'

/** What a push would send and leave out, with the reasons, and the problems that prevent it. */
export function PushCheckView({
  check,
  name,
  account,
  isStale,
  onOtherAccount,
}: {
  check: PushCheck
  name: string
  /** Named where there are several. */
  account: string | null
  isStale: boolean
  /** null where no other account can be chosen. */
  onOtherAccount: (() => void) | null
}) {
  const { quota } = check
  return (
    <section
      aria-label={account === null ? '推送前检查' : `推送前检查：${account}`}
      aria-busy={isStale}
      className={isStale ? text.stale : undefined}
    >
      {account !== null && <div className={styles.checkHead}>{account}</div>}
      {check.problems.length > 0 && (
        <Alert
          type="error"
          showIcon
          title="现在不能推送"
          description={<Sentences of={check.problems} />}
          action={
            <OutcomeActions
              outcomes={check.problem_outcomes}
              on={onOtherAccount ? { chooseOtherAccount: onOtherAccount } : {}}
              inNewTab
            />
          }
          className={styles.alert}
        />
      )}
      {check.notes.length > 0 && (
        <Alert type="info" showIcon title={<Sentences of={check.notes} />} className={styles.alert} />
      )}
      <Table
        rowKey="type"
        size="small"
        pagination={false}
        dataSource={check.types}
        locale={{ emptyText: '没有可以发送的标识' }}
        columns={[
          {
            title: '标识类型',
            dataIndex: 'type',
            render: (type: PushCheck['types'][number]['type'], { reason }) => (
              <>
                {IDENTIFIERS[type].label}
                {reason && <div className={text.small}>{reason}</div>}
              </>
            ),
          },
          count('共有', 'total'),
          { ...count('可发送', 'sendable'), render: (n: number) => <b>{formatCount(n)}</b> },
          count('屏蔽名单', 'suppressed'),
          count('不同意', 'no_consent'),
          count('对照组', 'held_out'),
          count('不支持', 'not_sendable'),
        ]}
      />
      <dl className={styles.account}>
        <div>
          <dt className={`${text.hint} ${text.nowrap}`}>平台上的名称</dt>
          <dd className={text.anywhere}>
            {check.platform_name}
            {check.platform_name !== name && <span className={text.small}> 与人群名称不同：{WHY_DIFFERENT}</span>}
          </dd>
        </div>
        <div className={styles.quota}>
          <dt className={`${text.hint} ${text.nowrap}`}>账户配额</dt>
          <dd>
            {formatCount(quota.used)} / {formatCount(quota.total)}
            <Progress
              percent={quota.total > 0 ? Math.min(100, (quota.used / quota.total) * 100) : 100}
              size={{ width: 80, height: 6 }}
              showInfo={false}
              status={quota.used >= quota.total ? 'exception' : 'normal'}
              aria-label="账户配额"
            />
          </dd>
        </div>
      </dl>
    </section>
  )
}

const Sentences = ({ of }: { of: readonly string[] }) =>
  of.map((sentence) => (
    <div key={sentence} className={text.anywhere}>
      {sentence}
    </div>
  ))

const count = (title: string, dataIndex: keyof PushCheck['types'][number]) => ({
  title,
  dataIndex,
  align: 'right' as const,
  render: (n: number) => formatCount(n),
})

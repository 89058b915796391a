import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Flex, Progress, Skeleton, Table, type TableColumnsType, Tooltip, Typography } from 'antd'
import { listRuleChildren } from '#contract/audience.ts'
import { getCustomCrowd, listCustomCrowds } from '#contract/custom-crowd.ts'
import { actionOf } from '#contract/outcome.ts'
import { listPushes, type PushRow } from '#contract/push.ts'
import { isCancellable, isRetryable } from '#contract/push-state.ts'
import { PUSH_STATE } from '#contract/push-status.ts'
import { listRuleCrowds } from '#contract/rule-crowd.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { StatusDot } from '../../components/StatusDot.tsx'
import { pageChange, paginationOf } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { OutcomeActions } from '../../domain/outcome/OutcomeActions.tsx'
import { AccountId, AccountName } from '../../domain/platform/AccountName.tsx'
import { PlatformMark } from '../../domain/platform/PlatformMark.tsx'
import type { PushPreset } from '../../domain/platform/push-preset.ts'
import { formatCount, formatDuration, formatNextAttempt, formatTime } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'
import { useDrawerList, useWithinPages } from '../../lib/use-drawer-list.ts'
import { PUSH_TONES } from '../audience/push-words.ts'
import { usePushControl } from '../audience/use-push-control.ts'
import { PushParts } from './PushParts.tsx'
import styles from './push.module.css'

const POLL_MS = 2_000
/** A paused push may go on by itself. */
const PAUSED_POLL_MS = 10_000
const isUnderWay = ({ status }: PushRow) => status === 'waiting' || status === 'running'

/** The pushes of a crowd, newest first; each row expands to its parts. The URL holds the page. */
export function PushRecords({
  kind,
  id,
  childId,
  onPush,
}: {
  kind: 'custom' | 'rule'
  id: number
  childId: number | null
  /** Opens the push dialog. */
  onPush: (preset: PushPreset) => void
}) {
  const list = useDrawerList('pushes')
  const { paged } = list
  const pushes = useQuery({
    ...queryOf(listPushes, { query: { kind, id, child_id: childId ?? undefined, ...paged } }),
    meta: { inPlace: true },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => {
      if (data?.list.some(isUnderWay)) return POLL_MS
      return data?.list.some(({ status }) => status === 'paused') ? PAUSED_POLL_MS : false
    },
  })
  useWithinPages(list, { isLoaded: pushes.isSuccess && !pushes.isPlaceholderData, rows: pushes.data?.list.length ?? 0 })
  const control = usePushControl([listPushes, listCustomCrowds, getCustomCrowd, listRuleChildren, listRuleCrowds])
  if (pushes.error && !pushes.data)
    return <LoadError error={pushes.error} onRetry={pushes.refetch} title="推送记录加载失败" />
  if (!pushes.data) return <Skeleton active title={false} paragraph={{ rows: 6, width: '100%' }} />
  return (
    <Table<PushRow>
      rowKey="id"
      size="small"
      aria-label="推送记录"
      loading={pushes.isPlaceholderData}
      dataSource={pushes.data.list}
      scroll={{ x: 880 }}
      locale={{
        emptyText: <EmptyState title="还没有推送记录" hint="推送后，这里显示每次推送的进度、各部分与平台的应答。" />,
        expand: '展开各部分',
        collapse: '收起',
      }}
      expandable={{
        columnTitle: <span className="visually-hidden">展开各部分</span>,
        expandedRowRender: (push) => <PushParts id={push.id} isUnderWay={isUnderWay(push)} />,
      }}
      pagination={paginationOf(paged, pushes.data.total, '次')}
      onChange={(page) => list.turn(pageChange(paged, page.current ?? 1, page.pageSize ?? paged.page_size))}
      columns={columns({
        onRetry: (push) => control.retry(push.id),
        onCancel: (push) => void control.cancel({ id: push.id, to: push.account_name, keeps_step: push.keeps_step }),
        onPush,
      })}
    />
  )
}

interface Actions {
  onRetry: (push: PushRow) => void
  onCancel: (push: PushRow) => void
  onPush: (preset: PushPreset) => void
}

const columns = ({ onRetry, onCancel, onPush }: Actions): TableColumnsType<PushRow> => [
  {
    title: '平台账户',
    key: 'account',
    width: 176,
    render: (_, push) => (
      <Flex gap={6} align="center">
        <PlatformMark platform={push.cnt_type} />
        <div className={text.shrinks}>
          <AccountName name={push.account_name} external_id={push.external_id} remark={push.account_remark} />
          <AccountId external_id={push.external_id} isUnderName />
        </div>
      </Flex>
    ),
  },
  { title: '状态', key: 'status', render: (_, push) => <PushState push={push} onPush={onPush} /> },
  {
    title: '变化',
    key: 'changes',
    width: 104,
    align: 'right',
    render: (_, push) => (
      <>
        <div className={text.nowrap}>+{formatCount(push.adds)}</div>
        {push.removes > 0 && <div className={text.nowrap}>−{formatCount(push.removes)}</div>}
      </>
    ),
  },
  {
    title: '已发送',
    dataIndex: 'sent',
    width: 96,
    align: 'right',
    render: (sent: number, push) => (
      <>
        {formatCount(sent)}
        <NotSent push={push} />
      </>
    ),
  },
  {
    title: (
      <Tooltip title="整个人群包中平台接收的标识，与漏斗相同；较早的推送，是它结束时的数量">
        <span>平台接收</span>
      </Tooltip>
    ),
    dataIndex: 'accepted',
    width: 96,
    align: 'right',
    render: formatCount,
  },
  {
    title: '时间',
    key: 'time',
    width: 164,
    render: (_, push) => (
      <>
        <div className={text.nowrap}>{formatTime(push.created_at)}</div>
        {push.finished_at !== null && (
          <div className={text.small}>用时 {formatDuration(push.finished_at - push.created_at)}</div>
        )}
      </>
    ),
  },
  {
    title: '操作',
    key: 'action',
    width: 60,
    fixed: 'right',
    render: (_, push) => (
      <Flex vertical align="flex-start">
        {!mustAuthorise(push) && (isRetryable(push) || !isCancellable(push)) && (
          <RowAction
            changes="current"
            refusal={isRetryable(push) ? null : '已成功的推送不需要重试'}
            hint="现在就从停下的地方继续"
            onClick={() => onRetry(push)}
          >
            重试
          </RowAction>
        )}
        {isCancellable(push) && (
          <RowAction changes="current" onClick={() => onCancel(push)}>
            取消
          </RowAction>
        )}
      </Flex>
    ),
  },
]

/** A new authorisation is what helps; it resumes the push by itself. */
const mustAuthorise = ({ reason_outcome }: PushRow) =>
  reason_outcome !== null && actionOf(reason_outcome) === 'reauthorise'

/** A push's state, why it is paused or failed, and what can be done about it besides a retry. */
function PushState({ push, onPush }: { push: PushRow; onPush: (preset: PushPreset) => void }) {
  const { cnt_type } = push
  return (
    <>
      <StatusDot tone={PUSH_TONES[push.state]}>{PUSH_STATE[push.state]}</StatusDot>
      {push.next_at !== null && <div className={text.small}>{formatNextAttempt(push.next_at)}</div>}
      {push.status === 'running' && (
        <Progress
          percent={Math.floor(push.progress * 100)}
          size="small"
          className={styles.progress}
          aria-label={`推送到${push.account_name}的进度`}
        />
      )}
      {isUnderWay(push) && !push.reason && push.stage && <div className={text.small}>{push.stage}</div>}
      {push.reason && (
        <Typography.Paragraph type="secondary" className={styles.reason}>
          {push.reason}
        </Typography.Paragraph>
      )}
      <OutcomeActions
        outcomes={[push.reason_outcome]}
        on={{ chooseOtherAccount: () => onPush({ cnt_type, adv_id: null, types: [], keeps_step: false }) }}
      />
    </>
  )
}

/** How many values were not sent, by reason. */
const NotSent = ({ push }: { push: PushRow }) =>
  (
    [
      ['屏蔽', push.suppressed],
      ['不同意', push.no_consent],
      ['对照组', push.held_out],
      ['不支持', push.not_sendable],
      ['待发送', push.waiting],
    ] as const
  ).map(
    ([reason, count]) =>
      count > 0 && (
        <div key={reason} className={text.small}>
          {reason} {formatCount(count)}
        </div>
      ),
  )

import { Flex, type TableColumnsType } from 'antd'
import { Link } from 'react-router'
import { sentenceOrNull } from '#contract/outcome.ts'
import type { RuleCrowd } from '#contract/rule-crowd.ts'
import { CopyIcon } from '../../components/CopyIcon.tsx'
import { LargeNumber } from '../../components/LargeNumber.tsx'
import { MoreActions } from '../../components/MoreActions.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { createdColumn, ownersColumn } from '../../domain/crowd/crowd-columns.tsx'
import type { ListState } from '../../domain/crowd/list-state.ts'
import { formatAsOf, formatDay, formatDuration } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { RuleCrowdStatusTag } from './RuleCrowdStatusTag.tsx'
import styles from './rule-crowd.module.css'
import { refusalsOf } from './rule-crowd-actions.ts'

export interface RowActions {
  copy(ruleCrowd: RuleCrowd): unknown
  compute(ruleCrowd: RuleCrowd): unknown
  remove(ruleCrowd: RuleCrowd): unknown
  move(ruleCrowds: readonly RuleCrowd[]): void
  /** Pushes to a platform account. */
  push(ruleCrowd: RuleCrowd): void
  /** Opens its audiences on the platforms. */
  audiences(ruleCrowd: RuleCrowd): void
}

export const ruleCrowdColumns = (given: {
  sort: ListState['sort']
  showAdvertiser: boolean
  actions: RowActions
}): TableColumnsType<RuleCrowd> => [
  {
    title: '名称',
    key: 'name',
    fixed: 'left',
    width: 140,
    render: (_, ruleCrowd) => (
      <div>
        <WholeOnHover text={ruleCrowd.name}>
          <Link to={paths.ruleCrowdWatch(ruleCrowd.id)} className={text.cut}>
            {ruleCrowd.name}
          </Link>
        </WholeOnHover>
        <Flex gap={4} className={`${text.small} ${styles.ids}`}>
          <span>
            ID {ruleCrowd.id} <CopyIcon text={String(ruleCrowd.id)} what="ID" />
          </span>
          <span>
            标签 {ruleCrowd.tagId} <CopyIcon text={String(ruleCrowd.tagId)} what="标签 ID" />
          </span>
        </Flex>
      </div>
    ),
  },
  {
    title: '状态',
    key: 'status',
    width: 108,
    render: (_, ruleCrowd) => (
      <>
        <RuleCrowdStatusTag ruleCrowd={ruleCrowd} />
        <div className={`${text.small} ${text.nowrap}`}>{formatDay(ruleCrowd.invalidTime)} 失效</div>
      </>
    ),
  },
  {
    title: '人数',
    key: 'magnitude',
    width: 114,
    align: 'right',
    render: (_, ruleCrowd) => (
      <>
        <span className={ruleCrowd.refreshing || ruleCrowd.status === 'computing' ? text.stale : undefined}>
          <LargeNumber value={ruleCrowd.magnitude} title={`人 ${formatAsOf(ruleCrowd.computedAt)}`} />
        </span>
        <div className={`${text.small} ${text.nowrap}`}>{formatAsOf(ruleCrowd.computedAt)}</div>
        {ruleCrowd.tookMs !== null && <div className={text.small}>用时 {formatDuration(ruleCrowd.tookMs / 1000)}</div>}
      </>
    ),
  },
  ownersColumn(104, given.showAdvertiser, (ruleCrowd) => ({
    advertiser: ruleCrowd.adv_name,
    creator: ruleCrowd.creator,
  })),
  createdColumn(98, given.sort, (ruleCrowd) => ruleCrowd.createTime),
  {
    title: '操作',
    key: 'actions',
    fixed: 'right',
    width: 140,
    render: (_, ruleCrowd) => <Actions ruleCrowd={ruleCrowd} actions={given.actions} />,
  },
]

function Actions({ ruleCrowd, actions }: { ruleCrowd: RuleCrowd; actions: RowActions }) {
  const refusal = refusalsOf(ruleCrowd)
  return (
    <Flex gap={6} align="center">
      <RowAction to={paths.ruleCrowdWatch(ruleCrowd.id)}>查看</RowAction>
      <RowAction refusal={sentenceOrNull(refusal.edit)} to={paths.ruleCrowdEdit(ruleCrowd.id)}>
        编辑
      </RowAction>
      <RowAction onClick={() => void actions.copy(ruleCrowd)}>复制</RowAction>
      <MoreActions
        name={`「${ruleCrowd.name}」的更多操作`}
        actions={[
          {
            key: 'push',
            label: '推送至',
            refusal: sentenceOrNull(refusal.push),
            onClick: () => actions.push(ruleCrowd),
          },
          { key: 'audiences', label: '平台人群', onClick: () => actions.audiences(ruleCrowd) },
          { key: 'move', label: '移动到', onClick: () => actions.move([ruleCrowd]) },
          {
            key: 'compute',
            label: '重新计算',
            refusal: sentenceOrNull(refusal.compute),
            onClick: () => void actions.compute(ruleCrowd),
          },
          '-',
          {
            key: 'delete',
            label: '删除',
            danger: true,
            refusal: sentenceOrNull(refusal.delete),
            onClick: () => void actions.remove(ruleCrowd),
          },
        ]}
      />
    </Flex>
  )
}

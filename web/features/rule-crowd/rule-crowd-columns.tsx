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
  copy(people: RuleCrowd): unknown
  compute(people: RuleCrowd): unknown
  remove(people: RuleCrowd): unknown
  move(people: readonly RuleCrowd[]): void
  /** Pushes to a platform account. */
  push(people: RuleCrowd): void
  /** Opens its audiences on the platforms. */
  audiences(people: RuleCrowd): void
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
    render: (_, people) => (
      <div>
        <WholeOnHover text={people.name}>
          <Link to={paths.ruleCrowdWatch(people.id)} className={text.cut}>
            {people.name}
          </Link>
        </WholeOnHover>
        <Flex gap={4} className={`${text.small} ${styles.ids}`}>
          <span>
            ID {people.id} <CopyIcon text={String(people.id)} what="ID" />
          </span>
          <span>
            标签 {people.tagId} <CopyIcon text={String(people.tagId)} what="标签 ID" />
          </span>
        </Flex>
      </div>
    ),
  },
  {
    title: '状态',
    key: 'status',
    width: 108,
    render: (_, people) => (
      <>
        <RuleCrowdStatusTag people={people} />
        <div className={`${text.small} ${text.nowrap}`}>{formatDay(people.invalidTime)} 失效</div>
      </>
    ),
  },
  {
    title: '人数',
    key: 'magnitude',
    width: 114,
    align: 'right',
    render: (_, people) => (
      <>
        <span className={people.refreshing || people.status === 'computing' ? text.stale : undefined}>
          <LargeNumber value={people.magnitude} title={`人 ${formatAsOf(people.computedAt)}`} />
        </span>
        <div className={`${text.small} ${text.nowrap}`}>{formatAsOf(people.computedAt)}</div>
        {people.tookMs !== null && <div className={text.small}>用时 {formatDuration(people.tookMs / 1000)}</div>}
      </>
    ),
  },
  ownersColumn(104, given.showAdvertiser, (people) => ({ advertiser: people.adv_name, creator: people.creator })),
  createdColumn(98, given.sort, (people) => people.createTime),
  {
    title: '操作',
    key: 'actions',
    fixed: 'right',
    width: 140,
    render: (_, people) => <Actions people={people} actions={given.actions} />,
  },
]

function Actions({ people, actions }: { people: RuleCrowd; actions: RowActions }) {
  const refusal = refusalsOf(people)
  return (
    <Flex gap={6} align="center">
      <RowAction to={paths.ruleCrowdWatch(people.id)}>查看</RowAction>
      <RowAction refusal={sentenceOrNull(refusal.edit)} to={paths.ruleCrowdEdit(people.id)}>
        编辑
      </RowAction>
      <RowAction onClick={() => void actions.copy(people)}>复制</RowAction>
      <MoreActions
        name={`「${people.name}」的更多操作`}
        actions={[
          { key: 'push', label: '推送至', refusal: sentenceOrNull(refusal.push), onClick: () => actions.push(people) },
          { key: 'audiences', label: '平台人群', onClick: () => actions.audiences(people) },
          { key: 'move', label: '移动到', onClick: () => actions.move([people]) },
          {
            key: 'compute',
            label: '重新计算',
            refusal: sentenceOrNull(refusal.compute),
            onClick: () => void actions.compute(people),
          },
          '-',
          {
            key: 'delete',
            label: '删除',
            danger: true,
            refusal: sentenceOrNull(refusal.delete),
            onClick: () => void actions.remove(people),
          },
        ]}
      />
    </Flex>
  )
}

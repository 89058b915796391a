import { Flex, type TableColumnsType, Tooltip } from 'antd'
import { memo } from 'react'
import { Link } from 'react-router'
import { scheduleWords } from '#contract/crowd-schedule.ts'
import type { RuleCrowd, RuleCrowdRow } from '#contract/rule-crowd.ts'
import { CopyIcon } from '../../components/CopyIcon.tsx'
import { LargeNumber } from '../../components/LargeNumber.tsx'
import { MoreActions } from '../../components/MoreActions.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { ControlMark } from '../../domain/control-group/ControlMark.tsx'
import { createdColumn, ownersColumn } from '../../domain/crowd/crowd-columns.tsx'
import type { ListState } from '../../domain/crowd/list-state.ts'
import { lateSentence } from '../../domain/outcome/late-sentence.tsx'
import { formatAsOf, formatDay, formatDuration } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { PushChips } from '../audience/PushChips.tsx'
import { moreActionsOf, type RowActions } from './more-actions.ts'
import { nextWords } from './next-words.ts'
import { RuleCrowdStatusTag } from './RuleCrowdStatusTag.tsx'
import styles from './rule-crowd.module.css'
import { refusalsOf } from './rule-crowd-actions.ts'

/** Name and actions of a row are drawn anew only when its crowd changes: a selection draws the whole table. */
export const ruleCrowdColumns = (given: {
  sort: ListState['sort']
  showAdvertiser: boolean
  actions: RowActions
}): TableColumnsType<RuleCrowdRow> => [
  {
    title: '名称',
    key: 'name',
    fixed: 'left',
    width: 132,
    render: (_, ruleCrowd) => <Name ruleCrowd={ruleCrowd} />,
  },
  {
    title: '状态',
    key: 'status',
    width: 110,
    render: (_, ruleCrowd) => (
      <>
        <RuleCrowdStatusTag ruleCrowd={ruleCrowd} />
        {ruleCrowd.audiences.length > 0 ? (
          <PushChips audiences={ruleCrowd.audiences} />
        ) : (
          <div className={`${text.small} ${text.nowrap}`}>{formatDay(ruleCrowd.invalidTime)} 失效</div>
        )}
      </>
    ),
  },
  {
    title: '人数',
    key: 'magnitude',
    width: 113,
    align: 'right',
    render: (_, ruleCrowd) => (
      <>
        <span className={ruleCrowd.refreshing || ruleCrowd.status === 'computing' ? text.stale : undefined}>
          <LargeNumber value={ruleCrowd.magnitude} title={`人 ${computedWords(ruleCrowd)}`} />
        </span>
        <div className={`${text.small} ${text.nowrap}`}>{formatAsOf(ruleCrowd.computedAt)}</div>
        <ControlMark share={ruleCrowd.control_share} />
        {ruleCrowd.schedule.every !== 'data' && ruleCrowd.nextAt !== null && (
          <Tooltip
            title={`${scheduleWords(ruleCrowd.schedule)}更新${ruleCrowd.dataChanged ? '；数据已有变化，到时计入' : ''}`}
          >
            <div className={`${text.small} ${text.nowrap}`}>下次 {nextWords(ruleCrowd)}</div>
          </Tooltip>
        )}
      </>
    ),
  },
  ownersColumn(88, given.showAdvertiser, (ruleCrowd) => ({
    advertiser: ruleCrowd.adv_name,
    creator: ruleCrowd.creator,
  })),
  createdColumn(140, given.sort, (ruleCrowd) => ruleCrowd.createTime),
  {
    title: '操作',
    key: 'actions',
    fixed: 'right',
    width: 148,
    render: (_, ruleCrowd) => <Actions ruleCrowd={ruleCrowd} actions={given.actions} />,
  },
]

const computedWords = ({ computedAt, tookMs }: RuleCrowd) =>
  `${formatAsOf(computedAt)}${tookMs === null ? '' : `，用时 ${formatDuration(tookMs / 1000)}`}`

const Name = memo(({ ruleCrowd }: { ruleCrowd: RuleCrowd }) => (
  <div>
    <WholeOnHover text={ruleCrowd.name}>
      <Link to={paths.ruleCrowdWatch(ruleCrowd.id)} className={text.cut}>
        {ruleCrowd.name}
      </Link>
    </WholeOnHover>
    <Flex gap={2} className={`${text.small} ${styles.ids}`}>
      <span>
        ID {ruleCrowd.id}
        <CopyIcon text={String(ruleCrowd.id)} what="ID" />
      </span>
      <span>
        标签 {ruleCrowd.tagId}
        <CopyIcon text={String(ruleCrowd.tagId)} what="标签 ID" />
      </span>
    </Flex>
  </div>
))

const Actions = memo(({ ruleCrowd, actions }: { ruleCrowd: RuleCrowd; actions: RowActions }) => {
  const refusal = refusalsOf(ruleCrowd)
  return (
    <Flex gap={6} align="center">
      <RowAction changes={ruleCrowd.adv_id} refusal={lateSentence(refusal.edit)} to={paths.ruleCrowdEdit(ruleCrowd.id)}>
        编辑
      </RowAction>
      <RowAction
        changes={ruleCrowd.adv_id}
        refusal={lateSentence(refusal.push)}
        onClick={() => actions.push(ruleCrowd)}
      >
        推送至
      </RowAction>
      <RowAction changes={ruleCrowd.adv_id} onClick={() => void actions.copy(ruleCrowd)}>
        复制
      </RowAction>
      <MoreActions
        name={`「${ruleCrowd.name}」的更多操作`}
        changes={ruleCrowd.adv_id}
        actions={moreActionsOf(ruleCrowd, actions)}
      />
    </Flex>
  )
})

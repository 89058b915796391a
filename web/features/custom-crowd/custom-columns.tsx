import { Flex, type TableColumnsType, Tooltip } from 'antd'
import type { CustomChild } from '#contract/audience.ts'
import type { CustomCrowd } from '#contract/custom-crowd.ts'
import { childRefusals, childSize, crowdRefusals } from '#contract/custom-crowd-rules.ts'
import { sentenceOrNull } from '#contract/outcome.ts'
import { CopyIcon } from '../../components/CopyIcon.tsx'
import { ForAdvertiser } from '../../components/ForAdvertiser.tsx'
import { LargeNumber } from '../../components/LargeNumber.tsx'
import { MoreActions } from '../../components/MoreActions.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { ControlMark } from '../../domain/control-group/ControlMark.tsx'
import { createdColumn, ownersColumn } from '../../domain/crowd/crowd-columns.tsx'
import type { ListState } from '../../domain/crowd/list-state.ts'
import { AccountId, AccountName } from '../../domain/platform/AccountName.tsx'
import { PlatformMark } from '../../domain/platform/PlatformMark.tsx'
import { type PushPreset, withoutAccount } from '../../domain/platform/push-preset.ts'
import { formatAsOf, formatCount, formatLarge } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { ChildStatus } from '../audience/ChildStatus.tsx'
import { PushChips } from '../audience/PushChips.tsx'
import { CrowdStatus } from './CustomStatusTag.tsx'
import styles from './custom-crowd.module.css'
import { isSharedByPeople, type Row } from './rows.ts'
import type { Retries } from './use-retries.ts'

export interface RowActions extends Retries {
  view(crowd: CustomCrowd, child: CustomChild | null): void
  rename(crowd: CustomCrowd): void
  /** Chooses the columns of its people, to download them. */
  exportPeople(crowd: CustomCrowd): void
  /** Sets the part of it that pushes hold out. */
  control(crowd: CustomCrowd): void
  /** Opens what its people have. */
  profile(crowd: CustomCrowd): void
  move(crowds: readonly CustomCrowd[]): void
  /** Opens the push dialog, with what it begins with. */
  push(crowd: CustomCrowd, preset: PushPreset | null): void
  removeCrowd(crowd: CustomCrowd): unknown
  removeChild(child: CustomChild): unknown
}

export const customColumns = (given: {
  sort: ListState['sort']
  showAdvertiser: boolean
  actions: RowActions
}): TableColumnsType<Row> => [
  {
    title: '名称',
    key: 'name',
    fixed: 'left',
    width: 118,
    render: (_, row) =>
      row.child ? (
        <ChildName child={row.child} />
      ) : (
        <CrowdName crowd={row.crowd} onOpen={() => given.actions.view(row.crowd, null)} />
      ),
  },
  {
    title: '状态',
    key: 'status',
    width: 110,
    render: (_, { crowd, child }) => (
      <ForAdvertiser advId={crowd.adv_id}>
        {child ? (
          <ChildStatus
            child={child}
            on={{
              retry: given.actions.retryPush,
              cancel: given.actions.cancelPush,
              push: () => given.actions.push(crowd, child),
              pushElsewhere: () => given.actions.push(crowd, withoutAccount(child)),
            }}
          />
        ) : (
          <>
            <CrowdStatus crowd={crowd} onRetry={given.actions.retryCheck} />
            <PushChips audiences={crowd.audiences} />
          </>
        )}
      </ForAdvertiser>
    ),
  },
  {
    title: '标识数',
    key: 'user_count',
    width: 94,
    align: 'right',
    render: (_, { crowd, child }) => (child ? null : <CrowdSize crowd={crowd} />),
  },
  {
    title: (
      <Tooltip title="平台匹配到的用户数，由平台给出">
        <span>覆盖</span>
      </Tooltip>
    ),
    key: 'covered',
    width: 56,
    align: 'right',
    render: (_, { child }) => child && <LargeNumber value={childSize(child)} title="平台给出的覆盖人数" />,
  },
  ownersColumn(88, given.showAdvertiser, ({ crowd, child }) => ({
    advertiser: child ? null : crowd.adv_name,
    creator: (child ?? crowd).creator,
  })),
  createdColumn(140, given.sort, ({ crowd, child }) => (child ?? crowd).created_at),
  {
    title: '操作',
    key: 'actions',
    fixed: 'right',
    width: 114,
    render: (_, { crowd, child }) =>
      child ? (
        <ChildActions crowd={crowd} child={child} actions={given.actions} />
      ) : (
        <CrowdActions crowd={crowd} actions={given.actions} />
      ),
  },
]

const CrowdName = ({ crowd, onOpen }: { crowd: CustomCrowd; onOpen: () => void }) => (
  <div className={styles.name}>
    <WholeOnHover text={crowd.name}>
      <button type="button" className={`${text.link} ${text.cut} ${styles.open}`} onClick={onOpen}>
        {crowd.name}
      </button>
    </WholeOnHover>
    <span className={`${text.small} ${styles.ids}`}>
      <span>ID {crowd.id}</span>
      <CopyIcon text={String(crowd.id)} what="ID" />
    </span>
  </div>
)

const ChildName = ({ child }: { child: CustomChild }) => (
  <div className={styles.named}>
    <PlatformMark platform={child.cnt_type} />
    <AccountName
      name={child.adv_name}
      external_id={child.external_id}
      remark={child.account_remark}
      hover={`${child.adv_name}：${child.platform_name}`}
    />
    <span />
    <AccountId external_id={child.external_id} isUnderName />
    <span />
    <span className={`${text.small} ${styles.ids}`}>
      <WholeOnHover text={child.tag_id}>
        <span>{child.tag_id === null ? '尚无平台 ID' : `ID ${child.tag_id}`}</span>
      </WholeOnHover>
      {child.tag_id !== null && <CopyIcon text={child.tag_id} what="平台 ID" />}
    </span>
  </div>
)

const CrowdSize = ({ crowd }: { crowd: CustomCrowd }) => (
  <>
    <span className={crowd.status === 'computing' ? text.stale : undefined}>
      <LargeNumber value={crowd.user_count} title={`个标识 ${formatAsOf(crowd.counted_at)}`} />
    </span>
    {crowd.matched !== null && (
      <Tooltip title={matchedWords(crowd)}>
        <div className={`${text.small} ${text.nowrap}`}>匹配 {formatLarge(crowd.matched)} 人</div>
      </Tooltip>
    )}
    <ControlMark share={crowd.control_share} />
  </>
)

const matchedWords = (crowd: CustomCrowd) =>
  `匹配到 ${formatCount(crowd.matched)} 个已有用户${isSharedByPeople(crowd) ? '，有的标识属于多个用户' : ''}，${formatAsOf(crowd.counted_at)}`

function CrowdActions({ crowd, actions }: { crowd: CustomCrowd; actions: RowActions }) {
  const refusal = crowdRefusals(crowd)
  return (
    <Flex gap={6} align="center">
      <RowAction
        changes={crowd.adv_id}
        refusal={sentenceOrNull(refusal.edit)}
        to={paths.customCrowdEdit(crowd.id, crowd.adv_id)}
      >
        编辑
      </RowAction>
      <RowAction
        changes={crowd.adv_id}
        refusal={sentenceOrNull(refusal.push)}
        onClick={() => actions.push(crowd, null)}
      >
        推送至
      </RowAction>
      <MoreActions
        name={`「${crowd.name}」的更多操作`}
        changes={crowd.adv_id}
        actions={[
          { key: 'profile', label: '人群画像', changes: null, onClick: () => actions.profile(crowd) },
          {
            key: 'export',
            label: '导出名单',
            changes: null,
            refusal: crowd.matched === null ? '还没有匹配的结果' : null,
            onClick: () => actions.exportPeople(crowd),
          },
          { key: 'control', label: '对照组', onClick: () => actions.control(crowd) },
          { key: 'move', label: '移动到', refusal: sentenceOrNull(refusal.move), onClick: () => actions.move([crowd]) },
          { key: 'rename', label: '重命名', onClick: () => actions.rename(crowd) },
          '-',
          {
            key: 'delete',
            label: '删除',
            danger: true,
            refusal: sentenceOrNull(refusal.delete),
            onClick: () => void actions.removeCrowd(crowd),
          },
        ]}
      />
    </Flex>
  )
}

function ChildActions({ crowd, child, actions }: { crowd: CustomCrowd; child: CustomChild; actions: RowActions }) {
  const refusal = childRefusals(crowd, child)
  return (
    <Flex gap={6} align="center">
      <RowAction refusal={sentenceOrNull(refusal.view)} onClick={() => actions.view(crowd, child)}>
        查看
      </RowAction>
      <RowAction
        changes={crowd.adv_id}
        refusal={sentenceOrNull(refusal.edit)}
        to={paths.customCrowdEdit(crowd.id, crowd.adv_id)}
      >
        编辑
      </RowAction>
      <MoreActions
        name={`「${child.adv_name}」的更多操作`}
        changes={crowd.adv_id}
        actions={[
          {
            key: 'push',
            label: '重新推送',
            refusal: sentenceOrNull(refusal.push),
            onClick: () => actions.push(crowd, child),
          },
          '-',
          {
            key: 'delete',
            label: '删除',
            danger: true,
            refusal: sentenceOrNull(refusal.delete),
            onClick: () => void actions.removeChild(child),
          },
        ]}
      />
    </Flex>
  )
}

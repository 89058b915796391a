import { Flex, type TableColumnsType, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { sizeWords } from '#contract/size-words.ts'
import { shownName } from '#contract/targeting/shown-name.ts'
import { MIRROR_STATES, type TargetingPackage } from '#contract/targeting-package.ts'
import { CopyIcon } from '../../components/CopyIcon.tsx'
import { type MoreAction, MoreActions } from '../../components/MoreActions.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { createdColumn, ownersColumn } from '../../domain/crowd/crowd-columns.tsx'
import type { ListState } from '../../domain/crowd/list-state.ts'
import { lateSentence } from '../../domain/outcome/late-sentence.tsx'
import { formatAsOf, formatCount } from '../../lib/format.ts'
import { PackageStatusTag } from './PackageStatusTag.tsx'
import styles from './targeting-package.module.css'

/** What can be done with a package in its row. */
interface PackageRowActions {
  open(row: TargetingPackage): void
  edit(row: TargetingPackage): void
  copy(row: TargetingPackage): void
  copyTo(row: TargetingPackage): void
  saveTemplate(row: TargetingPackage): void
  watch(row: TargetingPackage): void
  rename(row: TargetingPackage): void
  move(rows: readonly TargetingPackage[]): void
  remove(rows: readonly TargetingPackage[]): unknown
  /** Sends it to its platform again. */
  sync(row: TargetingPackage): unknown
  adopt(row: TargetingPackage): unknown
  overwrite(row: TargetingPackage): unknown
}

export const packageColumns = (given: {
  sort: ListState['sort']
  /** What each status is called. */
  statuses: Readonly<Record<string, string>>
  showAdvertiser: boolean
  actions: PackageRowActions
}): TableColumnsType<TargetingPackage> => [
  {
    title: '名称',
    key: 'name',
    fixed: 'left',
    width: 144,
    render: (_, row) => <Name row={row} onOpen={() => given.actions.open(row)} />,
  },
  {
    title: '状态',
    key: 'status',
    width: 112,
    render: (_, row) => <PackageStatusTag row={row} statuses={given.statuses} />,
  },
  { title: '预估覆盖', key: 'magnitude', width: 84, align: 'right', render: (_, row) => <Coverage row={row} /> },
  {
    title: '平台账户',
    key: 'account',
    width: 100,
    render: (_, row) => (
      <>
        <WholeOnHover text={row.account_name}>
          <div className={text.cut}>{row.account_name}</div>
        </WholeOnHover>
        <Whereabouts row={row} />
      </>
    ),
  },
  ownersColumn(92, given.showAdvertiser, (row) => ({ advertiser: row.adv_name, creator: row.creator })),
  createdColumn(96, given.sort, (row) => row.created_at),
  {
    title: '操作',
    key: 'actions',
    fixed: 'right',
    width: 104,
    render: (_, row) => <Actions row={row} actions={given.actions} />,
  },
]

const Name = ({ row, onOpen }: { row: TargetingPackage; onOpen: () => void }) => (
  <div>
    <WholeOnHover text={row.name}>
      <button type="button" className={`${text.link} ${styles.open}`} onClick={onOpen}>
        <span className={text.twoLines}>{shownName(row.platform, row.name)}</span>
      </button>
    </WholeOnHover>
    <span className={text.small}>
      ID {row.id}
      <CopyIcon text={String(row.id)} what="ID" />
    </span>
  </div>
)

/** Where the package stands besides here; nothing where its platform has the same. */
function Whereabouts({ row }: { row: TargetingPackage }) {
  const [words, hint]: [words?: string, hint?: ReactNode] = row.platform_changed
    ? ['平台上已修改', '平台上的定向包与这里的不同，可以在更多操作中采用平台或覆盖平台']
    : row.origin === 'platform'
      ? madeThere(row)
      : row.mirror === 'gone'
        ? ['平台上已删除', '这里的定向包还在，可以重新同步或删除']
        : row.mirror === 'paused'
          ? [MIRROR_STATES.paused, lateSentence(row.fail_outcome)]
          : row.is_local
            ? ['仅本地', '平台没有保存定向包的接口：它保存在这里，投放时随计划发送']
            : row.left_out.length > 0
              ? [`平台上另有 ${row.left_out.length} 项条件`, `在平台上加上的条件，这里不能修改：${conditions(row)}`]
              : []
  if (words === undefined) return null
  return (
    <Tooltip title={hint}>
      <span className={text.small}>{words}</span>
    </Tooltip>
  )
}

/** A package made there may restrict more than can be shown here. */
function madeThere({ left_out, plans_there }: TargetingPackage): [string, string] {
  const hint = '在平台上新建的定向包，这里只能查看和复制'
  const used = plans_there ? `；平台上有 ${plans_there} 个计划使用它` : ''
  if (left_out.length === 0) return ['来自平台', hint + used]
  return [`来自平台，另有 ${left_out.length} 项条件`, `${hint}${used}。只在平台上的条件：${conditions({ left_out })}`]
}

const conditions = ({ left_out }: Pick<TargetingPackage, 'left_out'>) =>
  left_out.map(({ label, words }) => `${label} ${words.join('、')}`).join('；')

/** Why a package that was made on its platform cannot be changed here; null for ours. */
const foreignReason = (row: TargetingPackage) =>
  row.origin === 'platform' ? '在平台上新建的定向包只能查看和复制' : null

/** The estimate of what was saved; how old it is on hover. */
function Coverage({ row: { magnitude, counted_at, is_estimating } }: { row: TargetingPackage }) {
  if (is_estimating) return <span className={text.secondary}>预估中</span>
  if (magnitude === null) return <span className={text.secondary}>暂无</span>
  return (
    <Tooltip title={`预估 ${formatCount(magnitude)} 人，${formatAsOf(counted_at)}`}>
      <span>{sizeWords(magnitude)}</span>
    </Tooltip>
  )
}

/** Whose thing it is, and why it cannot be changed here. */
const own = (row: TargetingPackage) => ({ changes: row.adv_id, refusal: foreignReason(row) })

/** What can be done about a copy on the platform that is not as it is here. */
function mirrorActions(row: TargetingPackage, actions: PackageRowActions): MoreAction[] {
  const changes = row.adv_id
  if (row.platform_changed) {
    return [
      { key: 'adopt', label: '采用平台', changes, onClick: () => void actions.adopt(row) },
      { key: 'overwrite', label: '覆盖平台', changes, onClick: () => void actions.overwrite(row) },
    ]
  }
  if (row.mirror !== 'failed' && row.mirror !== 'gone') return []
  return [{ key: 'sync', label: '重新同步', changes, onClick: () => void actions.sync(row) }]
}

const Actions = ({ row, actions }: { row: TargetingPackage; actions: PackageRowActions }) => (
  <Flex gap={6} align="center">
    <RowAction changes={row.adv_id} refusal={foreignReason(row)} onClick={() => actions.edit(row)}>
      编辑
    </RowAction>
    <RowAction changes={row.adv_id} onClick={() => actions.copy(row)}>
      复制
    </RowAction>
    <MoreActions
      name={`「${row.name}」的更多操作`}
      actions={[
        { key: 'watch', label: '查看', onClick: () => actions.watch(row) },
        { key: 'copy-to', label: '复制到', changes: row.adv_id, onClick: () => actions.copyTo(row) },
        { key: 'template', label: '存为模板', changes: row.adv_id, onClick: () => actions.saveTemplate(row) },
        { key: 'rename', label: '重命名', ...own(row), onClick: () => actions.rename(row) },
        { key: 'move', label: '移动到', ...own(row), onClick: () => actions.move([row]) },
        ...mirrorActions(row, actions),
        '-',
        { key: 'delete', label: '删除', danger: true, ...own(row), onClick: () => void actions.remove([row]) },
      ]}
    />
  </Flex>
)

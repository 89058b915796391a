import { Flex, type TableColumnsType, Tooltip } from 'antd'
import { sizeWords } from '#contract/size-words.ts'
import { shownName } from '#contract/targeting/shown-name.ts'
import type { TargetingPackage } from '#contract/targeting-package.ts'
import { CopyIcon } from '../../components/CopyIcon.tsx'
import { MoreActions } from '../../components/MoreActions.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { createdColumn, ownersColumn } from '../../domain/crowd/crowd-columns.tsx'
import type { ListState } from '../../domain/crowd/list-state.ts'
import { formatAsOf, formatCount } from '../../lib/format.ts'
import { PackageStatusTag } from './PackageStatusTag.tsx'
import styles from './targeting-package.module.css'

/** What can be done with a package in its row. */
interface PackageRowActions {
  open(row: TargetingPackage): void
  copy(row: TargetingPackage): unknown
  rename(row: TargetingPackage): void
  move(rows: readonly TargetingPackage[]): void
  remove(rows: readonly TargetingPackage[]): unknown
}

export const packageColumns = (given: {
  sort: ListState['sort']
  showAdvertiser: boolean
  actions: PackageRowActions
}): TableColumnsType<TargetingPackage> => [
  {
    title: '名称',
    key: 'name',
    fixed: 'left',
    width: 132,
    render: (_, row) => <Name row={row} onOpen={() => given.actions.open(row)} />,
  },
  { title: '状态', key: 'status', width: 112, render: (_, row) => <PackageStatusTag row={row} /> },
  { title: '预估覆盖', key: 'magnitude', width: 78, align: 'right', render: (_, row) => <Coverage row={row} /> },
  {
    title: '平台账户',
    key: 'account',
    width: 90,
    render: (_, row) => (
      <>
        <WholeOnHover text={row.account_name}>
          <div className={text.cut}>{row.account_name}</div>
        </WholeOnHover>
        {row.is_local && (
          <Tooltip title="平台没有保存定向包的接口：它保存在这里，投放时随计划发送">
            <span className={text.small}>仅本地</span>
          </Tooltip>
        )}
      </>
    ),
  },
  ownersColumn(80, given.showAdvertiser, (row) => ({ advertiser: row.adv_name, creator: row.creator })),
  createdColumn(136, given.sort, (row) => row.created_at),
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
      <button type="button" className={`${text.link} ${text.cut} ${styles.open}`} onClick={onOpen}>
        {shownName(row.platform, row.name)}
      </button>
    </WholeOnHover>
    <span className={text.small}>
      ID {row.id}
      <CopyIcon text={String(row.id)} what="ID" />
    </span>
  </div>
)

/** The estimate of the last save; how old it is on hover. */
function Coverage({ row: { magnitude, counted_at } }: { row: TargetingPackage }) {
  if (magnitude === null) return <span className={text.secondary}>暂无</span>
  return (
    <Tooltip title={`保存时预估 ${formatCount(magnitude)} 人，${formatAsOf(counted_at)}`}>
      <span>{sizeWords(magnitude)}</span>
    </Tooltip>
  )
}

const Actions = ({ row, actions }: { row: TargetingPackage; actions: PackageRowActions }) => (
  <Flex gap={6} align="center">
    <RowAction onClick={() => actions.open(row)}>查看</RowAction>
    <RowAction changes={row.adv_id} onClick={() => void actions.copy(row)}>
      复制
    </RowAction>
    <MoreActions
      name={`「${row.name}」的更多操作`}
      changes={row.adv_id}
      actions={[
        { key: 'rename', label: '重命名', onClick: () => actions.rename(row) },
        { key: 'move', label: '移动到', onClick: () => actions.move([row]) },
        '-',
        { key: 'delete', label: '删除', danger: true, onClick: () => void actions.remove([row]) },
      ]}
    />
  </Flex>
)

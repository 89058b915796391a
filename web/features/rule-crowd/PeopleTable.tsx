import { EllipsisOutlined } from '@ant-design/icons'
import { Button, Dropdown, Flex, Table, type TableColumnsType, Tooltip, Typography } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { People } from '#contract/rule-crowd.ts'
import { paths } from '../../app/paths.ts'
import { CopyIcon } from '../../components/CopyIcon.tsx'
import { LargeNumber } from '../../components/LargeNumber.tsx'
import { selectAll } from '../../components/select-all.tsx'
import { formatAsOf, formatDay, formatDuration, formatTime, NONE } from '../../lib/format.ts'
import type { ListState } from './list-state.ts'
import { PeopleStatusTag } from './PeopleStatusTag.tsx'
import { refusalsOf } from './people-actions.ts'
import styles from './rule-crowd.module.css'

const TOOLTIP_DELAY_S = 0.6
const PAGE_SIZES = [10, 20, 50, 100]

export interface RowActions {
  copy(people: People): unknown
  compute(people: People): unknown
  remove(people: People): unknown
  move(people: readonly People[]): void
}

/** An action of a row; one that is not open now says why on hover. */
function RowAction(props: { refusal: string | null; to?: string; onClick?: () => void; children: ReactNode }) {
  const { refusal, to, onClick, children } = props
  if (to && refusal === null) {
    return (
      <Link to={to} className={styles.action}>
        {children}
      </Link>
    )
  }
  return (
    <Tooltip title={refusal}>
      <Button
        type="link"
        size="small"
        className={styles.action}
        disabled={refusal !== null}
        {...(onClick ? { onClick } : {})}
      >
        {children}
      </Button>
    </Tooltip>
  )
}

const menuLabel = (text: string, refusal: string | null) =>
  refusal === null ? (
    text
  ) : (
    <Tooltip title={refusal} placement="left">
      {text}
    </Tooltip>
  )

export function PeopleTable(props: {
  rows: readonly People[]
  total: number
  isLoading: boolean
  state: ListState
  onState: (change: Partial<ListState>) => void
  showAdvertiser: boolean
  /** Why nothing may be done with the rows; null when it may. */
  barred: string | null
  actions: RowActions
  selected: readonly People[]
  onSelected: (rows: People[]) => void
  empty: ReactNode
}) {
  const { rows, total, isLoading, state, onState, showAdvertiser, barred, actions, selected, onSelected, empty } = props

  const columns: TableColumnsType<People> = [
    {
      title: '名称',
      key: 'name',
      fixed: 'left',
      width: 214,
      render: (_, people) => (
        <div className={styles.nameCell}>
          <Tooltip title={people.name} mouseEnterDelay={TOOLTIP_DELAY_S} placement="topLeft">
            <Link to={paths.ruleCrowdWatch(people.id)} className={styles.name}>
              {people.name}
            </Link>
          </Tooltip>
          <Flex gap={10} className={styles.small}>
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
    { title: '状态', key: 'status', width: 120, render: (_, people) => <PeopleStatusTag people={people} /> },
    {
      title: '人数',
      key: 'magnitude',
      width: 100,
      align: 'right',
      render: (_, people) => (
        <span className={people.refreshing || people.status === 'computing' ? styles.stale : undefined}>
          <LargeNumber value={people.magnitude} title={`人 ${formatAsOf(people.computedAt)}`} />
        </span>
      ),
    },
    {
      title: '最近计算',
      key: 'computedAt',
      width: 180,
      className: styles.time,
      render: (_, people) =>
        people.computedAt === null ? (
          NONE
        ) : (
          <>
            <div>{formatTime(people.computedAt)}</div>
            {people.tookMs !== null && <div className={styles.small}>耗时 {formatDuration(people.tookMs / 1000)}</div>}
          </>
        ),
    },
    ...(showAdvertiser
      ? [
          {
            title: '广告主',
            key: 'adv_name',
            width: 130,
            ellipsis: { showTitle: false },
            render: (_: unknown, people: People) => (
              <Tooltip title={people.adv_name} mouseEnterDelay={TOOLTIP_DELAY_S} placement="topLeft">
                {people.adv_name}
              </Tooltip>
            ),
          },
        ]
      : []),
    {
      title: '创建人',
      key: 'creator',
      width: 90,
      ellipsis: { showTitle: false },
      render: (_, people) => (
        <Tooltip title={people.creator} mouseEnterDelay={TOOLTIP_DELAY_S} placement="topLeft">
          {people.creator}
        </Tooltip>
      ),
    },
    {
      title: '创建时间',
      key: 'createTime',
      dataIndex: 'createTime',
      width: 180,
      className: styles.time,
      sorter: true,
      // Two directions and no third state: the list always has an order.
      sortDirections: ['ascend', 'descend', 'ascend'],
      sortOrder: state.sort === 'created_at' ? 'ascend' : 'descend',
      render: (_, people) => formatTime(people.createTime),
    },
    { title: '失效时间', key: 'invalidTime', width: 108, render: (_, people) => formatDay(people.invalidTime) },
    {
      title: '操作',
      key: 'actions',
      fixed: 'right',
      width: 164,
      render: (_, people) => {
        const refusal = refusalsOf(people)
        return (
          <Flex gap={12} align="center">
            <RowAction refusal={barred} to={paths.ruleCrowdWatch(people.id)}>
              查看
            </RowAction>
            <RowAction refusal={barred ?? refusal.edit} to={paths.ruleCrowdEdit(people.id)}>
              编辑
            </RowAction>
            <RowAction refusal={barred} onClick={() => void actions.copy(people)}>
              复制
            </RowAction>
            <Dropdown
              disabled={barred !== null}
              trigger={['click']}
              placement="bottomRight"
              menu={{
                items: [
                  { key: 'move', label: '移动到', onClick: () => actions.move([people]) },
                  {
                    key: 'compute',
                    label: menuLabel('重新计算', refusal.compute),
                    disabled: refusal.compute !== null,
                    onClick: () => void actions.compute(people),
                  },
                  { type: 'divider' },
                  {
                    key: 'delete',
                    label: menuLabel('删除', refusal.delete),
                    danger: true,
                    disabled: refusal.delete !== null,
                    onClick: () => void actions.remove(people),
                  },
                ],
              }}
            >
              <Button
                type="text"
                size="small"
                icon={<EllipsisOutlined />}
                aria-label={`「${people.name}」的更多操作`}
              />
            </Dropdown>
          </Flex>
        )
      },
    },
  ]

  return (
    <Table<People>
      rowKey="id"
      size="middle"
      columns={columns}
      dataSource={[...rows]}
      loading={isLoading}
      scroll={{ x: showAdvertiser ? 1326 : 1196 }}
      locale={{ emptyText: empty }}
      showSorterTooltip={false}
      rowSelection={{
        fixed: true,
        columnWidth: 44,
        columnTitle: selectAll,
        preserveSelectedRowKeys: true,
        selectedRowKeys: selected.map((people) => people.id),
        onChange: (_keys, chosen) => onSelected(chosen.filter(Boolean)),
        getTitleCheckboxProps: () => ({ 'aria-label': '全选本页' }) as object,
        getCheckboxProps: (people) => ({ disabled: barred !== null, 'aria-label': `选择「${people.name}」` }) as object,
      }}
      pagination={{
        current: state.page,
        pageSize: state.page_size,
        total,
        showSizeChanger: true,
        pageSizeOptions: PAGE_SIZES,
        showTotal: (count) => <Typography.Text type="secondary">共 {count} 个</Typography.Text>,
      }}
      onChange={(page, _filters, sorter, { action }) => {
        if (action === 'sort') {
          const order = Array.isArray(sorter) ? undefined : sorter.order
          onState({ sort: order === 'ascend' ? 'created_at' : '-created_at', page: 1 })
        } else {
          const size = page.pageSize ?? state.page_size
          onState({ page: size === state.page_size ? (page.current ?? 1) : 1, page_size: size })
        }
      }}
    />
  )
}

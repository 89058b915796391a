import { Flex, Table, type TableColumnsType } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { People, PeopleStatus } from '#contract/rule-crowd.ts'
import { paths } from '../../app/paths.ts'
import { CopyIcon } from '../../components/CopyIcon.tsx'
import { LargeNumber } from '../../components/LargeNumber.tsx'
import { MoreActions } from '../../components/MoreActions.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { pageChange, paginationOf, rowSelectionOf } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatAsOf, formatDay, formatDuration, formatTime } from '../../lib/format.ts'
import type { ListState } from '../../lib/list-state.ts'
import { PeopleStatusTag } from './PeopleStatusTag.tsx'
import { refusalsOf } from './people-actions.ts'
import styles from './rule-crowd.module.css'

/** What the columns need; a window of 1280 px has room for it beside the folders. */
const FITS = 748

export interface RowActions {
  copy(people: People): unknown
  compute(people: People): unknown
  remove(people: People): unknown
  move(people: readonly People[]): void
  /** To a platform account. */
  push(people: People): void
  /** What it is on the platforms. */
  audiences(people: People): void
}

export function PeopleTable(props: {
  rows: readonly People[]
  total: number
  isLoading: boolean
  state: ListState<PeopleStatus>
  onState: (change: Partial<ListState<PeopleStatus>>) => void
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
          <PeopleStatusTag people={people} />
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
          {people.tookMs !== null && <div className={text.small}>耗时 {formatDuration(people.tookMs / 1000)}</div>}
        </>
      ),
    },
    {
      title: showAdvertiser ? '广告主/创建人' : '创建人',
      key: 'creator',
      width: 104,
      render: (_, people) => (
        <>
          {showAdvertiser && (
            <WholeOnHover text={people.adv_name}>
              <div className={text.cut}>{people.adv_name}</div>
            </WholeOnHover>
          )}
          <WholeOnHover text={people.creator}>
            <div className={showAdvertiser ? `${text.small} ${text.cut}` : text.cut}>{people.creator}</div>
          </WholeOnHover>
        </>
      ),
    },
    {
      title: '创建时间',
      key: 'createTime',
      dataIndex: 'createTime',
      width: 98,
      sorter: true,
      // Two directions and no third state: the list always has an order.
      sortDirections: ['ascend', 'descend', 'ascend'],
      sortOrder: state.sort === 'created_at' ? 'ascend' : 'descend',
      // The day above, the time of day below: a row has two lines anyway.
      render: (_, people) =>
        formatTime(people.createTime)
          .split(' ')
          .map((part) => (
            <div key={part} className={text.nowrap}>
              {part}
            </div>
          )),
    },
    {
      title: '操作',
      key: 'actions',
      fixed: 'right',
      width: 140,
      render: (_, people) => {
        const refusal = refusalsOf(people)
        return (
          <Flex gap={6} align="center">
            <RowAction refusal={barred} to={paths.ruleCrowdWatch(people.id)}>
              查看
            </RowAction>
            <RowAction refusal={barred ?? refusal.edit} to={paths.ruleCrowdEdit(people.id)}>
              编辑
            </RowAction>
            <RowAction refusal={barred} onClick={() => void actions.copy(people)}>
              复制
            </RowAction>
            <MoreActions
              name={`「${people.name}」的更多操作`}
              disabled={barred !== null}
              actions={[
                { key: 'push', label: '推送至', refusal: refusal.push, onClick: () => actions.push(people) },
                { key: 'audiences', label: '平台人群', onClick: () => actions.audiences(people) },
                { key: 'move', label: '移动到', onClick: () => actions.move([people]) },
                {
                  key: 'compute',
                  label: '重新计算',
                  refusal: refusal.compute,
                  onClick: () => void actions.compute(people),
                },
                '-',
                {
                  key: 'delete',
                  label: '删除',
                  danger: true,
                  refusal: refusal.delete,
                  onClick: () => void actions.remove(people),
                },
              ]}
            />
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
      scroll={{ x: FITS }}
      locale={{ emptyText: empty }}
      showSorterTooltip={false}
      rowSelection={rowSelectionOf({ selected, onSelected, isBarred: () => barred !== null })}
      pagination={paginationOf(state, total, '个')}
      onChange={(page, _filters, sorter, { action }) => {
        if (action === 'sort') {
          const order = Array.isArray(sorter) ? undefined : sorter.order
          onState({ sort: order === 'ascend' ? 'created_at' : '-created_at', page: 1 })
        } else onState(pageChange(state, page.current ?? 1, page.pageSize ?? state.page_size))
      }}
    />
  )
}

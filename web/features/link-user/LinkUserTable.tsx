import { Flex, Table, type TableColumnsType } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { LinkUser } from '#contract/link-user.ts'
import { CopyIcon } from '../../components/CopyIcon.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { pageChange, paginationOf } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatCount, formatTime, NONE } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import type { LinkUserListState } from './list-state.ts'

/** The people of an advertiser; each leads to what they did. */
export function LinkUserTable(props: {
  advId: number
  rows: LinkUser[]
  total: number
  state: LinkUserListState
  onState: (change: Partial<LinkUserListState>) => void
  isLoading: boolean
  empty: ReactNode
}) {
  const { advId, rows, total, state, onState, isLoading, empty } = props
  return (
    <Table<LinkUser>
      rowKey="person"
      size="middle"
      aria-label="用户列表"
      columns={columns(advId)}
      dataSource={rows}
      loading={isLoading}
      scroll={{ x: 860 }}
      locale={{ emptyText: empty }}
      pagination={paginationOf(state, total, '人')}
      onChange={({ current, pageSize }) => onState(pageChange(state, current ?? 1, pageSize ?? state.page_size))}
    />
  )
}

const behaviourOf = (advId: number, { oneID, person }: LinkUser) => paths.userBehavior(oneID, { adv_id: advId, person })

const columns = (advId: number): TableColumnsType<LinkUser> => [
  {
    title: 'One ID',
    key: 'oneID',
    width: '26%',
    fixed: 'left',
    render: (_, user) => (
      <Flex align="center" gap={4}>
        <WholeOnHover text={user.oneID}>
          <Link to={behaviourOf(advId, user)} className={text.cut}>
            {user.oneID}
          </Link>
        </WholeOnHover>
        <CopyIcon text={user.oneID} what=" One ID" />
      </Flex>
    ),
  },
  {
    title: '姓名',
    dataIndex: 'name',
    ellipsis: { showTitle: false },
    render: (name: string) =>
      name === '' ? (
        NONE
      ) : (
        <WholeOnHover text={name}>
          <span className={text.cut}>{name}</span>
        </WholeOnHover>
      ),
  },
  { title: '手机号', dataIndex: 'phone', width: 140, render: (phone: string | null) => phone ?? NONE },
  { title: '最近访问时间', dataIndex: 'enter_time', width: 190, render: formatTime },
  { title: '事件总数', dataIndex: 'total', width: 120, align: 'right', render: formatCount },
  {
    title: '操作',
    key: 'action',
    width: 100,
    fixed: 'right',
    render: (_, user) => <RowAction to={behaviourOf(advId, user)}>查看行为</RowAction>,
  },
]

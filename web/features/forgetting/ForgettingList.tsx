import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Card, Skeleton, Table, type TableColumnsType } from 'antd'
import { useSearchParams } from 'react-router'
import { PAGE_SIZE } from '#contract/common.ts'
import { FORGET_STATUS, type Forgetting, listForgettings } from '#contract/forgetting.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { FilterText } from '../../components/FilterText.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { StatusDot } from '../../components/StatusDot.tsx'
import { pageChange, paginationOf } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { formatTime, NONE } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'
import { useWithinPages } from '../../lib/use-drawer-list.ts'
import { type ForgottenListState, readForgottenState, writeForgottenState } from './list-state.ts'
import { FORGET_TONES, isUnderWay, platformsText } from './receipt-words.ts'

const POLL_MS = 5000

/** Who was forgotten, newest first. What identified them is gone, so a record is found by the One ID that somebody has. */
export function ForgettingList({ advId, onOpen }: { advId: number; onOpen: (id: number) => void }) {
  const [params, setParams] = useSearchParams()
  const state = readForgottenState(params)
  const { oneID, page, page_size } = state
  const change = (to: Partial<ForgottenListState>) =>
    setParams((now) => writeForgottenState(now, { ...readForgottenState(now), ...to }), { replace: true })
  const list = useQuery({
    ...queryOf(listForgettings, {
      query: { adv_id: advId, page, page_size, ...(oneID === '' ? {} : { oneID }) },
    }),
    meta: { inPlace: true },
    placeholderData: keepPreviousData,
    refetchInterval: (query) => (query.state.data?.list.some(isUnderWay) ? POLL_MS : false),
  })
  const { data } = list
  useWithinPages(
    { paged: state, turn: change },
    { isLoaded: list.isSuccess && !list.isPlaceholderData, rows: data?.list.length ?? 0 },
  )
  const columns: TableColumnsType<Forgetting> = [
    { title: '用户编号', dataIndex: 'person', width: 120, render: (person: number | null) => person ?? NONE },
    {
      title: '状态',
      dataIndex: 'status',
      width: 200,
      render: (status: Forgetting['status']) => (
        <StatusDot tone={FORGET_TONES[status]}>{FORGET_STATUS[status]}</StatusDot>
      ),
    },
    { title: '平台', dataIndex: 'accepted', width: 180, render: (_, row) => platformsText(row) },
    { title: '删除人', dataIndex: 'asked_by', ellipsis: true },
    { title: '删除时间', dataIndex: 'asked_at', width: 200, render: formatTime },
    {
      title: '操作',
      key: 'actions',
      width: 96,
      render: (_, { id }) => <RowAction onClick={() => onOpen(id)}>查看回执</RowAction>,
    },
  ]
  return (
    <Card
      title={<h2 className={text.cardTitle}>删除记录</h2>}
      extra={
        <FilterText label="One ID" width={200} value={oneID} onChange={(value) => change({ oneID: value, page: 1 })} />
      }
    >
      {list.error && !data ? (
        <LoadError error={list.error} onRetry={list.refetch} title="删除记录加载失败" />
      ) : !data ? (
        <Skeleton active title={false} paragraph={{ rows: 3, width: '100%' }} />
      ) : (
        <Table
          size="middle"
          rowKey="id"
          columns={columns}
          dataSource={data.list}
          loading={list.isPlaceholderData}
          pagination={data.total > PAGE_SIZE && paginationOf(state, data.total, '条')}
          onChange={({ current, pageSize }) => change(pageChange(state, current ?? 1, pageSize ?? page_size))}
          locale={{
            emptyText:
              oneID === '' ? (
                <EmptyState title="没有删除过用户" hint="在用户行为页可以删除一个用户，回执会列在这里。" />
              ) : (
                <EmptyState title="没有这个 One ID 的删除记录" hint="按完整的 One ID 查找。" />
              ),
          }}
        />
      )}
    </Card>
  )
}

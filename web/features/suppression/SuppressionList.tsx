import { PlusOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { App, Button, Card, Skeleton, Space, Table, type TableColumnsType, Tag } from 'antd'
import { useState } from 'react'
import type { z } from 'zod'
import { PAGE_SIZE } from '#contract/common.ts'
import { IDENTIFIERS } from '#contract/identifier.ts'
import { listSuppression, removeSuppression } from '#contract/suppression.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { pageChange, paginationOf } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { useConfirm } from '../../components/use-confirm.ts'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { formatCount, formatTime } from '../../lib/format.ts'
import { queryOf, useAction } from '../../lib/query.ts'
import { AddSuppressionDialog } from './AddSuppressionDialog.tsx'
import styles from './suppression.module.css'

type Entry = z.infer<typeof listSuppression.data>['list'][number]

/** An advertiser's suppression list: identifiers that no push contains. */
export function SuppressionList({ advId }: { advId: number }) {
  const [paged, setPaged] = useState({ page: 1, page_size: PAGE_SIZE })
  const [isAdding, setAdding] = useState(false)
  const entries = useQuery({
    ...queryOf(listSuppression, { query: { adv_id: advId, ...paged } }),
    meta: { inPlace: true },
    placeholderData: keepPreviousData,
  })
  const remove = useRemoval(advId)
  const add = (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setAdding(true)}>
      加入屏蔽名单
    </Button>
  )
  const { data } = entries
  return (
    <Card title={<h2 className={text.cardTitle}>屏蔽名单</h2>} extra={add}>
      {entries.error && !data ? (
        <LoadError error={entries.error} onRetry={entries.refetch} title="屏蔽名单加载失败" />
      ) : !data ? (
        <Skeleton active title={false} paragraph={{ rows: 6, width: '100%' }} />
      ) : (
        <>
          <Totals total={data.total} byType={data.by_type} />
          <Table<Entry>
            rowKey={({ type, value }) => `${type} ${value}`}
            size="small"
            loading={entries.isPlaceholderData}
            dataSource={data.list}
            scroll={{ x: 640 }}
            locale={{
              emptyText: (
                <EmptyState
                  title="屏蔽名单是空的"
                  hint="加入的标识，以及它们所属的已有用户的其他标识，在每次推送前都会去除，并计入推送报告。已推送的会在下次推送时移除。"
                  action={add}
                />
              ),
            }}
            pagination={paginationOf(paged, data.total, '个')}
            onChange={(page) => setPaged(pageChange(paged, page.current ?? 1, page.pageSize ?? paged.page_size))}
            columns={columns(remove)}
          />
        </>
      )}
      {isAdding && <AddSuppressionDialog advId={advId} onClose={() => setAdding(false)} />}
    </Card>
  )
}

/** Asks, then removes an identifier from the list. */
function useRemoval(advId: number) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const remove = useAction(removeSuppression, [listSuppression])
  return ({ type, value }: Entry) =>
    confirm({
      title: '移出屏蔽名单？',
      content: `${IDENTIFIERS[type].label}：${value}。移出后，下次推送会再次包含它。`,
      okText: '移出',
      isDanger: true,
      onOk: () =>
        remove.mutateAsync({ body: { adv_id: advId, type, values: [value] } }).then(
          () => void message.success('已移出'),
          () => {},
        ),
    })
}

/** How many identifiers of each type are on the list, and how they take effect. */
const Totals = ({ total, byType }: { total: number; byType: z.infer<typeof listSuppression.data>['by_type'] }) => (
  <>
    {total > 0 && (
      <p className={`${text.hint} ${styles.about}`}>按人生效：标识属于已有用户的，该用户的其他标识也不会发送。</p>
    )}
    {byType.length > 0 && (
      <Space wrap size={4} className={styles.types}>
        {byType.map(({ type, count }) => (
          <Tag key={type}>
            {IDENTIFIERS[type].label} {formatCount(count)}
          </Tag>
        ))}
      </Space>
    )}
  </>
)

const columns = (onRemove: (entry: Entry) => void): TableColumnsType<Entry> => [
  { title: '类型', dataIndex: 'type', width: 160, render: (type: Entry['type']) => IDENTIFIERS[type].label },
  {
    title: '标识',
    dataIndex: 'value',
    // Wide enough for an MD5 in one line; a SHA256 needs a wide screen.
    width: '36%',
    render: (value: string) => <span className={text.anywhere}>{value}</span>,
  },
  {
    title: '备注',
    dataIndex: 'note',
    ellipsis: true,
    render: (note: string) =>
      note && (
        <WholeOnHover text={note}>
          <span className={text.cut}>{note}</span>
        </WholeOnHover>
      ),
  },
  { title: '加入时间', dataIndex: 'added_at', width: 170, render: formatTime },
  {
    title: '操作',
    key: 'action',
    width: 70,
    render: (_, entry) => <RowAction onClick={() => onRemove(entry)}>移出</RowAction>,
  },
]

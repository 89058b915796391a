import { useQuery } from '@tanstack/react-query'
import { Alert, Descriptions, Drawer, Flex, Skeleton, Table, type TableColumnsType } from 'antd'
import type { DataOf } from '#contract/endpoint.ts'
import {
  type AccountReceipt,
  FORGET_STATUS,
  FORGET_STORES,
  getForgetting,
  REMOVAL_STATUS,
  type StoreReceipt,
} from '#contract/forgetting.ts'
import { platformInfo } from '#contract/platform.ts'
import { CopyIcon } from '../../components/CopyIcon.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import { StatusDot } from '../../components/StatusDot.tsx'
import text from '../../components/text.module.css'
import { OutcomeActions } from '../../domain/outcome/OutcomeActions.tsx'
import { formatCount, formatTime, NONE } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'
import { FORGET_TONES, isUnderWay, REMOVAL_TONES, removalHint } from './receipt-words.ts'

const POLL_MS = 2000

const STORES: TableColumnsType<StoreReceipt> = [
  { title: '本系统中的数据', dataIndex: 'store', render: (store: StoreReceipt['store']) => FORGET_STORES[store] },
  {
    title: '移除',
    dataIndex: 'found',
    align: 'right',
    width: 88,
    render: (found: number, { store }) => (store === 'memory' || store === 'uploads' ? NONE : formatCount(found)),
  },
  {
    title: '状态',
    dataIndex: 'status',
    width: 300,
    render: (status: StoreReceipt['status'], { store, at }) =>
      status === 'done' ? (
        <StatusDot tone="done">已核对，{formatTime(at)}</StatusDot>
      ) : (
        <>
          <StatusDot tone="waiting">等待中</StatusDot>
          {store === 'uploads' && <div className={text.small}>读取时拒绝这个人，读完即删；没有使用的一天后清除</div>}
        </>
      ),
  },
]

const PLATFORMS: TableColumnsType<AccountReceipt> = [
  {
    title: '平台账户',
    dataIndex: 'account_name',
    render: (name: string, { platform, external_id }) => (
      <>
        {name}
        <div className={text.small}>
          {platformInfo(platform).name} {external_id}
        </div>
      </>
    ),
  },
  { title: '人群', dataIndex: 'crowd_name', ellipsis: true },
  { title: '标识', dataIndex: 'count', align: 'right', width: 72, render: formatCount },
  {
    title: '状态',
    dataIndex: 'status',
    width: 300,
    render: (status: AccountReceipt['status'], row) => (
      <>
        <StatusDot tone={REMOVAL_TONES[status]}>
          {REMOVAL_STATUS[status]}
          {row.at !== null && `，${formatTime(row.at)}`}
        </StatusDot>
        {removalHint(row) !== null && <div className={text.small}>{removalHint(row)}</div>}
        <OutcomeActions outcomes={[row.reason_outcome]} />
      </>
    ),
  },
]

/** What was removed of a person, and where: one line for each store and for each audience. */
export function ReceiptDrawer({ id, onClose }: { id: number | null; onClose: () => void }) {
  const receipt = useQuery({
    ...queryOf(getForgetting, { params: { id: id ?? 0 } }),
    meta: { inPlace: true },
    enabled: id !== null,
    refetchInterval: (query) => (query.state.data && isUnderWay(query.state.data) ? POLL_MS : false),
  })
  return (
    <Drawer open={id !== null} size={800} title="删除回执" onClose={onClose} destroyOnHidden>
      {receipt.data ? (
        <Receipt receipt={receipt.data} />
      ) : receipt.error ? (
        <LoadError error={receipt.error} onRetry={receipt.refetch} title="删除回执加载失败" />
      ) : (
        <Skeleton active paragraph={{ rows: 8 }} />
      )}
    </Drawer>
  )
}

const Receipt = ({ receipt }: { receipt: DataOf<typeof getForgetting> }) => (
  <Flex vertical gap={20}>
    {receipt.error && <Alert type="error" showIcon title="还没有删除完" description={receipt.error} />}
    <Descriptions
      column={2}
      items={[
        {
          key: 'person',
          label: '用户编号',
          children:
            receipt.person === null ? (
              NONE
            ) : (
              <>
                {receipt.person} <CopyIcon text={String(receipt.person)} what="用户编号" />
              </>
            ),
        },
        {
          key: 'status',
          label: '状态',
          children: <StatusDot tone={FORGET_TONES[receipt.status]}>{FORGET_STATUS[receipt.status]}</StatusDot>,
        },
        { key: 'asked', label: '删除人', children: `${receipt.asked_by}，${formatTime(receipt.asked_at)}` },
        { key: 'finished', label: '移除完毕', children: formatTime(receipt.finished_at) },
        ...(receipt.replays > 0
          ? [{ key: 'replays', label: '恢复备份后再次移除', children: `${receipt.replays} 次` }]
          : []),
      ]}
    />
    <Table size="small" rowKey="store" columns={STORES} dataSource={receipt.stores} pagination={false} />
    <Table
      size="small"
      rowKey="id"
      columns={PLATFORMS}
      dataSource={receipt.platforms}
      pagination={false}
      locale={{ emptyText: <EmptyState title="没有推送过这个人" hint="没有平台人群需要移除。" /> }}
    />
    <div className={text.hint}>
      平台已受理表示平台收下了移除请求，何时生效由平台决定；巨量引擎每 24
      小时发布一次。要移除的标识加密保存，平台处理完即清除，最多 30 天。
    </div>
  </Flex>
)

import { useQuery } from '@tanstack/react-query'
import { Card, Flex, Segmented, Select, Skeleton, Table, type TableColumnsType, Tooltip } from 'antd'
import { useState } from 'react'
import type { z } from 'zod'
import type { DataOf } from '#contract/endpoint.ts'
import {
  LATELY_SECONDS,
  type LatelyMessage,
  type LatelyRefusal,
  listLately,
  listWriteKeys,
} from '#contract/tracking.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { afterPage, useAfterPage } from '../../components/later.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { StatusDot } from '../../components/StatusDot.tsx'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { Sentence } from '../../domain/outcome/Sentence.tsx'
import { formatCount, formatTime } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'
import styles from './tracking.module.css'

type Message = z.infer<typeof LatelyMessage>
type Refusal = z.infer<typeof LatelyRefusal>

const POLL_MS = 5_000
const SHOWN = 50
const CHART = afterPage(() => import('../../components/TotalsChart.tsx'))
const MINUTES = LATELY_SECONDS / 60
const VIEWS = { messages: '收到的', refusals: '拒绝的' } as const
type View = keyof typeof VIEWS

/** What arrived in the last minutes, and what was refused with its reason; kept up to date. */
export function LatelyCard({ advId }: { advId: number }) {
  const [view, setView] = useState<View>('messages')
  const [keyId, setKeyId] = useState<number | null>(null)
  const keys = useQuery({ ...queryOf(listWriteKeys, { query: { adv_id: advId } }), meta: { silent: 'optional' } })
  const lately = useQuery({
    ...queryOf(listLately, { query: { adv_id: advId, most: SHOWN, ...(keyId !== null && { key_id: keyId }) } }),
    refetchInterval: POLL_MS,
    meta: { inPlace: true },
  })
  const nameOf = (id: number | null) =>
    id === null ? '--' : (keys.data?.list.find((key) => key.id === id)?.name ?? `已撤销的密钥 ${id}`)
  return (
    <Card
      title="最近收到"
      className={styles.card ?? ''}
      extra={
        (keys.data?.list.length ?? 0) > 1 && (
          <Select
            aria-label="写入密钥"
            value={keyId}
            onChange={setKeyId}
            popupMatchSelectWidth={false}
            options={[
              { value: null, label: '全部密钥' },
              ...(keys.data?.list ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )
      }
    >
      <QueryState query={lately} errorTitle="最近收到的消息加载失败">
        {(data) => (
          <>
            <Minutes minutes={data.minutes} />
            <Flex gap={12} align="center" wrap className={styles.view}>
              <Segmented<View>
                aria-label="收到的或拒绝的"
                value={view}
                onChange={setView}
                options={[
                  { value: 'messages', label: VIEWS.messages },
                  { value: 'refusals', label: `${VIEWS.refusals} ${data.refusals.length || ''}`.trim() },
                ]}
              />
              <span className={text.small}>每 5 秒更新，各显示最近 {SHOWN} 条</span>
            </Flex>
            {view === 'messages' ? (
              <Table<Message>
                rowKey={({ key_id, message_id, kind }) => `${key_id} ${kind} ${message_id}`}
                size="small"
                scroll={{ x: 860 }}
                pagination={false}
                dataSource={data.messages}
                locale={{
                  emptyText: (
                    <EmptyState
                      title={`最近 ${MINUTES} 分钟没有收到消息`}
                      hint="把接入代码放进网页或服务端，事件会在几秒内出现在这里。"
                    />
                  ),
                }}
                columns={messageColumns(nameOf)}
              />
            ) : (
              <Table<Refusal>
                rowKey="id"
                size="small"
                tableLayout="fixed"
                scroll={{ x: 760 }}
                pagination={false}
                dataSource={data.refusals}
                locale={{ emptyText: <EmptyState title="没有被拒绝的消息" /> }}
                columns={refusalColumns(nameOf)}
              />
            )}
          </>
        )}
      </QueryState>
    </Card>
  )
}

const atMinute = (seconds: number) => formatTime(seconds).slice(11, 16)
const namedMinute = (at: string) => `${at} 起的一分钟`

function Minutes({ minutes }: { minutes: DataOf<typeof listLately>['minutes'] }) {
  const chart = useAfterPage(CHART)
  const total = minutes.reduce((sum, { messages }) => sum + messages, 0)
  if (total === 0) return null
  if (!chart)
    return <Skeleton active title={false} paragraph={{ rows: 3, width: '100%' }} className={styles.chart ?? ''} />
  return (
    <chart.TotalsChart
      columns={minutes.map(({ at, messages }) => ({ day: atMinute(at), total: messages }))}
      nameOf={namedMinute}
      unit="条"
      isLastUnfinished
      label={`最近 ${MINUTES} 分钟收到 ${formatCount(total)} 条消息`}
      className={styles.chart}
    />
  )
}

/** Whose message it is; an alias names both ids. */
const whose = ({ user_id, anonymous_id, previous_id }: Message) =>
  previous_id ? `${previous_id} → ${user_id}` : user_id || anonymous_id

const contentOf = ({ title, properties }: Message) =>
  [title, ...properties.map(({ name, text }) => `${name}：${text}`)].filter(Boolean).join('；')

const messageColumns = (nameOf: (id: number | null) => string): TableColumnsType<Message> => [
  {
    title: '收到',
    key: 'at',
    width: 170,
    render: (_, { received_at, happened_at }) => (
      <Tooltip title={`发生于 ${formatTime(happened_at)}`}>
        <span>{formatTime(received_at)}</span>
      </Tooltip>
    ),
  },
  { title: '类型', dataIndex: 'kind', width: 80 },
  {
    title: '用户',
    key: 'who',
    width: 170,
    render: (_, row) => (
      <>
        <WholeOnHover text={whose(row)}>
          <div className={text.cut}>{whose(row)}</div>
        </WholeOnHover>
        {!row.user_id && <span className={text.small}>匿名</span>}
      </>
    ),
  },
  {
    title: '事件',
    key: 'event',
    width: 140,
    render: (_, { event, display_name }) => (
      <WholeOnHover text={event === display_name ? event : `${display_name}（${event}）`}>
        <div className={text.cut}>{display_name || '--'}</div>
      </WholeOnHover>
    ),
  },
  {
    title: '内容',
    key: 'content',
    ellipsis: { showTitle: false },
    render: (_, row) => <WholeOnHover text={contentOf(row)} />,
  },
  {
    title: '密钥',
    dataIndex: 'key_id',
    width: 110,
    render: (id: number | null) => (
      <WholeOnHover text={nameOf(id)}>
        <div className={text.cut}>{nameOf(id)}</div>
      </WholeOnHover>
    ),
  },
  {
    title: '状态',
    dataIndex: 'is_counted',
    width: 84,
    render: (isCounted: boolean, { is_repeat }) =>
      is_repeat ? (
        <Tooltip title="这个消息 ID 用过不止一次：同一 ID 的事件只计一次，以先收到的为准">
          <span>
            <StatusDot tone="idle">重复</StatusDot>
          </span>
        </Tooltip>
      ) : (
        <StatusDot tone={isCounted ? 'done' : 'waiting'}>{isCounted ? '已计入' : '待计入'}</StatusDot>
      ),
  },
]

const refusalColumns = (nameOf: (id: number | null) => string): TableColumnsType<Refusal> => [
  { title: '时间', dataIndex: 'at', width: 170, render: formatTime },
  {
    title: '原因',
    key: 'reason',
    render: (_, { outcome, is_kept }) => (
      <>
        <div className={text.anywhere}>
          <Sentence outcome={outcome} />
        </div>
        {is_kept && <span className={text.small}>消息已接收，只有这一部分没有保存</span>}
      </>
    ),
  },
  {
    title: '消息',
    key: 'message',
    width: 220,
    render: (_, { kind, event, message_id }) => (
      <>
        <WholeOnHover text={[kind, event].filter(Boolean).join(' ')}>
          <div className={text.cut}>{[kind, event].filter(Boolean).join(' ') || '--'}</div>
        </WholeOnHover>
        {message_id && (
          <WholeOnHover text={message_id}>
            <div className={`${text.small} ${text.cut}`}>{message_id}</div>
          </WholeOnHover>
        )}
      </>
    ),
  },
  { title: '条数', dataIndex: 'times', width: 72, align: 'right', render: formatCount },
  {
    title: '密钥',
    dataIndex: 'key_id',
    width: 120,
    render: (id: number | null) => (
      <WholeOnHover text={nameOf(id)}>
        <div className={text.cut}>{nameOf(id)}</div>
      </WholeOnHover>
    ),
  },
]

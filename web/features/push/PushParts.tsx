import { useQuery } from '@tanstack/react-query'
import { Collapse, Flex, Table, Tooltip, Typography } from 'antd'
import type { z } from 'zod'
import { IDENTIFIERS } from '#contract/identifier.ts'
import { getPush, type PushPart } from '#contract/push.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { StatusDot, type Tone } from '../../components/StatusDot.tsx'
import text from '../../components/text.module.css'
import { formatCount, formatTime } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'
import styles from './push.module.css'

type Part = z.infer<typeof PushPart>
type Call = Part['samples'][number]

const POLL_MS = 2_000
const STATES: Record<Part['status'], { tone: Tone; words: string }> = {
  waiting: { tone: 'waiting', words: '等待中' },
  sent: { tone: 'running', words: '已发送' },
  done: { tone: 'done', words: '平台已处理' },
  failed: { tone: 'failed', words: '失败' },
}

/** The parts of one push, each with its calls to the platform and their answers. */
export function PushParts({ id, isUnderWay }: { id: number; isUnderWay: boolean }) {
  const push = useQuery({
    ...queryOf(getPush, { params: { id } }),
    meta: { inPlace: true },
    refetchInterval: isUnderWay ? POLL_MS : false,
  })
  return (
    <QueryState query={push} errorTitle="推送的各部分加载失败">
      {({ calls, parts }) => (
        <Flex vertical gap={8}>
          {calls.length > 0 && <Calls calls={calls} title="创建、查询与发布的请求" />}
          <Table<Part>
            rowKey="no"
            size="small"
            aria-label="各部分"
            pagination={parts.length > 10 ? { pageSize: 10, showSizeChanger: false } : false}
            dataSource={parts}
            locale={{
              emptyText: <EmptyState title="还没有发送任何部分" />,
              expand: '展开请求与应答',
              collapse: '收起',
            }}
            expandable={{
              columnTitle: <span className="visually-hidden">展开请求与应答</span>,
              rowExpandable: (part) => part.samples.length > 0,
              expandedRowRender: (part) => <Samples calls={part.samples} />,
            }}
            columns={[
              { title: '部分', dataIndex: 'no', width: 60 },
              {
                title: '变化',
                key: 'op',
                width: 150,
                render: (_, part) => `${part.op === 'add' ? '加入' : '移除'} ${IDENTIFIERS[part.type].label}`,
              },
              { title: '数量', dataIndex: 'count', width: 90, align: 'right', render: formatCount },
              {
                title: '平台接收',
                dataIndex: 'accepted',
                width: 90,
                align: 'right',
                render: (accepted: number | null, part) =>
                  accepted === null && part.status === 'done' ? (
                    <Tooltip title="平台只给出整个人群包接收的数量，见推送记录的「平台接收」">
                      <span>--</span>
                    </Tooltip>
                  ) : (
                    formatCount(accepted)
                  ),
              },
              {
                title: '状态',
                key: 'status',
                render: (_, part) => (
                  <>
                    <StatusDot tone={STATES[part.status].tone}>{STATES[part.status].words}</StatusDot>
                    {part.attempts > 1 && <div className={text.small}>第 {part.attempts} 次发送</div>}
                    {part.reason && <div className={text.problem}>{part.reason}</div>}
                  </>
                ),
              },
            ]}
          />
        </Flex>
      )}
    </QueryState>
  )
}

const Calls = ({ calls, title }: { calls: readonly Call[]; title: string }) => (
  <Collapse
    size="small"
    items={[
      {
        key: 'calls',
        label: `${title}（${calls.length}）`,
        children: <Samples calls={calls} />,
      },
    ]}
  />
)

// Samples are never reordered, and equal ones may occur within a second, so the index is the key.
const Samples = ({ calls }: { calls: readonly Call[] }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: as above.
  calls.map((call, i) => <Sample key={i} call={call} />)

const Sample = ({ call }: { call: Call }) => (
  <div className={styles.sample}>
    <Flex wrap gap="0 12px" align="baseline">
      <span>
        <Typography.Text code>{call.method}</Typography.Text> {call.path}
      </span>
      <span className={text.small}>{formatTime(call.at)}</span>
      <span className={text.small}>{call.status === null ? '没有应答' : `HTTP ${call.status}`}</span>
      <span className={text.small}>{formatCount(call.took_ms)} 毫秒</span>
    </Flex>
    <div className={styles.pair}>
      <figure>
        <figcaption>请求</figcaption>
        <pre>{call.request || '（空）'}</pre>
      </figure>
      <figure>
        <figcaption>应答</figcaption>
        <pre>{call.answer || '（空）'}</pre>
      </figure>
    </div>
  </div>
)

import { App, Space, Table, Tag } from 'antd'
import type { z } from 'zod'
import { endSession, listSessions, type Session as SessionSchema } from '#contract/viewer.ts'
import { AgoOrNever } from '../../components/AgoOrNever.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { WHOLE_LIST } from '../../components/table-parts.tsx'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { describeAgent } from '../../lib/agent.ts'
import { formatTime } from '../../lib/format.ts'
import { useAction } from '../../lib/query.ts'

type Session = z.infer<typeof SessionSchema>

export function SessionTable({ sessions }: { sessions: Session[] }) {
  const { message } = App.useApp()
  const end = useAction(endSession, [listSessions], { onSuccess: () => void message.success('已结束该登录') })
  return (
    <Table
      rowKey="id"
      scroll={{ x: 860 }}
      dataSource={sessions}
      pagination={WHOLE_LIST}
      columns={[
        {
          title: '设备',
          dataIndex: 'agent',
          ellipsis: true,
          render: (agent: string, session) => (
            <Space>
              <WholeOnHover text={agent}>
                <span>{describeAgent(agent)}</span>
              </WholeOnHover>
              {session.is_current && <Tag>当前</Tag>}
            </Space>
          ),
        },
        { title: '地址', dataIndex: 'address', width: 140 },
        { title: '登录时间', dataIndex: 'created_at', width: 175, render: formatTime },
        {
          title: '最近使用',
          dataIndex: 'last_seen',
          width: 120,
          render: (at: number) => <AgoOrNever at={at} />,
        },
        { title: '到期时间', dataIndex: 'expires_at', width: 175, render: formatTime },
        {
          title: '操作',
          key: 'action',
          width: 80,
          render: (_, session) =>
            session.is_current ? (
              '--'
            ) : (
              <RowAction
                danger
                loading={end.isPending && end.variables.params.id === session.id}
                onClick={() => end.mutate({ params: { id: session.id } })}
              >
                结束
              </RowAction>
            ),
        },
      ]}
    />
  )
}

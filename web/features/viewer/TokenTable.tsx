import { Table } from 'antd'
import type { z } from 'zod'
import { type ApiToken as ApiTokenSchema, deleteToken, listTokens } from '#contract/viewer.ts'
import { AgoOrNever } from '../../components/AgoOrNever.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { StatusDot } from '../../components/StatusDot.tsx'
import { WHOLE_LIST } from '../../components/table-parts.tsx'
import { useConfirm } from '../../components/use-confirm.ts'
import { formatTime } from '../../lib/format.ts'
import { useAction } from '../../lib/query.ts'

type ApiToken = z.infer<typeof ApiTokenSchema>

const isExpired = (token: ApiToken) => token.expires_at !== null && token.expires_at * 1000 < Date.now()

export function TokenTable({ tokens }: { tokens: ApiToken[] }) {
  const confirm = useConfirm()
  const remove = useAction(deleteToken, [listTokens])
  const askRemove = (token: ApiToken) =>
    confirm({
      title: `撤销令牌「${token.name}」？`,
      content: '撤销后，使用此令牌的程序立即无法访问，且不能恢复。',
      okText: '撤销',
      isDanger: true,
      onOk: () => remove.mutateAsync({ params: { id: token.id } }),
    })
  return (
    <Table
      rowKey="id"
      scroll={{ x: 860 }}
      dataSource={tokens}
      pagination={WHOLE_LIST}
      locale={{ emptyText: <EmptyState title="还没有接口令牌" hint="程序以令牌代替登录来调用接口，权限与您相同。" /> }}
      columns={[
        { title: '名称', dataIndex: 'name', ellipsis: true },
        { title: '令牌', dataIndex: 'tail', width: 140, render: (tail: string) => `…${tail}` },
        { title: '创建时间', dataIndex: 'created_at', width: 175, render: formatTime },
        {
          title: '最近使用',
          dataIndex: 'last_used',
          width: 120,
          render: (at: number | null) => <AgoOrNever at={at} />,
        },
        {
          title: '到期时间',
          dataIndex: 'expires_at',
          width: 175,
          render: (at: number | null, token) =>
            isExpired(token) ? <StatusDot tone="idle">已过期</StatusDot> : at ? formatTime(at) : '永不过期',
        },
        {
          title: '操作',
          key: 'action',
          width: 80,
          render: (_, token) => (
            <RowAction danger onClick={() => askRemove(token)}>
              撤销
            </RowAction>
          ),
        },
      ]}
    />
  )
}

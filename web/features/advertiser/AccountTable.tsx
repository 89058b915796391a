import { Space, Table, Tag, Typography } from 'antd'
import { type PlatformAccount, SCOPE_ALL, SCOPE_AUDIENCE } from '#contract/advertiser.ts'
import { CopyIcon } from '../../components/CopyIcon.tsx'
import { PlatformMark } from '../../components/PlatformMark.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { StatusDot, type Tone } from '../../components/StatusDot.tsx'
import { formatTime } from '../../lib/format.ts'

const STATES: Record<PlatformAccount['state'], { tone: Tone; name: string }> = {
  authorised: { tone: 'done', name: '已授权' },
  invalid: { tone: 'failed', name: '需重新授权' },
  expired: { tone: 'failed', name: '已到期' },
  revoked: { tone: 'idle', name: '已撤销' },
  none: { tone: 'idle', name: '未授权' },
}

const SCOPES: Record<string, string> = {
  [SCOPE_ALL]: '全部权限',
  [SCOPE_AUDIENCE]: '人群管理',
  ads_management: '广告投放',
  ads_insights: '数据洞察',
  account_management: '账户服务',
  user_actions: '用户行为数据',
}

/** The platform accounts of one advertiser and how far each is authorised. */
export function AccountTable({ accounts }: { accounts: PlatformAccount[] }) {
  if (accounts.length === 0)
    return (
      <Typography.Text type="secondary" style={{ paddingInlineStart: 8 }}>
        还没有平台账户。授权平台账户后，人群才能推送到广告平台。
      </Typography.Text>
    )
  return (
    <Table
      rowKey="id"
      size="small"
      pagination={false}
      dataSource={accounts}
      columns={[
        {
          title: '平台',
          dataIndex: 'platform',
          width: 130,
          render: (platform: PlatformAccount['platform']) => <PlatformMark platform={platform} withName />,
        },
        {
          title: '账户',
          dataIndex: 'name',
          ellipsis: true,
          render: (name: string, { external_id }) => (
            <>
              <Typography.Text ellipsis={{ tooltip: name }}>{name}</Typography.Text>
              <div>
                <Typography.Text type="secondary">ID {external_id}</Typography.Text>
                <CopyIcon text={external_id} what="账户 ID" />
              </div>
            </>
          ),
        },
        {
          title: '授权状态',
          dataIndex: 'state',
          width: 100,
          render: (state: PlatformAccount['state']) => (
            <StatusDot tone={STATES[state].tone}>{STATES[state].name}</StatusDot>
          ),
        },
        {
          title: '权限范围',
          dataIndex: 'scope_list',
          width: 180,
          render: (scopes: string[]) =>
            scopes.length ? (
              <Space size={4} wrap>
                {scopes.map((scope) => (
                  <Tag key={scope} title={scope} style={{ margin: 0 }}>
                    {SCOPES[scope] ?? scope}
                  </Tag>
                ))}
              </Space>
            ) : (
              <Typography.Text type="secondary">无</Typography.Text>
            ),
        },
        { title: '授权到期', dataIndex: 'expires_at', width: 170, render: formatTime },
        {
          title: '操作',
          key: 'action',
          width: 100,
          render: (_, account) => (
            <RowAction refusal="平台授权尚未开放，将在后续版本提供">
              {account.state === 'none' ? '授权' : '重新授权'}
            </RowAction>
          ),
        },
      ]}
    />
  )
}

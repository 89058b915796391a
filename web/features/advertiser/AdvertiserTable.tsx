import { Badge, Flex, Table, Tag, Typography } from 'antd'
import type { z } from 'zod'
import type { AdvertiserDetail } from '#contract/advertiser.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LargeNumber } from '../../components/LargeNumber.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { WHOLE_LIST } from '../../components/table-parts.tsx'
import { PlatformMark } from '../../domain/platform/PlatformMark.tsx'
import { formatTime } from '../../lib/format.ts'
import { AccountTable } from './AccountTable.tsx'
import { concernOf } from './account-words.ts'
import styles from './advertiser.module.css'
import { useAdvertiser } from './advertiser-context.tsx'
import type { Authorising } from './use-authorise.tsx'

type Row = z.infer<typeof AdvertiserDetail>

/** Up to this many advertisers are all expanded; otherwise only the current one. */
const UNFOLDED_MAX = 5

interface Props {
  advertisers: Row[]
  keyword: string
  /** The viewer may create and rename advertisers. */
  mayManage: boolean
  onRename: (advertiser: Row) => void
  authorising: Authorising
  /** The advertiser and account that a link opened. */
  shown: { adv_id: number; account_id: number | null } | null
  now: number
}

export function AdvertiserTable({ advertisers, keyword, mayManage, onRename, authorising, shown, now }: Props) {
  const { advId } = useAdvertiser()
  const first = shown?.adv_id ?? advId
  const wanted = keyword.trim().toLowerCase()
  const rows = advertisers.filter((row) => row.name.toLowerCase().includes(wanted))
  const at = Math.max(
    0,
    rows.findIndex((row) => row.id === first),
  )
  return (
    <Table
      rowKey="id"
      scroll={{ x: 900 }}
      dataSource={rows}
      pagination={{ ...WHOLE_LIST, defaultCurrent: Math.floor(at / WHOLE_LIST.pageSize) + 1 }}
      expandable={{
        columnTitle: <span className="visually-hidden">展开平台账户</span>,
        expandedRowRender: (row) => (
          <AccountTable
            adv_id={row.id}
            accounts={row.accounts}
            authorising={authorising}
            shown={row.id === shown?.adv_id ? shown.account_id : null}
            now={now}
          />
        ),
        defaultExpandedRowKeys:
          advertisers.length <= UNFOLDED_MAX ? advertisers.map((row) => row.id) : first === undefined ? [] : [first],
      }}
      locale={{
        emptyText: wanted ? (
          <EmptyState title={`没有名称包含「${keyword.trim()}」的广告主`} />
        ) : (
          <EmptyState
            title="还没有广告主"
            hint={mayManage ? '新建广告主后，即可为其接入数据' : '请联系管理员为您分配广告主'}
          />
        ),
      }}
      columns={[
        {
          title: '广告主',
          dataIndex: 'name',
          ellipsis: true,
          render: (name: string, row) => (
            <Flex align="center" gap={8}>
              <Typography.Text strong ellipsis={{ tooltip: name }}>
                {name}
              </Typography.Text>
              {row.is_demo && <Tag className={styles.demo}>示例数据</Tag>}
            </Flex>
          ),
        },
        { title: 'ID', dataIndex: 'id', width: 90 },
        {
          title: '用户数',
          dataIndex: 'people',
          width: 130,
          align: 'right',
          render: (people: number) => <LargeNumber value={people} title="人" />,
        },
        {
          title: '平台账户',
          dataIndex: 'accounts',
          width: 160,
          render: (accounts: Row['accounts']) =>
            accounts.length ? (
              <Flex gap={10}>
                {[...new Set(accounts.map((account) => account.platform))].map((platform) => (
                  <Badge
                    key={platform}
                    dot={accounts.some((one) => one.platform === platform && concernOf(one, now) !== null)}
                    title="有授权需要处理"
                  >
                    <PlatformMark platform={platform} />
                  </Badge>
                ))}
              </Flex>
            ) : (
              <Typography.Text type="secondary">无</Typography.Text>
            ),
        },
        { title: '创建时间', dataIndex: 'created_at', width: 190, render: formatTime },
        ...(mayManage
          ? [
              {
                title: '操作',
                key: 'action',
                width: 100,
                render: (_: unknown, row: Row) => <RowAction onClick={() => onRename(row)}>重命名</RowAction>,
              },
            ]
          : []),
      ]}
    />
  )
}

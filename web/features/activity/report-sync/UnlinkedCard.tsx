import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Card, Flex, Table, type TableColumnsType, Tag } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { metricWords } from '#contract/activity/metric-words.ts'
import { listUnlinkedPlans, type UnlinkedPlan } from '#contract/report.ts'
import { CopyIcon } from '../../../components/CopyIcon.tsx'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { QueryState } from '../../../components/QueryState.tsx'
import { RowAction } from '../../../components/RowAction.tsx'
import { pageChange, paginationOf } from '../../../components/table-parts.tsx'
import text from '../../../components/text.module.css'
import { PlatformMark } from '../../../domain/platform/PlatformMark.tsx'
import { formatCount } from '../../../lib/format.ts'
import { idIn } from '../../../lib/id-in.ts'
import { queryOf } from '../../../lib/query.ts'
import { readPage, writePage } from '../../../lib/url-page.ts'
import { withParams } from '../../../lib/with-params.ts'
import { LinkDialog } from './LinkDialog.tsx'
import { linkRefusal, UNLINKED_OF } from './unlinked-words.ts'

const PREFIX = 'unlinked_'

/** The plans that reports have numbers of and no activity shows, each with a way into an activity. */
export function UnlinkedCard({ advId, seesCosts }: { advId: number; seesCosts: boolean }) {
  const [params, setParams] = useSearchParams()
  const [linking, setLinking] = useState<UnlinkedPlan | null>(null)
  const { page, page_size } = readPage(params, PREFIX)
  const import_id = idIn(params.get(UNLINKED_OF)) ?? undefined
  const plans = useQuery({
    ...queryOf(listUnlinkedPlans, { query: { adv_id: advId, page, page_size, import_id } }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  })
  return (
    <Card title="未关联的平台计划">
      <Flex vertical gap={12}>
        <span className={text.hint}>
          这些平台计划有报表（同步的或导入的），但没有关联到任何活动，所以它们的数据不在活动里显示。
          {import_id === undefined && `列出最近一年的，${seesCosts ? '花费多的' : '最近有数据的'}在前。`}
        </span>
        {import_id !== undefined && (
          <Alert
            type="info"
            showIcon
            title="只列出一次导入的文件中有的平台计划"
            action={
              <RowAction
                onClick={() => setParams((now) => withParams(now, { [UNLINKED_OF]: null, [`${PREFIX}page`]: null }))}
              >
                查看全部
              </RowAction>
            }
          />
        )}
        <QueryState query={plans} errorTitle="未关联的平台计划加载失败">
          {({ list, total }) => (
            <Table<UnlinkedPlan>
              rowKey={({ account, plan, campaign }) => [account, plan, plan === '' && campaign].join('\n')}
              size="middle"
              aria-label="未关联的平台计划"
              columns={columnsOf(advId, setLinking)}
              dataSource={list}
              loading={plans.isPlaceholderData}
              scroll={{ x: 974 }}
              locale={{
                emptyText: <EmptyState title="没有未关联的平台计划" hint="有报表的平台计划都已关联到活动。" />,
              }}
              pagination={{
                ...paginationOf({ page, page_size }, total, '个'),
                onChange: (next, size) =>
                  setParams((now) => writePage(now, pageChange({ page, page_size }, next, size), PREFIX)),
              }}
            />
          )}
        </QueryState>
      </Flex>
      {linking && <LinkDialog advId={advId} plan={linking} onClose={() => setLinking(null)} />}
    </Card>
  )
}

const columnsOf = (advId: number, onLink: (plan: UnlinkedPlan) => void): TableColumnsType<UnlinkedPlan> => [
  {
    title: '平台计划 ID',
    key: 'plan',
    width: 190,
    render: (_, { plan }) =>
      plan === '' ? (
        <span className={text.secondary}>（报表没有写计划）</span>
      ) : (
        <Flex align="center" gap={2}>
          <span className={text.anywhere}>{plan}</span>
          <CopyIcon text={plan} what="平台计划 ID" />
        </Flex>
      ),
  },
  {
    title: '报表中的活动',
    key: 'campaign',
    width: 170,
    render: (_, { campaign }) => <span className={text.anywhere}>{campaign}</span>,
  },
  {
    title: '账户',
    key: 'account',
    width: 190,
    render: (_, { account, account_name, platform }) =>
      account_name !== null && platform !== null ? (
        <>
          <Flex align="center" gap={4}>
            <PlatformMark platform={platform} />
            <span className={text.anywhere}>{account_name}</span>
          </Flex>
          <div className={text.small}>{account}</div>
        </>
      ) : account === '' ? (
        <span className={text.secondary}>（报表没有写账户）</span>
      ) : (
        <>
          <div className={text.anywhere}>{account}</div>
          <Tag>没有授权的账户</Tag>
        </>
      ),
  },
  {
    title: '有数据的日期',
    key: 'days',
    width: 204,
    render: (_, { first_day, last_day, days }) => (
      <>
        <div className={text.nowrap}>{first_day === last_day ? first_day : `${first_day} 至 ${last_day}`}</div>
        <div className={text.small}>{formatCount(days)} 天</div>
      </>
    ),
  },
  {
    title: '花费',
    key: 'cost',
    width: 110,
    align: 'right',
    render: (_, { cost }) => metricWords('money', cost),
  },
  {
    title: '操作',
    key: 'action',
    width: 110,
    fixed: 'right',
    render: (_, plan) => (
      <RowAction changes={advId} refusal={linkRefusal(plan)} onClick={() => onLink(plan)}>
        关联到活动
      </RowAction>
    ),
  },
]

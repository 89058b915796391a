import { useQuery } from '@tanstack/react-query'
import { Card } from 'antd'
import { getReportSync } from '#contract/report.ts'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { LinkButton } from '../../../components/LinkButton.tsx'
import { QueryState } from '../../../components/QueryState.tsx'
import { paths } from '../../../lib/paths.ts'
import { queryOf } from '../../../lib/query.ts'
import { AccountStates } from './AccountStates.tsx'
import { SyncBar } from './SyncBar.tsx'

/** What was read of the platforms' reports lately, account by account, and why where it was refused. */
export function ReportsCard({ advId }: { advId: number }) {
  const state = useQuery({ ...queryOf(getReportSync, { query: { adv_id: advId } }), meta: { inPlace: true } })
  return (
    <Card title="平台报表" extra={state.data && <SyncBar of={{ adv_id: advId }} changes={advId} />}>
      <QueryState query={state} errorTitle="平台报表的状态加载失败">
        {({ list }) =>
          list.length === 0 ? (
            <EmptyState
              title="还没有要读取的报表"
              hint="活动关联平台计划后，计划所在账户的报表每天读取一次。"
              action={<LinkButton to={paths.activities()}>查看活动</LinkButton>}
            />
          ) : (
            <AccountStates accounts={list} />
          )
        }
      </QueryState>
    </Card>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Skeleton, Table, type TableColumnsType } from 'antd'
import { getCrowdSizes } from '#contract/crowd-profile.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { afterPage, useAfterPage } from '../../components/later.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { WHOLE_LIST } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { formatCount, formatTime } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'
import styles from './crowd-profile.module.css'
import { type ChangedSize, changeWords, withChanges } from './size-changes.ts'

const CHART = afterPage(() => import('./SizeChart.tsx'))

const COLUMNS: TableColumnsType<ChangedSize> = [
  { title: '数据截至', dataIndex: 'counted_at', width: 220, render: (at: number) => formatTime(at) },
  { title: '人数', dataIndex: 'count', width: 160, align: 'right', render: (count: number) => formatCount(count) },
  {
    title: '与上一次相比',
    dataIndex: 'change',
    align: 'right',
    render: (change: number | null) => changeWords(change),
  },
]

/** How many people a crowd had over time. */
export function CrowdSizes({ id }: { id: number }) {
  const chart = useAfterPage(CHART)
  const sizes = useQuery({ ...queryOf(getCrowdSizes, { params: { id } }), meta: { inPlace: true } })
  return (
    <QueryState query={sizes} errorTitle="人数变化加载失败">
      {({ sizes: found }) =>
        found.length === 0 ? (
          <EmptyState title="还没有计算过" hint="人群计算之后，这里是每一次的人数。" />
        ) : (
          <>
            <p className={text.hint}>每次计算的人数；七天以前每天只列最后一次。</p>
            {found.length > 1 &&
              (chart ? (
                <chart.SizeChart sizes={found} />
              ) : (
                <Skeleton active title={false} paragraph={{ rows: 5, width: '100%' }} className={styles.chart} />
              ))}
            <Table
              size="small"
              rowKey="no"
              className={styles.sizes}
              columns={COLUMNS}
              dataSource={withChanges(found).toReversed()}
              pagination={WHOLE_LIST}
            />
          </>
        )
      }
    </QueryState>
  )
}

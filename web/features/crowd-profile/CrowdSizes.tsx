import { useQuery } from '@tanstack/react-query'
import { Skeleton, Table, type TableColumnsType } from 'antd'
import { getCrowdSizes } from '#contract/crowd-profile.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { afterPage, useAfterPage } from '../../components/later.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import { WHOLE_LIST } from '../../components/table-parts.tsx'
import text from '../../components/text.module.css'
import { formatCount, formatTime, NONE } from '../../lib/format.ts'
import { queryOf } from '../../lib/query.ts'
import styles from './crowd-profile.module.css'
import { type ChangedSize, changeWords, comparedOf, type Size, withChanges } from './size-changes.ts'
import { type Compared, VersionChanges } from './VersionChanges.tsx'

const CHART = afterPage(() => import('./SizeChart.tsx'))

interface Props {
  id: number
  /** The versions that the address names. */
  compared: Partial<Compared>
  onCompare: (compared: Compared) => void
}

const columns = (onCompare: Props['onCompare']): TableColumnsType<ChangedSize> => [
  { title: '数据截至', dataIndex: 'counted_at', width: 220, render: (at: number) => formatTime(at) },
  { title: '人数', dataIndex: 'count', width: 160, align: 'right', render: (count: number) => formatCount(count) },
  {
    title: '与上一次相比',
    dataIndex: 'change',
    align: 'right',
    render: (change: number | null) => changeWords(change),
  },
  {
    title: '进入与离开',
    key: 'changes',
    width: 150,
    align: 'right',
    render: (_, { version, before, has_members }) => {
      if (before === null) return NONE
      if (!has_members || !before.has_members) return <span className={text.secondary}>已清理</span>
      return <RowAction onClick={() => onCompare({ from: before.version, to: version })}>查看</RowAction>
    },
  },
]

/** How many people a crowd had over time, and who entered and left between two versions. */
export function CrowdSizes({ id, compared, onCompare }: Props) {
  const chart = useAfterPage(CHART)
  const sizes = useQuery({ ...queryOf(getCrowdSizes, { params: { id } }), meta: { inPlace: true } })
  const several = (found: readonly Size[]) => (
    <>
      {chart ? (
        <chart.SizeChart sizes={found} />
      ) : (
        <Skeleton active title={false} paragraph={{ rows: 5, width: '100%' }} className={styles.chart} />
      )}
      <VersionChanges id={id} sizes={found} compared={comparedOf(found, compared)} onCompare={onCompare} />
    </>
  )
  return (
    <QueryState query={sizes} errorTitle="人数变化加载失败">
      {({ sizes: found }) =>
        found.length === 0 ? (
          <EmptyState title="还没有计算过" hint="人群计算之后，这里是每一次的人数。" />
        ) : (
          <>
            <p className={text.hint}>
              每次计算的人数；七天以前每天只列最后一次。进入与离开可以比较最近 48 次，更早的每天最后一次，最多 90 天。
            </p>
            {found.length > 1 && several(found)}
            <Table
              size="small"
              rowKey="version"
              className={styles.sizes}
              columns={columns(onCompare)}
              dataSource={withChanges(found).toReversed()}
              pagination={WHOLE_LIST}
            />
          </>
        )
      }
    </QueryState>
  )
}

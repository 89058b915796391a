import { useQuery } from '@tanstack/react-query'
import { Drawer, Flex, Select, Table } from 'antd'
import { useMemo, useState } from 'react'
import { isMeasured } from '#contract/activity/columns.ts'
import { metricWords } from '#contract/activity/metric-words.ts'
import type { MetricKey } from '#contract/activity/metrics.ts'
import type { Column } from '#contract/activity-columns.ts'
import { compareActivities } from '#contract/activity-list.ts'
import type { DataOf } from '#contract/endpoint.ts'
import { later } from '../../components/later.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import text from '../../components/text.module.css'
import { daysOfSeconds } from '../../lib/days.ts'
import { queryOf } from '../../lib/query.ts'
import styles from './activity.module.css'
import { ColumnTitle } from './ColumnTitle.tsx'
import { columnWords, isValueFormat, type ValueFormat } from './MetricValue.tsx'
import { metricIn } from './metric-in.ts'
import { useKeyboardScroll } from './use-keyboard-scroll.ts'

const MetricChart = later(
  () => import('./MetricChart.tsx').then((file) => file.MetricChart),
  <div className={styles.chart} />,
)

/** `2026-11-01 至 2026-11-30`. */
const daysText = (timeRange: string): string => {
  const [from = 0, to = 0] = timeRange.split(',').map(Number)
  return daysOfSeconds([from, to])
    .map((day) => day.format('YYYY-MM-DD'))
    .join(' 至 ')
}

type Compared = DataOf<typeof compareActivities>['list'][number]
type ValueColumn = Column & { format: ValueFormat }
const isValueColumn = (column: Column): column is ValueColumn => isValueFormat(column.format)

interface Props {
  ids: readonly number[]
  timeRange: string
  columns: readonly Column[]
  chosen: readonly MetricKey[]
  onClose: () => void
}

/** Activities beside each other: one metric as a chart, all chosen columns as a table. */
export function CompareDrawer({ ids, timeRange, columns, chosen, onClose }: Props) {
  const compared = useQuery({
    ...queryOf(compareActivities, { query: { id: ids.join(','), time_range: timeRange } as never }),
    meta: { inPlace: true },
  })
  return (
    <Drawer open size={1080} title={`对比数据（${ids.length} 个活动）`} onClose={onClose}>
      <QueryState query={compared} errorTitle="对比数据加载失败">
        {({ list }) => <Comparison list={list} columns={columns} chosen={chosen} timeRange={timeRange} />}
      </QueryState>
    </Drawer>
  )
}

function Comparison(props: { list: readonly Compared[] } & Pick<Props, 'columns' | 'chosen' | 'timeRange'>) {
  const { list, columns, chosen, timeRange } = props
  const shown = useMemo(() => {
    const known = new Map<string, Column>(columns.map((column) => [column.key, column]))
    return chosen.flatMap((key) => known.get(key) ?? []).filter(isValueColumn)
  }, [columns, chosen])
  const drawable = shown.filter(({ key }) => isMeasured(key))
  const [picked, setPicked] = useState<string>(
    () => (drawable.find(({ key }) => list.some((row) => metricIn(row, key) !== null)) ?? drawable[0])?.key ?? '',
  )
  const metric = shown.find(({ key }) => key === picked)
  const frame = useKeyboardScroll()
  const names = useMemo(() => list.map(({ name }) => name), [list])
  const metrics = useMemo(
    () =>
      metric
        ? [{ label: metric.label, format: metric.format, values: list.map((row) => metricIn(row, metric.key)) }]
        : [],
    [list, metric],
  )
  return (
    <Flex vertical gap={16}>
      <Flex gap={8} align="center">
        <span className={text.secondary}>指标</span>
        <Select
          aria-label="图表的指标"
          className={styles.metric}
          showSearch={{ optionFilterProp: 'label' }}
          value={picked}
          onChange={setPicked}
          options={drawable.map(({ key, label }) => ({ value: key, label }))}
        />
        <span className={text.secondary}>数据日期 {daysText(timeRange)}</span>
      </Flex>
      <MetricChart
        kind="bar"
        names={names}
        metrics={metrics}
        label={`${metric?.label ?? ''}：${list
          .map((row) => `${row.name} ${metric ? metricWords(metric.format, metricIn(row, metric.key)) : ''}`)
          .join('，')}`}
        className={styles.chart}
      />
      <div ref={frame}>
        <Table<ValueColumn>
          size="small"
          aria-label="对比数据"
          rowKey="key"
          pagination={false}
          dataSource={shown}
          scroll={{ x: 160 + list.length * 140 }}
          columns={[
            {
              title: '指标',
              key: 'metric',
              width: 160,
              fixed: 'left',
              render: (_: unknown, column) => <ColumnTitle column={column} />,
            },
            ...list.map((row) => ({
              title: (
                // Names that begin alike are told apart by their end.
                <>
                  <div className={text.anywhere}>{row.name}</div>
                  <div className={text.small}>ID {row.id}</div>
                </>
              ),
              key: row.id,
              width: 140,
              align: 'right' as const,
              render: (_: unknown, column: ValueColumn) => columnWords(column, row),
            })),
          ]}
        />
      </div>
    </Flex>
  )
}

import { Table, type TableColumnsType } from 'antd'
import type { RefObject } from 'react'
import type { Column } from '#contract/activity-columns.ts'
import type { MetricValues } from '#contract/activity-metrics.ts'
import type { ReportMark } from '#contract/report.ts'
import styles from './activity.module.css'
import { ColumnTitle } from './ColumnTitle.tsx'
import type { DrawnPart } from './column-window.ts'
import { gapColumn } from './gap-column.ts'
import { MetricValue, type ValueFormat } from './MetricValue.tsx'
import { metricIn } from './metric-in.ts'
import { DayMarkTags } from './report-sync/MarkTags.tsx'
import { useColumnsInSight } from './use-columns-in-sight.ts'

export type ValueColumn = Column & { format: ValueFormat }
export type Day = { date: string } & MetricValues

const DATE_WIDTH = 120
/** More days come in pages. */
const PAGE_DAYS = 31

/** The days of a report with their sums; of many columns those in sight are drawn. */
export function DayTable(props: {
  /** Holds the table. */
  frame: RefObject<HTMLDivElement | null>
  newest: readonly Day[]
  sums: MetricValues
  columns: readonly ValueColumn[]
  marks: ReadonlyMap<string, readonly ReportMark[]>
  days: readonly string[]
  onPoint: (at: number | null) => void
}) {
  const { frame, newest, sums, columns, marks, days, onPoint } = props
  const { parts, table } = useColumnsInSight(frame, columns, DATE_WIDTH)
  return (
    <Table<Day>
      ref={table}
      size="small"
      aria-label="分日数据"
      aria-colcount={columns.length + 1}
      rowKey="date"
      dataSource={newest}
      pagination={newest.length > PAGE_DAYS ? { pageSize: PAGE_DAYS, showSizeChanger: false } : false}
      scroll={{ x: DATE_WIDTH + columns.reduce((sum, { width }) => sum + width, 0) }}
      columns={[dateColumn(marks), ...parts.map(partColumn)]}
      onRow={({ date }) => ({
        onMouseEnter: () => onPoint(days.indexOf(date)),
        onMouseLeave: () => onPoint(null),
      })}
      summary={() => (
        <Table.Summary fixed>
          <Table.Summary.Row className={styles.sums}>
            <Table.Summary.Cell index={0}>合计</Table.Summary.Cell>
            {parts.map((part, at) => (
              <Table.Summary.Cell key={'gap' in part ? `gap-${part.at}` : part.column.key} index={at + 1} align="right">
                {'column' in part && (
                  <MetricValue format={part.column.format} value={metricIn(sums, part.column.key)} />
                )}
              </Table.Summary.Cell>
            ))}
          </Table.Summary.Row>
        </Table.Summary>
      )}
    />
  )
}

type DayColumn = TableColumnsType<Day>[number]

const dateColumn = (marks: ReadonlyMap<string, readonly ReportMark[]>): DayColumn => ({
  title: '日期',
  dataIndex: 'date',
  width: DATE_WIDTH,
  fixed: 'left',
  onHeaderCell: () => ({ 'aria-colindex': 1 }),
  render: (date: string) => (
    <>
      {date}
      {marks.has(date) && <DayMarkTags marks={marks.get(date) ?? []} />}
    </>
  ),
})

const partColumn = (part: DrawnPart<ValueColumn>): DayColumn =>
  'gap' in part
    ? gapColumn(part)
    : {
        title: <ColumnTitle column={part.column} />,
        key: part.column.key,
        width: part.column.width,
        align: 'right',
        onHeaderCell: () => ({ 'aria-colindex': part.at + 2 }),
        render: (_: unknown, day: Day) => (
          <MetricValue format={part.column.format} value={metricIn(day, part.column.key)} />
        ),
      }

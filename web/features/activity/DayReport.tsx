import { DownloadOutlined, LinkOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Card, Flex, Select } from 'antd'
import { type RefObject, useEffect, useMemo, useState } from 'react'
import { isMeasured } from '#contract/activity/columns.ts'
import { metricWords } from '#contract/activity/metric-words.ts'
import { type Column, getColumns } from '#contract/activity-columns.ts'
import { DAY_REPORT_EXPORT_PATH } from '#contract/activity-export.ts'
import type { MetricValues } from '#contract/activity-metrics.ts'
import { getDayReport } from '#contract/day-report.ts'
import { listDayMarks, type ReportMark } from '#contract/report.ts'
import { DateRange } from '../../components/DateRange.tsx'
import { later } from '../../components/later.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { RowAction } from '../../components/RowAction.tsx'
import text from '../../components/text.module.css'
import { queryOf } from '../../lib/query.ts'
import { writeSpan } from '../../lib/span.ts'
import styles from './activity.module.css'
import { ASKED_FIRST } from './asked-control.ts'
import { type Day, DayTable, type ValueColumn } from './DayTable.tsx'
import { isValueFormat } from './MetricValue.tsx'
import { metricIn } from './metric-in.ts'
import { SyncBar } from './report-sync/SyncBar.tsx'
import { isTooLong } from './shown-span.ts'
import { TooManyDays } from './TooManyDays.tsx'
import { useKeyboardScroll } from './use-keyboard-scroll.ts'

const MetricChart = later(
  () => import('./MetricChart.tsx').then((file) => file.MetricChart),
  <div className={styles.chart} />,
)

const LinksDialog = later(() => import('./LinksDialog.tsx').then((file) => file.LinksDialog))
const ControlPanel = later(() => import('./ControlPanel.tsx').then((file) => file.ControlPanel))
const ExportDialog = later(() => import('./ExportDialog.tsx').then((file) => file.ExportDialog))

const NO_MARKS: readonly ReportMark[] = []
/** The chart shows one or two metrics. */
const METRICS_MAX = 2

const isShown = (column: Column): column is ValueColumn => isValueFormat(column.format) && isMeasured(column.key)
/** The chosen columns that a day has, in their order. */
export function shownOf({ columns, chosen }: { columns: readonly Column[]; chosen: readonly string[] }): ValueColumn[] {
  const known = new Map<string, Column>(columns.map((column) => [column.key, column]))
  return chosen.flatMap((key) => known.get(key) ?? []).filter(isShown)
}

interface Props {
  id: number
  /** Whose activity it is; null while that is not known. */
  advId: number | null
  span: [number, number]
  onSpan: (span: [number, number] | null) => void
}

/** What an activity did day by day: a chart, and the list's columns as a table. */
export function DayReport({ id, advId, span, onSpan }: Props) {
  const [isExporting, setIsExporting] = useState(false)
  const [isSharing, setIsSharing] = useState(false)
  const [control, setControl] = useState(ASKED_FIRST)
  const isLong = isTooLong(span)
  const columns = useQuery({ ...queryOf(getColumns), meta: { inPlace: true } })
  const report = useQuery({
    ...queryOf(getDayReport, { query: { campaign_id: id, time_range: writeSpan(span) } as never }),
    meta: { inPlace: true },
    enabled: !isLong,
  })
  const marks = useQuery({
    ...queryOf(listDayMarks, { query: { campaign_id: id, time_range: writeSpan(span) } as never }),
    meta: { silent: 'optional' },
    enabled: !isLong,
  })
  return (
    <Flex vertical gap={16}>
      <Flex gap={8} align="center" justify="space-between">
        <DateRange label="数据时间" value={span} onChange={onSpan} />
        <Flex gap={8} align="center">
          {marks.isError && (
            <span className={`${text.problem} ${text.nowrap}`}>
              数据标记加载失败 <RowAction onClick={() => void marks.refetch()}>重试</RowAction>
            </span>
          )}
          {advId !== null && <SyncBar of={{ campaign_id: id }} changes={advId} />}
          <Button icon={<LinkOutlined />} disabled={!report.data || advId === null} onClick={() => setIsSharing(true)}>
            分享
          </Button>
          <Button
            icon={<DownloadOutlined />}
            disabled={!columns.data || !report.data}
            onClick={() => setIsExporting(true)}
          >
            导出
          </Button>
        </Flex>
      </Flex>
      {isSharing && advId !== null && (
        <LinksDialog id={id} advId={advId} span={span} onClose={() => setIsSharing(false)} />
      )}
      {isExporting && columns.data && report.data && (
        <ExportDialog
          title="导出分日数据"
          path={DAY_REPORT_EXPORT_PATH}
          query={{ campaign_id: id, time_range: writeSpan(span), ...control }}
          size={{
            activities: 1,
            rows: report.data.list.length + 1,
            columns: {
              chosen: shownOf(columns.data).length,
              all: columns.data.columns.filter(isShown).length,
            },
          }}
          note="有对照组时，两组的对比附在其后（Excel 中是另一张表）。"
          onClose={() => setIsExporting(false)}
        />
      )}
      {isLong ? (
        <Card>
          <TooManyDays span={span} onSpan={onSpan} />
        </Card>
      ) : (
        <QueryState query={columns} errorTitle="列加载失败">
          {(offered) => {
            const shown = shownOf(offered)
            return (
              <QueryState query={report} errorTitle="分日数据加载失败">
                {(data) => (
                  <>
                    {data.local_plans > 0 && (
                      <Alert
                        type="info"
                        showIcon
                        title={`${data.plans} 个计划中有 ${data.local_plans} 个仅本地，没有平台数据；在编辑中填写平台计划 ID 后显示。`}
                      />
                    )}
                    <Report list={data.list} sums={data.sums} columns={shown} marks={marks.data?.list ?? NO_MARKS} />
                  </>
                )}
              </QueryState>
            )
          }}
        </QueryState>
      )}
      <ControlPanel id={id} asked={control} onAsked={setControl} />
    </Flex>
  )
}

/** Marks the row of the day that is pointed at in the chart. */
function usePointedRow(frame: RefObject<HTMLElement | null>, date: string | null) {
  useEffect(() => {
    const row = date === null ? null : frame.current?.querySelector(`tr[data-row-key="${date}"]`)
    row?.classList.add(styles.pointed as string)
    return () => row?.classList.remove(styles.pointed as string)
  }, [frame, date])
}

/** The chart and the table of a report. */
export function Report({
  list,
  sums,
  columns,
  marks = NO_MARKS,
}: {
  list: readonly Day[]
  sums: MetricValues
  columns: readonly ValueColumn[]
  marks?: readonly ReportMark[]
}) {
  const [picked, setPicked] = useState<readonly string[]>(() =>
    columns
      .toSorted((one, other) => Number(metricIn(sums, other.key) !== null) - Number(metricIn(sums, one.key) !== null))
      .slice(0, METRICS_MAX)
      .map(({ key }) => key),
  )
  const days = useMemo(() => list.map(({ date }) => date), [list])
  const metrics = useMemo(
    () =>
      picked.flatMap((key) => {
        const column = columns.find((one) => one.key === key)
        if (!column) return []
        return [{ label: column.label, format: column.format, values: list.map((day) => metricIn(day, key)) }]
      }),
    [picked, columns, list],
  )
  const newest = useMemo(() => list.toReversed(), [list])
  const ofDay = useMemo(() => Map.groupBy(marks, ({ date }) => date), [marks])
  const frame = useKeyboardScroll()
  const [pointed, setPointed] = useState<number | null>(null)
  usePointedRow(frame, pointed === null ? null : (days[pointed] ?? null))
  // Kept while the pointer moves over the days: a year of all columns is slow to draw.
  const table = useMemo(
    () => (
      <DayTable
        frame={frame}
        newest={newest}
        sums={sums}
        columns={columns}
        marks={ofDay}
        days={days}
        onPoint={setPointed}
      />
    ),
    [frame, newest, sums, columns, ofDay, days],
  )
  return (
    <>
      <Card>
        <Flex gap={8} align="center">
          <span className={text.secondary}>指标</span>
          <Select
            mode="multiple"
            aria-label="图表的指标"
            className={styles.metrics}
            maxCount={METRICS_MAX}
            showSearch={{ optionFilterProp: 'label' }}
            value={[...picked]}
            onChange={(keys: string[]) => keys.length > 0 && setPicked(keys)}
            options={columns.map(({ key, label }) => ({ value: key, label }))}
          />
          <span className={text.hint}>最多两个</span>
        </Flex>
        <MetricChart
          kind="line"
          names={days}
          metrics={metrics}
          label={`${days[0]} 至 ${days.at(-1)}：${metrics
            .map(({ label, format }, at) => `${label}合计 ${metricWords(format, metricIn(sums, picked[at] ?? ''))}`)
            .join('，')}`}
          className={styles.chart}
          pointed={pointed}
          onPoint={setPointed}
        />
      </Card>
      <Card>
        <div ref={frame}>{table}</div>
      </Card>
    </>
  )
}

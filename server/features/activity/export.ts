import type { z } from 'zod'
import { BUDGET_MODES, budgetParts } from '#contract/activity/budget.ts'
import { isMeasured } from '#contract/activity/columns.ts'
import { exportedLabel, exportedNumber, exportedText, SHEET_FORMATS, valueIn } from '#contract/activity/exported.ts'
import type { MetricFormat } from '#contract/activity/metrics.ts'
import type { Column } from '#contract/activity-columns.ts'
import {
  ACTIVITY_EXPORT_MAX,
  type ActivityExport,
  type DayReportExport,
  XLSX_CELLS_MAX,
} from '#contract/activity-export.ts'
import type { ActivityRow, PlanRow } from '#contract/activity-list.ts'
import type { MetricValues } from '#contract/activity-metrics.ts'
import { downloadHead, downloadLine } from '#contract/download-csv.ts'
import { platformInfo } from '#contract/platform.ts'
import { AppError } from '../../errors.ts'
import { phonesFor } from '../../files/mask-phones.ts'
import { makeXlsx, type Sheet } from '../../files/xlsx.ts'
import type { SentFile } from '../../http/file-download.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import { timeText } from '../../time/day.ts'
import type { activityChoices } from './choices.ts'
import type { controlComparisons } from './control-comparisons.ts'
import { controlSheet } from './control-sheet.ts'
import type { ActivityDeps } from './deps.ts'
import type { readActivities } from './read.ts'

type Choices = ReturnType<typeof activityChoices>
type Read = ReturnType<typeof readActivities>
type Cell = string | MetricCell
/** Of the budgets a file has two columns: a spreadsheet would add those of a day to those of the whole time. */
type FileColumn = Omit<Column, 'key'> & { key: Column['key'] | 'budget_total' }
interface MetricCell {
  format: Exclude<MetricFormat, 'text' | 'time'>
  value: number | null
}

/** Activities that are read at once. */
const READ_AT_ONCE = 500
/** Which of the first columns has names, which are long. */
const NAME_AT = 1
/** Pixels of a column that a character takes. */
const PIXELS = 8

/** The list of activities and the day report as files; audited. */
export function exportActivities(
  { db, timezone }: ActivityDeps,
  read: Read,
  choices: Choices,
  compareControl: ReturnType<typeof controlComparisons>,
) {
  async function columnsOf(viewer: Viewer, which: 'chosen' | 'all'): Promise<FileColumn[]> {
    const { columns, chosen } = await choices.columns(viewer)
    const known = new Map(columns.map((column) => [column.key, column]))
    const wanted = which === 'all' ? columns : chosen.flatMap((key) => known.get(key) ?? [])
    return wanted.flatMap((column): FileColumn[] =>
      column.key === 'budget'
        ? [
            { ...column, label: BUDGET_MODES.day },
            { ...column, key: 'budget_total', label: BUDGET_MODES.total },
          ]
        : [column],
    )
  }

  const textOf = (row: ActivityRow | PlanRow, { key }: FileColumn): string => {
    if (!('children' in row)) return ''
    if (key === 'created_at') return row.created_at === null ? '' : timeText(row.created_at, timezone)
    if (key === 'creator') return row.creator?.realname ?? ''
    return (key === 'product_name' ? row.product_name : row.advertiser_name) ?? ''
  }

  async function* listRows(
    viewer: Viewer,
    query: z.output<typeof ActivityExport>,
    ids: readonly number[],
    columns: readonly FileColumn[],
  ): AsyncGenerator<Cell[][]> {
    const say = phonesFor(viewer)
    const cellOf = (row: ActivityRow | PlanRow, column: FileColumn): Cell =>
      isNumeric(column.format) ? metricCell(row, column) : say(textOf(row, column))
    for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
      const rows = await read.listed(viewer, ids.slice(from, from + READ_AT_ONCE), query.time_range)
      yield rows.flatMap((row) => [
        [...before('活动', row), '', '', '', ...columns.map((column) => cellOf(row, column))].map(told),
        ...row.children.map((plan) => [
          ...[...before('计划', plan), platformInfo(plan.platform).name, plan.account_name ?? ''].map(told),
          // A platform's number may look like a phone, and is shown as it is everywhere.
          plan.plan_id ?? '',
          ...columns.map((column) => cellOf(plan, column)),
        ]),
      ])
    }
    const { sums, total } = await read.total(viewer, query)
    yield [['合计', `${total} 个活动`, '', '', '', '', '', ...columns.map((column) => metricCell(sums, column))]]
    function told(cell: Cell): Cell {
      return typeof cell === 'string' ? say(cell) : cell
    }
  }

  /** The days of a file, as its name says them. */
  function daysOf({ time_range }: Pick<z.output<typeof ActivityExport>, 'time_range'>): string {
    const { from, to } = read.daysOf(time_range)
    return from === to ? from : `${from}_${to}`
  }

  return {
    /** What the list shows, all pages: a row for each activity and, after it, for each of its plans; the sums last. */
    async list(viewer: Viewer, query: z.output<typeof ActivityExport>): Promise<SentFile> {
      const ids = await read.ids(viewer, query)
      if (ids.length > ACTIVITY_EXPORT_MAX)
        throw new AppError('listTooLong', { count: ids.length, max: ACTIVITY_EXPORT_MAX })
      const columns = await columnsOf(viewer, query.columns)
      await audit(db, viewer, 'export.activities', { rows: ids.length, format: query.format })
      const head = ['层级', '名称', 'ID', '状态', '平台', '平台账户', '平台计划 ID']
      return fileOf(`活动列表_${daysOf(query)}`, query.format, head, columns, listRows(viewer, query, ids, columns))
    },

    /** Day by day what an activity's report shows, the sums last; then what its control groups say. */
    async dayReport(viewer: Viewer, query: z.output<typeof DayReportExport>): Promise<SentFile> {
      const report = await read.dayReport(viewer, query)
      const columns = (await columnsOf(viewer, query.columns)).filter(
        ({ key, format }) => isNumeric(format) && key !== 'budget_total' && isMeasured(key),
      )
      await audit(db, viewer, 'export.day_report', { activity: query.campaign_id, format: query.format })
      const rows = [
        ...report.list.map(({ date, ...day }) => [date, ...columns.map((column) => metricCell(day, column))]),
        ['合计', ...columns.map((column) => metricCell(report.sums, column))],
      ]
      const say = phonesFor(viewer)
      const name = `${say(report.name)}分日数据_${daysOf(query)}`
      const { list } = await compareControl(viewer, query)
      const compared = list.map((one) => ({ ...one, name: say(one.name), unpushed: one.unpushed.map(say) }))
      const time = (seconds: number) => timeText(seconds, timezone)
      const control = list.length === 0 ? null : controlSheet(compared, { ...query, time })
      return fileOf(name, query.format, ['日期'], columns, inOnePart(rows), control)
    },
  }
}

const isNumeric = (format: MetricFormat): format is MetricCell['format'] => format !== 'text' && format !== 'time'
const before = (level: string, row: ActivityRow | PlanRow): string[] => [
  level,
  row.name,
  String(row.id),
  row.plan_status_name,
]
function metricCell(row: MetricValues, { key, format }: FileColumn): Cell {
  if (!isNumeric(format)) return ''
  const { day, total } = budgetParts(row)
  return { format, value: key === 'budget' ? day : key === 'budget_total' ? total : valueIn(row, key as never) }
}

async function* inOnePart(rows: Cell[][]) {
  yield rows
}

/** Rows as a file. `head`: the texts before the columns of metrics; `more`: a second table. */
async function fileOf(
  title: string,
  format: 'csv' | 'xlsx',
  head: readonly string[],
  columns: readonly FileColumn[],
  parts: AsyncIterable<Cell[][]>,
  more: ReturnType<typeof controlSheet> | null = null,
): Promise<SentFile> {
  const titles = [...head, ...columns.map(({ label, format: of }) => exportedLabel(label, of))]
  if (format === 'csv') return { name: `${title}.csv`, content: csvOf(titles, parts, more?.lines ?? '') }
  const rows: (string | number | null)[][] = []
  for await (const part of parts) {
    for (const row of part)
      rows.push(row.map((cell) => (typeof cell === 'string' ? cell : exportedNumber(cell.format, cell.value))))
    if (rows.length * titles.length > XLSX_CELLS_MAX) throw new AppError('sheetTooLarge', { max: XLSX_CELLS_MAX })
  }
  const own: Sheet = {
    sheet: '数据',
    columns: [
      ...head.map((one, at) => ({ title: one, width: at === NAME_AT ? 32 : 14 })),
      ...columns.map((column, at) => ({
        title: titles[head.length + at] as string,
        width: Math.ceil(column.width / PIXELS),
        ...(isNumeric(column.format) && { format: SHEET_FORMATS[column.format] }),
      })),
    ],
    rows,
  }
  const bytes = await makeXlsx([own, ...(more ? [more.sheet] : [])])
  return { name: `${title}.xlsx`, content: inOnePiece(bytes) }
}

async function* csvOf(titles: readonly string[], parts: AsyncIterable<Cell[][]>, more: string): AsyncGenerator<string> {
  yield downloadHead(titles)
  for await (const rows of parts)
    yield rows
      .map((row) =>
        downloadLine(row.map((cell) => (typeof cell === 'string' ? cell : exportedText(cell.format, cell.value)))),
      )
      .join('')
  if (more !== '') yield more
}

async function* inOnePiece(bytes: Uint8Array) {
  yield bytes
}

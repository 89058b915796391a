import { z } from 'zod'
import { listActivities, totalActivities } from './activity-list.ts'
import { compareControlGroups } from './control-group.ts'
import { getDayReport } from './day-report.ts'
import { type Outcome, outcome } from './outcome.ts'

/** How many activities a file has; a filter that finds more is refused. */
export const ACTIVITY_EXPORT_MAX = 20_000
/** How many cells a spreadsheet has, since it is made in memory; a csv may have more. */
export const XLSX_CELLS_MAX = 500_000

const written = {
  format: z.enum(['csv', 'xlsx']).default('csv').describe('文件格式：csv，xlsx Excel 工作簿'),
  columns: z
    .enum(['chosen', 'all'])
    .default('chosen')
    .describe('导出哪些列：chosen 自定义列中所选的，all 自己能看到的全部列'),
}

/** Downloads what the filters of the list of activities show, all pages, as a file; not a JSON call. */
export const ACTIVITY_EXPORT_PATH = '/api/campaign/export'
export const ActivityExport = totalActivities.query.extend({ sort: listActivities.query.shape.sort, ...written })

/** Downloads the day report of an activity, with what its control groups say. */
export const DAY_REPORT_EXPORT_PATH = '/api/campaign/day_report/export'
export const DayReportExport = getDayReport.query.extend({
  ...written,
  event: compareControlGroups.query.shape.event,
  days: compareControlGroups.query.shape.days,
})

/** Columns of the list before the chosen ones: level, name, id, status, platform, account, plan. */
const LIST_HEAD = 7

/** Why a file of the list is not made, null if it is. `rows`: activities, their plans and the line of sums. */
export function exportRefusal(size: {
  format: 'csv' | 'xlsx'
  activities: number
  rows: number
  columns: number
}): Outcome | null {
  const { format, activities, rows, columns } = size
  if (activities > ACTIVITY_EXPORT_MAX) {
    return outcome('fault', { fault: 'listTooLong', words: { count: activities, max: ACTIVITY_EXPORT_MAX } })
  }
  if (format === 'xlsx' && rows * (LIST_HEAD + columns) > XLSX_CELLS_MAX) {
    return outcome('fault', { fault: 'sheetTooLarge', words: { max: XLSX_CELLS_MAX } })
  }
  return null
}

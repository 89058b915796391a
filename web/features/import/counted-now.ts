import type { ImportReport, ImportRow } from '#contract/import.ts'
import { formatCount } from '../../lib/format.ts'

type Standing = Pick<ImportRow, 'status' | 'taken_over'>

/** Rows that were repeated when they came, and are the import's since the one that had stored them was undone. */
const takenOver = ({ status, taken_over }: Standing, { duplicate }: ImportReport): number =>
  status === 'undone' ? 0 : Math.min(taken_over, duplicate)

/** The report with the rows that the import has by now; of one that was undone, as it was imported. */
export function countedNow(row: Standing, report: ImportReport): ImportReport {
  const taken = takenOver(row, report)
  return { ...report, stored: report.stored + taken, duplicate: report.duplicate - taken }
}

/** Where the numbers of stored and repeated rows come from, as sentences. */
export function repeatNotes(row: Standing & Pick<ImportRow, 'kind'>, report: ImportReport): string[] {
  const taken = takenOver(row, report)
  const { duplicate, stored } = countedNow(row, report)
  const isReports = row.kind === 'reports'
  const earlier = isReports ? '与当时已存入的那天完全相同' : '与以前导入的行相同'
  return [
    ...(taken > 0
      ? [`已存入的行中，${formatCount(taken)} 行导入时是重复的；存入相同行的那次导入撤销后，改计入这次导入。`]
      : []),
    ...(duplicate > 0
      ? [`重复的 ${formatCount(duplicate)} 行${earlier}，不会重复计入；如果撤销那次导入，就改计入这次导入。`]
      : []),
    ...(isReports && stored > 0 && row.status === 'done'
      ? ['之后导入的文件若有同一账户同一天的数据，会整天替换这里存入的行。']
      : []),
  ]
}

import { exportedText, SHEET_FORMATS } from '#contract/activity/exported.ts'
import { pointsOf, verdictWords } from '#contract/control-group/words.ts'
import { COMPARED_EVENTS, type ComparedEvent, type ControlComparison } from '#contract/control-group.ts'
import { downloadLine } from '#contract/download-csv.ts'
import type { Sheet } from '../../files/xlsx.ts'

const TEXT_WIDTH = 24
const NUMBER_WIDTH = 16

/** A column of a file; `points`: of a percentage, from -1 to 1. */
interface Column {
  title: string
  format: 'text' | 'count' | 'percent' | 'points'
  of: (one: ControlComparison) => string | number | null
}

function columnsOf(event: string, time: (seconds: number) => string): Column[] {
  const timeOf = (seconds: number | null) => (seconds === null ? null : time(seconds))
  const group = (name: string, key: 'test' | 'control'): Column[] => [
    { title: `${name}人数`, format: 'count', of: (one) => one[key]?.people ?? null },
    { title: `${name}${event}人数`, format: 'count', of: (one) => one[key]?.converted ?? null },
    { title: `${name}${event}率`, format: 'percent', of: (one) => one[key]?.rate ?? null },
  ]
  return [
    { title: '人群', format: 'text', of: ({ name }) => name },
    { title: '留出', format: 'percent', of: ({ share }) => share / 100 },
    { title: '第一次推送', format: 'text', of: ({ from }) => timeOf(from) },
    { title: '截至', format: 'text', of: ({ to }) => timeOf(to) },
    ...group('实验组', 'test'),
    ...group('对照组', 'control'),
    { title: `${event}率之差（百分点）`, format: 'points', of: ({ difference }) => difference?.value ?? null },
    { title: '95% 区间下限（百分点）', format: 'points', of: ({ difference }) => difference?.low ?? null },
    { title: '95% 区间上限（百分点）', format: 'points', of: ({ difference }) => difference?.high ?? null },
    { title: '结论', format: 'text', of: (one) => verdictWords(one, event) },
  ]
}

/** What control groups say, as it stands in files below the days of a report or on a sheet of its own. */
export function controlSheet(
  list: readonly ControlComparison[],
  { event, days, time }: { event: ComparedEvent; days: number; time: (seconds: number) => string },
): { lines: string; sheet: Sheet } {
  const label = COMPARED_EVENTS[event]
  const columns = columnsOf(label, time)
  const text = ({ format }: Column, value: string | number | null): string => {
    if (value === null || typeof value === 'string') return value ?? ''
    return format === 'points' ? pointsOf(value) : exportedText(format === 'percent' ? 'percent' : 'count', value)
  }
  const lines = [
    [`对照组：第一次推送起 ${days} 天内的${label}`],
    columns.map(({ title }) => title),
    ...list.map((one) => columns.map((column) => text(column, column.of(one)))),
  ]
  return {
    lines: `\n${lines.map(downloadLine).join('')}`,
    sheet: {
      sheet: `对照组（${label}，${days} 天内）`,
      columns: columns.map(({ title, format }) => ({
        title,
        width: format === 'text' ? TEXT_WIDTH : NUMBER_WIDTH,
        ...(format !== 'text' && { format: format === 'points' ? SHEET_FORMATS.ratio : SHEET_FORMATS[format] }),
      })),
      rows: list.map((one) =>
        columns.map((column) => {
          const value = column.of(one)
          return column.format === 'points' && typeof value === 'number' ? value * 100 : value
        }),
      ),
    },
  }
}

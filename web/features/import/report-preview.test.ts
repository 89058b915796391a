import { expect, test } from 'vitest'
import type { ComparedReports } from '#contract/import.ts'
import { lookedAt, reportWarnings } from './report-preview.ts'

const NOTHING: ComparedReports = {
  rows: 12,
  is_whole: true,
  unlinked: { plans: 0, rows: 0, examples: [] },
  without_plan: 0,
  replaced: { days: 0, plans: 0, examples: [] },
}

test('a file that shows all and replaces nothing is not warned of', () => {
  expect(reportWarnings(NOTHING)).toEqual([])
  expect(lookedAt(NOTHING)).toBe('已比对文件的全部 12 行')
})

test('warns of days that lose plans, of plans without an activity and of rows without a plan, with examples', () => {
  const day = { date: '2026-11-01', account: '77', stored: 5, in_file: 1, gone: 4, gone_plans: ['2', '3', '4'] }
  const warned = reportWarnings({
    ...NOTHING,
    unlinked: { plans: 2, rows: 1200, examples: [{ account: '', plan: '9', campaign: '春季' }] },
    without_plan: 3,
    replaced: { days: 2, plans: 5, examples: [day] },
  })
  expect(warned.map(({ title }) => title)).toEqual([
    '2 天已存入的数据会被整天替换，其中共 5 个计划文件中没有，不再计入',
    '2 个平台计划没有关联到任何活动，它们的 1,200 行会存入，关联后才显示',
    '3 行没有平台计划 ID，会存入，但不属于任何活动',
  ])
  expect(warned[0]?.lines.slice(0, 2)).toEqual([
    '2026-11-01 账户 77：已存入 5 个计划，文件中 1 个；不再计入：2、3、4 等',
    '另有 1 天',
  ])
  expect(warned[1]?.lines.slice(0, 2)).toEqual(['9，活动 春季', '另有 1 个计划'])
})

test('says where only the beginning of the file was looked at', () => {
  expect(lookedAt({ ...NOTHING, rows: 5000, is_whole: false })).toContain('只比对了文件的前 5,000 行，其余的行没有看')
})

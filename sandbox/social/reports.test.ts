import { beforeEach, describe, expect, test } from 'vitest'
import type { Row } from '../testing.ts'
import { ACCOUNT, id, socialForTest } from './testing.ts'

const { bench, now, caller } = await socialForTest()
const DAY = 86_400
/** `YYYY-MM-DD` in China, so many days before the sandbox's today. */
const dayBefore = async (days: number) => {
  const { now: at } = (await bench.read('state')) as { now: number }
  return new Date((at + 8 * 3600 - days * DAY) * 1000).toISOString().slice(0, 10)
}
let yesterday: string
let weekAgo: string
beforeEach(async () => {
  await bench.control('faults/forget')
  await bench.control('report-plans', { account_id: ACCOUNT, count: 3 })
  await bench.control('switches', { social_report_rows: 0 })
  yesterday = await dayBefore(1)
  weekAgo = await dayBefore(7)
})

const FIELDS = ['date', 'adgroup_id', 'cost', 'view_count', 'valid_click_count', 'conversions_count', 'ctr']
const query = (more: object = {}) => ({
  account_id: id(ACCOUNT),
  level: 'REPORT_LEVEL_ADGROUP',
  date_range: { start_date: weekAgo, end_date: yesterday },
  group_by: ['date', 'adgroup_id'],
  fields: FIELDS,
  page_size: 100,
  ...more,
})
const get = (more: object = {}) => caller.get('daily_reports/get', query(more))
const rowsOf = async (more: object = {}): Promise<Row[]> => {
  const { code, message, data } = await get(more)
  expect({ code, message }).toEqual({ code: 0, message: '' })
  return data.list
}
const wholeAccount = { level: 'REPORT_LEVEL_ADVERTISER', group_by: ['date'], fields: ['date', 'cost', 'view_count'] }
const sum = (rows: readonly Row[], name: string) => rows.reduce((all, row) => all + Number(row[name]), 0)

describe('daily reports', () => {
  test('have a row for each ad group and day with a show, the same each time, and the account’s sums', async () => {
    const rows = await rowsOf()
    expect(await rowsOf()).toEqual(rows)
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.length).toBeLessThan(21)
    expect(rows.every((row) => Number(row.view_count) > 0 && Number.isInteger(row.cost))).toBe(true)
    expect(new Set(rows.map(({ adgroup_id }) => adgroup_id)).size).toBe(3)
    for (const row of rows) {
      expect(row.ctr).toBeCloseTo(Number(row.valid_click_count) / Number(row.view_count), 4)
    }
    const days = await rowsOf(wholeAccount)
    for (const day of days) {
      const own = rows.filter(({ date }) => date === day.date)
      expect([sum(own, 'cost'), sum(own, 'view_count')]).toEqual([day.cost, day.view_count])
    }
    expect(sum(days, 'cost')).toBe(sum(rows, 'cost'))
  })

  test('pages hold every row once', async () => {
    await bench.control('report-plans', { account_id: ACCOUNT, count: 40 })
    const all = await rowsOf({ page_size: 2000 })
    const pages: Row[] = []
    for (let page = 1; pages.length < all.length; page++) pages.push(...(await rowsOf({ page, page_size: 37 })))
    expect(pages).toEqual(all)
    const { data } = await get({ page: 2, page_size: 37 })
    expect(data.page_info).toMatchObject({ page: 2, page_size: 37, total_number: all.length })
  })

  test('today grows, and a day is corrected until it is a week old', async () => {
    const at = { date_range: { start_date: await dayBefore(6), end_date: await dayBefore(0) } }
    const before = await rowsOf(at)
    await bench.control('clock', { advance: DAY })
    now.token = await bench.token('social', [ACCOUNT])
    const after = await rowsOf(at)
    const today = (rows: Row[]) =>
      sum(
        rows.filter(({ date }) => date === at.date_range.end_date),
        'view_count',
      )
    expect(today(after)).toBeGreaterThanOrEqual(today(before))
    const earlier = (rows: Row[]) => rows.filter(({ date }) => date !== at.date_range.end_date)
    expect(earlier(after).map(({ view_count }) => view_count)).toEqual(earlier(before).map((row) => row.view_count))
    // Conversions come late, and clicks are found to be invalid.
    expect(sum(earlier(after), 'conversions_count')).toBeGreaterThan(sum(earlier(before), 'conversions_count'))
    expect(sum(earlier(after), 'cost')).toBeLessThan(sum(earlier(before), 'cost'))
    await bench.control('clock', { advance: 10 * DAY })
    now.token = await bench.token('social', [ACCOUNT])
    const settled = await rowsOf(at)
    await bench.control('clock', { advance: DAY })
    now.token = await bench.token('social', [ACCOUNT])
    expect(await rowsOf(at)).toEqual(settled)
    await bench.control('clock', { advance: -12 * DAY })
  })

  test.each([
    ['no level', { level: undefined }, 18001],
    ['another level', { level: 'REPORT_LEVEL_CAMPAIGN' }, 18009],
    ['no days', { date_range: undefined }, 18001],
    ['days in the wrong order', { date_range: { start_date: '2026-02-02', end_date: '2026-02-01' } }, 31002],
    ['no day', { date_range: { start_date: '2026-02-30', end_date: '2026-02-30' } }, 31002],
    ['no grouping', { group_by: undefined }, 18001],
    ['a grouping that the level does not have', { group_by: ['date'] }, 18009],
    ['no fields', { fields: undefined }, 18001],
    ['an unknown field', { fields: ['cost', 'imp_pv'] }, 12009],
    ['fields that are no list', { fields: 'cost' }, 12008],
    ['a page that is too large', { page_size: 2001 }, 18003],
    ['rows beyond the ten thousandth', { page: 101, page_size: 100 }, 18003],
    ['another account', { account_id: id('9007199254750023') }, 12203],
    ['a parameter that it does not know', { reporting: 1 }, 31002],
    ['a filter that it does not know', { filtering: [{ field: 'x', operator: 'IN', values: ['1'] }] }, 18009],
  ])('%s is refused', async (_, more, code) => {
    const asked = Object.fromEntries(Object.entries(query(more)).filter(([, value]) => value !== undefined))
    expect((await caller.get('daily_reports/get', asked)).code).toBe(code)
  })

  test('a year back is the limit, and the scope is needed', async () => {
    const long = { date_range: { start_date: await dayBefore(366), end_date: yesterday } }
    expect((await get(long)).code).toBe(31002)
    now.token = await bench.token('social', [ACCOUNT], ['ads_management'])
    expect((await get()).code).toBe(11014)
  })

  test('a level is closed for a while after too many matched rows', async () => {
    const rows = (await rowsOf()).length
    await bench.control('switches', { social_report_rows: rows * 2 })
    expect([(await get()).code, (await get()).code, (await get()).code]).toEqual([0, 0, 0])
    expect((await get()).code).toBe(64016)
    // The other level counts for itself.
    expect((await get(wholeAccount)).code).toBe(0)
  })

  test('faults: unavailable, slow, and the rows of another page', async () => {
    const path = 'daily_reports/get'
    await bench.control('faults', { platform: 'social', path, kind: 'busy', code: 51001 })
    expect((await get()).code).toBe(51001)
    await bench.control('faults', { platform: 'social', path, kind: 'slow', seconds: 0.2 })
    const began = performance.now()
    expect((await get()).code).toBe(0)
    expect(performance.now() - began).toBeGreaterThan(190)
    const page = (no: number) => rowsOf({ page: no, page_size: 5 })
    const [first, second, third] = [await page(1), await page(2), await page(3)]
    await bench.control('faults', { platform: 'social', path, kind: 'repeat_page' })
    const repeated = await get({ page: 2, page_size: 5 })
    expect([repeated.data.list, repeated.data.page_info.page]).toEqual([first, 2])
    await bench.control('faults', { platform: 'social', path, kind: 'lose_page' })
    const lost = await get({ page: 2, page_size: 5 })
    expect([lost.data.list, lost.data.page_info.page]).toEqual([third, 2])
    expect(await page(2)).toEqual(second)
  })
})

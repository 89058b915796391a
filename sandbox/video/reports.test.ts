import { beforeEach, describe, expect, test } from 'vitest'
import { parseJson } from '../json.ts'
import { queryText, type Row } from '../testing.ts'
import { ACCOUNT, adv, DAY, id, videoForTest } from './testing.ts'

const { bench, now } = await videoForTest()
const SHOP = '9107199254750013'
let days: string[]
beforeEach(async () => {
  const { now: at } = (await bench.read('state')) as { now: number }
  days = Array.from({ length: 8 }, (_, before) =>
    new Date((at + 8 * 3600 - before * DAY) * 1000).toISOString().slice(0, 10),
  )
})

interface Answer {
  code: number
  message: string
  data: {
    rows: { dimensions: Row; metrics: Record<string, string> }[]
    total_metrics: Row
    list: Row[]
    page_info: Row
  }
}
async function get(path: string, query: object): Promise<Answer> {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
  const address = `${bench.box.videoUrl}/open_api/${path}?${queryText(given)}`
  const answer = await fetch(address, { headers: { 'access-token': now.token } })
  return parseJson(await answer.text()) as never
}

const custom = (more: object = {}) =>
  get('v3.0/report/custom/get/', {
    ...adv,
    dimensions: ['stat_time_day', 'cdp_project_id'],
    metrics: ['stat_cost', 'show_cnt', 'convert_cnt', 'ctr'],
    filters: [],
    order_by: [],
    start_time: `${days[7]} 00:00:00`,
    end_time: `${days[1]} 23:59:59`,
    page_size: 100,
    ...more,
  })

describe('the custom report', () => {
  test('has text values for each project and day, and their sums', async () => {
    const project = await bench.control('projects', { account_id: ACCOUNT, name: '项目' })
    const { code, data } = await custom()
    expect(code).toBe(0)
    expect(data.rows).toHaveLength(21)
    expect(data.rows.every(({ metrics }) => /^\d+\.\d\d$/.test(metrics.stat_cost ?? ''))).toBe(true)
    const fen = (text: unknown) => Math.round(Number(text) * 100)
    const byDay = await custom({ dimensions: ['stat_time_day'] })
    expect(byDay.data.rows).toHaveLength(7)
    for (const { dimensions, metrics } of byDay.data.rows) {
      const own = data.rows.filter((row) => row.dimensions.stat_time_day === dimensions.stat_time_day)
      expect(own.reduce((sum, row) => sum + fen(row.metrics.stat_cost), 0)).toBe(fen(metrics.stat_cost))
    }
    expect(byDay.data.total_metrics).toEqual(data.total_metrics)
    const only = [{ field: 'cdp_project_id', type: 1, operator: 10, values: [project.id] }]
    // It was made today.
    const ofProject = await custom({ filters: only, end_time: `${days[0]} 23:59:59` })
    expect(ofProject.data.rows.map((row) => row.dimensions.stat_time_day)).toEqual([days[0]])
  })

  test('says which metrics it has', async () => {
    const { data } = await get('v3.0/report/custom/config/get/', { ...adv, data_topics: ['BASIC_DATA'] })
    expect(data.list[0]).toMatchObject({ data_topic: 'BASIC_DATA' })
    expect(JSON.stringify(data.list[0])).toContain('"stat_cost"')
  })

  test.each([
    ['no metrics', { metrics: undefined }],
    ['a metric that it does not know', { metrics: ['cost'] }],
    ['a dimension that it does not know', { dimensions: ['stat_time_day', 'x'] }],
    ['no day among the dimensions', { dimensions: ['cdp_project_id'] }],
    ['no filters', { filters: undefined }],
    ['no order', { order_by: undefined }],
    ['a page that is too large', { page_size: 101 }],
    ['a time without a day', { start_time: '2026-02-30 00:00:00' }],
    ['an end before the start', { start_time: '2026-02-02 00:00:00', end_time: '2026-02-01 23:59:59' }],
    ['a parameter that it does not know', { level: 'x' }],
  ])('%s is refused', async (_, more) => {
    expect((await custom(more)).code).toBe(40000)
  })

  test('its own scope is needed', async () => {
    now.token = await bench.token('video', [ACCOUNT], ['26', '260'])
    expect((await custom()).code).toBe(40002)
  })
})

describe('reports of the commerce platform', () => {
  beforeEach(async () => {
    now.token = await bench.token('video', [ACCOUNT, SHOP])
  })
  const FIELDS = ['stat_cost', 'show_cnt', 'pay_order_amount', 'luban_live_enter_cnt']
  const commerce = (what: 'ad' | 'advertiser', more: object = {}) =>
    get(`v1.0/qianchuan/report/${what}/get/`, {
      advertiser_id: id(SHOP),
      start_date: days[7],
      end_date: days[1],
      fields: FIELDS,
      filtering: { marketing_goal: 'ALL' },
      time_granularity: 'TIME_GRANULARITY_DAILY',
      page_size: 1000,
      ...more,
    })

  test('have numbers for each ad and day, and the account’s sums', async () => {
    const { code, message, data } = await commerce('ad')
    expect([code, message, data.list.length]).toEqual([0, 'OK', 21])
    const account = await commerce('advertiser')
    expect(account.data.list).toHaveLength(7)
    const fen = (value: unknown) => Math.round(Number(value) * 100)
    for (const day of account.data.list) {
      const own = data.list.filter(({ stat_datetime }) => stat_datetime === day.stat_datetime)
      for (const name of FIELDS) {
        expect(own.reduce((sum, row) => sum + fen(row[name]), 0)).toBe(fen(day[name]))
      }
    }
    const videos = await commerce('ad', { filtering: { marketing_goal: 'VIDEO_PROM_GOODS' } })
    expect(videos.data.list.every((row) => row.luban_live_enter_cnt === 0)).toBe(true)
    const whole = await commerce('ad', { time_granularity: undefined })
    expect(whole.data.list).toHaveLength(3)
    const ad_ids = [whole.data.list[0]?.ad_id]
    expect((await commerce('ad', { filtering: { marketing_goal: 'ALL', ad_ids } })).data.list).toHaveLength(7)
  })

  test.each([
    ['more than thirty days', { start_date: '2026-01-01', end_date: '2026-01-31' }],
    ['no fields', { fields: undefined }],
    ['a field that it does not know', { fields: ['cost'] }],
    ['no goal', { filtering: {} }],
    [
      'more than a hundred ads',
      { filtering: { marketing_goal: 'ALL', ad_ids: Array.from({ length: 101 }, (_, n) => n + 1) } },
    ],
    ['a page that is too large', { page_size: 1001 }],
    ['a parameter that it does not know', { level: 'x' }],
  ])('%s is refused', async (_, more) => {
    expect((await commerce('ad', more)).code).toBe(40000)
  })

  test('a plan that is made has rows from that day on', async () => {
    const { id: ad } = await bench.control('plans', { platform: 'commerce', account_id: SHOP, name: '新计划' })
    const { list } = (await commerce('ad', { end_date: days[0] })).data
    expect(list.filter(({ ad_id }) => String(ad_id) === ad).map(({ stat_datetime }) => stat_datetime)).toEqual([
      `${days[0]} 00:00:00`,
    ])
  })

  test('an account of another product is refused', async () => {
    expect((await commerce('ad', { advertiser_id: id(ACCOUNT) })).code).toBe(40002)
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accountId } from '../../sandbox/platforms.ts'
import { faultOf, type PlatformWorld, platformWorld, type TestAccount } from '../testing/platform-world.ts'
import { COMMERCE, SOCIAL, VIDEO } from '../testing/platforms.ts'
import { platformDayOf } from './platform-day.ts'
import type { PlatformReports, ReportDay, ReportRange } from './report-platform.ts'

const DAY = 86_400
const PLACES = {
  social: { code: SOCIAL, external: accountId('social', 1), path: 'daily_reports/get', app: 'social' },
  video: { code: VIDEO, external: accountId('video', 1), path: 'report/custom/get', app: 'video' },
  commerce: { code: COMMERCE, external: accountId('video', 6), path: 'qianchuan/report/ad/get', app: 'video' },
} as const

let world: PlatformWorld
beforeAll(async () => {
  world = await platformWorld()
})
afterAll(() => world.close())

/** What the sandbox says of the account itself, in fen and counts. */
async function own(place: keyof typeof PLACES, token: string, { from, to }: ReportRange) {
  const { external } = PLACES[place]
  const ask = async (path: string, query: Record<string, string>) => {
    const url = new URL(`${world.sandbox.url}/${PLACES[place].app}/${path}`)
    url.search = new URLSearchParams(query).toString()
    const answer = await fetch(url, { headers: { 'access-token': token } })
    return (
      (await answer.json()) as {
        data: {
          list: Record<string, unknown>[]
          rows: { dimensions: Record<string, string>; metrics: Record<string, string> }[]
        }
      }
    ).data
  }
  if (place === 'social') {
    const { list } = await ask('v3.0/daily_reports/get', {
      access_token: token,
      timestamp: String(Math.floor(Date.now() / 1000)),
      nonce: Math.random().toString(16).slice(2),
      account_id: external,
      level: 'REPORT_LEVEL_ADVERTISER',
      date_range: JSON.stringify({ start_date: from, end_date: to }),
      group_by: '["date"]',
      fields: '["date","cost","view_count"]',
      page_size: '100',
    })
    return list.map((row) => [row.date, Number(row.cost), Number(row.view_count)]).toReversed()
  }
  if (place === 'video') {
    const { rows } = await ask('open_api/v3.0/report/custom/get/', {
      advertiser_id: external,
      dimensions: '["stat_time_day"]',
      metrics: '["stat_cost","show_cnt"]',
      filters: '[]',
      order_by: '[]',
      start_time: `${from} 00:00:00`,
      end_time: `${to} 23:59:59`,
      page_size: '100',
    })
    return rows.map(({ dimensions, metrics }) => [
      dimensions.stat_time_day,
      Math.round(Number(metrics.stat_cost) * 100),
      Number(metrics.show_cnt),
    ])
  }
  const { list } = await ask('open_api/v1.0/qianchuan/report/advertiser/get/', {
    advertiser_id: external,
    start_date: from,
    end_date: to,
    fields: '["stat_cost","show_cnt"]',
    filtering: '{"marketing_goal":"ALL"}',
    time_granularity: 'TIME_GRANULARITY_DAILY',
  })
  return list.map((row) => [
    String(row.stat_datetime).slice(0, 10),
    Math.round(Number(row.stat_cost) * 100),
    Number(row.show_cnt),
  ])
}

describe.each(['social', 'video', 'commerce'] as const)('reports of the %s platform', (place) => {
  const { code, external, path, app } = PLACES[place]
  let account: TestAccount
  let reports: PlatformReports
  let range: ReportRange
  beforeEach(async () => {
    await world.control('switches/reset', {})
    await world.control('switches', { video_advertiser_qps: 0, video_application_qps: 0 })
    await world.control('faults/forget', {})
    await world.control('report-plans', { account_id: external, count: 3 })
    account = await world.session(app, external)
    // A pace of its own, so that no test waits for the refusals of another.
    reports = world.open().reportsOf(code) as PlatformReports
    const { now } = await world.control<{ now: number }>('state')
    range = { from: platformDayOf(now - 7 * DAY), to: platformDayOf(now - DAY) }
    world.takeCalls()
  })
  const read = () => reports.dailyReport(account, range, world.on)
  const sumOf = (day: ReportDay, key: 'cost' | 'imp_pv') =>
    day.plans.reduce((sum, { cells }) => sum + (cells[key] ?? 0n), 0n)
  const fault = (more: object) => world.control('faults', { platform: app, path, ...more })

  test('are whole days whose sums are the platform’s own', async () => {
    const days = await read()
    expect(days.map(({ date }) => date)).toHaveLength(7)
    expect(days.every(({ fault }) => fault === null)).toBe(true)
    const said = await own(place, account.current, range)
    const found = days.map((day) => [day.date, Number(sumOf(day, 'cost')) / 10_000, Number(sumOf(day, 'imp_pv'))])
    expect(found.filter(([, , shown]) => shown !== 0)).toEqual(said.filter(([, , shown]) => shown !== 0))
    expect(said.some(([, cost]) => Number(cost) > 0)).toBe(true)
  })

  test('of many plans come over many pages', async () => {
    await world.control('report-plans', { account_id: external, count: 400 })
    await world.control('switches', { social_report_rows: 0 })
    const days = await read()
    expect(days.every(({ fault }) => fault === null)).toBe(true)
    const plans = new Set(days.flatMap((day) => day.plans.map(({ plan_id }) => plan_id)))
    expect(plans.size).toBe(400)
    if (place !== 'social') expect(days.every(({ plans }) => plans.length === 400)).toBe(true)
  })

  test('a page that comes twice, or never, is not taken for a report', async () => {
    await world.control('report-plans', { account_id: external, count: 600 })
    await world.control('switches', { social_report_rows: 0 })
    const whole = await read()
    for (const kind of ['repeat_page', 'lose_page']) {
      // The first call asks for the sums, the second one for the first page.
      const after = place === 'commerce' ? 1 : 2
      await fault({ kind, after, times: 1 })
      expect(await read()).toEqual(whole)
      await fault({ kind, after, times: 100 })
      expect((await faultOf(read())).kind).toBe('later')
      await world.control('faults/forget', {})
    }
  })

  test('a busy, slow or silent platform is a fault that is tried later', async () => {
    await fault({ kind: 'busy', ...(place === 'social' && { code: 51001 }) })
    expect(await faultOf(read())).toMatchObject({ kind: 'later', code: place === 'social' ? 51001 : 50000 })
    await fault({ kind: 'throttle' })
    expect((await faultOf(read())).kind).toBe('later')
    reports = world.open({ timeoutMs: 200 }).reportsOf(code) as PlatformReports
    await fault({ kind: 'slow', seconds: 1 })
    expect((await faultOf(read())).kind).toBe('later')
  })

  test('a token that was taken back is a fault that waits for a person', async () => {
    await world.control('tokens/revoke', { platform: app, account_id: external })
    expect((await faultOf(read())).kind).toBe('unauthorised')
  })
})

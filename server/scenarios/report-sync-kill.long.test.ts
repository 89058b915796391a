import { expect, test, vi } from 'vitest'
import { createActivity } from '#contract/activity.ts'
import { createAdvertiser, listAdvertiserData } from '#contract/advertiser.ts'
import { getDayReport } from '#contract/day-report.ts'
import { PLATFORMS } from '#contract/platform.ts'
import { getReportSync, syncReports } from '#contract/report.ts'
import { consentTo } from '../testing/consent.ts'
import { serverWithSandbox } from '../testing/server-with-sandbox.ts'

const ACCOUNT = '9007199254750003'
/** The first of the plans that the stand-in's account has had from the beginning. */
const PLAN = String(7_500_000_000_000_001n + (BigInt(ACCOUNT) % 100_000n) * 10_000_000n)
const PATIENCE_MS = 60_000
const PATH = 'daily_reports/get'

const { server, sandbox, call } = await serverWithSandbox(0.05)

test('a kill in any call of a reading loses no day and doubles none', { timeout: 10 * PATIENCE_MS }, async () => {
  await sandbox.control('switches', { social_report_rows: 0 })
  await server.start()
  const { id: adv_id } = await call(createAdvertiser, { body: { name: '断电' } })
  await consentTo(server, sandbox, { adv_id, platform: PLATFORMS.social.code, accounts: [ACCOUNT] })
  const { list } = await call(listAdvertiserData)
  const account_id = list.find((one) => one.id === adv_id)?.accounts[0]?.id ?? 0
  const plan = { name: '计划', platform: PLATFORMS.social.code, account_id, plan_id: PLAN }
  const { id } = await call(createActivity, { body: { advertiser_id: adv_id, name: '活动', plans: [plan] } })

  const ended = () =>
    vi.waitFor(
      async () => {
        const [account] = (await call(getReportSync, { query: { campaign_id: id } })).list
        expect(account).toMatchObject({ state: 'idle', missing_days: 0 })
      },
      { timeout: PATIENCE_MS, interval: 100 },
    )
  const second = (date: string) => Date.parse(`${date}T00:00:00+08:00`) / 1000
  const day = (ago: number) => new Date(Date.now() + 8 * 3_600_000 - ago * 86_400_000).toISOString().slice(0, 10)
  /** Days that no correction changes any more. */
  const time_range = `${second(day(29))},${second(day(8))}`
  const numbers = async () =>
    (await call(getDayReport, { query: { campaign_id: id, time_range } as never })).list.map((row) => [
      row.date,
      row.cost ?? 0,
      row.imp_pv ?? 0,
    ])

  await call(syncReports, { body: { account_id } })
  await ended()
  const whole = await numbers()
  expect(whole.some(([, cost]) => Number(cost) > 0)).toBe(true)

  const waits = async () =>
    (await sandbox.control<{ path: string; fault: string | null }[]>('calls')).filter(
      (one) => one.path.includes(PATH) && one.fault?.startsWith('timeout'),
    ).length
  for (const [after, kind] of [
    [0, 'timeout'],
    [1, 'timeout_after'],
    [2, 'timeout'],
    [3, 'timeout_after'],
    [5, 'timeout'],
  ] as const) {
    const before = await waits()
    await sandbox.control('faults', { platform: 'social', path: PATH, kind, after, seconds: 60, account_id: ACCOUNT })
    await call(syncReports, { body: { account_id } })
    await vi.waitFor(async () => expect(await waits()).toBe(before + 1), { timeout: PATIENCE_MS, interval: 50 })
    await server.kill()
    await sandbox.control('faults/forget', {})
    await server.start()
    await ended()
    expect(await numbers()).toEqual(whole)
  }
})

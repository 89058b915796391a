import { afterAll, beforeEach, expect, test } from 'vitest'
import { TREND_KEYS } from '#contract/activity/trends.ts'
import { totalActivities } from '#contract/activity-list.ts'
import { listActivityTrends } from '#contract/activity-trends.ts'
import { getDayReport } from '#contract/day-report.ts'
import { anActivity, aPlan, aReading } from '../../testing/activities.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { COMMERCE } from '../../testing/platforms.ts'
import { aPackage, aTargetingAccount, externalIdOf } from '../../testing/targeting.ts'
import { testApp } from '../../testing/test-app.ts'
import { now } from '../../time/clock.ts'
import { dayOf } from '../../time/day.ts'

const app = await testApp()
afterAll(() => app.close())

const DAY = 86_400
const dayAgo = (days: number) => dayOf(now() - days * DAY, 'Asia/Shanghai')
const range = (first: number, last: number) => `${now() - first * DAY},${now() - last * DAY}`

let adv_id: number
let external: string
let ids: number[]
beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
  const account_id = await aTargetingAccount(app, adv_id, COMMERCE)
  const package_id = await aPackage(app, account_id)
  external = await externalIdOf(app, account_id)
  const plan = (plan_id: string | null) => aPlan({ platform: COMMERCE, account_id, package_id, plan_id })
  ids = [
    await anActivity(app, adv_id, { plans: [plan('1'), plan('2')] }),
    await anActivity(app, adv_id, { plans: [plan('3')] }),
    await anActivity(app, adv_id, { plans: [plan(null)] }),
  ]
  for (const ago of [1, 2, 4]) {
    await aReading(app, adv_id, external, dayAgo(ago), [
      { plan_id: '1', metrics: { cost: BigInt(ago) * 3_333_333n, covert_cnt: BigInt(ago % 2) } },
      { plan_id: '2', metrics: { cost: 1_006_667n } },
      ...(ago === 4 ? [] : [{ plan_id: '3', metrics: { cost: 0n, covert_cnt: 7n } }]),
    ])
  }
})
const query = { campaign_id: () => ids.join(','), time_range: range(5, 1) }
const trends = (caller = app.admin) =>
  caller.get(listActivityTrends, { query: { ...query, campaign_id: query.campaign_id() } as never })

test('the line of each activity is its day report', async () => {
  const { days, list } = await trends()
  expect(days).toEqual([5, 4, 3, 2, 1].map(dayAgo))
  expect(list.map(({ campaign_id }) => campaign_id)).toEqual(ids)
  for (const { campaign_id, ...lines } of list) {
    const report = await app.admin.get(getDayReport, {
      query: { campaign_id: String(campaign_id), time_range: query.time_range } as never,
    })
    for (const key of TREND_KEYS) expect(lines[key]).toEqual(report.list.map((day) => day[key]))
  }
  expect(list[0]?.cost).toEqual([null, 1434, null, 767, 434])
})

test('a viewer without restricted metrics has no lines', async () => {
  const reader = await app.viewer('reader', [adv_id])
  expect((await trends(reader)).list).toEqual(ids.map((campaign_id) => ({ campaign_id })))
})

test('totals that were read ahead are those of the activities, also after a correction', async () => {
  await app.services.activities.warm(new AbortController().signal)
  const total = async () =>
    (await app.admin.get(totalActivities, { query: { time_range: range(29, 0) } as never })).sums.cost
  // 26.353332 yuan, and with another reading of a day 68.679999.
  expect(await total()).toBe(2635)
  await aReading(app, adv_id, external, dayAgo(2), [{ plan_id: '3', metrics: { cost: 50_000_000n } }])
  expect(await total()).toBe(6868)
})

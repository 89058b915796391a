import { expect, test } from 'vitest'
import { getActivity } from '#contract/activity.ts'
import { setPlanOperator } from '#contract/activity-plan.ts'
import { switchActivity } from '#contract/activity-switch.ts'
import { FAULTS } from '#contract/errors.ts'
import { getReportSync, syncReports } from '#contract/report.ts'
import { REAL_NAME_TOKEN } from '../../sandbox/social/access.ts'
import { platformDayOf } from '../platforms/platform-day.ts'
import { reportSums } from '../reports/sums.ts'
import { anActivity, aPlan } from '../testing/activities.ts'
import { testAppWithSandbox } from '../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../testing/builders.ts'
import { COMMERCE, SOCIAL, VIDEO } from '../testing/platforms.ts'
import { anAuthorisedAccount } from '../testing/push.ts'

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres

const ACTIVITIES = 4
const ROUNDS = 4
const DAY = 86_400
const KINDS = [
  { platform: 'social', code: SOCIAL, login_id: '880001', host: 'social' },
  { platform: 'video', code: VIDEO, login_id: '770001', host: 'video' },
  { platform: 'commerce', code: COMMERCE, login_id: '770001', host: 'video' },
] as const
/** What may be said to a person who switches. */
const SAID = [0, FAULTS.activityRefused.code]

let made = 0
/** An account with a plan that was made on the platform's own pages. */
async function aLinkedPlan(adv_id: number, { platform, code, login_id, host }: (typeof KINDS)[number]) {
  const { id: external } = await sandbox.control<{ id: string }>('accounts', {
    ...{ platform: host, login_id, name: `账户${++made}` },
    ...(platform === 'commerce' && { kind: 'QIANCHUAN' }),
  })
  const account_id = await anAuthorisedAccount(app, sandbox, adv_id, code, external)
  if (platform === 'social') {
    await app.admin.get(setPlanOperator, { body: { account_id, user_token: REAL_NAME_TOKEN } })
  }
  const { id: plan_id } = await sandbox.control<{ id: string }>('plans', {
    ...{ platform, account_id: external, name: `计划${made}`, is_on: false, budget: 50_000 },
  })
  const { id: package_id } = await db
    .insertInto('targeting_package')
    .values({
      ...{ adv_id, account_id, platform: code, dir_id: 1, name: `包${made}`, targeting: '{}' },
      ...{ invalid_time: 9_999_999_999, created_at: 1, saved_at: 1, creator_id: null, saved_by: null },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { plan: aPlan({ platform: code, account_id, plan_id, package_id }), account_id, external, plan_id }
}

test('with platforms that fail at random, switches end the same everywhere, and reports are neither lost nor doubled', {
  timeout: 300_000,
}, async () => {
  await app.reset()
  await sandbox.control('switches/reset', {})
  await sandbox.control('switches', { video_advertiser_qps: 0, video_application_qps: 0 })
  const adv_id = await anAdvertiser(app)
  const activities: { id: number; linked: Awaited<ReturnType<typeof aLinkedPlan>>[] }[] = []
  for (let no = 0; no < ACTIVITIES; no++) {
    const linked = []
    for (const kind of KINDS) linked.push(await aLinkedPlan(adv_id, kind))
    activities.push({ id: await anActivity(app, adv_id, { plans: linked.map(({ plan }) => plan) }), linked })
  }
  await app.settled()
  await sandbox.control('switches', {
    ...{ throttle_rate: 0.1, error_rate: 0.1, busy_rate: 0.05, drop_before_rate: 0.05 },
    ...{ drop_after_rate: 0.05, error_after_rate: 0.05 },
  })

  const codes: number[] = []
  await app.admin.get(syncReports, { body: { adv_id } })
  await Promise.all(
    activities.map(async ({ id }) => {
      for (let round = 0; round < ROUNDS; round++) {
        const body = { id, is_open: round % 2 === 0 ? 1 : 0 } as const
        codes.push((await app.admin.call(switchActivity, { body })).code)
      }
    }),
  )
  expect(codes.filter((code) => !SAID.includes(code))).toEqual([])

  await sandbox.control('switches/reset', {})
  await sandbox.control('switches', { video_advertiser_qps: 0, video_application_qps: 0 })
  await app.settled()
  const there = new Map(
    (await sandbox.control<{ id: string; is_on: 0 | 1 }[]>('plans')).map(({ id, is_on }) => [id, is_on]),
  )
  for (const { id, linked } of activities) {
    const { is_open, plans } = await app.admin.get(getActivity, { query: { campaign_id: id } })
    expect(linked.map(({ plan_id }) => there.get(plan_id))).toEqual(linked.map(() => is_open))
    for (const { sync } of plans) {
      expect(sync.state).not.toBe('syncing')
      expect(sync.told).toEqual([])
    }
  }
  expect(await db.selectFrom('campaign_change').selectAll().where('state', '=', 'running').execute()).toEqual([])

  // Days that are over do not change: what was read among failures is what is read without any.
  const at = Date.now() / 1000
  const [from, to] = [platformDayOf(at - 29 * DAY), platformDayOf(at - DAY)]
  const stored = () =>
    reportSums(app.stores.warehouse.live.acrossShards, { adv_id, from, to }, ['day', 'account', 'plan'])
  const settled = async () => (await app.admin.get(getReportSync, { query: { adv_id } as never })).list
  expect((await settled()).map(({ state, fail_outcome }) => [state, fail_outcome])).toEqual(
    Array(ACTIVITIES * KINDS.length).fill(['idle', null]),
  )
  const before = await stored()
  expect(before.length).toBeGreaterThan(0)
  await app.admin.get(syncReports, { body: { adv_id } })
  await app.settled()
  expect(await stored()).toEqual(before)
})

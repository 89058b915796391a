import { beforeEach, describe, expect, test } from 'vitest'
import { getActivity } from '#contract/activity.ts'
import { listActivities } from '#contract/activity-list.ts'
import { listActivityLog } from '#contract/activity-log.ts'
import { setPlanOperator } from '#contract/activity-plan.ts'
import { revokeAuthorisation } from '#contract/authorisation.ts'
import { FAULTS } from '#contract/errors.ts'
import { sentenceOf, waitsUntil } from '#contract/outcome.ts'
import { REAL_NAME_TOKEN } from '../../../../sandbox/social/access.ts'
import { anActivity, aPlan } from '../../../testing/activities.ts'
import { testAppWithSandbox } from '../../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../../testing/builders.ts'
import { PLAN_KINDS as KINDS, type PlanKind, plansOnPlatforms } from '../../../testing/plans-on-platforms.ts'
import { authorise } from '../../../testing/push.ts'
import { now } from '../../../time/clock.ts'

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres

let adv_id: number
const world = plansOnPlatforms(app, sandbox, () => adv_id)
const { operator, there, writes, get, turn, turnPlan, remove, told, read, saved } = world
beforeEach(async () => {
  await world.reset()
  adv_id = await anAdvertiser(app)
})

/** An account that no earlier test has written to, with a plan made on the platform's own pages. */
async function aLinkedPlan(kind: PlanKind, given: { is_on?: boolean; budget?: number } = {}) {
  const { account_id, external, package_id } = await world.anAccount(kind)
  const { id: plan_id } = await sandbox.control<{ id: string }>('plans', {
    ...{ platform: kind.platform, account_id: external, name: `平台计划${external}`, is_on: false, budget: 50_000 },
    ...given,
  })
  const plan = aPlan({ platform: kind.code, account_id, plan_id, package_id })
  return { plan, account_id, external, plan_id, kind }
}

describe.each(KINDS)('a plan on $platform', (kind) => {
  test('goes on and off with its activity, and by itself', async () => {
    const one = await aLinkedPlan(kind)
    const id = await anActivity(app, adv_id, { plans: [one.plan] })
    await app.settled()
    expect((await there(one.plan_id)).is_on).toBe(0)
    expect(await turn(id, 1)).toMatchObject({ code: 0, data: { is_open: 1, is_syncing: false } })
    expect((await there(one.plan_id)).is_on).toBe(1)
    const [plan] = (await get(id)).plans
    expect(plan).toMatchObject({ status: 1, sync: { state: 'synced', reason: null, told: [] } })
    expect(await turnPlan(plan?.id ?? 0, 0)).toMatchObject({ code: 0, data: { is_syncing: false } })
    expect((await there(one.plan_id)).is_on).toBe(0)
    expect(await turnPlan(plan?.id ?? 0, 1)).toMatchObject({ code: 0 })
    expect(await turn(id, 0)).toMatchObject({ code: 0 })
    expect((await there(one.plan_id)).is_on).toBe(0)
    expect(await writes(one.external, kind.write)).toBe(4)
  })

  test.each(['drop_after', 'drop_before', 'error_after', 'error'] as const)(
    'is switched once after %s',
    async (fault) => {
      const one = await aLinkedPlan(kind)
      const id = await anActivity(app, adv_id, { plans: [one.plan] })
      await app.settled()
      await sandbox.control('faults', { platform: kind.host, path: kind.write, account_id: one.external, kind: fault })
      expect(await turn(id, 1)).toMatchObject({ code: 0 })
      await app.settled()
      expect((await there(one.plan_id)).is_on).toBe(1)
      expect(await writes(one.external, kind.write)).toBe(1)
      expect((await get(id)).plans).toMatchObject([{ sync: { state: 'synced' } }])
    },
  )

  test.each(['drop_after', 'drop_before'] as const)('gets its budget once after %s', async (fault) => {
    const one = await aLinkedPlan(kind)
    const id = await anActivity(app, adv_id, { plans: [one.plan] })
    await app.settled()
    await sandbox.control('faults', { platform: kind.host, path: kind.budget, account_id: one.external, kind: fault })
    expect(await saved(id, { budget: 80_000 })).toMatchObject({ code: 0 })
    await app.settled()
    expect((await there(one.plan_id)).budget).toBe(80_000)
    expect(await writes(one.external, kind.budget)).toBe(1)
    expect(await told(id)).toEqual([[]])
  })

  test('is not switched again by a job that was killed after the call', async () => {
    const one = await aLinkedPlan(kind)
    const id = await anActivity(app, adv_id, { plans: [one.plan] })
    await turn(id, 1)
    // As the job left it: the call was made, and nothing of it was stored.
    const asked = { state: 'waiting', want_on: 1, want_mode: 'day', want_budget: 50_000, was_on: 0 } as const
    await db.updateTable('campaign_plan_there').set(asked).execute()
    await db.transaction().execute((tx) => app.services.activities.there.wants.sendRun(tx, one.account_id))
    await app.settled()
    expect([await writes(one.external, kind.write), await writes(one.external, kind.budget)]).toEqual([1, 0])
    expect((await get(id)).plans).toMatchObject([{ status: 1, sync: { state: 'synced' } }])
  })

  test('stopped, changed or deleted there is told, and logged', async () => {
    const one = await aLinkedPlan(kind)
    const id = await anActivity(app, adv_id, { plans: [one.plan] })
    await turn(id, 1)
    const change = { platform: kind.platform, id: one.plan_id }
    await sandbox.control('plans/set', { ...change, is_on: false, budget: 70_000 })
    await read()
    expect(await told(id)).toEqual([['在平台上已被暂停', '平台上的预算为每日 700 元']])
    // Who may not see budgets is told that it differs, in the list.
    const member = await app.viewer('member', [adv_id])
    const [row] = (await member.get(listActivities)).list
    expect(row?.children[0]?.sync.told.map(sentenceOf)).toEqual(['在平台上已被暂停', '平台上的预算与这里的不同'])
    expect(JSON.stringify(row)).not.toContain('70000')
    expect((await get(id)).plans).toMatchObject([{ status: 2 }])
    const { list } = await app.admin.get(listActivityLog, { query: { campaign_id: id } as never })
    expect(list[0]).toMatchObject({
      op_by: '平台',
      changes: [{ label: '平台上的开关', before: '开启', after: '关闭' }, { label: '平台上的预算' }],
    })
    await sandbox.control('plans/set', { ...change, is_deleted: true })
    await read()
    expect((await told(id))[0]?.[0]).toContain('平台上没有这个计划')
    expect((await get(id)).plans).toMatchObject([{ status: 2 }])
  })

  test('that goes on after its last day is stopped by the switch of its activity', async () => {
    const one = await aLinkedPlan(kind)
    const id = await anActivity(app, adv_id, { plans: [one.plan] })
    await turn(id, 1)
    await db.updateTable('campaign_plan').set({ start_date: '2026-01-01', end_date: '2026-01-02' }).execute()
    await db.updateTable('campaign').set({ last_day: '2026-01-02' }).execute()
    expect(await told(id)).toEqual([['在平台上仍是开启的']])
    expect(await turn(id, 0)).toMatchObject({ code: 0, data: { status: 3, is_syncing: false } })
    expect((await there(one.plan_id)).is_on).toBe(0)
    expect(await told(id)).toEqual([[]])
  })

  test('that runs there while its activity is closed is stopped by either switch, and that is logged', async () => {
    const one = await aLinkedPlan(kind)
    const id = await anActivity(app, adv_id, { plans: [one.plan] })
    const [plan] = (await get(id)).plans
    const startedThere = async () => {
      await sandbox.control('plans/set', { platform: kind.platform, id: one.plan_id, is_on: true })
      await read()
      expect(await told(id)).toEqual([['在平台上仍是开启的']])
    }
    for (const stop of [() => turn(id, 0), () => turnPlan(plan?.id ?? 0, 0), () => turnPlan(plan?.id ?? 0, 0)]) {
      await startedThere()
      expect(await stop()).toMatchObject({ code: 0, data: { is_open: 0, is_syncing: false } })
      expect((await there(one.plan_id)).is_on).toBe(0)
    }
    expect(await writes(one.external, kind.write)).toBe(3)
    const { list } = await app.admin.get(listActivityLog, { query: { campaign_id: id } as never })
    expect(list[0]).toMatchObject({ changes: [{ label: '平台上的开关', before: '开启', after: '关闭' }] })
    expect(list[0]?.op_by).not.toBe('平台')
  })

  test('is paused before its activity is deleted', async () => {
    const one = await aLinkedPlan(kind)
    const id = await anActivity(app, adv_id, { plans: [one.plan] })
    await turn(id, 1)
    expect(await remove(id)).toMatchObject({ code: 0, data: { is_deleted: true } })
    expect((await there(one.plan_id)).is_on).toBe(0)
    expect(await app.admin.call(getActivity, { query: { campaign_id: id } })).toMatchObject({ status: 404 })
  })

  test('of another account, or no number at all, keeps its activity closed', async () => {
    const one = await aLinkedPlan(kind)
    const other = await aLinkedPlan(kind, { is_on: false })
    const stranger = { ...one.plan, plan_id: other.plan_id }
    const id = await anActivity(app, adv_id, { plans: [stranger, { ...one.plan, name: '乙', plan_id: 'abc' }] })
    const answer = await turn(id, 1)
    expect(answer).toMatchObject({ status: 409, code: FAULTS.activityRefused.code })
    expect(answer.msg.match(/平台上没有这个计划/g)).toHaveLength(2)
    expect((await there(other.plan_id)).is_on).toBe(0)
    expect((await get(id)).is_open).toBe(0)
  })
})

describe('a reading that ends after a change of ours', () => {
  /** Sends the reading of a plan's account, whose answer is of now and comes two seconds later. */
  async function slowReading({ external, account_id, kind }: Awaited<ReturnType<typeof aLinkedPlan>>) {
    const calls = async () =>
      (await sandbox.control<{ account_id: string }[]>('calls')).filter((call) => call.account_id === external).length
    const before = await calls()
    // The commerce platform is asked once for each goal of plans; this one is of the second.
    const after = kind.platform === 'commerce' ? 1 : 0
    await sandbox.control('faults', { platform: kind.host, account_id: external, after, kind: 'slow', seconds: 2 })
    await db.transaction().execute((tx) => app.services.activities.there.readPlans(tx, [account_id]))
    await expect.poll(calls, { timeout: 10_000 }).toBe(before + 1 + after)
  }
  async function expectNoNews(id: number, plan_id: string) {
    const kept = await db.selectFrom('campaign_plan_there').select(['state', 'found']).executeTakeFirstOrThrow()
    expect(kept).toMatchObject({ state: 'idle', found: { is_on: true } })
    await app.settled()
    expect((await there(plan_id)).is_on).toBe(1)
    expect((await get(id)).plans).toMatchObject([{ status: 1, sync: { state: 'synced', told: [] } }])
    const { list } = await app.admin.get(listActivityLog, { query: { campaign_id: id } as never })
    expect(list.filter(({ op_by }) => op_by === '平台')).toEqual([])
  }

  test.each(KINDS)('that was asked for meanwhile tells and logs nothing on $platform', async (kind) => {
    const one = await aLinkedPlan(kind)
    const id = await anActivity(app, adv_id, { plans: [one.plan] })
    await app.settled()
    await slowReading(one)
    expect(await turn(id, 1)).toMatchObject({ code: 0, data: { is_syncing: false } })
    await expectNoNews(id, one.plan_id)
  })

  test.each(KINDS)('that was under way already tells and logs nothing on $platform', async (kind) => {
    const one = await aLinkedPlan(kind)
    const id = await anActivity(app, adv_id, { plans: [one.plan] })
    await app.settled()
    await db.updateTable('campaign').set({ is_open: 1 }).execute()
    await db.updateTable('campaign_plan_there').set({ state: 'waiting', want_on: 1 }).execute()
    await slowReading(one)
    await db.transaction().execute((tx) => app.services.activities.there.wants.sendRun(tx, one.account_id))
    const states = () => db.selectFrom('campaign_plan_there').select('state').execute()
    await expect.poll(states, { timeout: 10_000 }).toEqual([{ state: 'idle' }])
    await expectNoNews(id, one.plan_id)
  })
})

test('of several, one that is refused restores the others and is named', async () => {
  const good = await aLinkedPlan(KINDS[1])
  const bad = await aLinkedPlan(KINDS[0])
  await operator(bad.account_id, 'an-old-token')
  const id = await anActivity(app, adv_id, { plans: [good.plan, bad.plan] })
  const answer = await turn(id, 1)
  expect(answer.status).toBe(409)
  expect(answer.msg).toBe(`计划「${bad.plan.name}」：user_token 不正确或已过期，请重新实名认证（11102）`)
  await app.settled()
  expect((await there(good.plan_id)).is_on).toBe(0)
  expect((await get(id)).is_open).toBe(0)
  await operator(bad.account_id, REAL_NAME_TOKEN)
  expect(await turn(id, 1)).toMatchObject({ code: 0, data: { is_open: 1 } })
  expect([(await there(good.plan_id)).is_on, (await there(bad.plan_id)).is_on]).toEqual([1, 1])
})

test('without an operator the social platform is not asked', async () => {
  const one = await aLinkedPlan(KINDS[0])
  await db.updateTable('plan_account').set({ user_token: null }).execute()
  const id = await anActivity(app, adv_id, { plans: [one.plan] })
  expect((await turn(id, 1)).msg).toContain('还没有填写操作人的实名令牌')
  expect(await writes(one.external, KINDS[0].write)).toBe(0)
})

test('a budget that the platform refuses is said on the plan', async () => {
  const one = await aLinkedPlan(KINDS[0])
  await sandbox.control('plans/set', { platform: 'social', id: one.plan_id, spent: 60_000 })
  const id = await anActivity(app, adv_id, { plans: [one.plan] })
  await app.settled()
  await saved(id, { budget: 70_000 })
  await app.settled()
  const [plan] = (await get(id)).plans
  expect(plan?.sync.state).toBe('failed')
  expect(plan?.sync.reason && sentenceOf(plan.sync.reason)).toBe('日预算不能低于已消耗金额的要求（1901873）')
  expect(await told(id)).toEqual([['平台上的预算为每日 500 元']])
})

test('an account that is taken back meanwhile keeps the activity closed; a budget goes on afterwards', async () => {
  const one = await aLinkedPlan(KINDS[1])
  const id = await anActivity(app, adv_id, { plans: [one.plan] })
  await app.settled()
  await app.admin.get(revokeAuthorisation, { params: { id: one.account_id } })
  expect((await turn(id, 1)).status).toBe(409)
  expect((await get(id)).is_open).toBe(0)
  const reason = async () => {
    const [plan] = (await get(id)).plans
    return plan?.sync.reason ? sentenceOf(plan.sync.reason) : null
  }
  expect(await reason()).toMatch(/；请重新授权后再试$/)
  await saved(id, { budget: 90_000 })
  await app.settled()
  expect(await reason()).toMatch(/；重新授权后自动继续$/)
  expect((await there(one.plan_id)).budget).toBe(50_000)
  await authorise(app, sandbox, one.account_id)
  await db.transaction().execute((tx) => app.services.accounts.authorised(tx, one.account_id))
  await app.settled()
  expect((await there(one.plan_id)).budget).toBe(90_000)
  expect((await get(id)).plans).toMatchObject([{ sync: { state: 'synced', reason: null } }])
})

test('a refused switch that went back is said until the plan is read again', async () => {
  const one = await aLinkedPlan(KINDS[1])
  const id = await anActivity(app, adv_id, { plans: [one.plan] })
  await app.settled()
  await app.admin.get(revokeAuthorisation, { params: { id: one.account_id } })
  expect((await turn(id, 1)).status).toBe(409)
  expect((await get(id)).plans).toMatchObject([{ sync: { state: 'failed', can_retry: false } }])
  await authorise(app, sandbox, one.account_id)
  await read()
  expect((await get(id)).plans).toMatchObject([{ sync: { state: 'synced', reason: null, told: [] } }])
})

describe('a save while its activity is being switched', () => {
  const states = async () =>
    (await db.selectFrom('campaign_change').select('state').orderBy('id').execute()).map(({ state }) => state)
  const away = (external: string) =>
    sandbox.control('faults', {
      ...{ platform: 'video', path: 'project', account_id: external, kind: 'error', status: 503, times: 200 },
    })

  test('ends the change that its last plan has left', async () => {
    const one = await aLinkedPlan(KINDS[1])
    const id = await anActivity(app, adv_id, { plans: [one.plan] })
    await app.settled()
    await away(one.external)
    const turning = turn(id, 1)
    await expect.poll(states).toEqual(['running'])
    expect(await saved(id, { is_open: 0 })).toMatchObject({ code: 0 })
    expect(await states()).toEqual(['done'])
    expect(await turning).toMatchObject({ code: 0, data: { is_syncing: false } })
    await sandbox.control('faults/forget', {})
    await app.settled()
    expect((await there(one.plan_id)).is_on).toBe(0)
    expect((await get(id)).plans).toMatchObject([{ sync: { state: 'synced', told: [] } }])
  })

  test('goes on stopping a plan that it takes off the list', async () => {
    const one = await aLinkedPlan(KINDS[1])
    const { package_id } = one.plan
    const local = aPlan({
      name: '乙',
      platform: KINDS[1].code,
      account_id: one.account_id,
      package_id: package_id ?? 0,
    })
    const id = await anActivity(app, adv_id, { plans: [one.plan, local] })
    await turn(id, 1)
    await away(one.external)
    const turning = turn(id, 0)
    await expect.poll(states).toEqual(['done', 'running'])
    expect(await saved(id, null)).toMatchObject({ code: 0 })
    expect(await states()).toEqual(['done', 'done'])
    await turning
    await sandbox.control('faults/forget', {})
    await app.settled()
    expect((await there(one.plan_id)).is_on).toBe(0)
  })
})

test('a deletion that a newer change replaces says so, and the activity stays', async () => {
  const one = await aLinkedPlan(KINDS[1])
  const id = await anActivity(app, adv_id, { plans: [one.plan] })
  await turn(id, 1)
  await sandbox.control('faults', {
    ...{ platform: 'video', path: 'project', account_id: one.external, kind: 'error', status: 503, times: 200 },
  })
  const removing = remove(id)
  await expect
    .poll(() => db.selectFrom('campaign_change').select('kind').where('state', '=', 'running').execute())
    .toEqual([{ kind: 'delete' }])
  const opening = turn(id, 1)
  expect(await removing).toMatchObject({ status: 409, msg: '之后的操作取代了删除，活动没有删除' })
  await sandbox.control('faults/forget', {})
  expect(await opening).toMatchObject({ code: 0 })
  await app.settled()
  expect(await get(id)).toMatchObject({ is_open: 1, plans: [{ sync: { state: 'synced', told: [] } }] })
})

test('two who open at once open once', async () => {
  const one = await aLinkedPlan(KINDS[1])
  const id = await anActivity(app, adv_id, { plans: [one.plan] })
  expect((await Promise.all([turn(id, 1), turn(id, 1)])).map(({ code }) => code)).toEqual([0, 0])
  expect(await writes(one.external, KINDS[1].write)).toBe(1)
})

test('a platform that is gone is said; the activity can be left to itself', async () => {
  const one = await aLinkedPlan(KINDS[1])
  const id = await anActivity(app, adv_id, { plans: [one.plan] })
  await turn(id, 1)
  await sandbox.control('faults', {
    platform: 'video',
    path: 'project',
    account_id: one.external,
    kind: 'error',
    status: 503,
    times: 200,
  })
  const answer = await remove(id)
  expect(answer).toMatchObject({ code: 0, data: { is_deleted: false } })
  expect(answer.data?.problems.map(sentenceOf)).toEqual([
    `计划「${one.plan.name}」：平台暂时不可用（HTTP 503），稍后自动重试`,
  ])
  const [reason] = (await get(id)).plans.map(({ sync }) => sync.reason)
  expect(reason && waitsUntil(reason)).toBeGreaterThan(now() - 60)
  expect(await remove(id, '1')).toMatchObject({ data: { is_deleted: true } })
  await sandbox.control('faults/forget', {})
  await app.settled()
  expect((await there(one.plan_id)).is_on).toBe(1)
}, 30_000)

test('a stranger gives no token', async () => {
  const one = await aLinkedPlan(KINDS[0])
  const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
  const body = { account_id: one.account_id, user_token: 'x' }
  expect(await stranger.call(setPlanOperator, { body })).toMatchObject({ status: 404 })
  const video = await aLinkedPlan(KINDS[1])
  expect((await operator(video.account_id, 'x')).status).toBeGreaterThanOrEqual(400)
})

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newCreation, type PlanCreation } from '#contract/activity/creation.ts'
import type { PlanTargeting, WantedPlan } from '#contract/activity/there.ts'
import { REAL_NAME_TOKEN } from '../../sandbox/social/access.ts'
import { type PlatformWorld, platformWorld } from '../testing/platform-world.ts'
import { COMMERCE, SOCIAL, VIDEO } from '../testing/platforms.ts'
import type { PlanSession, PlatformPlans } from './plan-platform.ts'

let world: PlatformWorld
beforeAll(async () => {
  world = await platformWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.control('switches', { video_advertiser_qps: 0, video_application_qps: 0 })
  world.takeCalls()
})

const ACCOUNTS = { [SOCIAL]: '9007199254750003', [VIDEO]: '9107199254750003', [COMMERCE]: '9107199254750013' } as const
type Code = keyof typeof ACCOUNTS

async function plansOn(code: Code): Promise<{ plans: PlatformPlans; account: PlanSession }> {
  const plans = world.platforms.plansOf(code)
  if (!plans?.create) throw new Error('creates none')
  const session = await world.session(code === SOCIAL ? 'social' : 'video', ACCOUNTS[code])
  return { plans, account: { ...session, token: session.token, user_token: REAL_NAME_TOKEN } }
}

let made = 0
const NOBODY: PlanTargeting = { package: null, package_id: null, include: [], exclude: [] }
function wanted(code: Code, more: Partial<WantedPlan> = {}): WantedPlan {
  const creation = newCreation(code) as PlanCreation
  const mark = `mark${String(++made).padStart(4, '0')}`
  return {
    ...{ key: `plan-${made}`, title: { name: '拉新', mark }, start: '2099-01-01', end: '2099-02-01', hours: null },
    ...{ targeting: NOBODY, budget: { mode: 'day', fen: 50_000 } },
    creation: {
      ...creation,
      ...('bid' in creation && { bid: 3000, marketing_asset_id: '77', aweme_id: '55' }),
    } as never,
    ...more,
  }
}
/** The body of the last call to a path. */
const sentTo = (path: string) => {
  const call = world.takeCalls().findLast((one) => one.path.includes(path))
  return JSON.parse(call?.body.toString() ?? '{}') as Record<string, never>
}

test('a plan without an end, and with one, on each platform', async () => {
  const bodies: unknown[] = []
  for (const [code, path] of [
    [SOCIAL, 'adgroups/add'],
    [VIDEO, 'project/create'],
    [COMMERCE, 'ad/create'],
  ] as const) {
    const { plans, account } = await plansOn(code)
    for (const end of [null, '2099-02-01']) {
      await plans.create?.make(account, withKind(code, wanted(code, { end })), world.on)
      const { begin_date, end_date, delivery_setting } = sentTo(path)
      const { schedule_type, live_schedule_type, start_time, end_time } = (delivery_setting ?? {}) as never
      bodies.push(
        code === SOCIAL ? [begin_date, end_date] : [schedule_type ?? live_schedule_type, start_time, end_time],
      )
    }
  }
  expect(bodies).toEqual([
    ['2099-01-01', ''],
    ['2099-01-01', '2099-02-01'],
    ['SCHEDULE_FROM_NOW', undefined, undefined],
    ['SCHEDULE_START_END', '2099-01-01', '2099-02-01'],
    ['SCHEDULE_FROM_NOW', undefined, undefined],
    ['SCHEDULE_START_END', '2099-01-01', '2099-02-01'],
  ])
})

/** Without the fields of another platform, which the loop above gives to all. */
function withKind(code: Code, plan: WantedPlan): WantedPlan {
  const { kind } = plan.creation
  const creation = { ...plan.creation } as Record<string, unknown>
  if (kind === 'social') delete creation.aweme_id
  if (kind === 'commerce') delete creation.marketing_asset_id
  return code === VIDEO ? plan : { ...plan, creation: creation as never }
}

test('a package of the video engine is named; with crowds of the plan all is sent, and an update clears the package', async () => {
  const { plans, account } = await plansOn(VIDEO)
  const targeting = { package: { gender: ['GENDER_FEMALE'] }, package_id: '9507199254740995', include: [], exclude: [] }
  const named = plans.create?.make(account, wanted(VIDEO, { targeting }), world.on)
  // The package is not there; what counts here is what was sent.
  await expect(named).rejects.toMatchObject({ kind: 'refused' })
  expect(sentTo('project/create').audience).toEqual({ audience_package_id: 9_507_199_254_740_996 })
  const inline = { ...targeting, package_id: null }
  const id = (await plans.create?.make(account, wanted(VIDEO, { targeting: inline }), world.on)) ?? ''
  expect(sentTo('project/create').audience).toEqual({ gender: 'GENDER_FEMALE', interest_action_mode: undefined })
  await plans.update(account, id, { targeting: inline }, world.on)
  expect(sentTo('project/update').audience).toMatchObject({
    ...{ audience_package_id: 0, gender: 'GENDER_FEMALE' },
    ...{ retargeting_tags_include: [], retargeting_tags_exclude: [] },
  })
})

test('what an update of the commerce platform does not change is sent along', async () => {
  const { plans, account } = await plansOn(COMMERCE)
  const targeting = { ...NOBODY, package: { gender: ['GENDER_FEMALE'] } }
  const plan = withKind(COMMERCE, wanted(COMMERCE, { targeting, hours: `0${'1'.repeat(335)}` }))
  const id = (await plans.create?.make(account, plan, world.on)) ?? ''
  await plans.update(account, id, { title: { ...plan.title, name: '改名' } }, world.on)
  expect(sentTo('ad/update')).toMatchObject({
    ...{ name: `改名_${plan.title.mark}`, audience: { gender: 'GENDER_FEMALE' } },
    delivery_setting: { budget: 500, cpa_bid: 30, start_time: '2099-01-01', schedule_time: plan.hours },
  })
  // The name that it has would be refused, so nothing is sent.
  await plans.update(account, id, { title: { ...plan.title, name: '改名' } }, world.on)
  expect(sentTo('ad/update')).toEqual({})
})

test('the social platform is told who makes a plan, under an id for each body', async () => {
  const { plans, account } = await plansOn(SOCIAL)
  const plan = withKind(SOCIAL, wanted(SOCIAL))
  const id = await plans.create?.make(account, plan, world.on)
  expect(await plans.create?.make(account, plan, world.on)).toBe(id)
  expect(await plans.create?.find(account, plan, world.on)).toBe(id)
  const calls = world.takeCalls().filter(({ path }) => path.includes('adgroups/add'))
  expect(new Set(calls.map(({ headers }) => headers['x-request-id'])).size).toBe(1)
  expect(calls[0]?.query).toContainEqual(['user_token', REAL_NAME_TOKEN])
  // The same under another id is refused, and is not made without one.
  const again = plans.create?.make(account, { ...plan, key: 'other' }, world.on)
  await expect(again).rejects.toMatchObject({ code: 31060 })
  await expect(
    plans.create?.make({ ...account, user_token: null }, withKind(SOCIAL, wanted(SOCIAL)), world.on),
  ).rejects.toMatchObject({ outcome: { code: 'plan_operator_missing' } })
})

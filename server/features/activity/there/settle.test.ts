import { beforeEach, describe, expect, test } from 'vitest'
import { newCreation, type PlanCreation } from '#contract/activity/creation.ts'
import { listActivityLog } from '#contract/activity-log.ts'
import { type SavedPlan, settlePlan } from '#contract/activity-plan.ts'
import { anActivity, aPlan } from '../../../testing/activities.ts'
import { testAppWithSandbox } from '../../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../../testing/builders.ts'
import { PLAN_KINDS, type PlanKind, plansOnPlatforms } from '../../../testing/plans-on-platforms.ts'

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres
let adv_id: number
const world = plansOnPlatforms(app, sandbox, () => adv_id)
const { there, writes, get, told, read, saved } = world
beforeEach(async () => {
  await world.reset()
  adv_id = await anAdvertiser(app)
})
const [, VIDEO, COMMERCE] = PLAN_KINDS
const END = '2099-02-01'
const LATER = '2099-03-01'

function creationOf({ code }: PlanKind): PlanCreation {
  const creation = newCreation(code)
  if (creation?.kind === 'social') return { ...creation, marketing_asset_id: '77', bid: 3000 }
  if (creation?.kind === 'commerce') return { ...creation, aweme_id: '55', bid: 2000 }
  return creation as PlanCreation
}

/** An activity with a plan that was created on its platform. */
async function aMadePlan(kind: PlanKind, given: Partial<SavedPlan> = {}) {
  const { account_id, package_id, external } = await world.anAccount(kind)
  const common = { platform: kind.code, account_id, package_id, end_date: END }
  const plan = aPlan({ ...common, name: '拉新', creation: creationOf(kind), ...given })
  const id = await anActivity(app, adv_id, { plans: [plan] })
  await app.settled()
  const [made] = (await get(id)).plans
  if (!made?.plan_id) throw new Error('the plan was not created')
  const there_id = made.plan_id
  const change = (what: { name?: string; end?: string | null }) =>
    sandbox.control('plans/set', { platform: kind.platform, id: there_id, ...what })
  return { id, plan_id: made.id, there_id, external, change }
}
const settle = (id: number, keep: 'platform' | 'ours') => app.admin.call(settlePlan, { body: { id, keep } })
const planOf = async (id: number) => (await get(id)).plans[0]
const endThere = async (kind: PlanKind, there_id: string) => {
  const content = JSON.parse((await there(there_id)).content ?? '{}')
  return String(kind.platform === 'social' ? content.end_date : content.delivery_setting.end_time).slice(0, 10)
}

describe.each(PLAN_KINDS)('a plan of ours on $platform', (kind) => {
  test('that was changed there is told with the next reading, in the log too, and taken over', async () => {
    const one = await aMadePlan(kind)
    await read()
    expect(await told(one.id)).toEqual([[]])
    await one.change({ name: '老客', end: LATER })
    await read()
    const [sentences] = await told(one.id)
    expect(sentences).toEqual([
      '平台上的名称已改为「老客」',
      expect.stringMatching(/^平台上的日期已改为 .*2099-03-01$/),
    ])
    expect((await planOf(one.id))?.sync).toMatchObject({ state: 'synced', can_settle: true })
    const { list } = await app.admin.get(listActivityLog, { query: { campaign_id: one.id } as never })
    expect(list[0]).toMatchObject({ op_by: '平台' })
    expect(list[0]?.changes.map(({ label }) => label)).toEqual(['平台上的名称', '平台上的日期'])

    const before = await writes(one.external, kind.update)
    expect(await settle(one.plan_id, 'platform')).toMatchObject({
      code: 0,
      data: { ver: 2, name: '老客', end_date: LATER },
    })
    await app.settled()
    await read()
    expect(await told(one.id)).toEqual([[]])
    expect(await planOf(one.id)).toMatchObject({ name: '老客', end_date: LATER, sync: { can_settle: false } })
    expect(await writes(one.external, kind.update)).toBe(before)
    expect(await settle(one.plan_id, 'platform')).toMatchObject({ msg: '平台上的名称与日期没有改动' })
  })

  test('that was changed there is written as it is here', async () => {
    const one = await aMadePlan(kind)
    await one.change({ name: '老客', end: LATER })
    await read()
    expect(await settle(one.plan_id, 'ours')).toMatchObject({ code: 0, data: { ver: 1, name: '拉新' } })
    await app.settled()
    expect((await there(one.there_id)).name).toMatch(/^拉新_[0-9a-f]{8}$/)
    expect(await endThere(kind, one.there_id)).toBe(END)
    expect(await told(one.id)).toEqual([[]])
    await read()
    expect(await told(one.id)).toEqual([[]])
  })

  test('whose name was changed there keeps that to be decided on while its days are saved here', async () => {
    const one = await aMadePlan(kind)
    await one.change({ name: '老客' })
    await read()
    await saved(one.id, { end_date: LATER })
    await app.settled()
    expect(await endThere(kind, one.there_id)).toBe(LATER)
    expect(await told(one.id)).toEqual([['平台上的名称已改为「老客」']])
  })
})

test.each(['drop_after', 'error_after'] as const)('ours is there, and nothing is told, after %s', async (lost) => {
  const one = await aMadePlan(VIDEO)
  await one.change({ name: '老客' })
  await read()
  await sandbox.control('faults', { platform: 'video', path: VIDEO.update, account_id: one.external, kind: lost })
  await settle(one.plan_id, 'ours')
  await app.settled()
  expect((await there(one.there_id)).name).toMatch(/^拉新_/)
  expect(await told(one.id)).toEqual([[]])
})

test('what was written by a job that was killed before it stored the answer is no change', async () => {
  const one = await aMadePlan(VIDEO)
  await saved(one.id, { name: '新名' })
  await app.settled()
  const before = await db.selectFrom('campaign_plan_there').select('agreed').executeTakeFirstOrThrow()
  // As the job left it: the platform has the name, and nothing of that is stored.
  await db
    .updateTable('campaign_plan_there')
    .set({ agreed: JSON.stringify({ ...before.agreed, name: '拉新_00000000' }) })
    .execute()
  await read()
  expect(await told(one.id)).toEqual([[]])
})

test('a name that cannot be used here is refused, with the days it stays to be decided on', async () => {
  const one = await aMadePlan(COMMERCE)
  await one.change({ name: '老 客' })
  await read()
  const refused = await settle(one.plan_id, 'platform')
  expect(refused.msg).toContain('平台上的名称「老 客」在这里不能使用')
  await one.change({ end: LATER })
  await read()
  expect(await settle(one.plan_id, 'platform')).toMatchObject({ code: 0, data: { name: '拉新', end_date: LATER } })
  expect(await told(one.id)).toEqual([['平台上的名称已改为「老 客」']])
})

test('a linked plan may have another name and other days', async () => {
  const { account_id, package_id, external } = await world.anAccount(VIDEO)
  const { id: plan_id } = await sandbox.control<{ id: string }>('plans', {
    ...{ platform: 'video', account_id: external, name: '平台的', is_on: false },
  })
  const plan = aPlan({ platform: VIDEO.code, account_id, package_id, plan_id, is_open: 0 })
  const id = await anActivity(app, adv_id, { plans: [plan] })
  await read()
  await sandbox.control('plans/set', { platform: 'video', id: plan_id, name: '改了' })
  await read()
  expect(await told(id)).toEqual([[]])
})

import { beforeEach, describe, expect, test } from 'vitest'
import { newCreation, type PlanCreation } from '#contract/activity/creation.ts'
import { copyActivity, createActivity, getActivity } from '#contract/activity.ts'
import { listActivityLog } from '#contract/activity-log.ts'
import { listPlanPlatforms, type PlanDetail, retryPlan, type SavedPlan } from '#contract/activity-plan.ts'
import { revokeAuthorisation } from '#contract/authorisation.ts'
import { sentenceOf } from '#contract/outcome.ts'
import { addTargeting, getTargeting, updateTargeting } from '#contract/targeting-package.ts'
import { anActivity, aPlan } from '../../../testing/activities.ts'
import { testAppWithSandbox } from '../../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../../testing/builders.ts'
import { PLAN_KINDS, type PlanKind, plansOnPlatforms } from '../../../testing/plans-on-platforms.ts'
import { authorise } from '../../../testing/push.ts'

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres
let adv_id: number
const world = plansOnPlatforms(app, sandbox, () => adv_id)
const { there, allThere, writes, get, turn, remove, saved } = world
beforeEach(async () => {
  await world.reset()
  adv_id = await anAdvertiser(app)
})
const [SOCIAL, VIDEO, COMMERCE] = PLAN_KINDS
/** A day that lies ahead. */
const LATER = '2099-02-01'

/** All that the platform asks for. */
function creationOf({ code }: PlanKind): PlanCreation {
  const creation = newCreation(code)
  if (creation?.kind === 'social') return { ...creation, marketing_asset_id: '77', bid: 3000 }
  if (creation?.kind === 'commerce') return { ...creation, aweme_id: '55', bid: 2000 }
  return creation as PlanCreation
}

/** A plan that is created once its activity is submitted. */
async function aNewPlan(kind: PlanKind, given: Partial<SavedPlan> = {}) {
  const account = await world.anAccount(kind)
  const { account_id, package_id } = account
  const plan = aPlan({ platform: kind.code, account_id, package_id, creation: creationOf(kind), ...given })
  return { ...account, plan, kind }
}
const planOf = async (id: number) => {
  const [plan] = (await get(id)).plans
  if (!plan) throw new Error('no plan')
  return plan
}
const reasonOf = ({ sync }: PlanDetail) => sync.reason && sentenceOf(sync.reason)
const retry = (id: number) => app.admin.call(retryPlan, { body: { id } })
const contentOf = async (id: string | null) => JSON.parse((await there(id)).content ?? '{}')
const fault = (kind: PlanKind, external: string, path: string, given: object) =>
  sandbox.control('faults', { platform: kind.host, path, account_id: external, ...given })
/** Runs the jobs of an account again, as after a restart. */
const again = async (account_id: number) => {
  await db.transaction().execute((tx) => app.services.activities.there.wants.sendRun(tx, account_id))
  await app.settled()
}

describe.each(PLAN_KINDS)('a plan that is new on $platform', (kind) => {
  test('is created off when its activity is submitted, and goes on with it', async () => {
    const one = await aNewPlan(kind, { name: '拉新', end_date: LATER })
    const draft = await anActivity(app, adv_id, { plans: [one.plan], submit: false })
    await app.settled()
    expect(await allThere(one.external)).toEqual([])
    expect(await planOf(draft)).toMatchObject({ is_local: false, plan_id: null, sync: { state: 'local' } })

    const id = await anActivity(app, adv_id, { plans: [one.plan] })
    await app.settled()
    const plan = await planOf(id)
    expect(plan).toMatchObject({ is_local: false, sync: { state: 'synced', reason: null, told: [] } })
    const [made, ...more] = await allThere(one.external)
    expect(more).toEqual([])
    expect(made).toMatchObject({ id: plan.plan_id, is_on: 0, budget: 50_000 })
    expect(made?.name).toMatch(/^拉新_[0-9a-f]{8}$/)
    const { list } = await app.admin.get(listActivityLog, { query: { campaign_id: id } as never })
    expect(list[0]).toMatchObject({
      op_by: '平台',
      changes: [{ label: '平台计划 ID', before: null, after: plan.plan_id }],
    })

    expect(await turn(id, 1)).toMatchObject({ code: 0, data: { is_open: 1, is_syncing: false } })
    expect(await there(plan.plan_id)).toMatchObject({ is_on: 1 })
    expect(await writes(one.external, kind.create)).toBe(1)
  })

  test.each(['drop_after', 'drop_before', 'error_after', 'error', 'timeout_after'] as const)(
    'is there once after %s',
    async (lost) => {
      const one = await aNewPlan(kind)
      await fault(kind, one.external, kind.create, { kind: lost, ...(lost === 'timeout_after' && { seconds: 0.2 }) })
      const id = await anActivity(app, adv_id, { plans: [one.plan] })
      await app.settled()
      expect(await planOf(id)).toMatchObject({ sync: { state: 'synced' } })
      expect(await allThere(one.external)).toMatchObject([{ is_on: 0, name: expect.stringContaining(one.plan.name) }])
      expect(await writes(one.external, kind.create)).toBe(1)
    },
  )

  test.each(['throttle', 'busy'] as const)('waits where the platform says %s', async (busy) => {
    const one = await aNewPlan(kind)
    await fault(kind, one.external, kind.create, { kind: busy })
    const id = await anActivity(app, adv_id, { plans: [one.plan] })
    await app.settled()
    expect(await planOf(id)).toMatchObject({ sync: { state: 'synced' } })
    expect(await allThere(one.external)).toHaveLength(1)
  })

  test('is found by a job that was killed after the call', async () => {
    const one = await aNewPlan(kind)
    const id = await anActivity(app, adv_id, { plans: [one.plan] })
    await app.settled()
    const { id: plan_id, plan_id: there_id } = await planOf(id)
    // As the job left it: what it sent is stored, and nothing of the answer.
    const { mark } = await db
      .selectFrom('campaign_plan_there')
      .select('mark')
      .where('plan_id', '=', plan_id)
      .executeTakeFirstOrThrow()
    const wanted = { title: { name: one.plan.name, mark }, targeting: {}, budget: { mode: 'day', fen: 50_000 } }
    await db.updateTable('campaign_plan').set({ plan_id: null }).where('id', '=', plan_id).execute()
    await db
      .updateTable('campaign_plan_there')
      .set({ there_id: null, state: 'waiting', want_on: 0, want_create: true, found: null })
      .set({ making: JSON.stringify({ at: 0, wanted }) })
      .where('plan_id', '=', plan_id)
      .execute()
    await again(one.account_id)
    expect(await planOf(id)).toMatchObject({ plan_id: there_id, sync: { state: 'synced' } })
    expect(await allThere(one.external)).toHaveLength(1)
    expect(await writes(one.external, kind.create)).toBe(1)
  })

  test('gets what was changed of it while it was created', async () => {
    const one = await aNewPlan(kind, { end_date: LATER })
    await fault(kind, one.external, kind.create, { kind: 'drop_after' })
    await fault(kind, one.external, 'get', { kind: 'error', times: 2 })
    await fault(kind, one.external, 'list', { kind: 'error', times: 2 })
    const id = await anActivity(app, adv_id, { plans: [one.plan] })
    expect(await saved(id, { name: '改了名', budget: 80_000 })).toMatchObject({ code: 0 })
    await app.settled()
    const plan = await planOf(id)
    expect(plan).toMatchObject({ sync: { state: 'synced', told: [] } })
    expect(await allThere(one.external)).toMatchObject([{ id: plan.plan_id, budget: 80_000 }])
    expect((await there(plan.plan_id)).name).toMatch(/^改了名_[0-9a-f]{8}$/)
    expect(await writes(one.external, kind.create)).toBe(1)
  })

  test('is given its name, last day, hours and targeting again when they change', async () => {
    const one = await aNewPlan(kind, { end_date: LATER })
    const id = await anActivity(app, adv_id, { plans: [one.plan] })
    await app.settled()
    const { plan_id } = await planOf(id)
    const before = await contentOf(plan_id)
    const package_id = await world.aStoredPackage(one.account_id, kind.code, { gender: [genderOf(kind)] })
    const hours = `0${'1'.repeat(335)}`
    expect(await saved(id, { name: '新名', end_date: '2099-03-01', hours, package_id })).toMatchObject({ code: 0 })
    await app.settled()
    expect(await planOf(id)).toMatchObject({ plan_id, sync: { state: 'synced', reason: null } })
    expect((await there(plan_id)).name).toMatch(/^新名_[0-9a-f]{8}$/)
    const after = await contentOf(plan_id)
    expect(JSON.stringify(before)).not.toContain(genderOf(kind))
    expect(JSON.stringify(after)).toContain(genderOf(kind))
    expect(JSON.stringify(after)).toContain(hours)
    expect(JSON.stringify(after)).toContain('2099-03-01')
    // Nothing is sent that did not change.
    const count = await writes(one.external, kind.update)
    expect(await saved(id, { is_open: 0 })).toMatchObject({ code: 0 })
    await app.settled()
    expect(await writes(one.external, kind.update)).toBe(count)
  })

  test.each(['drop_after', 'drop_before'] as const)('is changed once in effect after %s', async (lost) => {
    const one = await aNewPlan(kind, { end_date: LATER })
    const id = await anActivity(app, adv_id, { plans: [one.plan] })
    await app.settled()
    await fault(kind, one.external, kind.update, { kind: lost })
    await saved(id, { name: '又改名' })
    await app.settled()
    const plan = await planOf(id)
    expect(plan).toMatchObject({ sync: { state: 'synced', reason: null } })
    expect((await there(plan.plan_id)).name).toMatch(/^又改名_[0-9a-f]{8}$/)
  })

  test('is stopped and forgotten where its activity is deleted while it is created', async () => {
    const one = await aNewPlan(kind)
    await fault(kind, one.external, kind.create, { kind: 'drop_after' })
    await fault(kind, one.external, kind.platform === 'video' ? 'list' : 'get', { kind: 'error', times: 1 })
    const id = await anActivity(app, adv_id, { plans: [one.plan] })
    await remove(id)
    await app.settled()
    expect(await app.admin.call(getActivity, { query: { campaign_id: id } })).toMatchObject({ status: 404 })
    expect((await allThere(one.external)).every(({ is_on }) => is_on === 0)).toBe(true)
    expect((await allThere(one.external)).length).toBeLessThan(2)
  })

  test('keeps its purpose once it is there, and its first day where the platform fixes it', async () => {
    const one = await aNewPlan(kind, { end_date: LATER })
    const id = await anActivity(app, adv_id, { plans: [one.plan] })
    await app.settled()
    const other =
      kind.platform === 'video'
        ? { kind: 'video', external_action: 'AD_CONVERT_TYPE_CLICK_NUM' }
        : { ...creationOf(kind), bid: 4000 }
    expect((await saved(id, { creation: other as PlanCreation })).msg).toContain('不能再修改')
    const moved = await saved(id, { start_date: '2099-01-01' })
    if (kind.platform === 'social') expect(moved.code).toBe(0)
    else expect(moved.msg).toContain('不能修改开始日期')
    // Whoever opened the form before the plan was there does not unlink it.
    const { plan_id } = await planOf(id)
    expect(await saved(id, { plan_id: null })).toMatchObject({ code: 0 })
    expect(await planOf(id)).toMatchObject({ plan_id })
  })

  test('waits for a new authorisation', async () => {
    const one = await aNewPlan(kind)
    await app.admin.get(revokeAuthorisation, { params: { id: one.account_id } })
    const id = await anActivity(app, adv_id, { plans: [one.plan] })
    await app.settled()
    const plan = await planOf(id)
    expect(plan).toMatchObject({ plan_id: null, sync: { state: 'uncreated', can_retry: true } })
    expect(reasonOf(plan)).toContain('没有授权')
    await authorise(app, sandbox, one.account_id)
    await db.transaction().execute((tx) => app.services.activities.there.onAuthorised(tx, one.account_id))
    await app.settled()
    expect(await planOf(id)).toMatchObject({ sync: { state: 'synced' } })
    expect(await allThere(one.external)).toHaveLength(1)
  })
})

const genderOf = ({ platform }: PlanKind) => (platform === 'social' ? 'FEMALE' : 'GENDER_FEMALE')

test('what the platform refuses is said, and can be tried again', async () => {
  await sandbox.control('switches', { video_projects: 0 })
  const one = await aNewPlan(VIDEO)
  const id = await anActivity(app, adv_id, { plans: [one.plan] })
  await app.settled()
  const plan = await planOf(id)
  expect(plan).toMatchObject({ plan_id: null, sync: { state: 'uncreated', can_retry: true } })
  expect(reasonOf(plan)).toBe('项目数量已达上限: 0（40000）')
  await sandbox.control('switches', { video_projects: 200 })
  expect(await retry(plan.id)).toMatchObject({ code: 0 })
  await app.settled()
  expect(await planOf(id)).toMatchObject({ sync: { state: 'synced', can_retry: false } })
  expect((await retry(plan.id)).msg).toContain('没有需要重试的改动')
})

test('a budget below the platform’s least is said, and saving another one creates the plan', async () => {
  const one = await aNewPlan(VIDEO, { budget: 10_000 })
  const id = await anActivity(app, adv_id, { plans: [one.plan] })
  await app.settled()
  expect(reasonOf(await planOf(id))).toContain('项目预算应在300元')
  await saved(id, { budget: 30_000 })
  await app.settled()
  expect(await planOf(id)).toMatchObject({ sync: { state: 'synced' } })
  expect(await allThere(one.external)).toMatchObject([{ budget: 30_000 }])
})

test('without an operator the social platform is not asked', async () => {
  const one = await aNewPlan(SOCIAL)
  await db.updateTable('plan_account').set({ user_token: null }).execute()
  const body = { advertiser_id: adv_id, name: '没有令牌', submit: true, plans: [one.plan] }
  const refused = await app.admin.call(createActivity, { body })
  expect(refused.msg).toContain(`计划「${one.plan.name}」：还没有填写操作人的实名令牌`)
  // A draft may wait for it.
  await anActivity(app, adv_id, { plans: [one.plan], submit: false })
  await app.settled()
  expect(await writes(one.external, SOCIAL.create)).toBe(0)
})

test('an activity whose plan cannot be created stays closed, and its other plans off', async () => {
  const good = await aNewPlan(COMMERCE)
  const bad = await aNewPlan(VIDEO, { budget: 10_000 })
  const id = await anActivity(app, adv_id, { plans: [good.plan, bad.plan] })
  await app.settled()
  const answer = await turn(id, 1)
  expect(answer.status).toBe(409)
  expect(answer.msg).toContain(`计划「${bad.plan.name}」：项目预算应在300元`)
  await app.settled()
  expect((await get(id)).is_open).toBe(0)
  expect(await allThere(good.external)).toMatchObject([{ is_on: 0 }])
})

test('opening an activity creates what could not be created before', async () => {
  await sandbox.control('switches', { video_projects: 0 })
  const one = await aNewPlan(VIDEO)
  const id = await anActivity(app, adv_id, { plans: [one.plan] })
  await app.settled()
  await sandbox.control('switches', { video_projects: 200 })
  expect(await turn(id, 1)).toMatchObject({ code: 0, data: { is_open: 1 } })
  expect(await allThere(one.external)).toMatchObject([{ is_on: 1 }])
})

test('a plan that never came about goes with its activity at once', async () => {
  await sandbox.control('switches', { video_projects: 0 })
  const one = await aNewPlan(VIDEO)
  const id = await anActivity(app, adv_id, { plans: [one.plan] })
  await app.settled()
  expect(await remove(id)).toMatchObject({ data: { is_deleted: true } })
})

test('a plan that is no longer listed is stopped', async () => {
  const one = await aNewPlan(COMMERCE)
  const other = await aNewPlan(COMMERCE)
  const id = await anActivity(app, adv_id, { plans: [one.plan, other.plan] })
  await turn(id, 1)
  expect(await allThere(one.external)).toMatchObject([{ is_on: 1 }])
  await saved(id, null)
  await app.settled()
  expect(await allThere(one.external)).toMatchObject([{ is_on: 0 }])
  expect(await allThere(other.external)).toMatchObject([{ is_on: 1 }])
})

test('a refused change can be tried again', async () => {
  await sandbox.control('switches', { video_project_names_unique: true })
  const one = await aNewPlan(VIDEO)
  const id = await anActivity(app, adv_id, { plans: [one.plan] })
  await app.settled()
  const { plan_id } = await planOf(id)
  const mark = (await there(plan_id)).name.slice(-9)
  await sandbox.control('plans', { platform: 'video', account_id: one.external, name: `撞名${mark}` })
  await saved(id, { name: '撞名' })
  await app.settled()
  const plan = await planOf(id)
  expect(plan).toMatchObject({ sync: { state: 'failed', can_retry: true } })
  expect(reasonOf(plan)).toContain('项目名称已存在')
  await sandbox.control('switches', { video_project_names_unique: false })
  expect(await retry(plan.id)).toMatchObject({ code: 0 })
  await app.settled()
  expect(await planOf(id)).toMatchObject({ sync: { state: 'synced', can_retry: false } })
  expect((await there(plan_id)).name).toBe(`撞名${mark}`)
})

test.each<[string, Partial<SavedPlan>, string]>([
  ['of another platform', { creation: newCreation(SOCIAL.code) }, '不属于这个平台'],
  ['that begins later without an end', { start_date: LATER }, '须选择结束日期'],
])('a plan %s is not submitted', async (_, given, told) => {
  const one = await aNewPlan(VIDEO, given)
  const body = { advertiser_id: adv_id, name: '活动', plans: [one.plan], submit: true }
  expect((await app.admin.call(createActivity, { body })).msg).toContain(told)
})

test('a plan for a live room takes no package of another type', async () => {
  const one = await aNewPlan(COMMERCE)
  await db.updateTable('targeting_package').set({ landing_type: 'VIDEO' }).execute()
  const body = { advertiser_id: adv_id, name: '活动', plans: [one.plan], submit: true }
  expect((await app.admin.call(createActivity, { body })).msg).toContain('不是直播类型')
})

test.each([SOCIAL, COMMERCE])('a plan on $platform follows its package', async (kind) => {
  const one = await aNewPlan(kind)
  const id = await anActivity(app, adv_id, { plans: [one.plan] })
  await app.settled()
  const { plan_id } = await planOf(id)
  const targeting = { gender: [genderOf(kind)], ...(kind === COMMERCE && { landing_type: 'LIVE' }) }
  const changed = await app.admin.call(updateTargeting, { body: { id: one.package_id, targeting } as never })
  expect(changed).toMatchObject({ code: 0 })
  await app.settled()
  expect(JSON.stringify(await contentOf(plan_id))).toContain(genderOf(kind))
  expect(await planOf(id)).toMatchObject({ sync: { state: 'synced' } })
})

test('a plan on the video engine names its package, once that is there', async () => {
  const one = await aNewPlan(VIDEO, { crowds: [] })
  const targeting = { landing_type: 'EXTERNAL', gender: ['GENDER_FEMALE'] }
  const body = { targeting_name: '同步的包', dir_id: 1, advertiser_id: one.account_id, targeting }
  const { id: package_id } = await app.admin.get(addTargeting, { body: body as never })
  const id = await anActivity(app, adv_id, { plans: [{ ...one.plan, package_id }] })
  await app.settled()
  const { plan_id } = await planOf(id)
  const { targeting_id } = await app.admin.get(getTargeting, { query: { id: package_id } })
  const bound = async () => {
    const query = new URLSearchParams({ advertiser_id: one.external, audience_package_id: targeting_id ?? '' })
    query.set('page', '1')
    query.set('page_size', '10')
    const { access_token } = await sandbox.control<{ access_token: string }>('tokens', {
      ...{ platform: 'video', account_ids: [one.external] },
    })
    const path = 'open_api/v3.0/audience_package_bindinfo/get'
    const answer = await fetch(`${sandbox.videoUrl}/${path}/?${query}`, { headers: { 'access-token': access_token } })
    return /"project_id":(\d+)/.exec(await answer.text())?.[1]
  }
  expect(await bound()).toBe(plan_id)
  const men = { ...targeting, gender: ['GENDER_MALE'] }
  expect(await app.admin.call(updateTargeting, { body: { id: package_id, targeting: men } as never })).toMatchObject({
    code: 0,
  })
  await app.settled()
  expect(await planOf(id)).toMatchObject({ sync: { state: 'synced' } })
  expect(await bound()).toBe(plan_id)
})

test('a copy is created anew', async () => {
  const one = await aNewPlan(VIDEO)
  const id = await anActivity(app, adv_id, { plans: [one.plan] })
  await app.settled()
  const copy = await app.admin.get(copyActivity, { body: { id } })
  expect(await planOf(copy.id)).toMatchObject({ plan_id: null, creation: one.plan.creation, is_local: false })
})

test('the platforms’ abilities are told', async () => {
  const { list } = await app.admin.get(listPlanPlatforms)
  expect(list).toEqual(PLAN_KINDS.map(({ code }) => ({ platform: code, creates: true })))
})

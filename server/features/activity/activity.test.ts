import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { PlanCreation } from '#contract/activity/creation.ts'
import { createActivity, deleteActivity, findSameName, getActivity, updateActivity } from '#contract/activity.ts'
import { chooseColumns } from '#contract/activity-columns.ts'
import { listActivities } from '#contract/activity-list.ts'
import { listActivityLog } from '#contract/activity-log.ts'
import { listPlanCrowds, type PlanDetail, type SavedPlan } from '#contract/activity-plan.ts'
import { switchActivity, switchPlan } from '#contract/activity-switch.ts'
import { FAULTS } from '#contract/errors.ts'
import { addProduct } from '#contract/product.ts'
import { type CreatedKind, checkCrowdUse, checkRuleCrowdApplied, listCreators } from '#contract/rule-crowd.ts'
import { deleteTargetings, getTargeting } from '#contract/targeting-package.ts'
import { listViewers, updateViewer } from '#contract/viewer.ts'
import { anActivity, aPlan } from '../../testing/activities.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import type { Caller } from '../../testing/caller.ts'
import { aChild, aCustomCrowd } from '../../testing/custom-crowds.ts'
import { COMMERCE, SOCIAL, VIDEO } from '../../testing/platforms.ts'
import { aPackage, aTargetingAccount } from '../../testing/targeting.ts'
import { testApp } from '../../testing/test-app.ts'

const app = await testApp()
const { db } = app.stores.postgres
afterAll(() => app.close())

let adv_id: number
let shop: number
let package_id: number
beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
  shop = await aTargetingAccount(app, adv_id, COMMERCE)
  package_id = await aPackage(app, shop)
})

const plan = (given: Partial<SavedPlan> = {}) => aPlan({ platform: COMMERCE, account_id: shop, package_id, ...given })
const get = (id: number) => app.admin.get(getActivity, { query: { campaign_id: id } })
const save = (body: object) => app.admin.call(updateActivity, { body: body as never })
const turn = (id: number, is_open: 0 | 1) => app.admin.call(switchActivity, { body: { id, is_open } })
const turnPlan = (id: number, is_open: 0 | 1) => app.admin.call(switchPlan, { body: { id, is_open } })
const isUsed = async () =>
  (await app.admin.get(getTargeting, { query: { id: package_id } })).plans.map((one) => one.name)
const auditOf = async () => (await db.selectFrom('audit').select('action').orderBy('id').execute()).map((a) => a.action)

describe('saving', () => {
  test('a draft may hold nothing but a name; submitting says all that is missing, and nothing changes', async () => {
    const { id, ver, status } = await app.admin.get(createActivity, {
      body: { advertiser_id: adv_id, name: '双11', plans: [{ name: '甲', platform: SOCIAL }] },
    })
    expect({ ver, status }).toEqual({ ver: 1, status: 0 })
    const { plans } = await get(id)
    const refused = await save({ id, ver, name: '双11', plans: [{ ...stored(plans)[0] }], submit: true })
    expect(refused).toMatchObject({ status: 409, code: FAULTS.activityRefused.code })
    expect(refused.msg).toBe(
      '计划「甲」：请选择投放账户；计划「甲」：请选择定向包或人群；计划「甲」：请输入预算；计划「甲」：请选择开始日期',
    )
    expect(await get(id)).toMatchObject({ ver: 1, status: 0 })
  })

  test('plans are kept in their order, changed, added and removed with one save', async () => {
    const id = await anActivity(app, adv_id, { plans: [plan({ name: '甲' }), plan({ name: '乙', plan_id: '77' })] })
    const { plans, ver } = await get(id)
    expect(plans.map(({ name, status, is_local }) => [name, status, is_local])).toEqual([
      ['甲', 2, true],
      ['乙', 2, false],
    ])
    const [first, second] = stored(plans)
    // The link moves from one plan to another in the same save.
    const next = [{ ...second, plan_id: null }, plan({ name: '丙' }), { ...first, plan_id: '77', budget: 90_000 }]
    expect(await save({ id, ver, name: '改名', plans: next })).toMatchObject({ code: 0, data: { ver: 2, status: 2 } })
    const after = await get(id)
    expect(after.name).toBe('改名')
    expect(after.plans.map((one) => [one.name, one.plan_id, one.budget])).toEqual([
      ['乙', null, 50_000],
      ['丙', null, 50_000],
      ['甲', '77', 90_000],
    ])
    await save({ id, ver: 2, name: '改名', plans: [stored(after.plans)[1]] })
    expect((await get(id)).plans.map(({ name }) => name)).toEqual(['丙'])
  })

  test('a plan that is named twice is refused, and both are as they were', async () => {
    const id = await anActivity(app, adv_id, { plans: [plan({ name: '甲' })] })
    const { plans, ver, name } = await get(id)
    const [one] = stored(plans)
    const refused = await save({ id, ver, name, plans: [{ ...one, name: '乙' }, one] })
    expect(refused).toMatchObject({
      ...{ status: 409, code: FAULTS.activityRefused.code },
      msg: `计划「甲」的 ID ${plans[0]?.id} 前面已经有了，一次保存里每个计划只能有一项`,
    })
    expect(await get(id)).toMatchObject({ ver, plans: [{ name: '甲' }] })
  })

  test('a save over a newer one is refused with what the other saved; of two at once one wins', async () => {
    const id = await anActivity(app, adv_id, { plans: [plan()] })
    const { plans } = await get(id)
    const answers = await Promise.all(['甲', '乙'].map((name) => save({ id, ver: 1, name, plans: stored(plans) })))
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, FAULTS.activityStale.code])
    const won = (await get(id)).name
    const refused = answers.find(({ code }) => code !== 0)
    expect(refused).toMatchObject({ status: 409, data: { saved: { name: won, ver: 2 } } })
    expect(refused?.msg).toContain('管理员')
  })

  test.each<[string, () => object, string]>([
    ['an account of another platform', () => plan({ platform: VIDEO }), '不是巨量引擎的账户'],
    ['a package of another account', () => plan({ package_id: 9999 }), '所选定向包不存在，或不属于该账户'],
    ['an account that is not there', () => plan({ account_id: 9999, package_id: null }), '投放账户不存在'],
    ['a package without an account', () => plan({ account_id: null }), '请先选择投放账户'],
    ['crowds on the commerce platform', () => plan({ crowds: [{ id: 1, role: 'include' }] }), '不能使用自定义人群'],
    ['too small a budget', () => plan({ budget: 29_999 }), '预算应在 300 到 9,999,999.99 元之间'],
    ['an end in the past', () => plan({ end_date: '2026-02-01' }), '结束日期不能早于今天'],
  ])('%s is refused', async (_, given, sentence) => {
    const body = { advertiser_id: adv_id, name: '双11', plans: [given()], submit: true }
    const answer = await app.admin.call(createActivity, { body: body as never })
    expect(answer.msg).toContain(sentence)
    expect(await db.selectFrom('campaign').select('id').execute()).toEqual([])
  })

  test.each<[string, object]>([
    ['an unknown key', { budgett: 1 }],
    ['a name with a blank', { name: '双 11' }],
    ['a plan with a fraction of a fen', { plans: [{ name: '甲', platform: SOCIAL, budget: 5000.5 }] }],
    ['a day that is none', { plans: [{ name: '甲', platform: SOCIAL, start_date: '2026-02-30' }] }],
    ['a week of another length', { plans: [{ name: '甲', platform: SOCIAL, hours: '1'.repeat(335) }] }],
    ['an unknown platform', { plans: [{ name: '甲', platform: 4 }] }],
    ['too many plans', { plans: Array.from({ length: 101 }, (_, no) => ({ name: `p${no}`, platform: SOCIAL })) }],
  ])('%s is bad input', async (_, part) => {
    const body = { advertiser_id: adv_id, name: '双11', ...part }
    expect(await app.admin.call(createActivity, { body })).toMatchObject({
      status: 400,
      code: FAULTS.badInput.code,
    })
  })

  test('a name that another activity of the advertiser has is found, and may be saved', async () => {
    const same = (name: string, except?: number, client = app.admin) =>
      client.get(findSameName, { query: { adv_id, name, ...(except && { except }) } }).then(({ id }) => id)
    const first = await anActivity(app, adv_id, { name: '双11', submit: false })
    await anActivity(app, await anAdvertiser(app, '别家'), { name: '国庆', submit: false })
    expect([await same('双11'), await same('双11', first), await same('双1'), await same('国庆')]).toEqual([
      ...[first, null, null, null],
    ])
    const second = await anActivity(app, adv_id, { name: '双11', submit: false })
    expect([await same('双11'), await same('双11', second)]).toEqual([second, first])
    await app.admin.get(deleteActivity, { query: { campaign_id: first } })
    expect(await same('双11', second)).toBeNull()

    // A phone in a name is not confirmed to somebody who may not see phones.
    const named = await anActivity(app, adv_id, { name: '客户13800001111', submit: false })
    const member = await app.viewer('member', [adv_id])
    expect([await same('客户13800001111'), await same('客户13800001111', undefined, member)]).toEqual([named, null])
  })

  test('things of another advertiser are not there', async () => {
    const other = await anAdvertiser(app)
    const theirs = await aTargetingAccount(app, other, COMMERCE)
    const { id: product_id } = await app.admin.get(addProduct, { body: { adv_id: other, name: '别家' } })
    const body = { advertiser_id: adv_id, name: '双11' }
    const answer = await app.admin.call(createActivity, {
      body: { ...body, plans: [plan({ account_id: theirs, package_id: null })] },
    })
    expect(answer.msg).toContain('投放账户不存在')
    expect(await app.admin.call(createActivity, { body: { ...body, product_id } })).toMatchObject({
      status: 404,
    })
    const own = await anActivity(app, adv_id, { plans: [plan()] })
    const foreign = await anActivity(app, other, { submit: false, plans: [{ name: '别家', platform: SOCIAL }] })
    const [stolen] = (await get(foreign)).plans
    expect(await save({ id: own, ver: 1, name: '双11', plans: [{ ...plan(), id: stolen?.id }] })).toMatchObject({
      status: 404,
    })
  })

  test('a plan of the platform belongs to one activity', async () => {
    await anActivity(app, adv_id, { name: '甲', plans: [plan({ plan_id: '1782' })] })
    const body = { advertiser_id: adv_id, name: '乙', plans: [plan({ plan_id: '1782' })] }
    const answer = await app.admin.call(createActivity, { body })
    expect(answer).toMatchObject({ code: FAULTS.activityRefused.code })
    expect(answer.msg).toContain('平台计划 1782 已被活动「甲」的计划关联')
  })

  test('the account of a plan stays once the activity is submitted', async () => {
    const id = await anActivity(app, adv_id, { plans: [plan({ name: '甲' })] })
    const other = await aTargetingAccount(app, adv_id, COMMERCE)
    const [first] = stored((await get(id)).plans)
    const moved = { ...first, account_id: other, package_id: await aPackage(app, other) }
    expect((await save({ id, ver: 1, name: '双11', plans: [moved] })).msg).toContain('计划的平台与账户不能修改')
  })
})

/** Plans as a form sends them back. */
function stored(plans: readonly PlanDetail[]): SavedPlan[] {
  return plans.map(
    ({
      type: _t,
      status: _s,
      plan_status_name: _n,
      is_local: _l,
      sync: _y,
      account_name: _a,
      package_name: _p,
      ...rest
    }) => ({
      ...rest,
      crowds: rest.crowds.map(({ id, role }) => ({ id, role })),
    }),
  )
}

describe('switching', () => {
  test('an activity that opens enables its plans that are on, and only these are in use', async () => {
    const id = await anActivity(app, adv_id, { plans: [plan({ name: '开' }), plan({ name: '关', is_open: 0 })] })
    expect(await isUsed()).toEqual([])
    expect(await turn(id, 1)).toMatchObject({ code: 0, data: { is_open: 1, status: 1 } })
    expect(await isUsed()).toEqual(['开'])
    expect((await get(id)).plans.map(({ status }) => status)).toEqual([1, 2])
    const kept = await app.admin.call(deleteTargetings, { query: { id: String(package_id) } as never })
    expect(kept).toMatchObject({ code: FAULTS.packageInUse.code })
    expect(kept.msg).toContain('开')
    const applied = { body: { type: 2, crowd_id: package_id } as const }
    expect((await app.admin.get(checkRuleCrowdApplied, applied)).applied).toBe(true)
    await turn(id, 0)
    expect(await isUsed()).toEqual([])
    expect((await app.admin.get(checkRuleCrowdApplied, applied)).applied).toBe(false)
    expect(await app.admin.call(deleteTargetings, { query: { id: String(package_id) } as never })).toMatchObject({
      code: 0,
    })
  })

  test('a draft and an activity that is over stay as they are', async () => {
    const draft = await anActivity(app, adv_id, { submit: false })
    expect((await turn(draft, 1)).msg).toBe('活动还没有提交，提交后才能启用')
    const over = await anActivity(app, adv_id, { plans: [plan({ end_date: '2999-01-01' })] })
    await db.updateTable('campaign_plan').set({ end_date: '2026-01-02' }).execute()
    await db.updateTable('campaign').set({ last_day: '2026-01-02' }).where('id', '=', over).execute()
    expect((await turn(over, 1)).msg).toBe('活动已结束，请先修改计划的结束日期')
    const [ended] = (await get(over)).plans
    await turnPlan(ended?.id ?? 0, 0)
    expect((await turnPlan(ended?.id ?? 0, 1)).msg).toBe('计划已结束，请先修改结束日期')
  })

  test('if a plan cannot deliver nothing opens, and each one is named', async () => {
    const id = await anActivity(app, adv_id, { plans: [plan({ name: '甲' }), plan({ name: '乙' })] })
    await db.updateTable('targeting_package').set({ invalid_time: 1 }).execute()
    const { name } = await app.admin.get(getTargeting, { query: { id: package_id } })
    const refused = await turn(id, 1)
    expect(refused).toMatchObject({ status: 409, code: FAULTS.activityRefused.code })
    expect(refused.msg).toBe(
      `计划「甲」：定向包「${name}」已失效，请延长或重新选择；计划「乙」：定向包「${name}」已失效，请延长或重新选择`,
    )
    expect(await get(id)).toMatchObject({ is_open: 0, status: 2 })
    expect(await isUsed()).toEqual([])
  })

  test('twice, and twice at once, does the same as once', async () => {
    const id = await anActivity(app, adv_id, { plans: [plan()] })
    const answers = await Promise.all([turn(id, 1), turn(id, 1)])
    expect(answers.map(({ code }) => code)).toEqual([0, 0])
    expect((await turn(id, 1)).code).toBe(0)
    expect((await auditOf()).filter((action) => action === 'activity.switch')).toHaveLength(1)
    const { list } = await app.admin.get(listActivityLog, { query: { campaign_id: id } })
    expect(list.map(({ op_type }) => op_type)).toEqual([5, 4, 1])
  })

  test('a plan’s own switch counts in an open activity, and whoever has it open must read it again', async () => {
    const id = await anActivity(app, adv_id, { plans: [plan({ name: '甲' })] })
    await turn(id, 1)
    const before = await get(id)
    const [one] = before.plans
    expect(await turnPlan(one?.id ?? 0, 0)).toMatchObject({ data: { is_open: 0, status: 2 } })
    expect(await isUsed()).toEqual([])
    expect(await save({ id, ver: before.ver, name: '双11', plans: stored(before.plans) })).toMatchObject({
      code: FAULTS.activityStale.code,
    })
    await turnPlan(one?.id ?? 0, 1)
    expect(await isUsed()).toEqual(['甲'])
  })

  test('a plan whose last day is over uses nothing any more, without anybody doing anything', async () => {
    const id = await anActivity(app, adv_id, { plans: [plan({ end_date: '2999-01-01' })] })
    await turn(id, 1)
    expect(await isUsed()).toHaveLength(1)
    await db.updateTable('targeting_use').set({ until: 1 }).execute()
    expect(await isUsed()).toEqual([])
  })

  test('a save of an open activity must leave it able to deliver', async () => {
    const id = await anActivity(app, adv_id, { plans: [plan()] })
    await turn(id, 1)
    const { plans } = await get(id)
    await db.updateTable('targeting_package').set({ invalid_time: 1 }).execute()
    const body = { id, ver: 1, name: '双11', plans: stored(plans) }
    expect((await save(body)).msg).toContain('已失效')
    const off = stored(plans).map((one) => ({ ...one, is_open: 0 }))
    expect(await save({ ...body, plans: off })).toMatchObject({ code: 0 })
  })
})

describe('crowds', () => {
  let account: number
  let crowd: number
  let child: number
  beforeEach(async () => {
    account = await aTargetingAccount(app, adv_id, VIDEO)
    crowd = await aCustomCrowd(app, adv_id, [{ name: 'a.txt', content: 'd41d8cd98f00b204e9800998ecf8427e\n' }])
    await app.settled()
    child = await aChild(app, crowd, account, VIDEO, { audience_id: '9', name: '老客' })
  })
  const withCrowd = (given: Partial<SavedPlan> = {}) =>
    aPlan({ platform: VIDEO, account_id: account, crowds: [{ id: child, role: 'exclude' }], ...given })
  const users = async () => {
    const { list } = await app.admin.get(listPlanCrowds, { query: { account_id: account } })
    return list.map(({ name }) => name)
  }

  test('a plan uses the crowds that are available on its account, and they are in use while it is enabled', async () => {
    expect(await users()).toEqual(['老客'])
    const id = await anActivity(app, adv_id, { plans: [withCrowd({ name: '拉新' })] })
    expect((await get(id)).plans[0]?.crowds).toEqual([{ id: child, role: 'exclude', name: '老客', is_usable: true }])
    await turn(id, 1)
    const use = () => app.admin.get(checkCrowdUse, { body: { type: 2, crowd_id: crowd } })
    const { apply_status, by } = await use()
    expect({ apply_status, by: by.map(({ name }) => name) }).toEqual({ apply_status: 1, by: ['拉新'] })
    await app.admin.get(deleteActivity, { query: { campaign_id: id } })
    expect((await use()).apply_status).toBe(0)
  })

  test('a crowd that its platform still computes is counted, and offered once it is available', async () => {
    const asked = () => app.admin.get(listPlanCrowds, { query: { account_id: account } })
    await db.updateTable('audience').set({ status: 'computing' }).execute()
    expect(await asked()).toEqual({ list: [], total: 0, computing: 1 })
    await db.updateTable('audience').set({ status: 'available' }).execute()
    expect(await asked()).toMatchObject({ total: 1, computing: 0 })
    await db.updateTable('audience').set({ status: 'computing', deleted_at: 1 }).execute()
    expect(await asked()).toMatchObject({ total: 0, computing: 0 })
  })

  test.each<[string, () => Promise<unknown>, string]>([
    [
      'of another account',
      async () => db.updateTable('audience').set({ account_id: shop }).execute(),
      '所选人群不在该账户下',
    ],
    [
      'that is deleted',
      async () => db.updateTable('audience').set({ deleted_at: 1 }).execute(),
      '所选人群不在该账户下',
    ],
    [
      'that still computes',
      async () => db.updateTable('audience').set({ status: 'computing' }).execute(),
      '人群「老客」在该账户下不可用',
    ],
  ])('a crowd %s is refused', async (_, given, sentence) => {
    await given()
    const body = { advertiser_id: adv_id, name: '双11', plans: [withCrowd()], submit: true }
    expect((await app.admin.call(createActivity, { body })).msg).toContain(sentence)
  })

  test('an activity does not open with a crowd that failed meanwhile', async () => {
    const id = await anActivity(app, adv_id, { plans: [withCrowd()] })
    await db.updateTable('audience').set({ status: 'failed' }).execute()
    expect((await turn(id, 1)).msg).toContain('人群「老客」在该账户下不可用')
  })
})

test('the log says who changed what, the latest first', async () => {
  const id = await anActivity(app, adv_id, { submit: false, plans: [plan({ name: '甲' })] })
  const { plans } = await get(id)
  await save({ id, ver: 1, name: '双12', plans: stored(plans), submit: true })
  await turn(id, 1)
  await app.admin.get(switchPlan, { body: { id: plans[0]?.id ?? 0, is_open: 0 } })
  const { list, total } = await app.admin.get(listActivityLog, { query: { campaign_id: id, page_size: 3 } })
  expect(total).toBe(4)
  expect(list.map(({ op_type, op_by }) => [op_type, op_by])).toEqual([
    [0, '管理员'],
    [5, '管理员'],
    [4, '管理员'],
  ])
  expect(list.map(({ changes }) => changes.map(({ label, before, after }) => [label, before, after]))).toEqual([
    [['计划开关', '开启', '关闭']],
    [['活动开关', '关闭', '开启']],
    [['活动名称', expect.any(String), '双12']],
  ])
})

test('the log says what was changed and deleted, and is still there for members afterwards', async () => {
  const id = await anActivity(app, adv_id, {
    name: '双11',
    submit: false,
    plans: [plan({ name: '甲' }), plan({ name: '乙' })],
  })
  const { plans } = await get(id)
  await save({ id, ver: 1, name: '双12', plans: stored(plans).slice(0, 1) })
  await app.admin.get(deleteActivity, { query: { campaign_id: id } })
  const read = (caller: Caller) => caller.call(listActivityLog, { query: { campaign_id: id } })
  const { list } = (await read(app.admin)).data
  const said = list.map(({ op_type, changes }) => [
    op_type,
    changes.map(({ plan: name, is_plan, label, before, after }) => [name, is_plan, label, before, after]),
  ])
  expect(said).toEqual([
    [
      3,
      [
        [null, false, '活动名称', '双12', null],
        [null, false, '活动开关', '关闭', null],
        [null, false, '每天自动同步', '开启', null],
        ['甲', true, '计划', '甲', null],
      ],
    ],
    [
      2,
      [
        [null, false, '活动名称', '双11', '双12'],
        ['乙', true, '计划', '乙', null],
      ],
    ],
    [1, expect.any(Array)],
  ])
  expect(await read(await app.viewer('of another', [await anAdvertiser(app)]))).toMatchObject({
    code: FAULTS.notFound.code,
  })
})

test('the creator filter offers who made activities that the viewer may see, and lists theirs', async () => {
  const colleague = await app.viewer('colleague', [adv_id])
  const own = await anActivity(app, adv_id, { name: '管理员的', submit: false })
  const { id: theirs } = await colleague.get(createActivity, { body: { advertiser_id: adv_id, name: '同事的' } })
  const creators = (kind: CreatedKind, keyword?: string) =>
    colleague.get(listCreators, { body: { kind, ...(keyword && { keyword }) } })
  const offered = await creators('activity')
  expect(offered.map(({ realname }) => realname)).toEqual(['管理员', 'colleague'])
  expect(await creators('activity', 'coll')).toEqual(offered.slice(1))
  // Of the packages there is the administrator's one alone.
  expect(await creators('targeting')).toEqual(offered.slice(0, 1))
  const [admin, self] = offered.map(({ id }) => id)
  // Creators are among the restricted metrics.
  await app.admin.get(updateViewer, { params: { id: self ?? 0 }, body: { see_restricted: true } })
  const listed = async (create_by: string) =>
    (await colleague.get(listActivities, { query: { create_by } })).list.map(({ id }) => id)
  expect(await listed(`${self}`)).toEqual([theirs])
  expect((await listed(`${admin},${self}`)).toSorted()).toEqual([own, theirs].toSorted())
  const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
  expect(await stranger.get(listCreators, { body: { kind: 'activity' } })).toEqual([])
  await app.admin.get(deleteActivity, { query: { campaign_id: own } })
  expect(await creators('activity')).toEqual(offered.slice(1))
})

test('a deleted activity is gone, twice is said, and its links are free', async () => {
  const id = await anActivity(app, adv_id, { plans: [plan({ plan_id: '77' })] })
  await turn(id, 1)
  const remove = () => app.admin.call(deleteActivity, { query: { campaign_id: id, leave_running: '1' } })
  expect((await Promise.all([remove(), remove()])).map(({ status }) => status).toSorted()).toEqual([200, 404])
  expect(await isUsed()).toEqual([])
  await anActivity(app, adv_id, { plans: [plan({ plan_id: '77' })] })
  expect(await auditOf()).toContain('activity.delete')
})

async function aReader() {
  const reader = await app.viewer('reader', [adv_id])
  const { list } = await app.admin.get(listViewers)
  const id = list.find(({ username }) => username === 'reader')?.id ?? 0
  await app.admin.get(updateViewer, { params: { id }, body: { read_only_adv_ids: [adv_id] } })
  return { reader, id }
}

test('who may only look sees amounts of plans with restricted metrics alone', async () => {
  const creation: PlanCreation = {
    ...{ kind: 'commerce', aweme_id: null, external_action: 'AD_CONVERT_TYPE_LIVE_SUCCESSORDER_PAY' },
    ...{ smart_bid_type: 'SMART_BID_CUSTOM', bid: 2345 },
  }
  const id = await anActivity(app, adv_id, { submit: false, plans: [plan({ budget: 123_456, creation })] })
  const { ver, name, plans } = await get(id)
  const changed = { ...stored(plans)[0], budget: 654_321, creation: { ...creation, bid: 5432 } }
  expect(await save({ id, ver, name, plans: [changed] })).toMatchObject({ code: 0 })
  const seenBy = async (caller: Caller) => ({
    detail: await caller.get(getActivity, { query: { campaign_id: id } }),
    log: await caller.get(listActivityLog, { query: { campaign_id: id } }),
  })
  const amounts = /123456|654321|2345|5432|1234\.56|6543\.21|23\.45|54\.32/
  const { reader, id: viewer } = await aReader()
  const hidden = await seenBy(reader)
  expect(hidden.detail).toMatchObject({ sees_amounts: false, plans: [{ budget: null, creation: { bid: null } }] })
  expect(JSON.stringify(hidden)).not.toMatch(amounts)
  expect(hidden.log.list[0]?.changes.map(({ label, before }) => [label, before])).toEqual([
    ['在平台新建', '抖音号 ID 未填、直播间成交、控成本 无权查看'],
    ['预算', '日预算 无权查看'],
  ])
  // Who may change them must see them.
  const shown = await seenBy(await app.viewer('member', [adv_id]))
  expect(shown.detail).toMatchObject({ sees_amounts: true, plans: [{ budget: 654_321, creation: { bid: 5432 } }] })
  expect(JSON.stringify(shown.log)).toContain('日预算 1234.56 元')
  await app.admin.get(updateViewer, { params: { id: viewer }, body: { see_restricted: true } })
  expect(await seenBy(reader)).toEqual(shown)
})

test('a member who may only look changes nothing, and sees everything', async () => {
  const id = await anActivity(app, adv_id, { plans: [plan()] })
  const { reader } = await aReader()
  const refused = await reader.call(switchActivity, { body: { id, is_open: 1 } })
  expect(refused).toMatchObject({ status: 403, code: FAULTS.readOnly.code })
  expect((await reader.get(listActivities)).list.map((row) => row.id)).toEqual([id])
  expect((await reader.get(chooseColumns, { body: { keys: ['pay_pv'] } })).chosen).toEqual(['pay_pv'])
})

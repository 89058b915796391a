import { afterAll, beforeEach, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import * as contract from '#contract/targeting-package.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { COMMERCE, SOCIAL } from '../../testing/platforms.ts'
import { aCommerceAccount, aPackage, aTargetingAccount } from '../../testing/targeting.ts'
import { testApp } from '../../testing/test-app.ts'

const app = await testApp()
afterAll(() => app.close())
const { db } = app.stores.postgres

let adv_id: number
let account: number
beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
  account = await aTargetingAccount(app, adv_id, SOCIAL, '腾讯账户')
})

const WOMEN = { gender: ['FEMALE'], age: [{ min: 18, max: 30 }] }
const aSocialPackage = (given: object = {}) => aPackage(app, account, { targeting: WOMEN, ...given })
const detail = (id: number) => app.admin.get(contract.getTargeting, { query: { id } })
const update = (body: object) => app.admin.call(contract.updateTargeting, { body: body as never })
const inPlan = (package_id: number, live = true) =>
  db.insertInto('targeting_use').values({ package_id, plan_id: 7, plan_name: '朋友圈上新', live }).execute()

test('a package has no type, is only kept here, and its preview is made anew', async () => {
  const targeting = { ...WOMEN, education: null, behavior_keywords: ['手机'], working_status: ['IT_WORKER'] }
  const id = await aSocialPackage({ targeting: JSON.stringify(targeting), targeting_name: '年轻女性' })
  const got = await detail(id)
  expect(got.targeting).toEqual({ ...WOMEN, working_status: ['IT_WORKER'] })
  expect(got).toMatchObject({ platform: SOCIAL, landing_type: null, is_local: true, targeting_id: null, status: 1 })
  expect(JSON.parse(got.bring_data)).toEqual({
    previewTargets: [
      { label: '年龄', words: ['18-30 岁'] },
      { label: '性别', words: ['女性'] },
      { label: '工作状态', words: ['IT 互联网工作者'] },
    ],
  })
})

test.each<[string, unknown, string]>([
  ['a text that is no JSON', '{', '定向内容不是有效的 JSON'],
  [
    'a code that no choice has, by its field',
    { gender: ['X'] },
    '参数「targeting.gender.0」只能是「MALE」、「FEMALE」',
  ],
  [
    'a field of another platform, by name',
    { landing_type: 'LIVE' },
    '参数「targeting」中有不认识的参数：「landing_type」',
  ],
  ['a dimension without values', { education: [] }, '请选择学历'],
  ['more than 350 crowds', { custom_audience: Array.from({ length: 351 }, (_, i) => i) }, '定向人群最多选择350项'],
  [
    'a radius below 200 m',
    { custom_locations: [{ kind: 'circle', name: '某地', long: 121, lat: 31, radius: 199 }] },
    '200',
  ],
  ['narrow ages', { age: [{ min: 18, max: 20 }] }, '年龄段的上限应比下限至少大 4 岁'],
  ['a text above 256 KB', 'x'.repeat(256 * 1024 + 1), '不能超过 256 KB'],
])('%s is refused', async (_, targeting, sentence) => {
  const body = { targeting_name: '新客', dir_id: 1, advertiser_id: account, targeting }
  const answer = await app.admin.call(contract.addTargeting, { body: body as never })
  expect(answer.status).toBe(400)
  expect(answer.msg).toContain(sentence)
})

test('a package that live plans use refuses changes, and says which plans', async () => {
  const id = await aSocialPackage({ targeting_name: '老客' })
  await update({ id, targeting: { gender: ['MALE'] } })
  await inPlan(id)
  const locked = {
    status: 409,
    code: FAULTS.packageLocked.code,
    msg: '定向包 老客 正在被计划使用中，平台不允许修改；请先关闭计划，或复制后修改：朋友圈上新',
  }
  expect(await update({ id, targeting: WOMEN })).toMatchObject(locked)
  expect(await update({ id, targeting_name: '新客' })).toMatchObject(locked)
  expect(await app.admin.call(contract.restoreTargeting, { body: { id, ver: 1 } })).toMatchObject(locked)
  expect((await detail(id)).targeting).toEqual({ gender: ['MALE'] })
  // What only stands here may change, as may a copy.
  expect(await update({ id, invalid_time: 4_000_000_000 })).toMatchObject({ code: 0 })
  const copy = await app.admin.get(contract.copyTargeting, { body: { id } })
  expect(await update({ id: copy.id, targeting: WOMEN })).toMatchObject({ code: 0 })
})

test('a package whose plans are paused can be changed', async () => {
  const id = await aSocialPackage()
  await inPlan(id, false)
  expect(await update({ id, targeting_name: '新名' })).toMatchObject({ code: 0 })
})

test('a package of commerce that live plans use can be changed', async () => {
  const id = await aPackage(app, await aCommerceAccount(app, adv_id))
  await inPlan(id)
  expect(await update({ id, targeting_name: '新名' })).toMatchObject({ code: 0 })
})

const remove = (id: number, check = '0') =>
  app.admin.call(contract.deleteTargetings, { query: { id: String(id), check } as never })

test.each<[string, (package_id: number) => Promise<unknown>]>([
  ['a live plan of the console', inPlan],
  [
    'an ad that runs on the platform',
    (package_id) =>
      db
        .insertInto('targeting_platform_use')
        .values({ package_id, plan_id: '9', name: '朋友圈上新', live: true })
        .execute(),
  ],
])('a package that %s uses is 使用中 and not deleted, until that is closed', async (_, isUsed) => {
  const id = await aSocialPackage({ targeting_name: '老客' })
  await isUsed(id)
  expect(await detail(id)).toMatchObject({ status: 2, plans: [{ name: '朋友圈上新' }] })
  const msg = '定向包 老客 正在被计划使用中，请先解绑或关闭计划：朋友圈上新'
  expect(await remove(id, '1')).toMatchObject({ code: 0, data: { msg } })
  expect(await remove(id)).toMatchObject({ status: 409, code: FAULTS.packageInUse.code, msg })
  await db.updateTable('targeting_use').set({ live: false }).execute()
  await db.updateTable('targeting_platform_use').set({ live: false }).execute()
  expect(await detail(id)).toMatchObject({ status: 1, plans: [] })
  expect(await remove(id, '1')).toMatchObject({ code: 0, data: { msg: 'OK', refusal_outcome: null } })
  expect(await remove(id)).toMatchObject({ code: 0 })
  expect((await app.admin.call(contract.getTargeting, { query: { id } })).status).toBe(404)
})

test('each platform lists its own packages, and a name is free on each', async () => {
  const id = await aSocialPackage({ targeting_name: '老客' })
  const commerce = await aCommerceAccount(app, adv_id)
  const other = await aPackage(app, commerce, { targeting_name: '老客' })
  const idsOf = async (body: object) =>
    (await app.admin.get(contract.listTargetings, { body: body as never })).list.map((row) => row.id)
  expect(await idsOf({ platform: SOCIAL })).toEqual([id])
  expect(await idsOf({ platform: COMMERCE })).toEqual([other])
  expect(await idsOf({ advertiser_id: account })).toEqual([id])
})

test('history and a way back', async () => {
  const id = await aSocialPackage()
  await update({ id, targeting: { gender: ['MALE'] } })
  await app.admin.get(contract.restoreTargeting, { body: { id, ver: 1 } })
  expect((await detail(id)).targeting).toEqual(WOMEN)
  const { list } = await app.admin.get(contract.listTargetingHistory, { query: { id } })
  expect(list.map(({ kind }) => kind)).toEqual(['restore', 'update', 'create'])
})

test('the static options are those of the platform', async () => {
  const groups = await app.admin.get(contract.getTargetingOptions, { params: { platform: SOCIAL } })
  expect(groups.find(({ value }) => value === 'gender')?.children).toEqual([
    { value: 'MALE', label: '男性' },
    { value: 'FEMALE', label: '女性' },
  ])
  expect(groups.some(({ value }) => value === 'landing_type')).toBe(false)
  expect(groups.find(({ value }) => value === 'working_status')?.note).toBe('平台已停用')
})

test('the platform publishes no quota', async () => {
  await aSocialPackage()
  expect(await app.admin.get(contract.getTargetingQuota, { query: { advertiser_id: account } })).toMatchObject({
    used: 1,
    total: null,
  })
})

import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import * as contract from '#contract/region-plan.ts'
import { CHOSEN_PLANS_MAX } from '#contract/targeting/common.ts'
import { getTargeting, updateTargeting } from '#contract/targeting-package.ts'
import { findTags, getTags } from '#contract/targeting-tags.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { aCommerceAccount, aPackage } from '../../testing/targeting.ts'
import { testApp } from '../../testing/test-app.ts'

const app = await testApp()
afterAll(() => app.close())
const { db } = app.stores.postgres

const EAST = ['320000', '330000', '310000']

let adv_id: number
let account: number
beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
  account = await aCommerceAccount(app, adv_id)
})

const add = (name: string, regions: string[] = EAST, advertiser_id = account) =>
  app.admin.call(contract.addRegionPlan, { body: { advertiser_id, name, regions } })
const plans = async (advertiser_id = account) =>
  (await app.admin.get(findTags, { body: { advertiser_id, type: 'REGION_PLAN' } })).REGION_PLAN ?? []
const named = async (advertiser_id = account) => (await plans(advertiser_id)).map(({ name }) => name)

test('regions are saved under a name, and listed newest first by both calls, also for an account without a login', async () => {
  const { id } = (await add('华东', [...EAST, '310000'])).data
  await sql`update region_plan set created_at = created_at - 60`.execute(db)
  await add('华北', ['110000'])
  expect(await named()).toEqual(['华北', '华东'])
  expect((await plans())[1]).toMatchObject({ id, name: '华东', regions: EAST, creator: '管理员' })
  const answer = await app.admin.get(getTags, { query: { advertiser_id: account, type: 'REGION_PLAN' } })
  expect(answer.REGION_PLAN?.map(({ name }) => name)).toEqual(['华北', '华东'])
  await sql`update platform_account set login_id = null where id = ${account}`.execute(db)
  expect(await named()).toEqual(['华北', '华东'])
})

test('a plan belongs to its advertiser', async () => {
  await add('华东')
  const other = await aCommerceAccount(app, await anAdvertiser(app, '另一品牌'))
  expect(await named(other)).toEqual([])
  expect((await add('华东', EAST, other)).code).toBe(0)
})

test('a name is free once, also for two who save at once', async () => {
  const answers = await Promise.all([add('华东'), add('华东', ['110000'])])
  expect(answers.map(({ code }) => code).toSorted()).toEqual([0, FAULTS.savedNameTaken.code])
  const { id } = (await add('华北', ['110000'])).data
  const rename = (name: string) => app.admin.call(contract.renameRegionPlan, { body: { id, name } })
  expect(await rename('华东')).toMatchObject({ code: FAULTS.savedNameTaken.code })
  expect(await rename('华北')).toMatchObject({ code: 0 })
  expect(await rename('京津')).toMatchObject({ code: 0 })
  expect((await named()).toSorted()).toEqual(['京津', '华东'].toSorted())
})

test.each<[string, object]>([
  ['no region', { regions: [] }],
  ['a region that is no number', { regions: ['北京'] }],
  ['more regions than a package may have', { regions: Array.from({ length: 3501 }, (_, n) => String(n + 1)) }],
  ['no name', { name: '' }],
  ['a long name', { name: '长'.repeat(31) }],
  ['odd characters', { name: '华东 ?' }],
])('%s is refused', async (_, part) => {
  const body = { advertiser_id: account, name: '华东', regions: EAST, ...part }
  expect(await app.admin.call(contract.addRegionPlan, { body })).toMatchObject({ code: FAULTS.badInput.code })
  expect(await named()).toEqual([])
})

test('a package holds so many plans, and the bound is said', async () => {
  const most = Array.from({ length: CHOSEN_PLANS_MAX }, (_, n) => ({ id: n + 1, name: `p${n}`, regions: ['110000'] }))
  const package_id = await aPackage(app, account)
  const saveWith = (regionsPlan: object[]) =>
    app.admin.call(updateTargeting, {
      body: {
        id: package_id,
        targeting: { landing_type: 'LIVE', district: ['CITY'], regions: { regions: [], regionsPlan } },
      } as never,
    })
  expect(await saveWith(most)).toMatchObject({ code: 0 })
  expect(await saveWith([...most, { id: 999, name: 'p', regions: ['110000'] }])).toMatchObject({
    code: FAULTS.badInput.code,
    msg: expect.stringContaining('一个定向包最多选择 50 个地域包'),
  })
})

test('there is a bound, and what to do is said', async () => {
  await sql`
    insert into region_plan (adv_id, platform, name, regions, creator_id, created_at)
    select ${adv_id}, platform, 'p' || n, '["110000"]', 1, 0
    from platform_account, generate_series(1, ${contract.REGION_PLANS_MAX}) n where platform_account.id = ${account}
  `.execute(db)
  expect(await add('又一个')).toMatchObject({ msg: expect.stringContaining('地域包最多 200 个，请先删除不用的地域包') })
})

test('a package keeps what it chose when the plan is renamed or deleted', async () => {
  const { id } = (await add('华东')).data
  const plan = { id, name: '华东', regions: EAST }
  const targeting = { landing_type: 'VIDEO', district: ['CITY'], regions: { regions: [], regionsPlan: [plan] } }
  const package_id = await aPackage(app, account, { targeting })
  await app.admin.get(contract.renameRegionPlan, { body: { id, name: '长三角' } })
  await app.admin.get(contract.deleteRegionPlan, { body: { id } })
  expect(await named()).toEqual([])
  expect(await app.admin.call(contract.deleteRegionPlan, { body: { id } })).toMatchObject({ status: 404 })
  const stored = await app.admin.get(getTargeting, { query: { id: package_id } })
  expect(stored.targeting).toMatchObject(targeting)
  const saved = { id: package_id, targeting: stored.targeting }
  expect(await app.admin.call(updateTargeting, { body: saved })).toMatchObject({ code: 0 })
})

import { afterAll, beforeEach, expect, test } from 'vitest'
import { copyActivity, deleteActivity, getActivity } from '#contract/activity.ts'
import { deleteActivityAsset, listActivityAssets, saveActivityAsset, startFromAsset } from '#contract/activity-asset.ts'
import type { SavedPlan } from '#contract/activity-plan.ts'
import { FAULTS } from '#contract/errors.ts'
import { addProduct, deleteProduct } from '#contract/product.ts'
import { anActivity, aPlan } from '../../testing/activities.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { COMMERCE } from '../../testing/platforms.ts'
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

test('a copy is a draft without days and links, and leaves out what is gone', async () => {
  const id = await anActivity(app, adv_id, {
    name: '长'.repeat(30),
    plans: [plan({ name: '甲', plan_id: '77', end_date: '2999-01-01', hours: '10'.repeat(168) })],
  })
  const copy = await app.admin.get(copyActivity, { body: { id } })
  expect(copy.name).toBe(`${'长'.repeat(27)}_副本`)
  const made = await get(copy.id)
  expect(made).toMatchObject({ status: 0, is_open: 0 })
  expect(made.plans).toMatchObject([
    {
      name: '甲',
      plan_id: null,
      start_date: null,
      end_date: null,
      package_id,
      hours: '10'.repeat(168),
      budget: 50_000,
    },
  ])
  await db.updateTable('targeting_package').set({ deleted_at: 1 }).execute()
  const second = await app.admin.get(copyActivity, { body: { id } })
  expect((await get(second.id)).plans[0]?.package_id).toBeNull()
})

test('an asset keeps an activity as it was, and starts drafts of the same advertiser', async () => {
  const id = await anActivity(app, adv_id, { name: '双11', plans: [plan({ name: '甲' })] })
  const { valuable_id } = await app.admin.get(saveActivityAsset, { body: { id, name: '大促' } })
  await app.admin.get(deleteActivity, { query: { campaign_id: id } })
  const again = await app.admin.get(startFromAsset, { body: { valuable_id } })
  expect(await get(again.id)).toMatchObject({ name: '双11', status: 0, plans: [{ name: '甲', package_id }] })
  expect(await app.admin.get(listActivityAssets, { query: {} })).toMatchObject({
    total: 1,
    list: [{ valuable_id, name: '大促', plans: 1 }],
  })
  const taken = { body: { id: again.id, name: '大促' } }
  expect(await app.admin.call(saveActivityAsset, taken)).toMatchObject({ code: FAULTS.savedNameTaken.code })
  await app.admin.get(deleteActivityAsset, { query: { valuable_id } })
  expect(await app.admin.call(startFromAsset, { body: { valuable_id } })).toMatchObject({ status: 404 })
})

test('products are the advertiser’s, each name once', async () => {
  const add = (name: string) => app.admin.call(addProduct, { body: { adv_id, name } })
  const { id } = (await add('面膜')).data
  expect(await add('面膜')).toMatchObject({ code: FAULTS.savedNameTaken.code })
  const made = await anActivity(app, adv_id, { submit: false, product_id: id })
  expect((await get(made)).product_name).toBe('面膜')
  await app.admin.get(deleteProduct, { query: { id } })
  expect(await get(made)).toMatchObject({ product_id: null, product_name: null })
})

import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createActivity, getActivity, updateActivity } from '#contract/activity.ts'
import { listPlanCrowds } from '#contract/activity-plan.ts'
import { listAdvertisers } from '#contract/advertiser.ts'
import { createEmbedToken, openEmbedSession } from '#contract/embed.ts'
import { type Endpoint, type InputOf, urlOf } from '#contract/endpoint.ts'
import { FAULTS } from '#contract/errors.ts'
import { addProduct, listProducts } from '#contract/product.ts'
import { checkPush, startPushes } from '#contract/push.ts'
import { createRuleCrowd, getRuleCrowd, listRuleCrowds, openRule, updateRuleCrowd } from '#contract/rule-crowd.ts'
import { listTags } from '#contract/tag.ts'
import { listTargetings } from '#contract/targeting-package.ts'
import { anActivity, aPlan } from '../../testing/activities.ts'
import { aCrowd, anAdvertiser, aTag, leaf, tagged } from '../../testing/builders.ts'
import type { Caller } from '../../testing/caller.ts'
import { aChild, aCustomCrowd, anAccount } from '../../testing/custom-crowds.ts'
import { COMMERCE, SOCIAL } from '../../testing/platforms.ts'
import { aPackage, aTargetingAccount } from '../../testing/targeting.ts'
import { testApp } from '../../testing/test-app.ts'

const app = await testApp({ EMBED_ORIGINS: 'https://ads.test' })
afterAll(() => app.close())

/** The frame's advertiser, and another one of which its viewer is a member too. */
let adv: number
let other: number
let viewer: Caller
beforeEach(async () => {
  await app.reset()
  adv = await anAdvertiser(app)
  other = await anAdvertiser(app)
  viewer = await app.viewer('运营', [adv, other])
})

interface Shown {
  crowd_id?: number
  campaign_id?: number
  view?: 'edit' | 'watch'
}

/** A frame that was opened for this; what its session is answered. */
async function frame(shown: Shown) {
  const { token } = await viewer.get(createEmbedToken, { body: { adv_id: adv, ...shown } })
  const { session } = await app.nobody.get(openEmbedSession, { body: { token } })
  return async <E extends Endpoint>(endpoint: E, input: InputOf<E>) => {
    const { body, ...given } = input as { params?: object; query?: object; body?: object }
    const answer = await app.app.inject({
      method: endpoint.method,
      url: urlOf(endpoint, given as Parameters<typeof urlOf>[1]),
      headers: { authorization: `Bearer ${session}` },
      ...(body === undefined ? {} : { payload: body }),
    })
    const { code, msg, data } = answer.json()
    return { code, msg, data }
  }
}
const cannot = { code: FAULTS.embeddedCannot.code }
const notMember = { code: FAULTS.notMember.code }
const notFound = { code: FAULTS.notFound.code }

test('a token names a crowd or an activity, never both', async () => {
  const both = await viewer.call(createEmbedToken, { body: { adv_id: adv, crowd_id: 0, campaign_id: 0 } })
  expect(both).toMatchObject({ status: 400, msg: 'crowd_id 与 campaign_id 只能给一个' })
  const named = async (shown: Shown) => {
    const { token } = await viewer.get(createEmbedToken, { body: { adv_id: adv, ...shown } })
    const { page, id, view } = await app.nobody.get(openEmbedSession, { body: { token } })
    return [page, id, view]
  }
  expect(await named({})).toEqual(['crowd', 0, 'edit'])
  expect(await named({ crowd_id: 3, view: 'watch' })).toEqual(['crowd', 3, 'watch'])
  expect(await named({ campaign_id: 0 })).toEqual(['activity', 0, 'edit'])
  expect(await named({ campaign_id: 4, view: 'watch' })).toEqual(['activity', 4, 'watch'])
})

describe('the frame of an activity', () => {
  const content = { name: '改名', plans: [] }

  test('opens and saves the activity that its token named, and no other', async () => {
    const id = await anActivity(app, adv, { submit: false })
    const beside = await anActivity(app, adv, { submit: false })
    const call = await frame({ campaign_id: id })
    expect(await call(getActivity, { query: { campaign_id: id } })).toMatchObject({ code: 0, data: { id } })
    expect(await call(getActivity, { query: { campaign_id: beside } })).toMatchObject(cannot)
    expect(await call(updateActivity, { body: { ...content, id: beside, ver: 1 } })).toMatchObject(cannot)
    expect(await call(createActivity, { body: { ...content, advertiser_id: adv } })).toMatchObject(cannot)
    expect(await call(updateActivity, { body: { ...content, id, ver: 1 } })).toMatchObject({ code: 0 })
    expect(await app.admin.get(getActivity, { query: { campaign_id: beside } })).not.toMatchObject({ name: '改名' })
  })

  test('opened for a new one makes it for its advertiser alone, and opens none that is there', async () => {
    const beside = await anActivity(app, adv, { submit: false })
    const call = await frame({ campaign_id: 0 })
    expect(await call(createActivity, { body: { ...content, advertiser_id: other } })).toMatchObject(notMember)
    expect(await call(getActivity, { query: { campaign_id: beside } })).toMatchObject(cannot)
    expect(await call(updateActivity, { body: { ...content, id: beside, ver: 1 } })).toMatchObject(cannot)
    expect(await call(createActivity, { body: { ...content, advertiser_id: adv } })).toMatchObject({ code: 0 })
  })

  test('opens nothing where the activity is another advertiser’s', async () => {
    const id = await anActivity(app, other, { submit: false })
    const call = await frame({ campaign_id: id })
    expect(await call(getActivity, { query: { campaign_id: id } })).toMatchObject(notFound)
    expect(await call(updateActivity, { body: { ...content, id, ver: 1 } })).toMatchObject(notFound)
  })

  test('opened to watch changes nothing', async () => {
    const id = await anActivity(app, adv, { submit: false })
    const call = await frame({ campaign_id: id, view: 'watch' })
    expect(await call(getActivity, { query: { campaign_id: id } })).toMatchObject({ code: 0 })
    const readOnly = { code: FAULTS.readOnly.code }
    expect(await call(updateActivity, { body: { ...content, id, ver: 1 } })).toMatchObject(readOnly)
    expect(await call(addProduct, { body: { adv_id: adv, name: '鞋' } })).toMatchObject(readOnly)
    expect(await call(openRule, { body: { advId: adv } })).toMatchObject(readOnly)
  })

  test('is shown nothing of another advertiser, of which its viewer is a member', async () => {
    const shop = await aTargetingAccount(app, other, COMMERCE)
    const package_id = await aPackage(app, shop)
    const account = await anAccount(app, other, SOCIAL)
    const tag = await aTag(app, other, [1, 2])
    const rule = await aCrowd(app, other, leaf('a', 'n', tagged(tag)))
    const call = await frame({ campaign_id: 0 })
    for (const answer of [
      await call(listProducts, { query: { adv_id: other } }),
      await call(addProduct, { body: { adv_id: other, name: '鞋' } }),
      await call(listTags, { query: { adv_id: other } }),
      await call(openRule, { body: { advId: other } }),
    ])
      expect(answer).toMatchObject(notMember)
    expect(await call(listPlanCrowds, { query: { account_id: account } })).toMatchObject(notFound)
    expect(await call(getRuleCrowd, { params: { id: rule.id } })).toMatchObject(notFound)
    expect((await call(listRuleCrowds, { query: {} })).data.res).toEqual([])
    const accounts = await call(listAdvertisers, { query: { auth_type: COMMERCE } })
    expect(accounts.data.data).toEqual([])
    const packages = await call(listTargetings, { body: { advertiser_id: shop } })
    expect(packages.data?.list ?? []).toEqual([])
    const plans = [aPlan({ platform: COMMERCE, account_id: shop, package_id })]
    const refused = await call(createActivity, { body: { advertiser_id: adv, name: '双11', plans } })
    expect(refused.msg).toContain('投放账户不存在')
  })

  test('pushes rule crowds of its advertiser to that advertiser’s accounts, and no uploaded crowd', async () => {
    const tag = await aTag(app, adv, [1, 2])
    const { id } = await aCrowd(app, adv, leaf('a', 'n', tagged(tag)))
    const [own, foreign] = [await anAccount(app, adv, SOCIAL), await anAccount(app, other, SOCIAL)]
    const uploaded = await aCustomCrowd(app, adv, [{ name: 'a.txt', content: 'a'.repeat(32) }])
    const call = await frame({ campaign_id: 0 })
    const custom = { kind: 'custom' as const, id: uploaded }
    const rule = { kind: 'rule' as const, id, types: ['HASH_IMEI' as const] }
    const to = (account_id: number) => ({ cnt_type: SOCIAL, account_id })
    expect(await call(checkPush, { body: { source: custom, ...to(own) } })).toMatchObject(cannot)
    expect(await call(startPushes, { body: { source: custom, accounts: [to(own)] } })).toMatchObject(cannot)
    expect(await call(checkPush, { body: { source: rule, ...to(foreign) } })).toMatchObject(notFound)
    const started = await call(startPushes, { body: { source: rule, accounts: [to(foreign)] } })
    expect(started.data.list).toMatchObject([{ push_id: null, child_id: null }])
    expect(await call(checkPush, { body: { source: rule, ...to(own) } })).toMatchObject({ code: 0 })
  })

  test('changes no crowd that is there', async () => {
    const tag = await aTag(app, adv, [1])
    const { id } = await aCrowd(app, adv, leaf('a', 'n', tagged(tag)))
    const call = await frame({ campaign_id: 0 })
    expect(await call(updateRuleCrowd, { params: { id }, body: { name: '改', ver: 1 } })).toMatchObject(cannot)
  })

  test('uses audiences of its advertiser alone', async () => {
    const account = await anAccount(app, other, SOCIAL)
    const crowd = await aCustomCrowd(app, other, [{ name: 'a.txt', content: 'a'.repeat(32) }])
    const child = await aChild(app, crowd, account, SOCIAL)
    const call = await frame({ campaign_id: 0 })
    const crowds = [{ id: child, role: 'include' as const }]
    const plans = [aPlan({ platform: SOCIAL, account_id: await anAccount(app, adv, SOCIAL), crowds })]
    const refused = await call(createActivity, { body: { advertiser_id: adv, name: '双11', plans } })
    expect(refused.msg).toContain('所选人群不在该账户下')
  })
})

test('the frame of a crowd changes that crowd and no other, and opens no activity', async () => {
  const tag = await aTag(app, adv, [1])
  const [named, beside] = [
    await aCrowd(app, adv, leaf('a', 'n', tagged(tag))),
    await aCrowd(app, adv, leaf('a', 'n', tagged(tag))),
  ]
  const activity = await anActivity(app, adv, { submit: false })
  const call = await frame({ crowd_id: named.id })
  const body = { name: '改', ver: 1 }
  expect(await call(updateRuleCrowd, { params: { id: named.id }, body })).toMatchObject({ code: 0 })
  expect(await call(updateRuleCrowd, { params: { id: beside.id }, body })).toMatchObject(cannot)
  // History crowds are read.
  expect(await call(getRuleCrowd, { params: { id: beside.id } })).toMatchObject({ code: 0 })
  expect(await call(getActivity, { query: { campaign_id: activity } })).toMatchObject(cannot)
  const fresh = await frame({ crowd_id: 0 })
  expect(await fresh(updateRuleCrowd, { params: { id: named.id }, body })).toMatchObject(cannot)
  const rule = await fresh(openRule, { body: { advId: adv } })
  expect(rule).toMatchObject({ code: 0 })
  const draft = { rId: rule.data.rId, name: '空', invalidTime: 4_000_000_000, dirId: 1 }
  expect(await fresh(createRuleCrowd, { body: draft })).not.toMatchObject(cannot)
})

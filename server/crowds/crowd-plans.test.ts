import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteAudiencePack } from '#contract/audience-pack.ts'
import { deleteCustomCrowd } from '#contract/custom-crowd.ts'
import { FAULTS } from '#contract/errors.ts'
import {
  checkCrowdUse,
  checkRuleCrowdApplied,
  deleteRuleCrowd,
  getRuleCrowd,
  listRuleCrowds,
} from '#contract/rule-crowd.ts'
import { aCrowd, anAdvertiser, aTag, leaf, tagged } from '../testing/builders.ts'
import { aChild, aCustomCrowd } from '../testing/custom-crowds.ts'
import { SOCIAL, VIDEO } from '../testing/platforms.ts'
import { aPackage, aTargetingAccount } from '../testing/targeting.ts'
import { testApp } from '../testing/test-app.ts'

const app = await testApp()
const { db } = app.stores.postgres
afterAll(() => app.close())

/** Above 2^53: a rounded id would match nothing. */
const AUDIENCE = '9407199254740993'
const HIDDEN = '9407199254740995'
const FILES = [{ name: 'a.txt', content: 'd41d8cd98f00b204e9800998ecf8427e\n' }]

let adv_id: number
let account: number
let custom: number
let rule: number
let customChild: number
let ruleChild: number
beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
  account = await aTargetingAccount(app, adv_id, VIDEO)
  custom = await aCustomCrowd(app, adv_id, FILES)
  const tag = await aTag(app, adv_id, [1, 2])
  rule = (await aCrowd(app, adv_id, leaf('a', 'n', tagged(tag)))).id
  await app.settled()
  customChild = await aChild(app, custom, account, VIDEO, { audience_id: AUDIENCE })
  ruleChild = await aChild(app, 0, account, VIDEO, { custom_id: null, people_id: rule, audience_id: AUDIENCE })
})

const include = (id: string) => ({
  landing_type: 'EXTERNAL',
  auto_crowd_mode: [1],
  retargeting_tags_include: [id],
})
const exclude = (id: string) => ({
  landing_type: 'EXTERNAL',
  auto_crowd_mode: [2],
  retargeting_tags_exclude: [id],
})
const aVideoPackage = (targeting: object = include(AUDIENCE), at = account) =>
  aPackage(app, at, { targeting_name: '春季', targeting: targeting as Record<string, unknown> })
const ours = (package_id: number, live = true) =>
  db.insertInto('targeting_use').values({ package_id, plan_id: 7, plan_name: '双11', live }).execute()
const there = (package_id: number, live = true) =>
  db.insertInto('targeting_platform_use').values({ package_id, plan_id: '1782', name: '平台计划', live }).execute()

const plansOf = async (people_id: number) => (await app.admin.get(checkRuleCrowdApplied, { body: { people_id } })).plans
const check = (query: object) =>
  app.admin.get(deleteCustomCrowd, { query: { advertiser_id: account, check: '1', ...query } as never })

const OURS = { id: 7, plan_id: null, name: '双11', package_name: '春季' }
const THERE = { id: null, plan_id: '1782', name: '平台计划', package_name: '春季' }

describe('a live plan that uses a crowd through a package', () => {
  test.each<[string, (package_id: number) => Promise<unknown>, object, object]>([
    ['of ours, whose package aims at it', ours, include(AUDIENCE), OURS],
    ['of the platform, whose package leaves it out', there, exclude(AUDIENCE), THERE],
  ])('%s, keeps the crowd and its audiences', async (_, uses, targeting, plan) => {
    await uses(await aVideoPackage(targeting))
    expect(await plansOf(rule)).toEqual([plan])
    expect(await app.admin.get(checkCrowdUse, { body: { type: 1, crowd_id: rule } })).toEqual({
      apply_status: 1,
      by: [{ kind: 'plan', ...plan }],
    })
    expect((await app.admin.get(getRuleCrowd, { params: { id: rule } })).status).toBe('in_use')
    const { res } = await app.admin.get(listRuleCrowds, { query: { status: 'in_use' } as never })
    expect(res.map(({ id }) => id)).toEqual([rule])
    const users = [{ kind: 'plan', ...plan }]
    expect(await app.admin.call(deleteRuleCrowd, { params: { id: rule } })).toMatchObject({
      code: FAULTS.crowdInUse.code,
      data: { users },
    })

    expect((await app.admin.get(checkCrowdUse, { body: { type: 2, crowd_id: custom } })).by).toEqual(users)
    const msg = '人群包 9407199254740993 正在被计划使用中，不可删除'
    expect(await check({ id: customChild, cnt_type: VIDEO })).toMatchObject({ msg, users })
    expect(await check({ id: custom, advertiser_id: adv_id })).toMatchObject({
      refusal_outcome: { params: { fault: 'crowdInUse' } },
      users,
    })
    for (const id of [customChild, ruleChild]) {
      const query = { id, advertiser_id: account }
      const answer = await app.admin.call(deleteAudiencePack, { query })
      expect(answer).toMatchObject({ code: FAULTS.audienceInUse.code, msg, data: { users } })
    }
    expect(await db.selectFrom('audience').select('id').where('deleted_at', 'is', null).execute()).toHaveLength(2)
  })

  test('names each plan once, and first as it uses the crowd itself', async () => {
    const id = await aVideoPackage()
    await ours(id)
    await there(id)
    await db.insertInto('plan_use').values({ people_id: rule, plan_id: 7, plan_name: '双11', live: true }).execute()
    await db
      .insertInto('audience_use')
      .values({ child_id: ruleChild, plan_id: 8, plan_name: '新客', live: true })
      .execute()
    expect(await plansOf(rule)).toEqual([
      { ...OURS, package_name: null },
      { id: 8, plan_id: null, name: '新客', package_name: null },
      THERE,
    ])
  })

  test.each<[string, () => Promise<unknown>]>([
    ['a plan that is off', async () => ours(await aVideoPackage(), false)],
    ['a plan of the platform that is off', async () => there(await aVideoPackage(), false)],
    ['a package of another crowd', async () => ours(await aVideoPackage(include(HIDDEN)))],
    ['a package without crowds', async () => ours(await aVideoPackage({ landing_type: 'EXTERNAL' }))],
    [
      'a package of another advertiser',
      async () => {
        const other = await aTargetingAccount(app, await anAdvertiser(app), VIDEO)
        await ours(await aVideoPackage(include(AUDIENCE), other))
      },
    ],
    [
      'a package of another platform with the same number',
      async () => {
        const social = await aTargetingAccount(app, adv_id, SOCIAL)
        await ours(await aVideoPackage({ custom_audience: [AUDIENCE] }, social))
      },
    ],
    [
      'a deleted package',
      async () => {
        const id = await aVideoPackage()
        await ours(id)
        await db.updateTable('targeting_package').set({ deleted_at: 1 }).where('id', '=', id).execute()
      },
    ],
  ])('is not %s', async (_, given) => {
    await given()
    expect(await plansOf(rule)).toEqual([])
    expect((await app.admin.get(getRuleCrowd, { params: { id: rule } })).status).toBe('completed')
    expect(await check({ id: customChild, cnt_type: VIDEO })).toMatchObject({ msg: 'OK', users: [] })
    expect(await check({ id: custom, advertiser_id: adv_id })).toMatchObject({
      refusal_outcome: { params: { fault: 'customHasChildren' } },
    })
  })
})

test('a package of the social platform holds the audience under its own names', async () => {
  const social = await aTargetingAccount(app, adv_id, SOCIAL)
  await aChild(app, 0, social, SOCIAL, { custom_id: null, people_id: rule, audience_id: HIDDEN })
  const id = await aVideoPackage({ custom_audience: null, excluded_custom_audience: [HIDDEN] }, social)
  await there(id)
  expect(await plansOf(rule)).toEqual([THERE])
})

test('whether a package is used counts the plans of its platform too', async () => {
  const id = await aVideoPackage()
  const applied = () => app.admin.get(checkRuleCrowdApplied, { body: { type: 2, crowd_id: id } })
  expect(await applied()).toEqual({ applied: false, apply_status: 0, plans: [] })
  await there(id)
  expect(await applied()).toEqual({
    applied: true,
    apply_status: 1,
    plans: [{ ...THERE, package_name: null }],
  })
})

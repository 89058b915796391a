import { beforeEach, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { sentenceOf } from '#contract/outcome.ts'
import { dimensionsOf } from '#contract/targeting/five-tab/dimensions.ts'
import { formOf } from '#contract/targeting/five-tab/form.ts'
import { savedTargeting } from '#contract/targeting/five-tab/save.ts'
import { estimateReach, getEstimateGoals, setEstimateGoals } from '#contract/targeting-estimate.ts'
import { addTargeting, copyTargeting, getTargeting, updateTargeting } from '#contract/targeting-package.ts'
import { getTags, type TagNode } from '#contract/targeting-tags.ts'
import { accountId } from '../../../sandbox/platforms.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { COMMERCE, VIDEO as ENGINE, SOCIAL } from '../../testing/platforms.ts'
import { anAuthorisedAccount } from '../../testing/push.ts'
import { now } from '../../time/clock.ts'
import { targetingEstimateService } from './service.ts'

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres

const LIVE = { external_action: 'AD_CONVERT_TYPE_LIVE_SUCCESSORDER_PAY', aweme_id: '5' } as const
const VIDEO = { external_action: 'AD_CONVERT_TYPE_SHOPPING', product_id: '6' } as const
const WOMEN = { landing_type: 'LIVE', gender: ['GENDER_FEMALE'] }

let account: number
beforeEach(async () => {
  await app.reset()
  await sandbox.control('switches/reset', {})
  await sandbox.control('faults/forget', {})
  account = await anAuthorisedAccount(app, sandbox, await anAdvertiser(app), COMMERCE, accountId('video', 6))
})

const setGoals = (goals: object = { LIVE, VIDEO }) =>
  app.admin.get(setEstimateGoals, { body: { advertiser_id: account, ...goals } as never })
const reach = (targeting: object) =>
  app.admin.get(estimateReach, { body: { advertiser_id: account, targeting: targeting as never } })
const calls = async () =>
  (await sandbox.control<{ path: string }[]>('calls')).filter(({ path }) => path.includes('estimate_audience')).length
const failure = async (targeting: object) => {
  const { code, approximate_count, approximate_count_label, fail_outcome } = await reach(targeting)
  expect({ code, approximate_count, approximate_count_label }).toEqual({
    ...{ code: 1, approximate_count: null, approximate_count_label: '暂无' },
  })
  return fail_outcome && sentenceOf(fail_outcome)
}

test('a targeting is estimated by the platform, and a narrower one reaches fewer', async () => {
  await setGoals()
  const women = await reach(WOMEN)
  expect(women).toMatchObject({ code: 0, fail_outcome: null })
  expect(women.counted_at).toBeGreaterThan(now() - 60)
  expect(women.approximate_count_label).toMatch(/万$/)
  const young = await reach({ ...WOMEN, age: ['AGE_BETWEEN_18_23'] })
  expect(young.approximate_count).toBeGreaterThan(0)
  expect(young.approximate_count).toBeLessThan(women.approximate_count ?? 0)
  expect((await reach({ landing_type: 'VIDEO' })).approximate_count).toBe(65_536 * 500)
})

test('the same targeting, however it is written, is asked once in ten minutes', async () => {
  await setGoals()
  const before = await calls()
  const tag = { id: '40000', type: 1 }
  const custom = { smart_interest_action: 'CUSTOM', action_scene: ['APP'], action_days: 30 }
  await reach({ ...WOMEN, ...custom, interest_tags: [{ ...tag, name: '某兴趣' }] })
  await reach({ ...custom, interest_tags: [tag], ...WOMEN })
  expect(await calls()).toBe(before + 1)
  await db
    .updateTable('reach_estimate')
    .set({ at: now() - 700 })
    .execute()
  await reach({ ...WOMEN, ...custom, interest_tags: [tag] })
  expect(await calls()).toBe(before + 2)
})

test('what the account has not set yet is said by name', async () => {
  expect(await app.admin.get(getEstimateGoals, { query: { advertiser_id: account } })).toEqual({
    LIVE: null,
    VIDEO: null,
  })
  expect(await failure(WOMEN)).toBe('预估前请先设置转化目标、抖音号 ID')
  expect(await failure({ landing_type: 'VIDEO' })).toBe('预估前请先设置转化目标、商品 ID')
  await setGoals({ LIVE, VIDEO: null })
  expect((await reach(WOMEN)).code).toBe(0)
  expect(await failure({ landing_type: 'VIDEO' })).toContain('商品 ID')
})

test('what the platform cannot estimate is said: kinds of new customers, and too many choices', async () => {
  await setGoals()
  expect(await failure({ ...WOMEN, new_customer: 'NO_BUY_BRAND' })).toBe('暂不支持人群预估：平台的预估不支持所选的新客')
  const interest_tags = Array.from({ length: 350 }, (_, no) => ({ id: String(10n ** 17n + BigInt(no)), type: 1 }))
  const custom = { smart_interest_action: 'CUSTOM', action_scene: ['APP'], action_days: 30 }
  expect(await failure({ ...WOMEN, ...custom, interest_tags, action_tags: interest_tags })).toBe(
    '选择过多，平台无法预估，请减少选择',
  )
})

test('a platform that refuses, throttles or is gone leaves no figure, and says why', async () => {
  await setGoals()
  expect(await failure({ ...WOMEN, auto_crowd_mode: [1], retargeting_tags_include: ['5'] })).toContain('人群包不存在')
  await sandbox.control('faults', { platform: 'video', path: 'estimate_audience', kind: 'error', status: 503 })
  expect(await failure(WOMEN)).toBe('平台暂时不可用（HTTP 503）')
  expect((await reach(WOMEN)).code).toBe(0)
})

test('an incomplete targeting, and settings that are none, are refused', async () => {
  const incomplete = await app.admin.call(estimateReach, {
    body: { advertiser_id: account, targeting: { ...WOMEN, auto_crowd_mode: [1] } },
  })
  expect(incomplete.msg).toContain('请选择定向人群')
  const wrong = await app.admin.call(setEstimateGoals, {
    body: { advertiser_id: account, LIVE: { ...LIVE, aweme_id: 'x' }, VIDEO: null },
  })
  expect(wrong.code).toBe(FAULTS.badInput.code)
})

const aPackageOf = async (targeting: object) => {
  const body = { targeting_name: '女性', dir_id: 1, advertiser_id: account }
  const { id } = await app.admin.get(addTargeting, { body: { ...body, targeting: targeting as never } })
  return { id, detail: () => app.admin.get(getTargeting, { query: { id } }) }
}

test('a package keeps the last estimate of what it saves', async () => {
  await setGoals()
  const { approximate_count } = await reach(WOMEN)
  const before = await calls()
  const { id, detail } = await aPackageOf(WOMEN)
  expect(await detail()).toMatchObject({ user_count: approximate_count, magnitude: approximate_count })
  const young = { ...WOMEN, age: ['AGE_BETWEEN_18_23'] }
  const narrower = (await reach(young)).approximate_count
  await app.admin.get(updateTargeting, { body: { id, targeting: young } })
  expect(await detail()).toMatchObject({ user_count: narrower, magnitude: narrower, is_estimating: false })
  await app.settled()
  expect(await calls()).toBe(before + 1)
})

test('one saved before its reach was known is estimated afterwards, with the targeting of the last save', async () => {
  await setGoals()
  await sandbox.control('faults', { platform: 'video', path: 'estimate_audience', kind: 'slow', seconds: 1 })
  const { id, detail } = await aPackageOf(WOMEN)
  expect(await detail()).toMatchObject({ user_count: null, counted_at: null, is_estimating: true })
  const young = { ...WOMEN, age: ['AGE_BETWEEN_18_23'] }
  await app.admin.get(updateTargeting, { body: { id, targeting: young } })
  await app.settled()
  const { approximate_count, counted_at } = await reach(young)
  expect(await detail()).toMatchObject({ user_count: approximate_count, counted_at, is_estimating: false })
  await app.admin.get(copyTargeting, { body: { id } })
  const men = { ...WOMEN, gender: ['GENDER_MALE'] }
  await app.admin.get(updateTargeting, { body: { id, targeting: men } })
  expect(await detail()).toMatchObject({ user_count: null, counted_at: null })
  await app.settled()
  expect(await detail()).toMatchObject({ user_count: (await reach(men)).approximate_count })
})

test('where the platform cannot tell, a saved package has no reach and waits for none', async () => {
  const { detail } = await aPackageOf(WOMEN)
  await app.settled()
  expect(await detail()).toMatchObject({ user_count: null, counted_at: null, is_estimating: false })
})

test('a package of the video engine is estimated without goals, and its 商圈 are listed', async () => {
  const video = await anAuthorisedAccount(app, sandbox, await anAdvertiser(app), ENGINE, accountId('video', 1))
  const of = (targeting: object) =>
    app.admin.get(estimateReach, { body: { advertiser_id: video, targeting: targeting as never } })
  const all = await of({ landing_type: 'LIVE' })
  const place = { kind: 'circle', name: '世界之窗', long: 113.973129, lat: 22.536874, radius: 15_000 }
  const near = await of({
    ...{ landing_type: 'LIVE', district: ['BUSINESS_DISTRICT'], custom_locations: [place], location_types: ['ALL'] },
  })
  expect(near.approximate_count).toBeGreaterThan(0)
  expect(near.approximate_count).toBeLessThan(all.approximate_count ?? 0)
  const { BUSINESS_DISTRICT } = await app.admin.get(getTags, {
    query: { advertiser_id: video, type: 'BUSINESS_DISTRICT' } as never,
  })
  expect(BUSINESS_DISTRICT).toHaveLength(34)
  const fine = await of({ landing_type: 'LIVE', age: ['AGE_BETWEEN_31_35'] })
  expect(fine.fail_outcome && sentenceOf(fine.fail_outcome)).toBe('暂不支持人群预估：平台的预估不支持所选的年龄')
})

test('what the video engine withdrew changes no estimate, and neither does smart expansion', async () => {
  account = await anAuthorisedAccount(app, sandbox, await anAdvertiser(app), ENGINE, accountId('video', 1))
  const men = { landing_type: 'LIVE', gender: ['GENDER_MALE'], age: ['AGE_BETWEEN_18_23'] }
  const { approximate_count } = await reach(men)
  expect(approximate_count).toBeGreaterThan(0)
  const withdrawn = { career_by: ['CUSTOM'], career: ['IT'], activate_type: ['WITH_IN_A_MONTH'] }
  expect(await reach({ ...men, ...withdrawn })).toMatchObject({ code: 0, approximate_count })
  const expanded = { auto_extend_enabled: 1, auto_extend_targets: ['AGE'] }
  expect(await reach({ ...men, ...expanded })).toMatchObject({ code: 0, approximate_count })
  // The form without an age, as the chart asks for it.
  const [ageless] = dimensionsOf('video', formOf('video', { ...men, ...expanded } as never))
  expect((await reach(savedTargeting('video', ageless?.without as never))).approximate_count).toBeGreaterThan(
    approximate_count ?? 0,
  )
})

test('more regions than a query holds are asked for as whole provinces, or the answer is 选择过多', async () => {
  const { REGION: tree = [] } = await app.admin.get(getTags, { query: { advertiser_id: account, type: 'REGION' } })
  const leaves = (node: TagNode): string[] =>
    node.children.length === 0 ? [node.value] : node.children.flatMap(leaves)
  const every = tree.flatMap(leaves)
  const at = (regions: string[]) => ({
    ...{ district: ['COUNTY'], regions: { regions, regionsPlan: [] }, location_types: ['ALL'] },
  })
  await setGoals()
  const everyone = await reach({ landing_type: 'LIVE' })
  const before = await calls()
  const folded = await reach({ landing_type: 'LIVE', ...at(every) })
  expect(await calls()).toBe(before + 1)
  expect(folded).toMatchObject({ code: 0, fail_outcome: null, approximate_count: everyone.approximate_count })

  const scattered = every.filter((_, no) => no % 2 === 0)
  expect(await failure({ landing_type: 'LIVE', ...at(scattered) })).toBe('选择过多，平台无法预估，请减少选择')
  expect(await calls()).toBe(before + 1)
})

test('the social platform needs no goals, and what it no longer takes changes nothing', async () => {
  account = await anAuthorisedAccount(app, sandbox, await anAdvertiser(app), SOCIAL, accountId('social', 1))
  const everyone = await reach({})
  expect(everyone).toMatchObject({ code: 0, fail_outcome: null })
  const women = await reach({ gender: ['FEMALE'] })
  expect(women.approximate_count).toBeGreaterThan(0)
  expect(women.approximate_count).toBeLessThan(everyone.approximate_count ?? 0)
  const rich = await reach({ gender: ['FEMALE'], consumption_status: ['HIGH'] })
  expect(rich.approximate_count).toBe(women.approximate_count)
  expect(await failure({ custom_audience: ['5'] })).toContain('人群不存在')
})

test('where a platform, or an account’s scope, gives no estimates, this is said, and the account stays authorised', async () => {
  account = await anAuthorisedAccount(app, sandbox, await anAdvertiser(app), SOCIAL, accountId('social', 1))
  const { tokens } = await db
    .selectFrom('platform_account')
    .innerJoin('platform_login', 'platform_login.id', 'platform_account.login_id')
    .select('tokens')
    .where('platform_account.id', '=', account)
    .executeTakeFirstOrThrow()
  const crowdsAlone = await sandbox.control<object>('tokens', {
    ...{ platform: 'social', account_ids: [accountId('social', 1)], scopes: ['audience_management'] },
  })
  const { secrets } = app.stores
  const kept = secrets.seal(JSON.stringify({ ...JSON.parse(secrets.open(tokens ?? '')), ...crowdsAlone }))
  await db.updateTable('platform_login').set({ tokens: kept }).execute()
  expect(await failure({})).toBe('暂不支持人群预估：接口不在授权范围内，请重新授权（11014）')
  const { auth_error } = await db
    .selectFrom('platform_account')
    .select('auth_error')
    .where('id', '=', account)
    .executeTakeFirstOrThrow()
  expect(auth_error).toBeNull()

  // Known beforehand, the platform is not even asked.
  const granted = (scope_list: string[]) =>
    db
      .updateTable('platform_account')
      .set({ scope_list: JSON.stringify(scope_list) })
      .where('id', '=', account)
      .execute()
  await granted(['audience_management'])
  const { length } = await sandbox.control<unknown[]>('calls')
  expect(await reach({})).toMatchObject({ code: 1, approximate_count_label: '暂无', counted_at: null })
  expect(await failure({})).toMatch(/^账户「.+」没有预估所需的权限（广告投放），请到「广告主授权」重新授权$/)
  expect(await sandbox.control<unknown[]>('calls')).toHaveLength(length)
  // Ads alone are enough: crowds are not asked about.
  await db.updateTable('platform_login').set({ tokens }).execute()
  await granted(['ads_management'])
  expect(await reach({})).toMatchObject({ code: 0, fail_outcome: null })

  const session = () => Promise.reject(new Error('no call is made'))
  const service = targetingEstimateService({ db, dictionariesOf: () => null, session })
  const viewer = { isMember: () => true } as never
  const none = await service.reach(viewer, { advertiser_id: account, targeting: {} }, AbortSignal.timeout(1000))
  expect(none.fail_outcome && sentenceOf(none.fail_outcome)).toBe('暂不支持人群预估')
})

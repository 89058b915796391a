import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readTargeting } from '#contract/targeting/five-tab/read.ts'
import { accountId } from '../../../sandbox/platforms.ts'
import { faultOf, type PlatformWorld, platformWorld, type TestAccount } from '../../testing/platform-world.ts'
import { COMMERCE } from '../../testing/platforms.ts'
import { leftOutOf } from '../left-out.ts'
import type { TargetingPackages } from '../targeting-platform.ts'

const SHOP = accountId('video', 6)
let world: PlatformWorld
let packages: TargetingPackages
let account: TestAccount
let made = 0
beforeAll(async () => {
  world = await platformWorld()
  packages = world.platforms.packagesOf(COMMERCE) as TargetingPackages
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.control('switches/reset', {})
  await world.control('switches', { video_advertiser_qps: 0, video_application_qps: 0 })
  await world.control('faults/forget', {})
  account = await world.session('video', SHOP)
  world.takeCalls()
})

const add = async (fields: object, more: object = {}) => {
  const name = `包${++made}`
  const { id } = await world.control<{ id: string }>('commerce-packages', { account_id: SHOP, name, fields, ...more })
  return id
}
const found = async (id: string) => {
  const one = (await packages.list(account, world.on)).find(({ targeting_id }) => targeting_id === id)
  if (!one) throw new Error(`${id} is not listed`)
  return one
}

test('packages are read, and none is written', async () => {
  expect(packages).toMatchObject({ writing: null, use: null, max: null, scopes: ['all'] })
  const id = await add({ gender: 'GENDER_FEMALE' }, { ad_num: 3 })
  expect(await found(id)).toMatchObject({
    ...{ name: `包${made}`, description: '', plans: 3, lost_crowds: [], words: 'gender GENDER_FEMALE' },
  })
  const [call] = world.takeCalls()
  expect(call).toMatchObject({ method: 'GET', path: '/video/open_api/v1.0/qianchuan/orientation_package/get/' })
  expect(Object.fromEntries(call?.query ?? [])).toEqual({ advertiser_id: SHOP, page: '1', page_size: '100' })
  const seen = await world.control<{ unknown?: string[] }[]>('calls')
  expect(seen.filter(({ unknown }) => unknown?.length)).toEqual([])
})

const FULL = {
  gender: 'GENDER_MALE',
  age: ['AGE_ABOVE_50', 'AGE_BETWEEN_18_23'],
  district: 'CITY',
  city: [310_000, 440_305],
  region_version: '2.3.2',
  location_type: 'HOME',
  platform: ['IOS'],
  ac: ['WIFI', '5G'],
  smart_interest_action: 'CUSTOM',
  action_scene: ['E_COMMERCE', 'NEWS'],
  action_days: 60,
  action_categories: ['9007199254740993'],
  action_words: [12],
  interest_categories: [13],
  aweme_fan_behaviors: ['LIKED_USER'],
  aweme_fan_behaviors_days: 'DAYS_30',
  aweme_fan_accounts: ['9207199254750001'],
  auto_extend_enabled: 1,
  auto_extend_targets: ['AGE'],
  live_platform_tags: ['AWEME_FANS'],
  new_customer: 'NO_BUY',
}

test('every field that our editor has is taken over', async () => {
  const { content } = await found(await add(FULL))
  const targeting = packages.targetingOf(content, null)
  expect(targeting).toMatchObject({
    ...{ landing_type: 'LIVE', gender: ['GENDER_MALE'], action_scene: ['E-COMMERCE', 'NEWS'], action_days: 60 },
    ...{ district: ['COUNTY'], regions: { regions: ['310000', '440305'] }, location_types: ['HOME'] },
    action_tags: [
      { id: '9007199254740993', type: 1 },
      { id: '12', type: 2 },
    ],
    user_aweme_fan: [{ type: 'account', label_id: '9207199254750001' }],
  })
  expect(leftOutOf(content, packages.contentOf(targeting))).toEqual([])
  expect(readTargeting('commerce', targeting).refusal).toBeNull()
})

test.each<[string, object, object, [field: string, values: string[]][]]>([
  ['nothing', { gender: 'NONE', new_customer: 'NONE', auto_extend_enabled: 0, city: [] }, {}, []],
  ['an unknown field', { moon_phase: 'FULL' }, {}, [['moon_phase', ['FULL']]]],
  ['an unknown code', { age: ['AGE_ABOVE_50', 'AGE_X'] }, { age: ['AGE_ABOVE_50'] }, [['age', ['AGE_X']]]],
  ['an electric fence', { electric_fence_region: 2 }, {}, [['electric_fence_region', ['2']]]],
  [
    'regions that are excluded',
    { district: 'CITY', district_type: true, city: [310_000], location_type: 'HOME' },
    {},
    [
      ['district_type', ['true']],
      ['location_type', ['HOME']],
      ['district', ['CITY']],
      ['city', ['310000']],
    ],
  ],
  [
    'days that our editor lacks',
    { smart_interest_action: 'CUSTOM', action_days: 45, action_words: [12] },
    { action_days: 30 },
    [['action_days', ['45']]],
  ],
  ['custom behaviour without any', { smart_interest_action: 'CUSTOM' }, {}, [['smart_interest_action', ['CUSTOM']]]],
])('of a package with %s the rest is said', async (_, fields, expected, left) => {
  const { content } = await found(await add(fields))
  const targeting = packages.targetingOf(content, null)
  expect(targeting).toMatchObject(expected)
  const leftOut = leftOutOf(content, packages.contentOf(targeting))
  expect(leftOut.map(({ field, values }) => [field, values])).toEqual(left)
  expect(readTargeting('commerce', { ...targeting, landing_type: 'LIVE' }).refusal).toBeNull()
})

test('packages of all pages are listed, or none', async () => {
  const { length } = await packages.list(account, world.on)
  for (let no = length; no < 130; no++) await add({})
  expect(await packages.list(account, world.on)).toHaveLength(130)
  const path = 'orientation_package/get'
  await world.control('faults', { platform: 'video', path, kind: 'throttle', code: 40_100, after: 1 })
  expect(await faultOf(packages.list(account, world.on))).toMatchObject({ kind: 'later' })
})

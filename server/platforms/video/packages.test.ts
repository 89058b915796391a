import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readTargeting } from '#contract/targeting/five-tab/read.ts'
import type { FiveTabTargeting } from '#contract/targeting/five-tab/schema.ts'
import type { TagNode } from '#contract/targeting-tags.ts'
import { accountId } from '../../../sandbox/platforms.ts'
import { faultOf, type PlatformWorld, platformWorld, shapeOf, type TestAccount } from '../../testing/platform-world.ts'
import { COMMERCE, VIDEO } from '../../testing/platforms.ts'
import {
  type PackageWriting,
  packageKeyOf,
  type ReachEstimates,
  type TargetingDictionaries,
  type TargetingPackages,
} from '../targeting-platform.ts'
import { estimatedAges, reachOfApps } from './reach.ts'

let world: PlatformWorld
let packages: TargetingPackages
let writing: PackageWriting
let dictionaries: TargetingDictionaries
let account: TestAccount
beforeAll(async () => {
  world = await platformWorld()
  packages = world.platforms.packagesOf(VIDEO) as TargetingPackages
  writing = packages.writing as PackageWriting
  dictionaries = world.platforms.dictionariesOf(VIDEO) as TargetingDictionaries
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.control('switches/reset', {})
  await world.control('switches', { video_advertiser_qps: 0, video_application_qps: 0 })
  account = await world.session('video', accountId('video', 1))
  world.takeCalls()
})

const plan = { id: 3, name: '华东', regions: ['310000', '330100'] }
const FULL: FiveTabTargeting = {
  landing_type: 'EXTERNAL',
  gender: ['GENDER_FEMALE'],
  age: ['AGE_BETWEEN_24_30', 'AGE_BETWEEN_18_23'],
  career_by: ['CUSTOM'],
  career: ['IT'],
  district: ['COUNTY'],
  regions: { regions: ['440300', '310000'], regionsPlan: [plan] },
  location_types: ['HOME'],
  smart_interest_action: 'CUSTOM',
  action_scene: ['APP'],
  action_days: 60,
  action_tags: [
    { id: '9007199254740993', type: 1, name: '类目' },
    { id: '12', type: 2 },
  ],
  interest_tags: [{ id: '13', type: 1 }],
  platform: ['IOS', 'ANDROID'],
  device_type: ['MOBILE'],
  ac: ['WIFI'],
  carrier: ['UNICOM'],
  device_brand_by: ['CUSTOM'],
  device_brand: ['APPLE'],
  launch_price_by: ['CUSTOM'],
  launch_price: [4000, 11_000],
  activate_type: ['WITH_IN_A_MONTH'],
  aweme_fan_by: 1,
  aweme_fan_behaviors: ['LIKED_USER', 'FOLLOWED_USER'],
  aweme_fan_time_scope: 'THIRTY_DAYS',
  user_aweme_fan: [{ type: 'account', label_id: '9207199254750001', author_name: '达人' }],
  aweme_fan_accounts: ['9207199254750001'],
  auto_extend_enabled: 1,
  auto_extend_targets: ['AGE', 'REGION'],
}
const ON_MAP: FiveTabTargeting = {
  landing_type: 'AWEME',
  district: ['BUSINESS_DISTRICT'],
  custom_locations: [
    { kind: 'circle', name: '世界之窗', long: 113.973129, lat: 22.536874, radius: 3000, city: '深圳市' },
    { kind: 'business_district', id: '44030501', name: '南山区' },
  ],
  location_types: ['ALL'],
  smart_interest_action: 'RECOMMEND',
}
const stored = (targeting: FiveTabTargeting) => targeting as Record<string, unknown>
let made = 0
const wanted = (targeting: FiveTabTargeting, more: object = {}) => ({
  key: `rq_key-${++made}`,
  name: `定向包${made}`,
  targeting: stored(targeting),
  ...more,
})
const create = (targeting: FiveTabTargeting, more: object = {}) =>
  writing.create(account, wanted(targeting, more), world.on)
const found = async (id: string) => (await packages.list(account, world.on)).find((one) => one.targeting_id === id)

test('every call sends what the reviewed snapshot shows, and nothing that the platform does not know', async () => {
  const id = await create(FULL, { key: 'rq_a', name: '全部' })
  await writing.update(account, id, { key: 'rq_a', name: '地图', targeting: stored(ON_MAP) }, world.on)
  await world.control('projects', { account_id: account.external_id, name: '双十一', package_id: id })
  const uses = (await packages.use?.(account, id, world.on)) ?? []
  await packages.list(account, world.on)
  await world.control('projects/set', { id: uses[0]?.plan_id, status: 'DONE' })
  await writing.delete(account, id, world.on)
  await dictionaries.businessDistricts?.(account, world.on)
  await dictionaries.reach?.of(account, { ...FULL, age: ['AGE_BETWEEN_18_19', 'AGE_BETWEEN_20_23'] }, null, world.on)
  const names = { [account.current]: 'token', [id]: 'package', [uses[0]?.plan_id ?? '-']: 'project' }
  const shapes = await Promise.all(world.takeCalls().map((call) => shapeOf(call, names)))
  await expect(`${shapes.join('\n\n')}\n`).toMatchFileSnapshot('./packages.snapshot.txt')
  const seen = await world.control<{ unknown?: string[] }[]>('calls')
  expect(seen.filter(({ unknown }) => unknown?.length)).toEqual([])
})

describe('a package', () => {
  test.each<[string, FiveTabTargeting]>([
    ['of every field', FULL],
    ['on the map', ON_MAP],
    ['of nothing', { landing_type: 'LIVE', smart_interest_action: 'UNLIMITED', aweme_fan_by: 0 }],
    ['of the finer ages', { landing_type: 'LIVE', age: ['AGE_ABOVE_60', 'AGE_BETWEEN_18_19'] }],
  ])('%s is read as it was written, and an update to it too', async (_, targeting) => {
    const id = await create(targeting)
    expect((await found(id))?.content).toEqual(packages.contentOf(stored(targeting)))
    for (const other of [ON_MAP, FULL, targeting]) {
      const { landing_type } = targeting
      const next = { ...other, landing_type }
      await writing.update(account, id, wanted(next), world.on)
      expect((await found(id))?.content).toEqual(packages.contentOf(stored(next)))
    }
    await writing.delete(account, id, world.on)
  })

  test('read back is the same targeting, with what the platform does not hold', async () => {
    const id = await create(FULL)
    const content = (await found(id))?.content ?? {}
    expect(packages.targetingOf(content, stored(FULL))).toEqual(FULL)
    const read = packages.targetingOf(content, null)
    expect(read).toMatchObject({
      regions: { regions: ['310000', '330100', '440300'], regionsPlan: [] },
      action_scene: ['E-COMMERCE', 'NEWS', 'APP', 'SEARCH', 'AD'],
      user_aweme_fan: [{ type: 'account', label_id: '9207199254750001' }],
    })
    expect(read).not.toHaveProperty('career')
    expect(readTargeting('video', read).refusal).toBeNull()
    expect(packages.contentOf(read)).toEqual(content)
  })

  test('changed there keeps names and plans of the parts that are the same', () => {
    const content = { ...packages.contentOf(stored(FULL)), gender: 'GENDER_MALE', interest_words: ['77'] }
    expect(packages.targetingOf(content, stored(FULL))).toMatchObject({
      gender: ['GENDER_MALE'],
      regions: FULL.regions,
      career: ['IT'],
      action_tags: FULL.action_tags,
      interest_tags: [
        { id: '13', type: 1 },
        { id: '77', type: 2 },
      ],
    })
  })

  test('for HarmonyOS names its version, which is no condition of its own', async () => {
    const id = await create({ landing_type: 'APP_HARMONY', platform: ['HARMONY'] })
    expect(await found(id)).toMatchObject({ content: { platform: ['HARMONY'] }, others: [] })
    await writing.update(account, id, wanted({ landing_type: 'APP_HARMONY', gender: ['GENDER_MALE'] }), world.on)
    expect(await found(id)).toMatchObject({ content: { gender: 'GENDER_MALE' }, others: [] })
  })

  test('has a name for each place, also for one that nobody named', async () => {
    const [circle] = ON_MAP.custom_locations ?? []
    const id = await create({ ...ON_MAP, custom_locations: [{ ...circle, name: ' ' } as never] })
    expect((await found(id))?.content.geolocation).toMatchObject([{ name: '地图地点' }])
  })

  test('holds its key at the end of its description', async () => {
    const id = await create({ landing_type: 'LIVE' }, { key: 'rq_0aZ-9', name: '长'.repeat(30) })
    expect(packageKeyOf((await found(id))?.description ?? '')).toBe('rq_0aZ-9')
    expect(packageKeyOf('别人的说明')).toBeNull()
  })

  test('stands on any page of the list', async () => {
    await world.control('switches', { video_packages: 1000 })
    const before = (await packages.list(account, world.on)).length
    for (let no = 0; no < 130; no++) await create({ landing_type: 'LIVE' })
    expect(await packages.list(account, world.on)).toHaveLength(before + 130)
  })
})

describe('a refusal is a fault of its kind', () => {
  beforeEach(() => world.control('switches', { video_packages: 1000 }))
  test('a taken name, a full quota, a lost crowd, a package that is gone or in use', async () => {
    const id = await create({ landing_type: 'LIVE' }, { name: '重名' })
    expect(await faultOf(create({ landing_type: 'LIVE' }, { name: '重名' }))).toMatchObject({ kind: 'nameTaken' })
    const lost: FiveTabTargeting = { landing_type: 'LIVE', auto_crowd_mode: [1], retargeting_tags_include: ['5'] }
    expect(await faultOf(create(lost))).toMatchObject({ kind: 'refused' })
    expect(await faultOf(writing.update(account, id, wanted(lost), world.on))).toMatchObject({ kind: 'refused' })
    await world.control('projects', { account_id: account.external_id, name: '在投', package_id: id })
    expect(await packages.use?.(account, id, world.on)).toMatchObject([{ name: '在投', live: true }])
    expect(await faultOf(writing.delete(account, id, world.on))).toMatchObject({ kind: 'inUse' })
    const gone = '9507199254999999'
    expect(await faultOf(writing.update(account, gone, wanted({ landing_type: 'LIVE' }), world.on))).toMatchObject({
      kind: 'gone',
    })
    expect(await faultOf(writing.delete(account, gone, world.on))).toMatchObject({ kind: 'gone' })
    await world.control('switches', { video_packages: 1 })
    expect(await faultOf(create({ landing_type: 'LIVE' }))).toMatchObject({ kind: 'quota' })
  })
})

describe('reach', () => {
  const reach = (targeting: FiveTabTargeting) =>
    (dictionaries.reach as ReachEstimates).of(account, targeting, null, world.on)

  test('is that of 抖音 for what it alone shows, else the largest of the apps', async () => {
    const apps = { toutiao: { num: 7 }, aweme: { num: 5 }, union: null }
    expect(reachOfApps(apps, 'LIVE')).toBe(5)
    expect(reachOfApps(apps, 'EXTERNAL')).toBe(7)
    expect(await reach({ landing_type: 'LIVE', gender: ['GENDER_FEMALE'] })).toBeGreaterThan(1_000_000)
  })

  test.each<[string[], string[] | null]>([
    [['AGE_ABOVE_50'], ['AGE_ABOVE_50']],
    [
      ['AGE_BETWEEN_18_19', 'AGE_BETWEEN_20_23', 'AGE_BETWEEN_24_30'],
      ['AGE_BETWEEN_18_23', 'AGE_BETWEEN_24_30'],
    ],
    [['AGE_BETWEEN_31_35'], null],
    [['AGE_ABOVE_60'], null],
  ])('of the ages %o is asked for %o', async (ages, expected) => {
    if (expected) expect(estimatedAges(ages)).toEqual(expected)
    else expect(await faultOf(Promise.resolve().then(() => estimatedAges(ages)))).toMatchObject({ kind: 'refused' })
  })

  test('of more regions than a query holds is asked for whole provinces, and refused where there are none', async () => {
    const tree = await dictionaries.regions(account, world.on)
    const leaves = (node: TagNode): string[] =>
      node.children.length === 0 ? [node.value] : node.children.flatMap(leaves)
    const at = (regions: string[]): FiveTabTargeting => ({
      landing_type: 'LIVE',
      district: ['COUNTY'],
      regions: { regions, regionsPlan: [] },
      location_types: ['HOME'],
    })
    const every = tree.flatMap(leaves)
    world.takeCalls()
    const whole = await reach(at(every))
    const [call] = world.takeCalls()
    expect(JSON.parse(call?.query.find(([name]) => name === 'city')?.[1] ?? '')).toHaveLength(tree.length)
    expect(whole).toBe(await reach({ landing_type: 'LIVE' }))
    const most = every.filter((_, no) => no % 2 === 0)
    expect(await faultOf(reach(at(most)))).toMatchObject({ outcome: { code: 'estimate_too_long' } })
    const shop = await world.session('video', accountId('video', 6))
    const commerce = world.platforms.dictionariesOf(COMMERCE)
    const goals = { LIVE: { external_action: 'AD_CONVERT_TYPE_LIVE_SUCCESSORDER_PAY', aweme_id: '5' }, VIDEO: null }
    const asked = { ...at(every), district: ['CITY' as const] }
    expect(await commerce?.reach?.of(shop, asked, goals as never, world.on)).toBeGreaterThan(0)
  })
})

test('商圈 hang under their districts', async () => {
  const tree = (await dictionaries.businessDistricts?.(account, world.on)) ?? []
  expect(tree).toHaveLength(34)
  const city = tree.find(({ label }) => label === '广东省')?.children.find(({ label }) => label === '深圳市')
  const nanshan = city?.children.find(({ label }) => label === '南山区')
  expect(nanshan?.children).toHaveLength(2)
  expect(nanshan?.children[0]).toMatchObject({ level: 'BUSINESS_DISTRICT', value: expect.stringMatching(/^440305/) })
  const dongguan = tree.find(({ label }) => label === '广东省')?.children.find(({ label }) => label === '东莞市')
  expect(dongguan?.children.map(({ level }) => level)).toEqual(Array(6).fill('BUSINESS_DISTRICT'))
})

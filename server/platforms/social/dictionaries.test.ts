import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sentenceOf } from '#contract/outcome.ts'
import type { SocialTargeting } from '#contract/targeting/social/schema.ts'
import type { TagNode } from '#contract/targeting-tags.ts'
import { accountId } from '../../../sandbox/platforms.ts'
import { faultOf, type PlatformWorld, platformWorld, shapeOf, type TestAccount } from '../../testing/platform-world.ts'
import { SOCIAL } from '../../testing/platforms.ts'
import { socialAudiences } from '../../testing/social-audiences.ts'
import type { TargetingDictionaries } from '../targeting-platform.ts'

const WINDOW = { days: 30, scenes: [] }
const [OWN, OTHER] = [accountId('social', 1), accountId('social', 2)]

let world: PlatformWorld
let social: Required<TargetingDictionaries>
let account: TestAccount
beforeAll(async () => {
  world = await platformWorld()
  social = world.platforms.dictionariesOf(SOCIAL) as Required<TargetingDictionaries>
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.control('switches/reset', {})
  await world.control('switches', { processing_seconds: 0 })
  await world.control('faults/forget', {})
  account = await world.session('social', OWN)
  world.takeCalls()
})

const all = (nodes: readonly TagNode[]): TagNode[] => nodes.flatMap((node) => [node, ...all(node.children)])
const levelsOf = (nodes: readonly TagNode[]) => {
  const groups = Object.groupBy(all(nodes), ({ level = 'CITY' }) => level)
  return Object.fromEntries(Object.entries(groups).map(([level, { length }]) => [level, length]))
}
const reach = (targeting: SocialTargeting) => social.reach.of(account, targeting, null, world.on)

/** Every dimension that the platform takes, and those that it no longer does. */
const EVERYTHING: SocialTargeting = {
  geo_location: 'REGIONS',
  regions: ['440300', '110000'],
  location_types: ['LIVE_IN'],
  age: [{ min: 18, max: 30 }],
  gender: ['FEMALE'],
  education: ['BACHELOR'],
  marital_status: ['SINGLE', 'PARENTING'],
  working_status: ['IT_WORKER'],
  consumption_status: ['HIGH'],
  behavior: 'CUSTOM',
  behavior_scene: ['BEHAVIOR_INTEREST_SCENE_ALL'],
  behavior_time_window: 'BEHAVIOR_INTEREST_TIME_WINDOW_THIRTY_DAY',
  behavior_keywords: ['手机推荐'],
  intention: [{ id: '70000' }],
  excluded_dimension: ['EXCLUDED_DIMENSION_UID'],
  conversion_behavior_list: ['OPTIMIZATIONGOAL_ECOMMERCE_ORDER'],
}
const PLACES: SocialTargeting = {
  geo_location: 'CUSTOM_LOCATIONS',
  custom_locations: [
    { kind: 'circle', name: '世界之窗', long: 113.97, lat: 22.54, radius: 5000 },
    { kind: 'business_district', id: '44030501', name: '南山' },
  ],
  location_types: ['VISITED_IN'],
}

test('every call sends what the reviewed snapshot shows, and nothing that the platform does not know', async () => {
  const { on } = world
  await social.regions(account, on)
  await social.businessDistricts(account, on)
  await social.intentions(account, on)
  await social.categories(account, 'behaviour', WINDOW, on)
  await social.keywords(account, 'behaviour', WINDOW, { by: 'query_word', word: '手机' }, on)
  await social.keywords(account, 'interest', WINDOW, { by: 'near_word', word: '手机推荐' }, on)
  await social.keywords(account, 'interest', WINDOW, { by: 'words', words: ['手机推荐', '没有这样的词'] }, on)
  await social.crowds(account, on)
  await reach(EVERYTHING)
  await reach(PLACES)
  await reach({ excluded_dimension: ['EXCLUDED_DIMENSION_CAMPAIGN'] })
  const shapes = await Promise.all(world.takeCalls().map((call) => shapeOf(call, { [account.current]: 'token' })))
  await expect(`${shapes.join('\n\n')}\n`).toMatchFileSnapshot('./dictionaries.snapshot.txt')
  const seen = await world.control<{ unknown?: string[] }[]>('calls')
  expect(seen.filter(({ unknown }) => unknown?.length)).toEqual([])
})

describe('the answers', () => {
  test('regions are provinces, cities and districts, and 商圈 stand below them', async () => {
    const regions = await social.regions(account, world.on)
    expect(levelsOf(regions)).toEqual({ PROVINCE: 34, CITY: 363, DISTRICT: 2833 })
    const shenzhen = all(regions).find(({ label }) => label === '深圳市')
    expect(shenzhen).toMatchObject({ value: '440300', num: null, level: 'CITY' })
    const { BUSINESS_DISTRICT = 0, ...rest } = levelsOf(await social.businessDistricts(account, world.on))
    expect(rest).toEqual(levelsOf(regions))
    expect(BUSINESS_DISTRICT).toBeGreaterThan(5000)
  })

  test('categories and intentions are trees with users', async () => {
    const categories = await social.categories(account, 'behaviour', WINDOW, world.on)
    expect(all(categories).length).toBeGreaterThan(2000)
    expect(categories[0]?.num).toMatch(/^[\d.]+(万|亿)$/)
    const intentions = await social.intentions(account, world.on)
    expect(intentions[0]?.children.length).toBeGreaterThan(1)
    expect(all(intentions).every(({ num }) => num !== null)).toBe(true)
  })

  test('categories whose users are not told stand without them', async () => {
    await world.control('faults', { platform: 'social', path: 'targeting_tags_uv', kind: 'error', status: 503 })
    const categories = await social.categories(account, 'interest', WINDOW, world.on)
    expect(new Set(all(categories).map(({ num }) => num))).toEqual(new Set([null]))
  })

  test('a keyword is its text, found by a word and gone when it is no longer valid', async () => {
    const found = await social.keywords(account, 'behaviour', WINDOW, { by: 'query_word', word: '手机' }, world.on)
    expect(found.length).toBeGreaterThan(10)
    expect(found.length).toBeLessThanOrEqual(50)
    expect(found.every(({ value, label }) => value === label && value.includes('手机'))).toBe(true)
    const texts = found.map(({ value }) => value)
    const odd = { by: 'query_word', word: ' <> ' } as const
    expect(await social.keywords(account, 'behaviour', WINDOW, odd, world.on)).toEqual([])
    const more = Array.from({ length: 250 }, (_, no) => `没有这样的词${no}`)
    const asked = { by: 'words', words: [...more, ...texts, '6/7'] } as const
    world.takeCalls()
    const valid = await social.keywords(account, 'behaviour', WINDOW, asked, world.on)
    const calls = world.takeCalls()
    expect(calls.length).toBeGreaterThan(2)
    for (const { query } of calls) expect(new URLSearchParams(query).toString().length).toBeLessThan(6000)
    expect(valid.map(({ value }) => value)).toEqual(texts)
  })

  test('crowds are the account’s own and those granted to it; what is not usable is marked', async () => {
    const audiences = socialAudiences({ ...world.sandbox, control: world.control })
    const own = await audiences.add(OWN, '自有')
    const granted = await audiences.usable(OTHER, '他人')
    await audiences.grant(OTHER, granted, OWN)
    const crowds = await social.crowds(account, world.on)
    expect(crowds).toMatchObject([
      { retargeting_tags_id: granted, name: '他人', source: 'GRANTED', is_common: 1, cover_num: 0, status: 'SUCCESS' },
      { retargeting_tags_id: own, name: '自有', source: 'OWN', is_common: 0, cover_num: null, status: 'PENDING' },
    ])
    expect(await reach({ custom_audience: [granted] })).toBeGreaterThan(0)
  })

  test('narrower targeting reaches fewer, and what cannot be sent changes nothing', async () => {
    const everyone = await reach({})
    const women = await reach({ gender: ['FEMALE'] })
    expect(women).toBeLessThan(everyone)
    expect(await reach({ gender: ['FEMALE'], age: [{ min: 18, max: 30 }] })).toBeLessThan(women)
    expect(await reach({ gender: ['FEMALE'], consumption_status: ['HIGH'], working_status: ['IT_WORKER'] })).toBe(women)
  })
})

describe('what goes wrong', () => {
  test('what the platform refuses is said in its words', async () => {
    const fault = await faultOf(reach({ custom_audience: ['5'] }))
    expect(fault).toMatchObject({ kind: 'gone' })
    expect(sentenceOf(fault.outcome)).toContain('人群不存在')
    const ids = { by: 'ids', ids: ['5'] } as const
    expect(await faultOf(social.keywords(account, 'interest', WINDOW, ids, world.on))).toMatchObject({
      kind: 'refused',
    })
  })

  test('an account without the scope of ads keeps its authorisation when an estimate is refused', async () => {
    const narrow = await world.session('social', OWN, ['audience_management'])
    let isRefused = false
    const asker = {
      ...narrow,
      token: async () => narrow.current,
      refused: async () => {
        isRefused = true
      },
    }
    expect(await faultOf(social.reach.of(asker, {}, null, world.on))).toMatchObject({ kind: 'refused', code: 11014 })
    expect(isRefused).toBe(false)
    expect((await social.regions(asker, world.on)).length).toBe(34)
    await world.control('tokens/revoke', { platform: 'social', account_id: OWN })
    expect(await faultOf(social.reach.of(asker, {}, null, world.on))).toMatchObject({ kind: 'unauthorised' })
    expect(isRefused).toBe(true)
  })

  test('an expired token is renewed once', async () => {
    await world.control('tokens/expire', { platform: 'social', account_id: OWN })
    expect(await reach({})).toBeGreaterThan(0)
    expect(account.renewals).toBe(1)
  })

  test.each([
    ['busy', 30_001],
    ['throttle', 11_017],
  ] as const)('a platform that says %s (%i) is asked later', async (kind, code) => {
    const fresh = world.open().dictionariesOf(SOCIAL) as TargetingDictionaries
    await world.control('faults', { platform: 'social', path: 'targeting_tags/get', kind, code })
    const fault = await faultOf(fresh.regions(account, world.on))
    expect(fault).toMatchObject({ kind: 'later', code })
    expect(fault.retryAfter).toBeGreaterThan(0)
  })

  test('a platform that is gone or slow is a fault', async () => {
    await world.control('faults', { platform: 'social', path: 'targeting_tags/get', kind: 'error', status: 503 })
    expect(await faultOf(social.regions(account, world.on))).toMatchObject({ kind: 'later' })
    const hasty = world.open({ timeoutMs: 100 }).dictionariesOf(SOCIAL) as TargetingDictionaries
    await world.control('faults', {
      platform: 'social',
      path: 'targeting_tags/get',
      kind: 'timeout',
      seconds: 1,
    })
    expect(await faultOf(hasty.regions(account, world.on))).toMatchObject({ kind: 'later' })
  })
})

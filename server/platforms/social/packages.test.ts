import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SocialTargeting } from '#contract/targeting/social/schema.ts'
import { accountId } from '../../../sandbox/platforms.ts'
import { faultOf, type PlatformWorld, platformWorld, shapeOf, type TestAccount } from '../../testing/platform-world.ts'
import { SOCIAL } from '../../testing/platforms.ts'
import { leftOutOf } from '../left-out.ts'
import { openPace } from '../pace.ts'
import {
  type PackageWriting,
  type PlatformPackage,
  packageKeyOf,
  type TargetingPackages,
} from '../targeting-platform.ts'
import { socialPackages } from './packages.ts'
import { socialWire } from './wire.ts'

const OWN = accountId('social', 1)
let world: PlatformWorld
let packages: TargetingPackages
let writing: PackageWriting
let account: TestAccount
let key: string
let made = 0

beforeAll(async () => {
  world = await platformWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.control('switches/reset', {})
  await world.control('faults/forget', {})
  account = await world.session('social', OWN)
  key = `key${++made}`
  // A pace of its own, so that no test waits for the changes of another.
  packages = socialPackages(
    socialWire({
      endpoint: async () => world.apps.social,
      pace: openPace({ perSecond: 1000 }),
      nowMs: Date.now,
      timeoutMs: 5000,
      uploadTimeoutMs: 5000,
    }),
  )
  writing = packages.writing as PackageWriting
  world.takeCalls()
})

const FULL: SocialTargeting = {
  geo_location: 'REGIONS',
  regions: ['110000', '440300'],
  location_types: ['LIVE_IN'],
  age: [{ min: 18, max: 30 }],
  gender: ['FEMALE'],
  education: ['BACHELOR', 'MASTER'],
  working_status: ['IT_WORKER'],
  consumption_type: ['PAID_GOODS_REAL'],
  residential_community_price: [{ min: 1, max: 50_000 }],
  financial_situation: ['CAR_OWNERS'],
  consumption_status: ['HIGH'],
  behavior: 'CUSTOM',
  behavior_scene: ['BEHAVIOR_INTEREST_SCENE_APP'],
  behavior_time_window: 'BEHAVIOR_INTEREST_TIME_WINDOW_SEVEN_DAY',
  behavior_categories: [{ id: '10000', name: '服饰鞋包' }],
  behavior_keywords: ['女装推荐', '手机推荐'],
  interest: 'CUSTOM',
  interest_keywords: ['手机推荐'],
  intention: [{ id: '70000', name: '服饰鞋包' }],
  excluded_dimension: ['EXCLUDED_DIMENSION_CAMPAIGN'],
  conversion_behavior_list: ['OPTIMIZATIONGOAL_ECOMMERCE_ORDER'],
}
const PLACES: SocialTargeting = {
  geo_location: 'CUSTOM_LOCATIONS',
  custom_locations: [
    { kind: 'business_district', id: '44030501', name: '南山' },
    { kind: 'circle', name: '世界之窗', long: 113.97, lat: 22.54, radius: 5000 },
  ],
  location_types: ['LIVE_IN', 'VISITED_IN'],
}
const wanted = (targeting: SocialTargeting = FULL, name = `定向${made}`) => ({ key, name, targeting: { ...targeting } })
const create = (targeting?: SocialTargeting, name?: string) =>
  writing.create(account, wanted(targeting, name), world.on)
const found = async (id: string) => (await packages.list(account, world.on)).find((one) => one.targeting_id === id)
/** A call as somebody else makes it. */
async function byHand(path: string, body: object) {
  const query = new URLSearchParams({
    access_token: account.current,
    timestamp: String(Math.floor(Date.now() / 1000)),
    nonce: Math.random().toString(16).slice(2),
  })
  await fetch(`${world.apps.social.url}/${path}?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}
const adgroup = (targeting_id: string, configured_status = 'AD_STATUS_NORMAL') =>
  world.control('adgroups', { account_id: OWN, name: `投放${made}`, targeting_id, configured_status })

describe('the current generation', () => {
  const current = () => world.platforms.packagesOf(SOCIAL) as TargetingPackages

  test('only reads packages, and does not tell which ads use them', () => {
    expect(current()).toMatchObject({ writing: null, use: null, max: null, scopes: ['ads_management'] })
  })

  test('lists what it shows of them, with its own words, and says what our editor lacks', async () => {
    await create({ gender: ['FEMALE'], consumption_status: ['HIGH'] }, `看${made}`)
    const body = {
      account_id: JSON.rawJSON(OWN),
      targeting_name: `别处的${made}`,
      targeting: {
        gender: ['MALE'],
        age: [{ min: 14, max: 20 }],
        network_type: ['WIFI'],
        wechat_ad_behavior: { excluded_actions: ['WECHAT_CHANNELS_FANS'] },
      },
    }
    await byHand('v1.3/targetings/add', body)
    world.takeCalls()
    const all = await current().list(account, world.on)
    expect(world.takeCalls().map(({ method, path }) => [method, path])).toEqual([
      ['POST', '/social/v3.0/targetings/get'],
    ])
    const [theirs, ours] = [`别处的${made}`, `看${made}`].map((name) => all.find((one) => one.name === name))
    // This generation does not show what it no longer has.
    expect(ours?.content).toEqual({ gender: ['FEMALE'] })
    expect(theirs).toMatchObject({ lost_crowds: null, plans: null })
    expect(theirs?.words).toContain('年龄：14-20岁')
    const { content } = theirs as PlatformPackage
    const targeting = current().targetingOf(content, null)
    expect(targeting).toEqual({ gender: ['MALE'] })
    expect(leftOutOf(content, current().contentOf(targeting))).toEqual([
      { field: 'age', values: ['14-20'], count: 1 },
      { field: 'network_type', values: ['WIFI'], count: 1 },
      { field: 'wechat_ad_behavior.excluded_actions', values: ['WECHAT_CHANNELS_FANS'], count: 1 },
    ])
  })
})

test('every call sends what the reviewed snapshot shows, and nothing that the platform does not know', async () => {
  const id = await create()
  await writing.update(account, id, wanted(PLACES), world.on)
  await packages.list(account, world.on)
  await world.platforms.packagesOf(SOCIAL)?.list(account, world.on)
  await packages.use?.(account, id, world.on)
  await writing.delete(account, id, world.on)
  const names = { [account.current]: 'token', [id]: 'package' }
  const shapes = await Promise.all(world.takeCalls().map((call) => shapeOf(call, names)))
  await expect(`${shapes.join('\n\n')}\n`).toMatchFileSnapshot('./packages.snapshot.txt')
  const seen = await world.control<{ unknown?: string[] }[]>('calls')
  expect(seen.filter(({ unknown }) => unknown?.length)).toEqual([])
})

test.each([
  ['all dimensions', FULL],
  ['places on the map', PLACES],
  ['nothing', {}],
])('a package of %s is listed with the content that was sent, and becomes the same targeting', async (_, targeting) => {
  const id = await create(targeting)
  const there = await found(id)
  expect(there?.content).toEqual(packages.contentOf(targeting))
  expect(packageKeyOf(there?.description ?? '')).toBe(key)
  expect(packages.targetingOf(there?.content ?? {}, targeting)).toEqual(targeting)
  const foreign = packages.targetingOf(there?.content ?? {}, null)
  expect(packages.contentOf(foreign)).toEqual(there?.content)
  expect(foreign).not.toHaveProperty('working_status')
})

test('the order of choices makes no other content, and more choices do', () => {
  const content = (more: SocialTargeting) => packages.contentOf({ ...FULL, ...more })
  expect(content({ regions: ['440300', '110000'], education: ['MASTER', 'BACHELOR'] })).toEqual(content({}))
  expect(content({ working_status: ['BUSINESS_USER'] })).toEqual(content({}))
  expect(content({ gender: ['MALE'] })).not.toEqual(content({}))
})

test('packages of all pages are listed, those made elsewhere too', async () => {
  await world.control('switches', { social_targeting_limits: false })
  const before = (await packages.list(account, world.on)).length
  for (let no = 0; no < 105; no++) {
    const json = { account_id: JSON.rawJSON(OWN), targeting_name: `别处${no}`, targeting: { user_os: ['IOS'] } }
    await byHand('v1.3/targetings/add', json)
  }
  const all = await packages.list(account, world.on)
  expect(all).toHaveLength(before + 105)
  const foreign = all.find(({ name }) => name === '别处0')
  expect(packageKeyOf(foreign?.description ?? '')).toBeNull()
  expect(packages.targetingOf(foreign?.content ?? {}, null)).toEqual({})
})

describe('what goes wrong', () => {
  test.each(['drop_after', 'error_after'] as const)(
    'a create whose answer was lost (%s) makes one package',
    async (kind) => {
      await world.control('faults', {
        platform: 'social',
        path: 'targetings/add',
        kind,
        ...(kind === 'error_after' && { status: 502 }),
      })
      expect(await faultOf(create())).toMatchObject({ isUncertain: true })
      const id = await create()
      const mine = (await packages.list(account, world.on)).filter(
        ({ description }) => packageKeyOf(description) === key,
      )
      expect(mine.map(({ targeting_id }) => targeting_id)).toEqual([id])
    },
  )

  test('a repeated create sends the request id of the first one, and another body another one', async () => {
    const idSent = () => world.takeCalls()[0]?.headers['x-request-id']
    world.takeCalls()
    const id = await create({ gender: ['MALE'] })
    const first = idSent()
    expect(await create({ gender: ['MALE'] })).toBe(id)
    expect(idSent()).toBe(first)
    // Refused for its name, and not for its id: what the first call made is found by its key.
    expect(await faultOf(create({ gender: ['FEMALE'] }))).toMatchObject({ kind: 'nameTaken' })
    expect(idSent()).not.toBe(first)
    expect(first).toMatch(new RegExp(`^${key}-[0-9a-f]{12}$`))
  })

  test('a name that is taken, a package that is gone and a crowd that is gone are told apart', async () => {
    const id = await create()
    const first = `定向${made}`
    key = `key${++made}`
    expect(await faultOf(create(FULL, first))).toMatchObject({ kind: 'nameTaken' })
    await writing.delete(account, id, world.on)
    expect(await faultOf(writing.update(account, id, wanted(), world.on))).toMatchObject({ kind: 'gone' })
    key = `key${++made}`
    expect(await faultOf(create({ custom_audience: ['5'] }))).toMatchObject({ kind: 'refused', code: 50005 })
  })

  test('a package that running ads use is neither changed nor deleted', async () => {
    const id = await create()
    await adgroup(id)
    expect(await packages.use?.(account, id, world.on)).toMatchObject([{ name: `投放${made}`, live: true }])
    expect(await faultOf(writing.update(account, id, wanted(PLACES), world.on))).toMatchObject({ kind: 'inUse' })
    expect(await faultOf(writing.delete(account, id, world.on))).toMatchObject({ kind: 'inUse' })
    await adgroup(id, 'AD_STATUS_SUSPEND')
    expect(await packages.use?.(account, id, world.on)).toMatchObject([{ live: false }])
    await writing.delete(account, id, world.on)
    expect(await found(id)).toBeUndefined()
  })

  test('changes of an account keep their distance', async () => {
    const id = await create()
    const began = performance.now()
    await writing.update(account, id, wanted(), world.on)
    await writing.update(account, id, wanted(PLACES), world.on)
    expect(performance.now() - began).toBeGreaterThan(900)
  })

  test('throttling and an expired token are what they are everywhere', async () => {
    await world.control('faults', { platform: 'social', path: 'targetings/get', kind: 'throttle', code: 11_017 })
    expect(await faultOf(packages.list(account, world.on))).toMatchObject({ kind: 'later', code: 11_017 })
    await world.control('tokens/expire', { platform: 'social', account_id: OWN })
    await create()
    expect(account.renewals).toBe(1)
  })
})

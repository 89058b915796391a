import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FiveTabTargeting } from '#contract/targeting/five-tab/schema.ts'
import { accountId } from '../../../sandbox/platforms.ts'
import { type PlatformWorld, platformWorld, shapeOf } from '../../testing/platform-world.ts'
import { COMMERCE } from '../../testing/platforms.ts'

const SHOP = accountId('video', 6)
const GOALS = {
  LIVE: { external_action: 'AD_CONVERT_TYPE_LIVE_SUCCESSORDER_PAY', aweme_id: '5' },
  VIDEO: { external_action: 'AD_CONVERT_TYPE_SHOPPING', product_id: '6' },
} as const

let world: PlatformWorld
beforeAll(async () => {
  world = await platformWorld()
  await world.control('switches/reset', {})
  await world.control('switches', { video_advertiser_qps: 0, video_application_qps: 0 })
})
afterAll(() => world.close())

test('packages and estimates are asked for as the reviewed snapshot shows, with nothing that the platform does not know', async () => {
  const account = await world.session('video', SHOP)
  const dictionaries = world.platforms.dictionariesOf(COMMERCE)
  const packages = world.platforms.packagesOf(COMMERCE)
  if (!dictionaries?.reach || !packages) throw new Error('commerce has both')
  const [own] = (await dictionaries.crowds(account, world.on)).filter((crowd) => crowd.is_common === 1)
  const [interest] = await dictionaries.categories(account, 'interest', { days: 30, scenes: [] }, world.on)
  const crowd = own?.retargeting_tags_id ?? ''
  const full: FiveTabTargeting = {
    landing_type: 'LIVE',
    gender: ['GENDER_FEMALE'],
    age: ['AGE_BETWEEN_24_30', 'AGE_BETWEEN_18_23'],
    district: ['CITY'],
    regions: { regions: ['440300', '310000'], regionsPlan: [] },
    location_types: ['HOME'],
    exclude_limited_region: 1,
    smart_interest_action: 'CUSTOM',
    action_scene: ['E-COMMERCE', 'APP'],
    action_days: 60,
    interest_tags: [{ id: interest?.value ?? '', type: 1 }],
    auto_crowd_mode: [1],
    retargeting_tags_include: [crowd],
    platform: ['IOS'],
    ac: ['WIFI'],
    live_platform_tags: ['AWEME_FANS'],
    new_customer: 'NO_BUY',
    auto_extend_enabled: 1,
    auto_extend_targets: ['AGE'],
  }
  world.takeCalls()
  await packages.list(account, world.on)
  await dictionaries.reach.of(account, full, GOALS, world.on)
  await dictionaries.reach.of(account, { landing_type: 'VIDEO' }, GOALS, world.on)
  const names = { [account.current]: 'token', [crowd]: 'crowd', [interest?.value ?? '-']: 'category' }
  const shapes = await Promise.all(world.takeCalls().map((call) => shapeOf(call, names)))
  await expect(`${shapes.join('\n\n')}\n`).toMatchFileSnapshot('./requests.snapshot.txt')
  const seen = await world.control<{ unknown?: string[] }[]>('calls')
  expect(seen.filter(({ unknown }) => unknown?.length)).toEqual([])
})

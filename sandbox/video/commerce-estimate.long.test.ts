import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { writeJson } from '../json.ts'
import { accountId } from '../platforms.ts'
import { categoriesOf } from '../population/categories.ts'
import { countOf, PEOPLE } from '../population/population.ts'
import { reachedBy } from './commerce-audience.ts'
import { creatorCategories } from './creators.ts'
import { id, videoForTest } from './testing.ts'

const SHOP = accountId('video', 6)
const { bench, now } = await videoForTest()
beforeEach(async () => {
  now.token = await bench.token('video', [SHOP])
})

const LIVE = {
  advertiser_id: id(SHOP),
  marketing_goal: 'LIVE_PROM_GOODS',
  external_action: 'AD_CONVERT_TYPE_LIVE_SUCCESSORDER_PAY',
  aweme_id: 5,
}
const asText = (value: unknown) => (typeof value === 'string' ? value : writeJson(value))
async function estimate(query: object) {
  const url = new URL(`${bench.box.videoUrl}/open_api/v1.0/qianchuan/tools/estimate_audience/`)
  for (const [name, value] of Object.entries({ ...LIVE, ...query })) {
    if (value !== undefined) url.searchParams.set(name, asText(value))
  }
  const answer = await fetch(url, { headers: { 'access-token': now.token } })
  return (await answer.json()) as { code: number; message: string; data: unknown }
}
const crowd = (no: number) => String(9_307_199_254_750_001n + BigInt(no) * 2n)

/** Conditions of the object, each of which narrows. */
const CONDITIONS: Record<string, object> = {
  women: { gender: 'GENDER_FEMALE' },
  young: { age: ['AGE_BETWEEN_18_23'] },
  shanghai: { district: 'CITY', city: [310000], location_type: 'CURRENT' },
  android: { platform: ['ANDROID'] },
  wifi: { ac: ['WIFI'] },
  delivered: { exclude_limited_region: 1 },
  doing: {
    smart_interest_action: 'CUSTOM',
    action_days: 365,
    action_categories: [BigInt(categoriesOf('ACTION')[0]?.id ?? '')],
  },
  fans: {
    aweme_fan_behaviors: ['FOLLOWED_USER', 'LIKED_USER'],
    aweme_fan_behaviors_days: 'DAYS_60',
    aweme_fan_categories: [BigInt(creatorCategories()[0]?.id ?? '')],
  },
  among: { retargeting_tags_include: [BigInt(crowd(0))] },
  newcomers: { new_customer: 'NO_BUY' },
  active: { live_platform_tags: ['ABNORMAL_ACTIVE'] },
}
const NAMES = Object.keys(CONDITIONS)
const people = (names: readonly string[], more: object = {}) =>
  countOf(reachedBy(Object.assign({}, ...names.map((name) => CONDITIONS[name]), more) as never, SHOP))

test('nothing chosen reaches everyone, and each condition some', () => {
  expect(people([])).toBe(PEOPLE)
  for (const name of NAMES) {
    expect(people([name])).toBeGreaterThan(0)
    expect(people([name])).toBeLessThan(PEOPLE)
  }
})

test('narrower targeting never reaches more', () => {
  fc.assert(
    fc.property(fc.subarray(NAMES), fc.constantFrom(...NAMES), (names, one) => {
      expect(people([...names, one])).toBeLessThanOrEqual(people(names))
    }),
    { numRuns: 60 },
  )
})

test('those in a crowd and those outside of it add up', () => {
  fc.assert(
    fc.property(fc.subarray(NAMES.filter((name) => name !== 'among')), fc.nat(40), (names, no) => {
      const one = [BigInt(crowd(no))]
      const inside = people(names, { retargeting_tags_include: one })
      const outside = people(names, { retargeting_tags_exclude: one })
      expect(inside + outside).toBe(people(names))
    }),
    { numRuns: 60 },
  )
})

test('the values of a condition add up where nobody has two of them', () => {
  const each = ['WIFI', '2G', '3G', '4G', '5G'].map((ac) => people([], { ac: [ac] }))
  expect(each.reduce((sum, count) => sum + count, 0)).toBe(people([], { ac: ['WIFI', '2G', '3G', '4G', '5G'] }))
  const women = people([], { gender: 'GENDER_FEMALE' })
  expect(women + people([], { gender: 'GENDER_MALE' })).toBe(PEOPLE)
})

test('a province reaches its cities together, and visitors come on top of residents', () => {
  const at = (city: number[], location_type: string) => people([], { district: 'CITY', city, location_type })
  expect(at([440000], 'HOME')).toBeGreaterThan(at([440100, 440300], 'HOME'))
  expect(at([440100], 'HOME') + at([440300], 'HOME')).toBe(at([440100, 440300], 'HOME'))
  expect(at([440100], 'ALL')).toBeGreaterThanOrEqual(at([440100], 'HOME'))
  expect(at([440100], 'ALL')).toBeGreaterThanOrEqual(at([440100], 'TRAVEL'))
})

test('the call answers users, and the same ones every time', async () => {
  const { code, data } = await estimate({ audience: CONDITIONS.women })
  expect(code).toBe(0)
  expect(data).toEqual({
    crowd_cover_total: people(['women']) * 500,
    show_cnt_total: people(['women']) * 1500,
  })
})

test.each<[string, object, string]>([
  ['no goal', { marketing_goal: undefined }, 'marketing_goal'],
  ['a goal that does not exist', { marketing_goal: 'PROM' }, 'marketing_goal'],
  ['no action', { external_action: undefined }, 'external_action'],
  ['no creator for a live room', { aweme_id: undefined }, 'aweme_id'],
  ['no product for a video', { marketing_goal: 'VIDEO_PROM_GOODS' }, 'product_id'],
  ['a field that plans do not have', { audience: { career: ['IT'] } }, 'audience.career'],
  ['a code that the field does not have', { audience: { age: ['AGE_1'] } }, 'audience.age'],
  ['regions without their kind', { audience: { city: [310000] } }, 'audience.city'],
  ['regions without the kind of people', { audience: { district: 'CITY', city: [310000] } }, 'audience.location_type'],
  [
    'a county among cities',
    { audience: { district: 'CITY', city: [310000, 110101], location_type: 'HOME' } },
    'audience.city',
  ],
  ['an argument that the call does not have', { region: 1 }, 'region'],
  ['behaviours outside of CUSTOM', { audience: { action_categories: [5] } }, 'audience.action_categories'],
  ['creators without behaviours', { audience: { aweme_fan_accounts: [5] } }, 'audience.aweme_fan_behaviors'],
  ['new customers of a brand', { audience: { new_customer: 'NO_BUY_BRAND' } }, 'new_customer'],
  ['a crowd of nobody', { audience: { retargeting_tags_include: [5] } }, 'retargeting_tags_include'],
])('%s is refused by name', async (_, query, name) => {
  const { code, message } = await estimate(query)
  expect(code).toBe(40000)
  expect(message).toContain(name)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from '../json.ts'
import { businessDistricts } from '../population/business-districts.ts'
import { categoriesOf } from '../population/categories.ts'
import { both, countOf, PEOPLE } from '../population/population.ts'
import { queryText } from '../testing.ts'
import { creatorCategories } from './creators.ts'
import type { Fields } from './package-fields.ts'
import { countsOf } from './reach-calls.ts'
import { reachedByFields } from './reached.ts'
import { ACCOUNT, videoForTest } from './testing.ts'

const { bench, now, anAudience, caller } = await videoForTest()

const crowd = (no: number) => 9_407_199_254_740_993n + BigInt(no) * 2n
const [first] = businessDistricts()
const place = (no: number, radius: number) => {
  const [long, lat] = businessDistricts()[no]?.center ?? [0, 0]
  return { name: '地点', long, lat, radius }
}

/** Conditions of a package, each of which narrows. */
const CONDITIONS: Record<string, Fields> = {
  women: { gender: 'GENDER_FEMALE' },
  young: { age: ['AGE_BETWEEN_18_23', 'AGE_BETWEEN_24_30'] },
  students: { career: ['COLLEGE_STUDENT'] },
  guangdong: { district: 'REGION', city: [440000n], location_type: 'ALL' },
  android: { platform: ['ANDROID'] },
  phones: { device_type: ['MOBILE'] },
  brands: { device_brand: ['HUAWEI', 'APPLE'] },
  dear: { launch_price: [4000, 11_000] },
  wifi: { ac: ['WIFI', '5G'] },
  carriers: { carrier: ['UNICOM'] },
  newPhones: { activate_type: ['WITH_IN_A_MONTH', 'ONE_MONTH_2_THREE_MONTH'] },
  doing: {
    interest_action_mode: 'CUSTOM',
    action_days: 365,
    action_categories: [BigInt(categoriesOf('ACTION')[0]?.id ?? '')],
    interest_categories: [BigInt(categoriesOf('INTEREST')[1]?.id ?? '')],
  },
  fans: {
    aweme_fan_behaviors: ['FOLLOWED_USER', 'LIKED_USER'],
    aweme_fan_time_scope: 'SIXTY_DAYS',
    aweme_fan_categories: [BigInt(creatorCategories()[0]?.id ?? '')],
  },
  among: { retargeting_tags: [crowd(1), crowd(2)] },
  outside: { retargeting_tags_exclude: [crowd(3)] },
}
const NAMES = Object.keys(CONDITIONS)
const fields = (names: readonly string[], more: Fields = {}): Fields =>
  Object.assign({}, ...names.map((name) => CONDITIONS[name]), more)
const people = (names: readonly string[], more: Fields = {}) => countOf(reachedByFields(fields(names, more)))

test('nothing chosen reaches everyone, and each condition some', () => {
  expect(people([])).toBe(PEOPLE)
  for (const name of NAMES) {
    expect([name, people([name])]).not.toEqual([name, 0])
    expect(people([name])).toBeLessThan(PEOPLE)
  }
})

test('a restriction never raises the count, of all people or of an app’s', () => {
  fc.assert(
    fc.property(fc.subarray(NAMES), fc.constantFrom(...NAMES), (names, one) => {
      const [wide, narrow] = [fields(names), fields([...names, one])]
      const before = reachedByFields(wide)
      const after = reachedByFields(narrow)
      expect(countOf(both(before, after))).toBe(countOf(after))
      const [apps, fewer] = [countsOf(wide), countsOf(narrow)]
      for (const [app, count] of Object.entries(fewer)) {
        expect(count).toBeLessThanOrEqual(apps[app as keyof typeof apps])
      }
    }),
    { numRuns: 40 },
  )
})

test('those of a crowd and those outside of it add up to all', () => {
  const rest = NAMES.filter((name) => name !== 'among' && name !== 'outside')
  fc.assert(
    fc.property(fc.subarray(rest), fc.uniqueArray(fc.nat(60), { minLength: 1, maxLength: 4 }), (names, nos) => {
      const crowds = nos.map(crowd)
      const inside = people(names, { retargeting_tags: crowds })
      const outside = people(names, { retargeting_tags_exclude: crowds })
      expect(inside + outside).toBe(people(names))
    }),
    { numRuns: 40 },
  )
})

test('a wider circle holds a narrower one, and more places hold what each of them does', () => {
  const at = (places: object[], business_ids: bigint[] = []) =>
    reachedByFields({ district: 'BUSINESS_DISTRICT', geolocation: places as never, business_ids })
  fc.assert(
    fc.property(fc.nat(2000), fc.nat(2000), fc.integer({ min: 3000, max: 14_000 }), (one, other, radius) => {
      const narrow = at([place(one, radius)])
      expect(countOf(both(narrow, at([place(one, radius + 1000)])))).toBe(countOf(narrow))
      expect(countOf(both(narrow, at([place(one, radius), place(other, radius)])))).toBe(countOf(narrow))
      expect(countOf(both(narrow, at([place(one, radius)], [BigInt(first?.id ?? '0')])))).toBe(countOf(narrow))
    }),
    { numRuns: 30 },
  )
})

test('bands, brands and carriers of which nobody has two add up', () => {
  const sum = (counts: number[]) => counts.reduce((all, one) => all + one, 0)
  const carriers = ['MOBILE', 'UNICOM', 'TELCOM']
  expect(sum(carriers.map((one) => people([], { carrier: [one] })))).toBe(PEOPLE)
  expect(people([], { launch_price: [0, 4000] }) + people([], { launch_price: [4000, 11_000] })).toBe(PEOPLE)
  expect(people([], { device_type: ['MOBILE'] }) + people([], { device_type: ['PAD'] })).toBe(PEOPLE)
  const brands = ['APPLE', 'HUAWEI', 'XIAOMI']
  expect(sum(brands.map((one) => people([], { device_brand: [one] })))).toBe(people([], { device_brand: brands }))
})

const ask = async (path: string, query: object) => {
  const url = `${bench.box.videoUrl}/open_api/2/tools/${path}/?${queryText({ advertiser_id: BigInt(ACCOUNT), ...query })}`
  const answer = await fetch(url, { headers: { 'access-token': now.token } })
  return parseJson(await answer.text()) as unknown as { code: number; message: string; data: Record<string, unknown> }
}

test('the estimate answers the users of each app, always the same ones', async () => {
  const audience = await anAudience(1)
  const query = { gender: 'GENDER_FEMALE', retargeting_tags_exclude: [audience] }
  const { code, data } = await ask('estimate_audience', query)
  expect(code).toBe(0)
  const counts = countsOf({ gender: 'GENDER_FEMALE', retargeting_tags_exclude: [audience] })
  expect(data.aweme).toEqual({ num: counts.aweme * 500, show: counts.aweme * 1500 })
  expect(Object.keys(data)).toEqual(['toutiao', 'aweme', 'video_app', 'union', 'tomato_novel_app'])
  expect(await ask('estimate_audience', query)).toMatchObject({ data })
})

test('a package stands for its targeting in an estimate', async () => {
  const { data } = await caller.post('audience_package/create/', {
    advertiser_id: BigInt(ACCOUNT),
    name: '女性',
    description: '说明',
    landing_type: 'EXTERNAL',
    gender: 'GENDER_FEMALE',
  })
  const { audience_package_id } = data
  const asked = await ask('estimate_audience', { audience_package_id, gender: 'GENDER_MALE' })
  expect(asked.data).toEqual((await ask('estimate_audience', { gender: 'GENDER_FEMALE' })).data)
})

test.each<[string, object, string]>([
  ['the finer ages', { age: ['AGE_BETWEEN_31_35'] }, 'age'],
  ['exclusion of converted people', { hide_if_converted: 'AD' }, 'hide_if_converted'],
  ['regions without the kind of people', { district: 'CITY', city: [440300] }, 'location_type'],
  ['a career that does not exist', { career: ['PILOT'] }, 'career'],
])('%s is refused', async (_, query, name) => {
  const { code, message } = await ask('estimate_audience', query)
  expect(code).toBe(40000)
  expect(message).toContain(name)
})

test('regions of 商圈 come with the places above them', async () => {
  const { data } = await ask('region/get', { region_type: 'BUSINESS_DISTRICT' })
  const rows = data.list as { id: number; name: string; parent_id: number; region_level: string }[]
  const parents = new Set(rows.map(({ id }) => id))
  expect(rows.filter(({ parent_id }) => parent_id !== 0 && !parents.has(parent_id))).toEqual([])
  const only = await ask('region/get', {
    region_type: 'BUSINESS_DISTRICT',
    region_level: 'REGION_LEVEL_BUSINESS_DISTRICT',
  })
  expect(only.data.list).toHaveLength(businessDistricts().length)
  expect((await ask('region/get', { region_type: 'CITY' })).code).toBe(40000)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { businessDistricts } from '../population/business-districts.ts'
import { categoriesOf } from '../population/categories.ts'
import { both, countOf, membersOf, PEOPLE } from '../population/population.ts'
import type { Generation } from './access.ts'
import { targetingAt } from './targeting.ts'

const ACCOUNT = '9007199254750003'
const SHENZHEN = { location_types: ['LIVE_IN'], regions: [440300] }
const [DISTRICT] = businessDistricts()
const CIRCLE = { longitude: 114.05, latitude: 22.54, radius: 25_000 }
const at = (family: 'ACTION' | 'INTEREST', no: number) => Number(categoriesOf(family)[no]?.id)

/** Conditions of the object, each of which narrows. The newer generation does not have those of `OLD`. */
const CONDITIONS: Record<string, object> = {
  women: { gender: ['FEMALE'] },
  young: { age: [{ min: 18, max: 30 }] },
  shenzhen: { geo_location: SHENZHEN },
  learned: { education: ['BACHELOR', 'MASTER'] },
  parents: { marital_status: ['PARENTING'] },
  apple: { user_os: ['IOS'] },
  dear: { device_price: ['PRICE_4500_MORE'] },
  phone: { device_brand_model: { included_list: [61_000] } },
  wifi: { network_type: ['WIFI', 'NET_5G'] },
  unsold: { app_install_status: ['NOT_INSTALLED'] },
  player: { game_consumption_level: ['HIGH', 'NORMAL'] },
  followers: { wechat_ad_behavior: { actions: ['WECHAT_CHANNELS_FANS'] } },
  among: { custom_audience: [4] },
  outside: { excluded_custom_audience: [5, 6] },
  fresh: { excluded_converted_audience: { excluded_dimension: 'EXCLUDED_DIMENSION_UID' } },
}
const OLD: Record<string, object> = {
  rich: { consumption_status: ['HIGH'] },
  owners: { financial_situation: ['CAR_OWNERS'] },
  mobile: { network_operator: ['CMCC'] },
  doing: {
    behavior_or_interest: {
      behavior: [{ category_id_list: [at('ACTION', 0)], scene: ['BEHAVIOR_INTEREST_SCENE_ALL'] }],
    },
  },
}
const NAMES = Object.keys(CONDITIONS)
const read = (object: object, generation: Generation = 3) =>
  targetingAt(object as never, 'targeting', {
    generation,
    account_id: ACCOUNT,
    isOpen: true,
    members: (one) => membersOf(Number(one), 0.2),
  })
const people = (object: object, generation: Generation = 3) => countOf(read(object, generation).reach())
const joined = (names: readonly string[], more: object = {}) =>
  Object.assign({}, ...names.map((name) => ({ ...CONDITIONS, ...OLD })[name]), more) as object

test('nothing chosen reaches everyone, and each condition some', () => {
  expect(people({})).toBe(PEOPLE)
  for (const name of [...NAMES, ...Object.keys(OLD)]) {
    const count = people(joined([name]), name in OLD ? 1 : 3)
    expect({ name, isSome: count > 0 && count < PEOPLE }).toEqual({ name, isSome: true })
  }
})

test('narrower targeting never reaches more', () => {
  const all = [...NAMES, ...Object.keys(OLD)]
  fc.assert(
    fc.property(fc.subarray(all), fc.constantFrom(...all), (names, one) => {
      expect(people(joined([...names, one]), 1)).toBeLessThanOrEqual(people(joined(names), 1))
    }),
    { numRuns: 40 },
  )
})

test('those in audiences and those outside of them add up', () => {
  const audience = fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(fc.subarray(NAMES.filter((name) => !['among', 'outside'].includes(name))), audience, (names, ids) => {
      const inside = people(joined(names, { custom_audience: ids }))
      const outside = people(joined(names, { excluded_custom_audience: ids }))
      expect(inside + outside).toBe(people(joined(names)))
    }),
    { numRuns: 40 },
  )
})

test('what is chosen of one condition adds up where nobody has two of it', () => {
  const sum = (name: string, codes: readonly string[], generation: Generation = 3) =>
    codes.reduce((all, code) => all + people({ [name]: [code] }, generation), 0)
  const prices = ['1500_LESS', '1500_2500', '2500_3500', '3500_4500', '4500_MORE'].map((price) => `PRICE_${price}`)
  expect(sum('device_price', prices)).toBe(PEOPLE)
  expect(sum('app_install_status', ['INSTALLED', 'NOT_INSTALLED'])).toBe(PEOPLE)
  const degrees = ['DOCTOR', 'MASTER', 'BACHELOR', 'JUNIOR_COLLEGE', 'SENIOR', 'JUNIOR', 'PRIMARY']
  expect(sum('education', degrees)).toBe(people({ education: degrees }))
  expect(sum('network_operator', ['CMCC', 'CUC', 'CTC'], 1)).toBe(
    people({ network_operator: ['CMCC', 'CUC', 'CTC'] }, 1),
  )
  const ages = [
    [18, 30],
    [31, 45],
    [46, 66],
  ].map(([min, max]) => people({ age: [{ min, max }] }))
  expect(ages.reduce((all, one) => all + one, 0)).toBe(PEOPLE)
})

test('more behaviours, scenes and days reach more, and behaviours, interests and intentions are one choice', () => {
  const doing = (behaviour: object, more: object = {}) =>
    people({ behavior_or_interest: { behavior: [{ category_id_list: [at('ACTION', 1)], ...behaviour }], ...more } }, 1)
  const WINDOW = 'BEHAVIOR_INTEREST_TIME_WINDOW_'
  const days = ['SEVEN_DAY', 'FIFTEEN_DAY', 'THIRTY_DAY', 'THREE_MONTH', 'SIX_MONTH', 'ONE_YEAR'].map((window) =>
    doing({ time_window: WINDOW + window }),
  )
  expect(days).toEqual([...days].sort((a, b) => a - b))
  expect(doing({ scene: ['BEHAVIOR_INTEREST_SCENE_APP'] })).toBeLessThan(doing({}))
  expect(doing({ intensity: ['BEHAVIOR_INTEREST_INTENSITY_HIGH'] })).toBeLessThan(doing({}))
  expect(doing({ category_id_list: [at('ACTION', 1), at('ACTION', 2)] })).toBeGreaterThan(doing({}))
  expect(doing({ keyword_list: ['手机推荐'] })).toBeGreaterThanOrEqual(doing({}))
  expect(doing({}, { interest: { category_id_list: [at('INTEREST', 1)] } })).toBeGreaterThan(doing({}))
  expect(doing({}, { intention: { targeting_tags: [70_000] } })).toBeGreaterThan(doing({}))
})

test('places on the map, 商圈 and regions are one choice, in each of the ways', () => {
  const geo = (more: object) => read({ geo_location: { location_types: ['LIVE_IN'], ...more } }).reach()
  const region = geo({ regions: [440300] })
  const circle = geo({ custom_locations: [CIRCLE] })
  const together = countOf(geo({ regions: [440300], custom_locations: [CIRCLE] }))
  expect(together).toBe(countOf(region) + countOf(circle) - countOf(both(region, circle)))
  const near = countOf(geo({ business_districts: [Number(DISTRICT?.id)], regions: [440300] }))
  expect(near).toBeGreaterThanOrEqual(countOf(region))
  const way = (type: string) => people({ geo_location: { location_types: [type], regions: [440000] } })
  expect(way('VISITED_IN')).toBe(way('LIVE_IN') + way('TRAVEL_IN'))
  expect(way('LIVE_AND_RECENTLY')).toBe(way('LIVE_IN') + way('RECENTLY_IN') - way('VISITED_IN'))
})

test('longer exclusion of the converted, and more conversions, leave fewer', () => {
  const left = (more: object) =>
    people({ excluded_converted_audience: { excluded_dimension: 'EXCLUDED_DIMENSION_APP', ...more } })
  expect(left({})).toBeLessThan(left({ excluded_day: 'EXCLUDED_DAY_ONE_MONTH' }))
  expect(left({ excluded_day: 'EXCLUDED_DAY_ONE_MONTH' })).toBeLessThan(left({ excluded_day: 'EXCLUDED_DAY_ONE_DAY' }))
  const goals = ['OPTIMIZATIONGOAL_ECOMMERCE_ORDER', 'OPTIMIZATIONGOAL_LEADS']
  expect(left({ conversion_behavior_list: goals })).toBeLessThan(left({ conversion_behavior_list: goals.slice(0, 1) }))
})

import { expect, test } from 'vitest'
import { FIELD_ORDER } from './fields.ts'
import { emptyForm } from './form.ts'
import { SocialTargeting } from './schema.ts'

const circle = { kind: 'circle', name: '人民广场', long: 121.475_123, lat: 31.228_883, radius: 200 }
const places = (one: object) => ({ geo_location: 'CUSTOM_LOCATIONS', custom_locations: [one] })
const longest = '长'.repeat(21)

test('the form has the 27 dimensions of the specification', () => {
  const specified = [
    ...[
      'geo_location',
      'regions',
      'custom_locations',
      'location_types',
      'age',
      'gender',
      'education',
      'marital_status',
    ],
    ...['working_status', 'financial_situation', 'consumption_type', 'game_consumption_level', 'consumption_status'],
    ...['residential_community_price', 'behavior', 'behavior_scene', 'behavior_time_window', 'behavior_categories'],
    ...['behavior_keywords', 'interest', 'interest_categories', 'interest_keywords', 'intention', 'excluded_dimension'],
    ...['conversion_behavior_list', 'custom_audience', 'excluded_custom_audience'],
  ]
  expect([...FIELD_ORDER].toSorted()).toEqual(specified.toSorted())
})

test.each<[string, unknown, boolean]>([
  ['a new form', emptyForm(), true],
  ['an empty object', {}, true],
  ['an unknown key', { agee: null }, false],
  ['a prototype key', JSON.parse('{"__proto__":{"age":1},"constructor":1}'), false],
  ['an id of 64 bits', { custom_audience: ['9223372036854775807'] }, true],
  ['an id of more than 64 bits', { custom_audience: ['9223372036854775808'] }, false],
  ['an exact number as an id', { regions: [310_000] }, true],
  ['a number that is not exact as an id', { regions: [2 ** 53] }, false],
  ['ages below 18', { age: [{ min: 17, max: 30 }] }, false],
  ['ages above 66', { age: [{ min: 40, max: 67 }] }, false],
  ['ages that are no numbers', { age: [{ min: Number.NaN, max: 30 }] }, false],
  ['ages less than 4 wide', { age: [{ min: 18, max: 21 }] }, false],
  ['ages up to 66 and above', { age: [{ min: 62, max: 66 }] }, true],
  ['six ranges of ages', { age: Array.from({ length: 6 }, () => ({ min: 18, max: 30 })) }, false],
  ['two genders', { gender: ['MALE', 'FEMALE'] }, false],
  ['an unknown code', { education: ['MBA'] }, false],
  ['six location types', { location_types: Array.from({ length: 6 }, () => 'LIVE_IN') }, false],
  ['a circle of 200 m', places(circle), true],
  ['a circle of 25,000 m', places({ ...circle, radius: 25_000 }), true],
  ['a circle below 200 m', places({ ...circle, radius: 199 }), false],
  ['a circle above 25,000 m', places({ ...circle, radius: 25_001 }), false],
  ['7 decimals', places({ ...circle, lat: 31.228_883_1 }), false],
  ['1000 places', { custom_locations: Array.from({ length: 1000 }, () => circle) }, true],
  ['1001 places', { custom_locations: Array.from({ length: 1001 }, () => circle) }, false],
  ['351 tags', { intention: Array.from({ length: 351 }, (_, i) => ({ id: String(i) })) }, false],
  ['350 keywords', { interest_keywords: Array.from({ length: 350 }, (_, i) => `词${i}`) }, true],
  ['351 keywords', { interest_keywords: Array.from({ length: 351 }, (_, i) => `词${i}`) }, false],
  ['a keyword of 63 bytes', { behavior_keywords: [longest] }, true],
  ['a keyword of 66 bytes', { behavior_keywords: [`${longest}长`] }, false],
  ['a keyword of blanks', { behavior_keywords: [' '] }, false],
  ['a keyword with a control character', { behavior_keywords: ['手\u0000机'] }, false],
  ['four scenes', { behavior_scene: Array.from({ length: 4 }, () => 'BEHAVIOR_INTEREST_SCENE_APP') }, false],
  ['a time window of null', { behavior_time_window: null }, false],
  [
    'three conversions',
    { conversion_behavior_list: Array.from({ length: 3 }, () => 'OPTIMIZATIONGOAL_APP_ACTIVATE') },
    false,
  ],
  ['two exclusions', { excluded_dimension: ['EXCLUDED_DIMENSION_UID', 'EXCLUDED_DIMENSION_APP'] }, false],
  ['a community price of nothing', { residential_community_price: [{ min: 1, max: 1 }] }, false],
  ['a community price above 100,000', { residential_community_price: [{ min: 1, max: 100_001 }] }, false],
])('bounds: %s', (_, wire, isRead) => expect(SocialTargeting.safeParse(wire).success).toBe(isRead))

test('the whole is at most 256 KB', () => {
  const large = Array.from({ length: 1000 }, () => ({ ...circle, name: '长'.repeat(100) }))
  const read = SocialTargeting.safeParse({ custom_locations: large })
  expect(read.error?.issues[0]?.message).toBe('定向内容不能超过 256 KB，请减少选择')
})

import { expect, test } from 'vitest'
import type { Field } from './fields.ts'
import { emptyForm } from './form.ts'
import type { SocialForm } from './schema.ts'
import { choicesOf, isShown, unusedPlaces } from './shown.ts'

const form = (change: Partial<SocialForm>): SocialForm => ({ ...emptyForm(), ...change })
const BEHIND_BEHAVIOUR: Field[] = ['behavior_scene', 'behavior_time_window', 'behavior_categories', 'behavior_keywords']

test.each<[string, Partial<SocialForm>, Field[], boolean]>([
  ['behaviour dimensions are shown under 自定义', { behavior: 'CUSTOM' }, BEHIND_BEHAVIOUR, true],
  ['behaviour dimensions are hidden under 不限', { behavior: null }, BEHIND_BEHAVIOUR, false],
  [
    'interest pickers are shown under 自定义',
    { interest: 'CUSTOM' },
    ['interest_categories', 'interest_keywords'],
    true,
  ],
  ['interest pickers are hidden under 不限', { interest: null }, ['interest_categories', 'interest_keywords'], false],
  ['按地域 shows regions and location types', { geo_location: 'REGIONS' }, ['regions', 'location_types'], true],
  ['按地域 hides the map', { geo_location: 'REGIONS' }, ['custom_locations'], false],
  ['按商圈与地点 shows the map', { geo_location: 'CUSTOM_LOCATIONS' }, ['custom_locations', 'location_types'], true],
  ['按商圈与地点 hides regions', { geo_location: 'CUSTOM_LOCATIONS' }, ['regions'], false],
  ['不限 hides all places', { geo_location: null }, ['regions', 'custom_locations', 'location_types'], false],
  ['conversions are hidden without an exclusion', { excluded_dimension: null }, ['conversion_behavior_list'], false],
  [
    'conversions are shown beside an exclusion',
    { excluded_dimension: ['EXCLUDED_DIMENSION_UID'] },
    ['conversion_behavior_list'],
    true,
  ],
  [
    'conversions are hidden beside 同商品',
    { excluded_dimension: ['EXCLUDED_DIMENSION_PRODUCT'] },
    ['conversion_behavior_list'],
    false,
  ],
  ['plain dimensions are always shown', {}, ['age', 'gender', 'education', 'intention', 'custom_audience'], true],
])('%s', (_, change, fields, expected) => {
  expect(fields.map((field) => isShown(field, form(change)))).toEqual(fields.map(() => expected))
})

test('places on the map allow 常住 and 去过 alone', () => {
  const offered = (geo_location: SocialForm['geo_location']) =>
    choicesOf('location_types', form({ geo_location })).map(({ label }) => label)
  expect(offered('CUSTOM_LOCATIONS')).toEqual(['常住', '去过'])
  expect(offered('REGIONS')).toHaveLength(7)
})

test('exclusions that the platform withdrew are marked and can be chosen', () => {
  const noted = choicesOf('excluded_dimension', emptyForm()).filter(({ note }) => note !== '')
  expect(noted.map(({ label, note }) => [label, note])).toEqual([
    ['同计划广告', '平台已停用'],
    ['同商务管家广告', '平台已停用'],
  ])
})

const place = { kind: 'circle' as const, name: '人民广场', long: 121.475, lat: 31.228, radius: 200 }
test.each<[string, Partial<SocialForm>, ReturnType<typeof unusedPlaces>]>([
  ['regions beside the map', { geo_location: 'CUSTOM_LOCATIONS' }, { way: 'REGIONS', count: 2 }],
  ['places beside regions', { geo_location: 'REGIONS' }, { way: 'CUSTOM_LOCATIONS', count: 1 }],
  ['nothing where no way is chosen', { geo_location: null }, null],
  ['nothing where the other way is empty', { geo_location: 'REGIONS', custom_locations: [] }, null],
])('what was chosen in the way that is not in use is told: %s', (_, change, expected) => {
  expect(unusedPlaces(form({ regions: ['310000', '330000'], custom_locations: [place], ...change }))).toEqual(expected)
})

import { expect, test } from 'vitest'
import { changed, districtChange } from './change.ts'
import { emptyForm } from './form.ts'
import { codesOf } from './platforms.ts'
import { savedTargeting } from './save.ts'
import type { FiveTabForm } from './schema.ts'

const form = (change: Partial<FiveTabForm> = {}): FiveTabForm => ({ ...emptyForm('video'), ...change })
const tag = { id: '5', type: 1 as const }

test.each<[string, Partial<FiveTabForm>, Partial<FiveTabForm>, Partial<FiveTabForm>]>([
  [
    'a platform change clears brands',
    { platform: ['ANDROID'], device_brand: ['HUAWEI'] },
    { platform: ['ANDROID', 'IOS'] },
    { device_brand: [] },
  ],
  [
    'another change keeps brands',
    { platform: ['ANDROID'], device_brand: ['HUAWEI'] },
    { ac: ['WIFI'] },
    { device_brand: ['HUAWEI'] },
  ],
  [
    'Apple is removed when the platform is Android only',
    { platform: ['ANDROID'] },
    { device_brand: ['APPLE', 'HUAWEI'] },
    { device_brand: ['HUAWEI'] },
  ],
  [
    'Apple is removed when the link is to an Android app',
    { device_brand: ['APPLE', 'HUAWEI'] },
    { landing_type: 'APP_ANDROID' },
    { device_brand: ['HUAWEI'] },
  ],
  [
    'HarmonyOS is removed when the link is to no HarmonyOS app',
    { landing_type: 'APP_HARMONY', platform: ['HARMONY', 'ANDROID'] },
    { landing_type: 'EXTERNAL' },
    { platform: ['ANDROID'] },
  ],
  [
    'choosing PC clears mobile systems',
    { platform: ['ANDROID'] },
    { platform: ['ANDROID', 'PC'] },
    { platform: ['PC'] },
  ],
  ['choosing a mobile system clears PC', { platform: ['PC'] }, { platform: ['PC', 'IOS'] }, { platform: ['IOS'] }],
  [
    'switching to CUSTOM chooses every scene and 30 days',
    { action_days: 7 },
    { smart_interest_action: 'CUSTOM' },
    { action_scene: [...codesOf('video', 'action_scene')], action_days: 30 },
  ],
  [
    'switching away from CUSTOM keeps the tags until saving',
    { smart_interest_action: 'CUSTOM', action_tags: [tag] },
    { smart_interest_action: 'UNLIMITED' },
    { action_tags: [tag] },
  ],
  [
    'other days keep the chosen tags',
    { smart_interest_action: 'CUSTOM', action_tags: [tag], action_scene: ['APP'] },
    { action_days: 90 },
    { action_tags: [tag], action_scene: ['APP'], action_days: 90 },
  ],
  [
    'a fine age band clears the coarse ones',
    { age: ['AGE_BETWEEN_18_23', 'AGE_BETWEEN_24_30'] },
    { age: ['AGE_BETWEEN_18_23', 'AGE_BETWEEN_24_30', 'AGE_BETWEEN_31_35'] },
    { age: ['AGE_BETWEEN_24_30', 'AGE_BETWEEN_31_35'] },
  ],
  [
    'a coarse age band clears the fine ones',
    { age: ['AGE_BETWEEN_31_35'] },
    { age: ['AGE_BETWEEN_31_35', 'AGE_ABOVE_50'] },
    { age: ['AGE_ABOVE_50'] },
  ],
  [
    'the band of both sets clears nothing',
    { age: ['AGE_BETWEEN_31_35'] },
    { age: ['AGE_BETWEEN_31_35', 'AGE_BETWEEN_24_30'] },
    { age: ['AGE_BETWEEN_31_35', 'AGE_BETWEEN_24_30'] },
  ],
  [
    'a crowd that is excluded cannot be included',
    { auto_crowd_mode: [1, 2], retargeting_tags_exclude: ['7'] },
    { retargeting_tags_include: ['7', '8'] },
    { retargeting_tags_include: ['8'], retargeting_tags_exclude: ['7'] },
  ],
  [
    'a crowd that is included cannot be excluded',
    { auto_crowd_mode: [1, 2], retargeting_tags_include: ['7'] },
    { retargeting_tags_exclude: ['7', '8'] },
    { retargeting_tags_include: ['7'], retargeting_tags_exclude: ['8'] },
  ],
  [
    'a panel that opens again gives up what the other took',
    { auto_crowd_mode: [1], retargeting_tags_include: ['7'], retargeting_tags_exclude: ['7', '8'] },
    { auto_crowd_mode: [1, 2] },
    { retargeting_tags_include: ['7'], retargeting_tags_exclude: ['8'] },
  ],
  [
    'a closed panel takes no crowd away',
    { auto_crowd_mode: [1], retargeting_tags_exclude: ['7'] },
    { retargeting_tags_include: ['7'] },
    { retargeting_tags_include: ['7'], retargeting_tags_exclude: ['7'] },
  ],
])('%s', (_, before, change, expected) => {
  expect(changed('video', form(before), change)).toMatchObject(expected)
})

test('a crowd that is given up takes its row along', () => {
  const row = { retargeting_tags_id: '7', name: '老客', is_common: 1 as const, retargeting_tags_op: 'ALL' as const }
  const before = form({ auto_crowd_mode: [1, 2], retargeting_tags_include: ['7'] })
  const next = changed('video', before, { retargeting_tags_exclude: ['7'], retargeting_tags_exclude_local: [row] })
  expect(next.retargeting_tags_exclude_local).toEqual([])
})

const NONE = null
type District = FiveTabForm['district'][number] | typeof NONE
const place = { kind: 'business_district' as const, id: '3', name: '徐家汇' }
const plan = { id: 1, name: '华东', regions: ['310115'] }
const everywhere = form({
  regions: { regions: ['310000', '310115', '440300'], regionsPlan: [plan] },
  ...{ custom_locations: [place], location_types: ['HOME'] },
})
const ALL = ['310000', '310115', '440300']
const CITIES = ['310000', '440300']
const REGIONS = { regions: ALL, regionsPlan: [plan] }

/** From one kind of place to another: the regions that the form keeps, and what is then saved of places. */
test.each<[District, District, string[], object]>([
  [NONE, NONE, ALL, {}],
  [NONE, 'CITY', CITIES, { district: ['CITY'], regions: { ...REGIONS, regions: CITIES }, location_types: ['HOME'] }],
  [NONE, 'COUNTY', ALL, { district: ['COUNTY'], regions: REGIONS, location_types: ['HOME'] }],
  [NONE, 'BUSINESS_DISTRICT', ALL, { district: ['BUSINESS_DISTRICT'], custom_locations: [place] }],
  ['CITY', NONE, ALL, {}],
  ['CITY', 'COUNTY', ALL, { district: ['COUNTY'], regions: REGIONS, location_types: ['HOME'] }],
  ['CITY', 'BUSINESS_DISTRICT', ALL, { district: ['BUSINESS_DISTRICT'], custom_locations: [place] }],
  ['COUNTY', NONE, ALL, {}],
  [
    'COUNTY',
    'CITY',
    CITIES,
    { district: ['CITY'], regions: { ...REGIONS, regions: CITIES }, location_types: ['HOME'] },
  ],
  ['COUNTY', 'BUSINESS_DISTRICT', ALL, { district: ['BUSINESS_DISTRICT'], custom_locations: [place] }],
  ['BUSINESS_DISTRICT', NONE, ALL, {}],
  [
    'BUSINESS_DISTRICT',
    'CITY',
    CITIES,
    { district: ['CITY'], regions: { ...REGIONS, regions: CITIES }, location_types: ['HOME'] },
  ],
  ['BUSINESS_DISTRICT', 'COUNTY', ALL, { district: ['COUNTY'], regions: REGIONS, location_types: ['HOME'] }],
])('places of %s become places of %s', (from, to, kept, saved) => {
  const before = { ...everywhere, district: from === NONE ? [] : [from] }
  const after = changed(
    'video',
    before,
    districtChange(before, to, () => undefined),
  )
  expect(after.regions).toEqual({ regions: kept, regionsPlan: [plan] })
  expect(after.custom_locations).toEqual([place])
  expect(savedTargeting('video', after)).toEqual({ ...savedTargeting('video', form()), ...saved })
})

test.each<[string, string, 'PROVINCE' | 'CITY' | 'DISTRICT' | undefined, boolean]>([
  ['a province', '440000', undefined, true],
  ['a city', '440300', undefined, true],
  ['a district', '440305', undefined, false],
  ['a district of a municipality', '110101', undefined, false],
  ['a city right below its province', '429004', undefined, true],
  ['a number of the platform’s own', '1814991', undefined, true],
  ['what the tree calls a district', '1814991', 'DISTRICT', false],
  ['what the tree calls a city', '442001', 'CITY', true],
])('under 省市, %s stays or goes: %s', (_, id, level, stays) => {
  const chosen = form({ district: ['COUNTY'], regions: { regions: [id], regionsPlan: [] } })
  const { regions } = districtChange(chosen, 'CITY', () => level)
  expect(regions?.regions).toEqual(stays ? [id] : [])
})

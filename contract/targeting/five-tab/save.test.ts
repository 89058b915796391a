import { expect, test } from 'vitest'
import { emptyForm, formOf } from './form.ts'
import { savedTargeting } from './save.ts'
import { FIVE_TAB_TARGETING, type FiveTabForm, type FiveTabTargeting } from './schema.ts'

const saved = (change: Partial<FiveTabForm>) => savedTargeting('video', { ...emptyForm('video'), ...change })
const tag = { id: '5', type: 2 as const }
const place = { kind: 'circle' as const, name: '人民广场', long: 121.475, lat: 31.228, radius: 3000 }
const fan = { type: 'account' as const, label_id: '9', author_name: '某达人' }
const row = { retargeting_tags_id: '7', name: '老客', is_common: 1 as const, retargeting_tags_op: 'ALL' as const }
const REGIONS = { regions: ['310000'], regionsPlan: [] }

test.each<[string, Partial<FiveTabForm>, (keyof FiveTabTargeting)[], (keyof FiveTabTargeting)[]]>([
  [
    'creator fields are dropped when unlimited',
    { aweme_fan_by: 0, user_aweme_fan: [fan] },
    ['aweme_fan_by'],
    ['aweme_fan_behaviors', 'aweme_fan_time_scope', 'user_aweme_fan', 'aweme_fan_accounts', 'aweme_fan_categories'],
  ],
  [
    'the time range is dropped beside 已关注用户 alone',
    { aweme_fan_by: 1, user_aweme_fan: [fan], aweme_fan_behaviors: ['FOLLOWED_USER'] },
    ['aweme_fan_behaviors'],
    ['aweme_fan_time_scope'],
  ],
  [
    'expansion targets are dropped when expansion is off',
    { auto_extend_enabled: 0, auto_extend_targets: ['AGE'] },
    ['auto_extend_enabled'],
    ['auto_extend_targets'],
  ],
  [
    'price, brand and career are dropped when not chosen',
    { device_brand: ['HUAWEI'], launch_price: [2000, 4000], career: ['IT'] },
    [],
    ['device_brand', 'launch_price', 'career'],
  ],
  [
    'price, brand and career are kept when chosen',
    {
      ...{ device_brand_by: ['CUSTOM'], device_brand: ['HUAWEI'], launch_price_by: ['CUSTOM'], career_by: ['CUSTOM'] },
      career: ['IT'],
    },
    ['device_brand', 'launch_price', 'career'],
    [],
  ],
  [
    'brands are dropped under iOS alone',
    { platform: ['IOS'], device_brand_by: ['CUSTOM'], device_brand: ['APPLE'] },
    ['platform'],
    ['device_brand', 'device_brand_by'],
  ],
  [
    'custom locations are dropped under CITY',
    { district: ['CITY'], regions: REGIONS, custom_locations: [place] },
    ['regions', 'location_types'],
    ['custom_locations'],
  ],
  [
    'regions are dropped under BUSINESS_DISTRICT',
    { district: ['BUSINESS_DISTRICT'], regions: REGIONS, custom_locations: [place] },
    ['custom_locations'],
    ['regions', 'location_types'],
  ],
  [
    'all places are dropped without a district',
    { regions: REGIONS, custom_locations: [place] },
    [],
    ['regions', 'location_types', 'custom_locations', 'district'],
  ],
  [
    'action and interest fields are dropped under 系统推荐',
    { smart_interest_action: 'RECOMMEND', action_tags: [tag], interest_tags: [tag], action_scene: ['APP'] },
    ['smart_interest_action'],
    ['action_tags', 'interest_tags', 'action_scene', 'action_days'],
  ],
  [
    'action and interest fields are kept under CUSTOM',
    { smart_interest_action: 'CUSTOM', action_tags: [tag], interest_tags: [tag], action_scene: ['APP'] },
    ['action_tags', 'interest_tags', 'action_scene', 'action_days'],
    [],
  ],
  [
    'crowds are dropped without a crowd mode',
    { retargeting_tags_include: ['7'], retargeting_tags_include_local: [row], retargeting_tags_exclude: ['8'] },
    [],
    ['retargeting_tags_include', 'retargeting_tags_include_local', 'retargeting_tags_exclude'],
  ],
  [
    'crowds of the mode that is not chosen are dropped',
    { auto_crowd_mode: [2], retargeting_tags_include: ['7'], retargeting_tags_exclude: ['8'] },
    ['retargeting_tags_exclude'],
    ['retargeting_tags_include'],
  ],
])('%s', (_, change, kept, dropped) => {
  const keys = Object.keys(saved(change))
  expect(keys).toEqual(expect.arrayContaining(kept))
  for (const key of dropped) expect(keys).not.toContain(key)
})

test('an untouched form saves its switches alone', () => {
  expect(saved({})).toEqual({ smart_interest_action: 'UNLIMITED', aweme_fan_by: 0, auto_extend_enabled: 0 })
})

test('creators are written as items and as the two lists of ids', () => {
  const category = { type: 'category' as const, value: '4' }
  expect(saved({ aweme_fan_by: 1, user_aweme_fan: [fan, category] })).toMatchObject({
    user_aweme_fan: [fan, category],
    aweme_fan_accounts: ['9'],
    aweme_fan_categories: ['4'],
  })
})

test('rows are saved for the chosen crowds alone, each crowd once', () => {
  const rows = [{ ...row, retargeting_tags_id: '8' }, row]
  const form = {
    auto_crowd_mode: [1] as 1[],
    retargeting_tags_include: ['7', '7'],
    retargeting_tags_include_local: rows,
  }
  expect(saved(form)).toMatchObject({ retargeting_tags_include: ['7'], retargeting_tags_include_local: [row] })
})

test('crowds without their rows are saved by their numbers alone', () => {
  const targeting = saved({ auto_crowd_mode: [1], retargeting_tags_include: ['7'], retargeting_tags_include_local: [] })
  expect(targeting).toMatchObject({ auto_crowd_mode: [1], retargeting_tags_include: ['7'] })
  expect(targeting).not.toHaveProperty('retargeting_tags_include_local')
})

test('fields that commerce does not have are not saved', () => {
  const form: FiveTabForm = { ...emptyForm('commerce'), device_type: ['PAD'], career_by: ['CUSTOM'], career: ['IT'] }
  const targeting = savedTargeting('commerce', { ...form, new_customer: 'NO_BUY' })
  expect(targeting).toEqual({
    exclude_limited_region: 0,
    smart_interest_action: 'UNLIMITED',
    aweme_fan_by: 0,
    auto_extend_enabled: 0,
    new_customer: 'NO_BUY',
  })
  expect(FIVE_TAB_TARGETING.commerce.parse(targeting)).toEqual(targeting)
})

test('a package that is opened again has the same form', () => {
  const form = {
    ...emptyForm('video'),
    landing_type: 'EXTERNAL' as const,
    district: ['CITY' as const],
    regions: REGIONS,
    aweme_fan_by: 1 as const,
    user_aweme_fan: [fan],
  }
  expect(formOf('video', savedTargeting('video', form))).toEqual(form)
})

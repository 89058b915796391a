import { expect, test } from 'vitest'
import { crowdState } from './change.ts'
import { type CrowdRow, isCustomCrowd } from './crowd-row.ts'
import type { Field } from './fields.ts'
import { emptyForm } from './form.ts'
import { FIVE_TAB_PLATFORMS } from './platforms.ts'
import type { FiveTabForm } from './schema.ts'
import { choicesOf, isShown } from './shown.ts'

const videoForm = (change: Partial<FiveTabForm> = {}): FiveTabForm => ({ ...emptyForm('video'), ...change })
const BEHAVIOUR: Field[] = ['action_scene', 'action_days', 'action_tags', 'interest_tags']

test.each<[string, Partial<FiveTabForm>, Field[], boolean]>([
  ['behaviour fields are shown under 自定义', { smart_interest_action: 'CUSTOM' }, BEHAVIOUR, true],
  ['behaviour fields are hidden under 不限', { smart_interest_action: 'UNLIMITED' }, BEHAVIOUR, false],
  ['behaviour fields are hidden under 系统推荐', { smart_interest_action: 'RECOMMEND' }, BEHAVIOUR, false],
  ['the include panel appears with mode 1', { auto_crowd_mode: [1] }, ['retargeting_tags_include'], true],
  ['mode 1 alone hides the exclude panel', { auto_crowd_mode: [1] }, ['retargeting_tags_exclude'], false],
  ['the exclude panel appears with mode 2', { auto_crowd_mode: [2] }, ['retargeting_tags_exclude'], true],
  [
    'the creator panel appears when aweme_fan_by is 1',
    { aweme_fan_by: 1 },
    ['aweme_fan_behaviors', 'user_aweme_fan'],
    true,
  ],
  ['the creator panel is hidden otherwise', { aweme_fan_by: 0 }, ['aweme_fan_behaviors', 'user_aweme_fan'], false],
  ['expansion targets appear when expansion is on', { auto_extend_enabled: 1 }, ['auto_extend_targets'], true],
  ['expansion targets are hidden when expansion is off', {}, ['auto_extend_targets'], false],
  [
    'the time range is hidden when no behaviour is chosen',
    { aweme_fan_by: 1, aweme_fan_behaviors: [] },
    ['aweme_fan_time_scope'],
    false,
  ],
  [
    'the time range is hidden when only 已关注用户 is chosen',
    { aweme_fan_by: 1, aweme_fan_behaviors: ['FOLLOWED_USER'] },
    ['aweme_fan_time_scope'],
    false,
  ],
  [
    'the time range is shown beside another behaviour',
    { aweme_fan_by: 1, aweme_fan_behaviors: ['FOLLOWED_USER', 'LIKED_USER'] },
    ['aweme_fan_time_scope'],
    true,
  ],
  ['CITY shows regions and location types', { district: ['CITY'] }, ['regions', 'location_types'], true],
  ['COUNTY shows regions and location types', { district: ['COUNTY'] }, ['regions', 'location_types'], true],
  ['CITY hides the map', { district: ['CITY'] }, ['custom_locations'], false],
  ['BUSINESS_DISTRICT shows the map', { district: ['BUSINESS_DISTRICT'] }, ['custom_locations'], true],
  ['BUSINESS_DISTRICT hides regions', { district: ['BUSINESS_DISTRICT'] }, ['regions', 'location_types'], false],
  ['no district hides all places', {}, ['regions', 'location_types', 'custom_locations'], false],
  ['brands appear when their option is checked', { device_brand_by: ['CUSTOM'] }, ['device_brand'], true],
  ['brands are hidden otherwise', {}, ['device_brand'], false],
  ['the price appears when its option is checked', { launch_price_by: ['CUSTOM'] }, ['launch_price'], true],
  ['the price is hidden otherwise', {}, ['launch_price'], false],
  ['careers appear when their option is checked', { career_by: ['CUSTOM'] }, ['career'], true],
  ['careers are hidden otherwise', {}, ['career'], false],
  [
    'the brand section is hidden when the platform is only iOS',
    { platform: ['IOS'], device_brand_by: ['CUSTOM'] },
    ['device_brand_by', 'device_brand'],
    false,
  ],
  [
    'the brand section is shown for iOS with Android',
    { platform: ['IOS', 'ANDROID'], device_brand_by: ['CUSTOM'] },
    ['device_brand_by', 'device_brand'],
    true,
  ],
])('%s', (_, change, fields, expected) => {
  for (const field of fields) expect(isShown('video', field, videoForm(change)), field).toBe(expected)
})

test.each<[string, Partial<FiveTabForm>, boolean]>([
  ['limited regions can be left out of everywhere', { district: [] }, true],
  ['limited regions can be left out for people who are there', { district: ['CITY'] }, true],
  [
    'limited regions cannot be left out for people who live there',
    { district: ['CITY'], location_types: ['HOME'] },
    false,
  ],
])('%s', (_, change, expected) => {
  expect(isShown('commerce', 'exclude_limited_region', { ...emptyForm('commerce'), ...change })).toBe(expected)
})

test('curated crowds of the platform are for live rooms', () => {
  const form = emptyForm('commerce')
  expect(isShown('commerce', 'live_platform_tags', { ...form, landing_type: 'LIVE' })).toBe(true)
  expect(isShown('commerce', 'live_platform_tags', { ...form, landing_type: 'VIDEO' })).toBe(false)
})

test('what a platform never offered is hidden whatever is chosen', () => {
  const form: FiveTabForm = { ...emptyForm('commerce'), device_brand_by: ['CUSTOM'], district: ['BUSINESS_DISTRICT'] }
  for (const field of ['device_brand', 'device_brand_by', 'custom_locations', 'carrier', 'career'] as const)
    expect(isShown('commerce', field, form), field).toBe(false)
})

test.each<[string, Partial<FiveTabForm>, string[], string[]]>([
  ['Apple is no brand under Android alone', { platform: ['ANDROID'] }, ['HUAWEI'], ['APPLE']],
  ['Apple is a brand beside other systems', { platform: ['ANDROID', 'IOS'] }, ['APPLE', 'HUAWEI'], []],
  ['Apple is no brand for a link to an Android app', { landing_type: 'APP_ANDROID' }, ['HUAWEI'], ['APPLE']],
  ['Apple is the only brand for a link to an iOS app', { landing_type: 'APP_IOS' }, ['APPLE'], ['HUAWEI', 'XIAOMI']],
])('%s', (_, change, offered, missing) => {
  const values: string[] = choicesOf('video', 'device_brand', videoForm(change)).map(({ value }) => value)
  expect(values).toEqual(expect.arrayContaining(offered))
  for (const brand of missing) expect(values).not.toContain(brand)
})

test('HarmonyOS is a system for a link to a HarmonyOS app alone', () => {
  const systems = (change: Partial<FiveTabForm>) =>
    choicesOf('video', 'platform', videoForm(change)).map(({ value }) => value)
  expect(systems({ landing_type: 'APP_HARMONY' })).toContain('HARMONY')
  expect(systems({ landing_type: 'EXTERNAL' })).not.toContain('HARMONY')
})

const row = (change: Partial<CrowdRow> = {}): CrowdRow => ({
  retargeting_tags_id: '7',
  name: '老客',
  is_common: 1,
  retargeting_tags_op: 'ALL',
  ...change,
})

test.each<[string, Partial<CrowdRow>, 'include' | 'exclude', string | null]>([
  ['a crowd that is not common says 未生效', { is_common: 0 }, 'include', 'inactive'],
  ['未生效 comes before the role', { is_common: 0, retargeting_tags_op: 'INCLUDE' }, 'exclude', 'inactive'],
  ['a crowd for excluding says so when including', { retargeting_tags_op: 'EXCLUDE' }, 'include', 'exclude_only'],
  ['a crowd for including says so when excluding', { retargeting_tags_op: 'INCLUDE' }, 'exclude', 'include_only'],
  ['a crowd for including has no label when including', { retargeting_tags_op: 'INCLUDE' }, 'include', null],
  ['a crowd for excluding has no label when excluding', { retargeting_tags_op: 'EXCLUDE' }, 'exclude', null],
  ['a crowd for both has no label', {}, 'exclude', null],
])('%s', (_, change, role, label) => expect(crowdState(videoForm(), row(change), role).label).toBe(label))

test.each(FIVE_TAB_PLATFORMS)('a crowd chosen in one panel of %s is disabled in the other', (platform) => {
  const form = { ...emptyForm(platform), auto_crowd_mode: [1, 2] as (1 | 2)[], retargeting_tags_include: ['7'] }
  expect(crowdState(form, row(), 'exclude').isDisabled).toBe(true)
  expect(crowdState(form, row(), 'include').isDisabled).toBe(false)
  const excluded = { ...form, retargeting_tags_include: [], retargeting_tags_exclude: ['7'] }
  expect(crowdState(excluded, row(), 'include').isDisabled).toBe(true)
  expect(crowdState({ ...excluded, auto_crowd_mode: [1] }, row(), 'include').isDisabled).toBe(false)
})

test('a crowd with a source is the advertiser’s own', () => {
  expect(isCustomCrowd(row({ source: 'CUSTOM_AUDIENCE_TYPE_UPLOAD' }))).toBe(true)
  expect([row(), row({ source: '' }), row({ source: null })].some(isCustomCrowd)).toBe(false)
})

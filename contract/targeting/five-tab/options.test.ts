import { expect, test } from 'vitest'
import { FIELD_ORDER, FIELDS, TAB_ORDER, TABS } from './fields.ts'
import { optionGroups } from './options.ts'
import { FIVE_TAB_PLATFORMS, fiveTabPlatform, hasField, isWithdrawn } from './platforms.ts'

const groupsOf = (platform: 'video' | 'commerce') =>
  Object.fromEntries(optionGroups(platform).map(({ value, children }) => [value, children.map((one) => one.value)]))

test('the video engine offers the groups of its contract', () => {
  const groups = groupsOf('video')
  expect(Object.keys(groups).toSorted()).toEqual(
    [
      'ac',
      'action_scene',
      'action_time_scope',
      'activate_type',
      'age',
      'auto_extend_targets',
      'aweme_fan_behaviors',
      'aweme_fan_time_scope',
      'career',
      'carrier',
      'device_brand',
      'device_type',
      'district',
      'gender',
      'landing_type',
      'landing_type_option',
      'location_types',
      'platform',
      'smart_interest_action',
    ].toSorted(),
  )
  expect(groups.device_brand).toHaveLength(28)
  expect(groups.landing_type).toHaveLength(13)
  expect(groups.landing_type_option).toEqual(groups.landing_type)
  expect(groups.age).toHaveLength(14)
  expect(groups.auto_extend_targets).toEqual(['REGION', 'GENDER', 'AGE', 'CUSTOM_AUDIENCE'])
  expect(groups.action_time_scope).toEqual([7, 15, 30, 60, 90, 180, 365])
})

test('commerce offers the groups of its contract, and no device but system and network', () => {
  expect(groupsOf('commerce')).toEqual({
    landing_type: ['LIVE', 'VIDEO'],
    landing_type_option: ['LIVE', 'VIDEO'],
    age: ['AGE_BETWEEN_18_23', 'AGE_BETWEEN_24_30', 'AGE_BETWEEN_31_40', 'AGE_BETWEEN_41_49', 'AGE_ABOVE_50'],
    gender: ['GENDER_MALE', 'GENDER_FEMALE'],
    district: ['CITY', 'COUNTY'],
    location_types: ['CURRENT', 'HOME', 'TRAVEL', 'ALL'],
    smart_interest_action: ['UNLIMITED', 'RECOMMEND', 'CUSTOM'],
    action_scene: ['E-COMMERCE', 'NEWS', 'APP', 'SEARCH'],
    platform: ['ANDROID', 'IOS'],
    ac: ['WIFI', '2G', '3G', '4G', '5G'],
    aweme_fan_behaviors: groupsOf('video').aweme_fan_behaviors,
    aweme_fan_time_scope: ['DAYS_15', 'DAYS_30', 'DAYS_60'],
    auto_extend_targets: ['AGE', 'REGION', 'GENDER', 'INTEREST_ACTION', 'CUSTOM_AUDIENCE'],
    new_customer: ['NONE', 'NO_BUY', 'NO_BUY_BRAND', 'NO_BUY_DOUYIN'],
    live_platform_tags: ['LARGE_FANSCOUNT', 'ABNORMAL_ACTIVE', 'AWEME_FANS'],
    action_time_scope: [7, 15, 30, 60, 90, 180, 365],
  })
})

test('what a platform withdrew keeps its choices and is marked', () => {
  const marked = optionGroups('video').filter(({ note }) => note !== '')
  expect(marked.map(({ value, note }) => [value, note])).toEqual([
    ['career', '平台已停用'],
    ['action_scene', '平台已停用'],
    ['activate_type', '平台已停用'],
  ])
  expect(FIELD_ORDER.filter((field) => isWithdrawn('commerce', field))).toEqual([])
})

test.each(FIVE_TAB_PLATFORMS)('every choice of %s has a label', (platform) => {
  for (const { children } of optionGroups(platform))
    for (const { value, label } of children) expect(label, `${value}`).not.toMatch(/^$|_/)
})

test('the tabs stand in their order, and the fields within them', () => {
  expect(TAB_ORDER.map((tab) => TABS[tab])).toEqual(['人口学属性', '用户行为', '自定义人群', '设备定向', '特殊定向'])
  const tabs = FIELD_ORDER.map((field) => TAB_ORDER.indexOf(FIELDS[field].tab))
  expect(tabs).toEqual(tabs.toSorted())
})

test.each(FIVE_TAB_PLATFORMS)('every tab of %s has a field', (platform) => {
  const fields = FIELD_ORDER.filter((field) => hasField(platform, field))
  expect(new Set(fields.map((field) => FIELDS[field].tab))).toEqual(new Set(TAB_ORDER))
})

test('a platform of another editor is none of these', () => {
  expect([fiveTabPlatform(1), fiveTabPlatform(2), fiveTabPlatform(3)]).toEqual([null, 'video', 'commerce'])
})

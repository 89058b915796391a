import { expect, test } from 'vitest'
import type { FiveTabTargeting } from '#contract/targeting/five-tab/schema.ts'
import { audienceObject } from './audience-object.ts'

const LIVE = { landing_type: 'LIVE' } as const
const plan = { id: 3, name: '华东', regions: ['310000', '330100'] }

test.each<[string, FiveTabTargeting, object]>([
  ['nothing chosen', { ...LIVE, smart_interest_action: 'UNLIMITED', aweme_fan_by: 0, new_customer: 'NONE' }, {}],
  [
    'regions with those of the plans, each once',
    { district: ['CITY'], regions: { regions: ['440300', '310000'], regionsPlan: [plan] }, location_types: ['HOME'] },
    { district: 'CITY', city: [440300, 310000, 330100], location_type: 'HOME' },
  ],
  [
    'districts of a plan under 省市',
    { district: ['CITY'], regions: { regions: ['310000'], regionsPlan: [{ ...plan, regions: ['440305'] }] } },
    { district: 'COUNTY', city: [310000, 440305] },
  ],
  [
    'cities alone under 区县',
    { district: ['COUNTY'], regions: { regions: ['330100'], regionsPlan: [] } },
    { district: 'CITY', city: [330100] },
  ],
  [
    'cities right below their province',
    { district: ['CITY'], regions: { regions: ['429004', '429021'], regionsPlan: [] } },
    { district: 'CITY', city: [429004, 429021] },
  ],
  [
    'lists of codes',
    { gender: ['GENDER_MALE'], age: ['AGE_ABOVE_50'], platform: ['IOS'], ac: ['WIFI', '5G'] },
    { gender: 'GENDER_MALE', age: ['AGE_ABOVE_50'], platform: ['IOS'], ac: ['WIFI', '5G'] },
  ],
  ['what the platform recommends', { smart_interest_action: 'RECOMMEND' }, { smart_interest_action: 'RECOMMEND' }],
  [
    'behaviours and interests, categories apart from keywords',
    {
      smart_interest_action: 'CUSTOM',
      action_scene: ['E-COMMERCE'],
      action_days: 60,
      action_tags: [
        { id: '1', type: 1 },
        { id: '2', type: 2 },
      ],
      interest_tags: [{ id: '3', type: 2 }],
    },
    {
      smart_interest_action: 'CUSTOM',
      action_scene: ['E-COMMERCE'],
      action_days: 60,
      action_categories: [1],
      action_words: [2],
      interest_words: [3],
    },
  ],
  [
    'creators and their categories',
    {
      aweme_fan_by: 1,
      aweme_fan_behaviors: ['LIKED_USER'],
      aweme_fan_time_scope: 'DAYS_30',
      aweme_fan_accounts: ['7'],
      aweme_fan_categories: ['8'],
    },
    {
      aweme_fan_behaviors: ['LIKED_USER'],
      aweme_fan_behaviors_days: 'DAYS_30',
      aweme_fan_accounts: [7],
      aweme_fan_categories: [8],
    },
  ],
  [
    'crowds in and out',
    { retargeting_tags_include: ['5'], retargeting_tags_exclude: ['6'] },
    { retargeting_tags_include: [5], retargeting_tags_exclude: [6] },
  ],
  [
    'the rest',
    {
      exclude_limited_region: 1,
      new_customer: 'NO_BUY',
      live_platform_tags: ['AWEME_FANS'],
      auto_extend_enabled: 1,
      auto_extend_targets: ['AGE'],
    },
    {
      exclude_limited_region: 1,
      new_customer: 'NO_BUY',
      live_platform_tags: ['AWEME_FANS'],
      auto_extend_enabled: 1,
      auto_extend_targets: ['AGE'],
    },
  ],
])('%s', (_, targeting, expected) => {
  expect(JSON.parse(JSON.stringify(audienceObject(targeting)))).toEqual(expected)
})

test('ids keep all their digits', () => {
  const text = JSON.stringify(audienceObject({ retargeting_tags_include: ['9307199254740993'] }))
  expect(text).toBe('{"retargeting_tags_include":[9307199254740993]}')
})

import { expect, test } from 'vitest'
import { changed, crowdState } from './change.ts'
import { emptyForm } from './form.ts'
import type { SocialForm } from './schema.ts'

const form = (change: Partial<SocialForm>): SocialForm => ({ ...emptyForm(), ...change })
const row = { retargeting_tags_id: '7', name: '老客', is_common: 1 as const, retargeting_tags_op: 'ALL' as const }

test.each<[string, Partial<SocialForm>, Partial<SocialForm>, Partial<SocialForm>]>([
  [
    'switching behaviours to 自定义 chooses every scene and 30 days',
    { behavior_scene: ['BEHAVIOR_INTEREST_SCENE_APP'], behavior_time_window: 'BEHAVIOR_INTEREST_TIME_WINDOW_ONE_YEAR' },
    { behavior: 'CUSTOM' },
    {
      behavior_scene: ['BEHAVIOR_INTEREST_SCENE_ALL'],
      behavior_time_window: 'BEHAVIOR_INTEREST_TIME_WINDOW_THIRTY_DAY',
    },
  ],
  [
    'a single scene takes the place of 全部场景',
    { behavior: 'CUSTOM' },
    { behavior_scene: ['BEHAVIOR_INTEREST_SCENE_ALL', 'BEHAVIOR_INTEREST_SCENE_APP'] },
    { behavior_scene: ['BEHAVIOR_INTEREST_SCENE_APP'] },
  ],
  [
    '全部场景 takes the place of single scenes',
    { behavior: 'CUSTOM', behavior_scene: ['BEHAVIOR_INTEREST_SCENE_APP', 'BEHAVIOR_INTEREST_SCENE_ECOMMERCE'] },
    {
      behavior_scene: [
        'BEHAVIOR_INTEREST_SCENE_APP',
        'BEHAVIOR_INTEREST_SCENE_ECOMMERCE',
        'BEHAVIOR_INTEREST_SCENE_ALL',
      ],
    },
    { behavior_scene: ['BEHAVIOR_INTEREST_SCENE_ALL'] },
  ],
  [
    'places on the map clear location types that they do not allow',
    { geo_location: 'REGIONS', location_types: ['VISITED_IN', 'TRAVEL_IN'] },
    { geo_location: 'CUSTOM_LOCATIONS' },
    { location_types: ['VISITED_IN'] },
  ],
  [
    'places on the map leave 常住 where they cleared all',
    { geo_location: 'REGIONS', location_types: ['TRAVEL_IN'] },
    { geo_location: 'CUSTOM_LOCATIONS' },
    { location_types: ['LIVE_IN'] },
  ],
  [
    'regions allow every location type',
    { geo_location: 'CUSTOM_LOCATIONS', location_types: ['LIVE_IN'] },
    { geo_location: 'REGIONS', location_types: ['LIVE_IN', 'TRAVEL_IN'] },
    { location_types: ['LIVE_IN', 'TRAVEL_IN'] },
  ],
  [
    'a crowd that is excluded cannot be targeted',
    { excluded_custom_audience: ['7'] },
    { custom_audience: ['7', '8'], custom_audience_local: [row] },
    { custom_audience: ['8'], custom_audience_local: [], excluded_custom_audience: ['7'] },
  ],
  [
    'a crowd that is targeted cannot be excluded',
    { custom_audience: ['7'], custom_audience_local: [row] },
    { excluded_custom_audience: ['7', '9'], excluded_custom_audience_local: [row] },
    { custom_audience: ['7'], excluded_custom_audience: ['9'], excluded_custom_audience_local: [] },
  ],
])('%s', (_, before, change, expected) => {
  expect(changed(form(before), change)).toMatchObject(expected)
})

test('behaviours that are 自定义 already keep their scenes', () => {
  const custom = form({ behavior: 'CUSTOM', behavior_scene: ['BEHAVIOR_INTEREST_SCENE_APP'] })
  expect(changed(custom, { behavior: 'CUSTOM' })).toEqual(custom)
})

test.each<[string, Partial<SocialForm>, 'include' | 'exclude', boolean]>([
  ['a targeted crowd is disabled in the excluded ones', { custom_audience: ['7'] }, 'exclude', true],
  ['an excluded crowd is disabled in the targeted ones', { excluded_custom_audience: ['7'] }, 'include', true],
  ['a crowd that no panel holds can be chosen', { custom_audience: ['8'] }, 'exclude', false],
  ['a crowd can be taken out of its own panel', { custom_audience: ['7'] }, 'include', false],
])('%s', (_, change, role, isDisabled) => {
  expect(crowdState(form(change), row, role)).toEqual({ label: null, isDisabled })
})

test('a crowd that cannot be used says so', () => {
  expect(crowdState(emptyForm(), { ...row, is_common: 0 }, 'include').label).toBe('inactive')
})

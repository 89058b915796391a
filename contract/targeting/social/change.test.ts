import { expect, test } from 'vitest'
import { changed, crowdState } from './change.ts'
import { emptyForm } from './form.ts'
import { savedTargeting } from './save.ts'
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

type Geography = SocialForm['geo_location']
const NONE = null
const place = { kind: 'business_district' as const, id: '3', name: '徐家汇' }
/** From one choice of geography to another: the location types that stay, and what is then saved of places. */
test.each<[Geography, Geography, SocialForm['location_types'], object]>([
  [NONE, 'REGIONS', ['LIVE_IN', 'TRAVEL_IN'], { regions: ['1'] }],
  [NONE, 'CUSTOM_LOCATIONS', ['LIVE_IN'], { custom_locations: [place] }],
  ['REGIONS', NONE, ['LIVE_IN', 'TRAVEL_IN'], {}],
  ['REGIONS', 'REGIONS', ['LIVE_IN', 'TRAVEL_IN'], { regions: ['1'] }],
  ['REGIONS', 'CUSTOM_LOCATIONS', ['LIVE_IN'], { custom_locations: [place] }],
  ['CUSTOM_LOCATIONS', 'REGIONS', ['LIVE_IN'], { regions: ['1'] }],
  ['CUSTOM_LOCATIONS', NONE, ['LIVE_IN'], {}],
])('geography of %s becomes %s', (from, to, location_types, places) => {
  const chosen = form({ regions: ['1'], custom_locations: [place], location_types: ['LIVE_IN', 'TRAVEL_IN'] })
  const before = changed(chosen, { geo_location: from })
  const after = changed(before, { geo_location: to })
  // Both kinds of places stay for coming back.
  expect(after).toMatchObject({ regions: ['1'], custom_locations: [place], location_types })
  expect(savedTargeting(after)).toEqual(to === null ? {} : { geo_location: to, location_types, ...places })
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

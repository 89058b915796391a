import { expect, test } from 'vitest'
import { emptyForm, formOf } from './form.ts'
import { savedTargeting } from './save.ts'
import type { SocialForm, SocialTargeting } from './schema.ts'

const saved = (change: Partial<SocialForm>) => savedTargeting({ ...emptyForm(), ...change })
const place = { kind: 'circle' as const, name: '人民广场', long: 121.475, lat: 31.228, radius: 200 }
const row = { retargeting_tags_id: '7', name: '老客', is_common: 1 as const, retargeting_tags_op: 'ALL' as const }

test('an untouched form saves nothing', () => expect(saved({})).toEqual({}))

test.each<[string, Partial<SocialForm>, (keyof SocialTargeting)[]]>([
  [
    'places on the map are dropped under 按地域',
    { geo_location: 'REGIONS', regions: ['1'], custom_locations: [place] },
    ['geo_location', 'regions', 'location_types'],
  ],
  [
    'regions are dropped under 按商圈与地点',
    { geo_location: 'CUSTOM_LOCATIONS', regions: ['1'], custom_locations: [place] },
    ['geo_location', 'custom_locations', 'location_types'],
  ],
  ['all places are dropped under 不限', { regions: ['1'], custom_locations: [place] }, []],
  [
    'behaviours are dropped unless 自定义',
    {
      behavior_categories: [{ id: '5' }],
      behavior_keywords: ['手机'],
      behavior_scene: ['BEHAVIOR_INTEREST_SCENE_APP'],
    },
    [],
  ],
  [
    'behaviours are kept under 自定义',
    { behavior: 'CUSTOM', behavior_keywords: ['手机'] },
    ['behavior', 'behavior_scene', 'behavior_time_window', 'behavior_keywords'],
  ],
  ['interests are dropped unless 自定义', { interest_categories: [{ id: '5' }] }, []],
  ['conversions are dropped without an exclusion', { conversion_behavior_list: ['OPTIMIZATIONGOAL_APP_ACTIVATE'] }, []],
  [
    'conversions are kept beside an exclusion',
    { excluded_dimension: ['EXCLUDED_DIMENSION_UID'], conversion_behavior_list: ['OPTIMIZATIONGOAL_APP_ACTIVATE'] },
    ['excluded_dimension', 'conversion_behavior_list'],
  ],
  [
    'rows are dropped without their crowd',
    { custom_audience: ['8'], custom_audience_local: [row] },
    ['custom_audience'],
  ],
  [
    'what the platform withdrew is saved all the same',
    { working_status: ['IT_WORKER'], intention: [{ id: '3' }] },
    ['working_status', 'intention'],
  ],
])('%s', (_, change, keys) => expect(Object.keys(saved(change)).toSorted()).toEqual(keys.toSorted()))

test('each choice and each crowd is saved once', () => {
  expect(
    saved({ custom_audience: ['7', '8', '7'], custom_audience_local: [row, row], education: ['MASTER', 'MASTER'] }),
  ).toEqual({ education: ['MASTER'], custom_audience: ['7', '8'], custom_audience_local: [row] })
})

test('opening a saved package gives its form, and 不限 for what it leaves out', () => {
  const form: SocialForm = {
    ...emptyForm(),
    geo_location: 'CUSTOM_LOCATIONS',
    custom_locations: [place],
    location_types: ['VISITED_IN'],
    age: [{ min: 18, max: 30 }],
    behavior: 'CUSTOM',
    behavior_keywords: ['手机'],
    excluded_custom_audience: ['7'],
    excluded_custom_audience_local: [row],
  }
  expect(formOf(savedTargeting(form))).toEqual(form)
  expect(formOf({})).toEqual(emptyForm())
})

import { expect, test } from 'vitest'
import { dimensionsOf } from './dimensions.ts'
import { emptyForm } from './form.ts'
import { savedTargeting } from './save.ts'
import type { SocialForm } from './schema.ts'

const form = (change: Partial<SocialForm>): SocialForm => ({ ...emptyForm(), ...change })

test.each<[string, Partial<SocialForm>, string[]]>([
  ['nothing chosen narrows nothing', {}, []],
  ['age and gender are two', { age: [{ min: 18, max: 30 }], gender: ['MALE'] }, ['年龄', '性别']],
  ['places are one', { geo_location: 'REGIONS', regions: ['1'] }, ['地理位置']],
  ['crowds in and out are two', { custom_audience: ['1'], excluded_custom_audience: ['2'] }, ['定向人群', '排除人群']],
  [
    'the exclusion and its conversions are one',
    { excluded_dimension: ['EXCLUDED_DIMENSION_UID'], conversion_behavior_list: ['OPTIMIZATIONGOAL_FOLLOW'] },
    ['排除已转化用户'],
  ],
  [
    'what is not sent narrows nothing',
    { behavior: 'CUSTOM', behavior_keywords: ['手机'], intention: [{ id: '1' }] },
    [],
  ],
])('%s', (_, change, labels) => expect(dimensionsOf(form(change)).map(({ label }) => label)).toEqual(labels))

test('leaving one out leaves the others', () => {
  const all = form({ geo_location: 'REGIONS', regions: ['1'], gender: ['MALE'], custom_audience: ['1'] })
  const saved = dimensionsOf(all).map(({ without }) => Object.keys(savedTargeting(without)))
  expect(saved).toEqual([
    ['gender', 'custom_audience'],
    ['geo_location', 'regions', 'location_types', 'custom_audience'],
    ['geo_location', 'regions', 'location_types', 'gender'],
  ])
})

test('each dimension that restricts what is sent is left out in its turn', () => {
  const wide = form({
    ...{
      geo_location: 'REGIONS',
      regions: ['1'],
      age: [{ min: 18, max: 30 }],
      gender: ['MALE'],
      education: ['MASTER'],
    },
    ...{ marital_status: ['SINGLE'], game_consumption_level: ['HIGH'], custom_audience: ['1'] },
    ...{ excluded_custom_audience: ['2'], excluded_dimension: ['EXCLUDED_DIMENSION_UID'] },
  })
  expect(dimensionsOf(wide)).toHaveLength(9)
})

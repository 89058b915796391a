import { expect, test } from 'vitest'
import { dimensionsOf } from './dimensions.ts'
import { emptyForm } from './form.ts'
import { savedTargeting } from './save.ts'
import type { FiveTabForm } from './schema.ts'

const form = (change: Partial<FiveTabForm>): FiveTabForm => ({
  ...emptyForm('commerce'),
  landing_type: 'LIVE',
  ...change,
})
const regions = { regions: ['310000'], regionsPlan: [] }

test.each<[string, Partial<FiveTabForm>, string[]]>([
  ['nothing chosen narrows nothing', {}, []],
  ['age and gender are two', { age: ['AGE_ABOVE_50'], gender: ['GENDER_MALE'] }, ['年龄', '性别']],
  ['places are one', { district: ['CITY'], regions }, ['地理位置']],
  [
    'behaviours and interests are one',
    { smart_interest_action: 'CUSTOM', action_tags: [{ id: '1', type: 1 }] },
    ['行为兴趣'],
  ],
  [
    'the two crowd panels are two',
    { auto_crowd_mode: [1, 2], retargeting_tags_include: ['1'], retargeting_tags_exclude: ['2'] },
    ['定向人群', '排除人群'],
  ],
  ['creators are one', { aweme_fan_by: 1, user_aweme_fan: [{ type: 'category', value: '5' }] }, ['抖音达人']],
  ['new customers are one', { new_customer: 'NO_BUY' }, ['新客']],
  ['smart expansion widens', { auto_extend_enabled: 1, auto_extend_targets: ['AGE'] }, []],
])('%s', (_, change, labels) => {
  expect(dimensionsOf('commerce', form(change)).map(({ label }) => label)).toEqual(labels)
})

test('leaving one out leaves the others, and a targeting that can be saved', () => {
  const all = form({
    gender: ['GENDER_MALE'],
    ...{ district: ['CITY'], regions },
    ...{ auto_crowd_mode: [1, 2], retargeting_tags_include: ['1'], retargeting_tags_exclude: ['2'] },
  })
  const saved = dimensionsOf('commerce', all).map(({ without }) => savedTargeting('commerce', without))
  expect(saved.map((one) => one.gender ?? null)).toEqual([null, ['GENDER_MALE'], ['GENDER_MALE'], ['GENDER_MALE']])
  expect(saved[1]).not.toHaveProperty('regions')
  expect(saved[2]).toMatchObject({ auto_crowd_mode: [2], retargeting_tags_exclude: ['2'] })
  expect(saved[2]).not.toHaveProperty('retargeting_tags_include')
  expect(saved[3]).toMatchObject({ auto_crowd_mode: [1], retargeting_tags_include: ['1'] })
})

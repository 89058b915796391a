import { expect, test } from 'vitest'
import { sentenceOf } from '../../outcome.ts'
import { dimensionsOf, expansionNote } from './dimensions.ts'
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

const video = (change: Partial<FiveTabForm>): FiveTabForm => ({
  ...emptyForm('video'),
  landing_type: 'LIVE',
  ...change,
})

test('what the platform withdrew narrows nothing', () => {
  const withdrawn = video({
    ...{ gender: ['GENDER_MALE'], career_by: ['CUSTOM'], career: ['IT'], activate_type: ['WITH_IN_A_MONTH'] },
  })
  expect(dimensionsOf('video', withdrawn).map(({ label }) => label)).toEqual(['性别'])
  const alone = video({ career_by: ['CUSTOM'], career: ['IT'] })
  expect(dimensionsOf('video', alone)).toEqual([])
})

const expanded = {
  ...{ age: ['AGE_ABOVE_50'], gender: ['GENDER_MALE'], district: ['CITY'], regions },
  ...{ auto_crowd_mode: [1, 2], retargeting_tags_include: ['1'], retargeting_tags_exclude: ['2'] },
  ...{ auto_extend_enabled: 1, auto_extend_targets: ['AGE', 'CUSTOM_AUDIENCE'] },
} satisfies Partial<FiveTabForm>

test('smart expansion marks the dimensions that it opens, and no others', () => {
  expect(dimensionsOf('video', video(expanded)).map(({ label, isOpened }) => [label, isOpened])).toEqual([
    ['年龄', true],
    ['性别', false],
    ['地理位置', false],
    ['定向人群', true],
    ['排除人群', false],
  ])
  const off = dimensionsOf('video', video({ ...expanded, auto_extend_enabled: 0 }))
  expect(off.filter(({ isOpened }) => isOpened)).toEqual([])
})

test('a dimension that is left out is no longer opened, and expansion of nothing is off', () => {
  const opens = (form: FiveTabForm) =>
    dimensionsOf('video', form).map(({ without }) => savedTargeting('video', without))
  expect(opens(video(expanded)).map((one) => one.auto_extend_targets)).toEqual([
    ['CUSTOM_AUDIENCE'],
    ['AGE', 'CUSTOM_AUDIENCE'],
    ['AGE', 'CUSTOM_AUDIENCE'],
    ['AGE'],
    ['AGE', 'CUSTOM_AUDIENCE'],
  ])
  const [ageless] = opens(video({ ...expanded, auto_extend_targets: ['AGE'] }))
  expect(ageless).toMatchObject({ auto_extend_enabled: 0 })
  expect(ageless).not.toHaveProperty('auto_extend_targets')
})

test('leaving out the only crowds leaves no expansion of crowds', () => {
  const crowds = video({
    ...{ auto_crowd_mode: [2], retargeting_tags_exclude: ['2'] },
    ...{ auto_extend_enabled: 1, auto_extend_targets: ['CUSTOM_AUDIENCE'] },
  })
  expect(dimensionsOf('video', crowds).map(({ without }) => without.auto_extend_enabled)).toEqual([0])
})

test.each<[string, 'video' | 'commerce', Partial<FiveTabForm>, string | null]>([
  ['nothing without it', 'video', { age: ['AGE_ABOVE_50'], auto_extend_targets: ['AGE'] }, null],
  [
    'that the video engine leaves it out',
    'video',
    { auto_extend_enabled: 1, auto_extend_targets: ['AGE', 'REGION'] },
    '智能放量已开放年龄、地域：投放时可能触达所选范围以外的人，平台的预估不计这部分',
  ],
  [
    'that commerce does not tell',
    'commerce',
    { auto_extend_enabled: 1, auto_extend_targets: ['INTEREST_ACTION'] },
    '智能放量已开放行为兴趣：投放时可能触达所选范围以外的人，平台没有公布预估是否计入这部分',
  ],
])('the reach says of smart expansion %s', (_, platform, change, sentence) => {
  const note = expansionNote(platform, { ...emptyForm(platform), ...change })
  expect(note && sentenceOf(note)).toBe(sentence)
})

test('leaving out the crowds of one panel closes the other one where it is empty', () => {
  const open = video({ auto_crowd_mode: [1, 2], retargeting_tags_include: ['1'] })
  expect(dimensionsOf('video', open).map(({ label, without }) => [label, without.auto_crowd_mode])).toEqual([
    ['定向人群', []],
  ])
})

test('what the others hide does not come back when they are left out', () => {
  const apple = video({ platform: ['IOS'], device_brand_by: ['CUSTOM'], device_brand: ['HUAWEI'] })
  expect(dimensionsOf('video', apple).map(({ label, without }) => [label, savedTargeting('video', without)])).toEqual([
    ['平台', savedTargeting('video', video({}))],
  ])
  const living = form({ district: ['CITY'], regions, location_types: ['HOME'], exclude_limited_region: 1 })
  const [anywhere] = dimensionsOf('commerce', living)
  expect(savedTargeting('commerce', anywhere?.without ?? living)).toEqual(savedTargeting('commerce', form({})))
})

test('each dimension that restricts is left out in its turn, in the order of the screen', () => {
  const wide = video({
    ...{ age: ['AGE_ABOVE_50'], gender: ['GENDER_MALE'], district: ['CITY'], regions },
    ...{ smart_interest_action: 'RECOMMEND', auto_crowd_mode: [1, 2], retargeting_tags_include: ['1'] },
    ...{ retargeting_tags_exclude: ['2'], platform: ['ANDROID'], device_type: ['PAD'], ac: ['WIFI'] },
    ...{ carrier: ['MOBILE'], device_brand_by: ['CUSTOM'], device_brand: ['HUAWEI'], launch_price_by: ['CUSTOM'] },
    ...{ aweme_fan_by: 1, user_aweme_fan: [{ type: 'category', value: '5' }] },
  })
  const labels = dimensionsOf('video', wide).map(({ label }) => label)
  expect(labels).toHaveLength(13)
  expect(labels.slice(-2)).toEqual(['手机价格', '抖音达人'])
})

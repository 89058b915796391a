import { expect, test } from 'vitest'
import { sentenceOf } from '../../outcome.ts'
import { baseFaults, firstFault, formFaults, type Known } from './faults.ts'
import type { Tab } from './fields.ts'
import { emptyForm } from './form.ts'
import type { FiveTabForm } from './schema.ts'

const form = (change: Partial<FiveTabForm>): FiveTabForm => ({ ...emptyForm('video'), ...change })
const said = (change: Partial<FiveTabForm>, known?: Known) =>
  formFaults('video', form(change), known).map(({ tab, reason }) => [tab, sentenceOf(reason)])

const tags = (count: number) => Array.from({ length: count }, (_, i) => ({ id: String(i + 1), type: 1 as const }))
const ids = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1))
const fans = (count: number) => ids(count).map((value) => ({ type: 'category' as const, value }))
const plan = { id: 1, name: '华东', regions: ['310000'] }
const place = { kind: 'circle' as const, name: '人民广场', long: 121.475, lat: 31.228, radius: 3000 }

type Case = [string, Partial<FiveTabForm>, Tab, string | null, Known?]
test.each<Case>([
  ['CITY needs a region or a region plan', { district: ['CITY'] }, 'demography', '请至少选择1个地理位置'],
  ['a region is enough', { district: ['CITY'], regions: { regions: ['1'], regionsPlan: [] } }, 'demography', null],
  [
    'a region plan is enough',
    { district: ['CITY'], regions: { regions: [], regionsPlan: [plan] } },
    'demography',
    null,
  ],
  ['COUNTY needs a region', { district: ['COUNTY'] }, 'demography', '请至少选择1个地理位置'],
  ['the map needs a place', { district: ['BUSINESS_DISTRICT'] }, 'demography', '请至少选择1个地理位置'],
  ['one place is enough', { district: ['BUSINESS_DISTRICT'], custom_locations: [place] }, 'demography', null],
  [
    'location types are needed',
    { district: ['CITY'], regions: { regions: ['1'], regionsPlan: [] }, location_types: [] },
    'demography',
    '请选择地点类型',
  ],
  ['a career is needed when chosen', { career_by: ['CUSTOM'] }, 'demography', '请选择职业状态'],
  ['age bands are of one set', { age: ['AGE_ABOVE_50', 'AGE_ABOVE_60'] }, 'demography', '年龄的两种分段不能同时选择'],

  ['CUSTOM needs an action or an interest', { smart_interest_action: 'CUSTOM' }, 'behaviour', '请选择行为、兴趣'],
  ['an action is enough', { smart_interest_action: 'CUSTOM', action_tags: tags(1) }, 'behaviour', null],
  ['an interest is enough', { smart_interest_action: 'CUSTOM', interest_tags: tags(1) }, 'behaviour', null],
  ['350 tags fit a picker', { smart_interest_action: 'CUSTOM', action_tags: tags(350) }, 'behaviour', null],
  [
    '351 actions are too many',
    { smart_interest_action: 'CUSTOM', action_tags: tags(351) },
    'behaviour',
    '行为最多选择350项',
  ],
  [
    '351 interests are too many',
    { smart_interest_action: 'CUSTOM', interest_tags: tags(351) },
    'behaviour',
    '兴趣最多选择350项',
  ],

  ['including needs a crowd', { auto_crowd_mode: [1] }, 'crowd', '请选择定向人群'],
  ['excluding needs a crowd', { auto_crowd_mode: [2] }, 'crowd', '请选择排除人群'],
  ['both modes need one of the two', { auto_crowd_mode: [1, 2] }, 'crowd', '定向人群与排除人群至少选择一个'],
  ['one of the two is enough', { auto_crowd_mode: [1, 2], retargeting_tags_exclude: ['7'] }, 'crowd', null],
  [
    'an empty list of crowds is said',
    { auto_crowd_mode: [1] },
    'crowd',
    '自定义人群列表暂无数据',
    { hasNoCrowds: true },
  ],
  [
    'a crowd is not both included and excluded',
    { auto_crowd_mode: [1, 2], retargeting_tags_include: ['7'], retargeting_tags_exclude: ['7'] },
    'crowd',
    '同一人群不能既定向又排除',
  ],
  ['350 crowds fit a panel', { auto_crowd_mode: [1], retargeting_tags_include: ids(350) }, 'crowd', null],
  [
    '351 targeted crowds are too many',
    { auto_crowd_mode: [1], retargeting_tags_include: ids(351) },
    'crowd',
    '定向人群最多选择350项',
  ],
  [
    '351 crowds are too many',
    { auto_crowd_mode: [2], retargeting_tags_exclude: ids(351) },
    'crowd',
    '排除人群最多选择350项',
  ],

  ['a brand is needed when chosen', { device_brand_by: ['CUSTOM'] }, 'device', '请选择手机品牌'],
  ['no brand is needed under iOS alone', { device_brand_by: ['CUSTOM'], platform: ['IOS'] }, 'device', null],
  [
    'Apple does not go with Android alone',
    { device_brand_by: ['CUSTOM'], platform: ['ANDROID'], device_brand: ['APPLE'] },
    'device',
    '手机品牌「苹果」与其他选择不能同时使用',
  ],
  ['PC does not go with mobile', { platform: ['PC', 'IOS'] }, 'device', 'PC 不能与移动端同时选择'],
  ['HarmonyOS needs its link', { platform: ['HARMONY'] }, 'device', '平台「HarmonyOS」与其他选择不能同时使用'],
  [
    'the lower price is below the upper one',
    { launch_price_by: ['CUSTOM'], launch_price: [6000, 6000] },
    'device',
    '手机价格的下限应小于上限',
  ],

  [
    'behaviours of users are needed',
    { aweme_fan_by: 1, aweme_fan_behaviors: [], user_aweme_fan: fans(1) },
    'special',
    '用户行为类型不能为空',
  ],
  ['a category or a creator is needed', { aweme_fan_by: 1 }, 'special', '请添加达人分类或抖音达人'],
  ['30 creators fit', { aweme_fan_by: 1, user_aweme_fan: fans(30) }, 'special', null],
  ['31 are too many', { aweme_fan_by: 1, user_aweme_fan: fans(31) }, 'special', '达人分类和抖音达人最多选择30项'],
  ['expansion needs a target', { auto_extend_enabled: 1 }, 'special', '请选择可开放定向'],
  [
    'expansion opens what is restricted',
    { auto_extend_enabled: 1, auto_extend_targets: ['AGE', 'GENDER'], age: ['AGE_ABOVE_50'] },
    'special',
    '性别没有限定，不能作为可开放定向',
  ],
])('%s', (_, change, tab, sentence, known) => {
  expect(said(change, known)).toEqual(sentence === null ? [] : [[tab, sentence]])
})

test('what is hidden is not checked', () => {
  expect(said({ action_tags: tags(351), user_aweme_fan: fans(31), career: [], aweme_fan_behaviors: [] })).toEqual([])
})

test('commerce may open what is not restricted', () => {
  const open: FiveTabForm = { ...emptyForm('commerce'), auto_extend_enabled: 1, auto_extend_targets: ['GENDER'] }
  expect(formFaults('commerce', open)).toEqual([])
})

test('all five tabs are checked and the first failing one is named', () => {
  const faults = formFaults(
    'video',
    form({
      district: ['CITY'],
      smart_interest_action: 'CUSTOM',
      auto_crowd_mode: [1],
      device_brand_by: ['CUSTOM'],
      aweme_fan_by: 1,
    }),
  )
  expect(faults.map(({ tab }) => tab)).toEqual(['demography', 'behaviour', 'crowd', 'device', 'special'])
  const names = faults.map((_, i) => {
    const first = firstFault(faults.slice(i).toReversed())
    return first && sentenceOf(first.reason)
  })
  expect(names).toEqual(['请检查人口学属性', '请检查用户行为', '请检查自定义人群', '请检查设备定向', '请检查特殊定向'])
  expect(firstFault([])).toBeNull()
})

const base = { targeting_name: '老客-1', dir_id: 1, landing_type: 'LIVE' as const }
test.each<[string, Partial<Parameters<typeof baseFaults>[1]>, string[]]>([
  ['a complete base has no fault', {}, []],
  ['the package name is required', { targeting_name: '' }, ['请输入定向包名称']],
  ['a name has at most 30 characters', { targeting_name: '长'.repeat(31) }, ['名称长度在 1 到 30 个字符']],
  ['a name of 30 characters fits', { targeting_name: '长'.repeat(30) }, []],
  ['a name has no other signs', { targeting_name: 'a b' }, ['名称只支持中英文，数字，横杠，下划线']],
  ['the storage path is required', { dir_id: null }, ['请选择存储路径']],
  ['the package type is required', { landing_type: null }, ['请选择定向包类型']],
  ['a type of the other platform is none', { landing_type: 'APP_IOS' }, ['请选择定向包类型']],
])('%s', (_, given, sentences) => {
  const faults = baseFaults('commerce', { ...base, ...given })
  expect(faults.map(({ reason }) => sentenceOf(reason))).toEqual(sentences)
})

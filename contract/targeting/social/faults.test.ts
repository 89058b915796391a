import { expect, test } from 'vitest'
import { sentenceOf } from '../../outcome.ts'
import { baseFaults, firstFault, formFaults, type Known } from './faults.ts'
import type { Tab } from './fields.ts'
import { emptyForm } from './form.ts'
import type { SocialForm } from './schema.ts'

const form = (change: Partial<SocialForm>): SocialForm => ({ ...emptyForm(), ...change })
const said = (change: Partial<SocialForm>, known?: Known) =>
  formFaults(form(change), known).map(({ tab, reason }) => [tab, sentenceOf(reason)])

const ids = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1))
const tags = (count: number) => ids(count).map((id) => ({ id }))
const place = { kind: 'circle' as const, name: '人民广场', long: 121.475, lat: 31.228, radius: 200 }

test('a new form has no fault', () => expect(said({})).toEqual([]))

type Case = [string, Partial<SocialForm>, Tab, string | null, Known?]
test.each<Case>([
  ['按地域 needs a region', { geo_location: 'REGIONS' }, 'place', '请选择地域'],
  ['a region is enough', { geo_location: 'REGIONS', regions: ['310000'] }, 'place', null],
  ['按商圈与地点 needs a place', { geo_location: 'CUSTOM_LOCATIONS' }, 'place', '请选择商圈与地点'],
  ['one place is enough', { geo_location: 'CUSTOM_LOCATIONS', custom_locations: [place] }, 'place', null],
  [
    'location types are needed',
    { geo_location: 'REGIONS', regions: ['310000'], location_types: [] },
    'place',
    '请选择地点类型',
  ],
  [
    'six location types are too many',
    {
      geo_location: 'REGIONS',
      regions: ['310000'],
      location_types: ['LIVE_IN', 'VISITED_IN', 'RECENTLY_IN', 'TRAVEL_IN', 'INTELLIGENCE', 'CAA_RECENTLY_IN'],
    },
    'place',
    '地点类型最多选择5项',
  ],
  [
    'places on the map refuse other location types',
    { geo_location: 'CUSTOM_LOCATIONS', custom_locations: [place], location_types: ['LIVE_IN', 'TRAVEL_IN'] },
    'place',
    '选择商圈与地点时，地点类型不能是「旅行」',
  ],

  ['custom ages need a range', { age: [] }, 'demography', '请选择年龄'],
  ['a range of ages is enough', { age: [{ min: 18, max: 22 }] }, 'demography', null],
  ['a range of ages is 4 wide', { age: [{ min: 18, max: 21 }] }, 'demography', '年龄段的上限应比下限至少大 4 岁'],
  [
    'six ranges of ages are too many',
    { age: Array.from({ length: 6 }, (_, i) => ({ min: 18 + i, max: 30 })) },
    'demography',
    '年龄最多选择5项',
  ],
  ['a custom gender needs a value', { gender: [] }, 'demography', '请选择性别'],
  ['both genders are too many', { gender: ['MALE', 'FEMALE'] }, 'demography', '性别最多选择1项'],
  ['custom education needs a value', { education: [] }, 'demography', '请选择学历'],
  ['custom marital status needs a value', { marital_status: [] }, 'demography', '请选择婚恋育儿'],
  ['custom working status needs a value', { working_status: [] }, 'demography', '请选择工作状态'],
  ['custom financial situation needs a value', { financial_situation: [] }, 'demography', '请选择资产状态'],
  ['custom consumption type needs a value', { consumption_type: [] }, 'demography', '请选择消费类型'],
  ['custom game consumption needs a value', { game_consumption_level: [] }, 'demography', '请选择游戏消费能力'],
  ['custom consumption status needs a value', { consumption_status: [] }, 'demography', '请选择消费能力'],
  ['custom community prices need a range', { residential_community_price: [] }, 'demography', '请选择居住社区价格'],
  [
    'the lower community price is below the upper one',
    { residential_community_price: [{ min: 2000, max: 2000 }] },
    'demography',
    '居住社区价格的下限应小于上限',
  ],

  ['custom behaviours need a category or a keyword', { behavior: 'CUSTOM' }, 'behaviour', '请选择行为'],
  ['a behaviour category is enough', { behavior: 'CUSTOM', behavior_categories: tags(1) }, 'behaviour', null],
  ['a behaviour keyword is enough', { behavior: 'CUSTOM', behavior_keywords: ['手机'] }, 'behaviour', null],
  [
    'a behaviour scene is needed',
    { behavior: 'CUSTOM', behavior_categories: tags(1), behavior_scene: [] },
    'behaviour',
    '请选择行为场景',
  ],
  ['custom interests need a category or a keyword', { interest: 'CUSTOM' }, 'behaviour', '请选择兴趣'],
  ['an interest is enough', { interest: 'CUSTOM', interest_keywords: ['露营'] }, 'behaviour', null],
  ['custom intentions need a value', { intention: [] }, 'behaviour', '请选择意向'],
  ['350 categories fit a picker', { behavior: 'CUSTOM', behavior_categories: tags(350) }, 'behaviour', null],
  [
    '351 behaviour categories are too many',
    { behavior: 'CUSTOM', behavior_categories: tags(351) },
    'behaviour',
    '行为类目最多选择350项',
  ],
  [
    '351 behaviour keywords are too many',
    { behavior: 'CUSTOM', behavior_keywords: ids(351) },
    'behaviour',
    '行为关键词最多选择350项',
  ],
  [
    '351 interest categories are too many',
    { interest: 'CUSTOM', interest_categories: tags(351) },
    'behaviour',
    '兴趣类目最多选择350项',
  ],
  [
    '351 interest keywords are too many',
    { interest: 'CUSTOM', interest_keywords: ids(351) },
    'behaviour',
    '兴趣关键词最多选择350项',
  ],
  [
    '350 categories and keywords fit a picker together',
    { behavior: 'CUSTOM', behavior_categories: tags(300), behavior_keywords: ids(50) },
    'behaviour',
    null,
  ],
  [
    '351 categories and keywords are too many together',
    { behavior: 'CUSTOM', behavior_categories: tags(300), behavior_keywords: ids(51) },
    'behaviour',
    '行为最多选择350项',
  ],
  [
    '351 interests are too many together',
    { interest: 'CUSTOM', interest_categories: tags(1), interest_keywords: ids(350) },
    'behaviour',
    '兴趣最多选择350项',
  ],
  ['351 intentions are too many', { intention: tags(351) }, 'behaviour', '意向最多选择350项'],

  ['custom crowds need a crowd', { custom_audience: [] }, 'crowd', '请选择定向人群'],
  ['custom exclusion needs a crowd', { excluded_custom_audience: [] }, 'crowd', '请选择排除人群'],
  [
    'an empty list of crowds is said',
    { custom_audience: [] },
    'crowd',
    '自定义人群列表暂无数据',
    { hasNoCrowds: true },
  ],
  [
    'a crowd is not both targeted and excluded',
    { custom_audience: ['7'], excluded_custom_audience: ['7'] },
    'crowd',
    '同一人群不能既定向又排除',
  ],
  ['351 crowds are too many', { custom_audience: ids(351) }, 'crowd', '定向人群最多选择350项'],
  ['351 excluded crowds are too many', { excluded_custom_audience: ids(351) }, 'crowd', '排除人群最多选择350项'],

  ['a custom exclusion needs a value', { excluded_dimension: [] }, 'conversion', '请选择排除已转化用户'],
  ['an exclusion without conversions is whole', { excluded_dimension: ['EXCLUDED_DIMENSION_UID'] }, 'conversion', null],
  [
    'custom conversions need a value',
    { excluded_dimension: ['EXCLUDED_DIMENSION_UID'], conversion_behavior_list: [] },
    'conversion',
    '请选择转化行为',
  ],
  [
    'three conversions are too many',
    {
      excluded_dimension: ['EXCLUDED_DIMENSION_UID'],
      conversion_behavior_list: [
        'OPTIMIZATIONGOAL_APP_ACTIVATE',
        'OPTIMIZATIONGOAL_APP_REGISTER',
        'OPTIMIZATIONGOAL_APP_PURCHASE',
      ],
    },
    'conversion',
    '转化行为最多选择2项',
  ],
])('%s', (_, change, tab, sentence, known) => {
  expect(said(change, known)).toEqual(sentence === null ? [] : [[tab, sentence]])
})

test('what is hidden is not checked', () => {
  const hidden = { location_types: [], behavior_categories: tags(351), interest_keywords: ids(351) }
  expect(said({ ...hidden, conversion_behavior_list: [] })).toEqual([])
})

test('all five tabs are checked and the first incomplete one is named', () => {
  const faults = formFaults(
    form({ geo_location: 'REGIONS', age: [], intention: [], custom_audience: [], excluded_dimension: [] }),
  )
  expect(faults.map(({ tab }) => tab)).toEqual(['place', 'demography', 'behaviour', 'crowd', 'conversion'])
  const names = faults.map((_, i) => {
    const first = firstFault(faults.slice(i).toReversed())
    return first && sentenceOf(first.reason)
  })
  expect(names).toEqual([
    '地理位置未填写完整',
    '人口学属性未填写完整',
    '行为兴趣未填写完整',
    '自定义人群未填写完整',
    '排除已转化未填写完整',
  ])
  expect(firstFault([])).toBeNull()
})

const base = { targeting_name: '老客-1', dir_id: 1 }
test.each<[string, Partial<Parameters<typeof baseFaults>[0]>, string[]]>([
  ['a complete base has no fault', {}, []],
  ['the package name is required', { targeting_name: '' }, ['请输入定向包名称']],
  ['a name has at most 30 characters', { targeting_name: '长'.repeat(31) }, ['名称长度在 1 到 30 个字符']],
  ['a name of 30 characters fits', { targeting_name: '长'.repeat(30) }, []],
  ['a name has no other signs', { targeting_name: 'a b' }, ['名称只支持中英文，数字，横杠，下划线']],
  ['the storage path is required', { dir_id: null }, ['请选择存储路径']],
])('%s', (_, given, sentences) => {
  expect(baseFaults({ ...base, ...given }).map(({ reason }) => sentenceOf(reason))).toEqual(sentences)
})

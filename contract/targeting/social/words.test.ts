import { expect, test } from 'vitest'
import { sentenceOf } from '../../outcome.ts'
import { emptyForm } from './form.ts'
import { previewNotes } from './notes.ts'
import { SCENE_SENTENCE } from './scene.ts'
import type { SocialForm } from './schema.ts'
import { ageWords, type Names, priceWords, targetingWords } from './words.ts'

const form = (change: Partial<SocialForm>): SocialForm => ({ ...emptyForm(), ...change })
const lines = (change: Partial<SocialForm>, names?: Names) =>
  targetingWords(form(change), names).map(({ label, words }) => [label, ...words])
const row = { retargeting_tags_id: '7', name: '老客', is_common: 0 as const, retargeting_tags_op: 'ALL' as const }
const place = { kind: 'circle' as const, name: '人民广场', long: 121.475, lat: 31.228, radius: 500 }
const district = (id: string, name: string) => ({ kind: 'business_district' as const, id, name })
const ids = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1))

test('nothing chosen has no words', () => expect(lines({})).toEqual([]))

test.each<[string, Partial<SocialForm>, string[][], Names?]>([
  [
    'regions with their names',
    { geo_location: 'REGIONS', regions: ['310000', '1'], location_types: ['LIVE_IN', 'TRAVEL_IN'] },
    [
      ['地域', '上海市', '1（已下线）'],
      ['地点类型', '常住', '旅行'],
    ],
    { region: (id) => (id === '310000' ? '上海市' : null) },
  ],
  [
    'places with their radius',
    {
      geo_location: 'CUSTOM_LOCATIONS',
      custom_locations: [place, district('3', '徐家汇'), district('4', '静安寺')],
    },
    [
      ['商圈与地点', '人民广场 周边 0.5 公里', '徐家汇', '静安寺（已下线）'],
      ['地点类型', '常住'],
    ],
    { district: (id) => (id === '4' ? null : undefined) },
  ],
  [
    'ages',
    {
      age: [
        { min: 18, max: 30 },
        { min: 40, max: 66 },
      ],
    },
    [['年龄', '18-30 岁', '40 岁及以上']],
  ],
  [
    'choices',
    { gender: ['FEMALE'], education: ['BACHELOR', 'MASTER'] },
    [
      ['性别', '女性'],
      ['学历', '硕士', '本科'],
    ],
  ],
  [
    'community prices',
    { residential_community_price: [{ min: 50_000, max: 100_000 }] },
    [['居住社区价格', '50000 元/m² 以上']],
  ],
  [
    'the scene sentence',
    {
      behavior: 'CUSTOM',
      behavior_scene: ['BEHAVIOR_INTEREST_SCENE_ECOMMERCE', 'BEHAVIOR_INTEREST_SCENE_INFORMATION'],
      behavior_time_window: 'BEHAVIOR_INTEREST_TIME_WINDOW_THREE_MONTH',
      behavior_categories: [{ id: '5', name: '母婴' }],
    },
    [
      ['行为', '在电商、资讯场景中，选择在3个月内有过行为的用户'],
      ['行为类目', '母婴'],
    ],
  ],
  [
    'the scene sentence of every scene',
    { behavior: 'CUSTOM', behavior_keywords: ['手机'] },
    [
      ['行为', '在全部场景中，选择在30天内有过行为的用户'],
      ['行为关键词', '手机'],
    ],
  ],
  [
    'what the platform has no more',
    {
      ...{ interest: 'CUSTOM', interest_categories: [{ id: '5', name: '露营' }], interest_keywords: ['帐篷'] },
      intention: [{ id: '6' }],
    },
    [
      ['兴趣类目', '露营（已下线）'],
      ['兴趣关键词', '帐篷（已下线）'],
      ['意向', '买车'],
    ],
    { interest: () => null, interestKeyword: () => null, intention: () => '买车' },
  ],
  [
    'crowds, one of them without effect',
    { custom_audience: ['7', '8'], custom_audience_local: [row], excluded_custom_audience: ['9'] },
    [
      ['定向人群', '老客（未生效）', '8'],
      ['排除人群', '9（已下线）'],
    ],
    { crowd: (id) => (id === '9' ? null : undefined) },
  ],
  [
    'the exclusion and its conversions',
    { excluded_dimension: ['EXCLUDED_DIMENSION_UID'], conversion_behavior_list: ['OPTIMIZATIONGOAL_ECOMMERCE_ORDER'] },
    [
      ['排除已转化用户', '同账号广告'],
      ['转化行为', '下单'],
    ],
  ],
])('words: %s', (_, change, expected, names) => expect(lines(change, names)).toEqual(expected))

test.each<[{ min: number; max: number }, string]>([
  [{ min: 18, max: 22 }, '18-22 岁'],
  [{ min: 18, max: 66 }, '18 岁及以上'],
])('the ages %j', (range, words) => expect(ageWords(range)).toBe(words))

test('a community price below the highest has both ends', () => {
  expect(priceWords({ min: 1, max: 1000 })).toBe('1-1000 元/m²')
})

test.each<[string, Partial<SocialForm>, boolean]>([
  ['working status', { working_status: ['IT_WORKER'] }, true],
  ['an exclusion of the older generation', { excluded_dimension: ['EXCLUDED_DIMENSION_CAMPAIGN'] }, true],
  ['an exclusion of today', { excluded_dimension: ['EXCLUDED_DIMENSION_UID'] }, false],
  ['education, which only some may use', { education: ['MASTER'] }, false],
])('marked as withdrawn: %s', (_, change, isWithdrawn) => {
  expect(targetingWords(form(change)).map((line) => line.isWithdrawn)).toEqual([isWithdrawn])
})

test.each<[string, Partial<SocialForm>, string[]]>([
  ['nothing', {}, []],
  [
    'dimensions that are withdrawn are noted',
    { consumption_type: ['PAID_GOODS_REAL'], consumption_status: ['HIGH'] },
    ['平台已停用消费类型、消费能力，不会发送给平台'],
  ],
  [
    'more than 400 regions are noted',
    { geo_location: 'REGIONS', regions: ids(401) },
    ['地域共 401 项，平台一次最多接受 400 项，投放前请减少选择'],
  ],
  ['400 regions are not noted', { geo_location: 'REGIONS', regions: ids(400) }, []],
  [
    'more than 200 crowds are noted, both ways together',
    { custom_audience: ids(150), excluded_custom_audience: ids(51) },
    ['定向人群、排除人群共 201 项，平台一次最多接受 200 项，投放前请减少选择'],
  ],
  [
    'more than 250 categories are noted',
    { interest: 'CUSTOM', interest_categories: ids(251).map((id) => ({ id })) },
    ['平台已停用兴趣类目，不会发送给平台', '兴趣类目共 251 项，平台一次最多接受 250 项，投放前请减少选择'],
  ],
  ['200 crowds are not noted', { custom_audience: ids(150), excluded_custom_audience: ids(50) }, []],
  [
    'more than 250 behaviours are noted too',
    { behavior: 'CUSTOM', behavior_categories: ids(251).map((id) => ({ id })) },
    ['平台已停用行为、行为类目，不会发送给平台', '行为类目共 251 项，平台一次最多接受 250 项，投放前请减少选择'],
  ],
  [
    '250 categories of each kind are not noted as too many',
    {
      ...{ behavior: 'CUSTOM', behavior_categories: ids(250).map((id) => ({ id })) },
      ...{ interest: 'CUSTOM', interest_categories: ids(250).map((id) => ({ id })) },
    },
    ['平台已停用行为、行为类目、兴趣类目，不会发送给平台'],
  ],
  [
    'what is hidden is not counted',
    {
      ...{ geo_location: null, regions: ids(401), interest: null },
      interest_categories: ids(251).map((id) => ({ id })),
    },
    [],
  ],
  [
    'WeChat placements are noted',
    { geo_location: 'REGIONS', regions: ['1'], location_types: ['LIVE_IN', 'VISITED_IN'] },
    ['投放微信版位时，地点类型只支持常住；预估不含微信版位'],
  ],
])('notes: %s', (_, change, sentences) => {
  expect(previewNotes(form(change)).map(sentenceOf)).toEqual(sentences)
})

test('the choices of the scene sentence say what to choose', () => {
  expect(SCENE_SENTENCE).toMatchObject({ scenePlaceholder: '请选择行为场景', windowPlaceholder: '时间' })
})

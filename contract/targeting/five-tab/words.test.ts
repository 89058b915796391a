import { expect, test } from 'vitest'
import { sentenceOf } from '../../outcome.ts'
import { emptyForm } from './form.ts'
import { previewNotes } from './notes.ts'
import { PRICE, type PriceRange, priceTyped, priceWords, QUICK_PRICES } from './price.ts'
import type { FiveTabForm } from './schema.ts'
import { type Names, targetingWords } from './words.ts'

const lines = (change: Partial<FiveTabForm>, names?: Names) =>
  targetingWords('video', { ...emptyForm('video'), ...change }, names).map(({ label, words }) => [label, ...words])
const row = { retargeting_tags_id: '7', name: '老客', is_common: 0 as const, retargeting_tags_op: 'ALL' as const }
const place = { kind: 'circle' as const, name: '人民广场', long: 121.475, lat: 31.228, radius: 3500 }
const district = (id: string, name: string) => ({ kind: 'business_district' as const, id, name })

test('nothing chosen has no words', () => expect(lines({})).toEqual([]))

test.each<[string, Partial<FiveTabForm>, string[][], Names?]>([
  ['choices', { age: ['AGE_BETWEEN_18_23', 'AGE_ABOVE_50'] }, [['年龄', '18-23 岁', '50 岁及以上']]],
  [
    'choices in the order of their offer, not of choosing',
    { age: ['AGE_ABOVE_50', 'AGE_BETWEEN_18_23'] },
    [['年龄', '18-23 岁', '50 岁及以上']],
  ],
  [
    'regions with their names',
    {
      district: ['CITY'],
      regions: { regions: ['310000'], regionsPlan: [{ id: 1, name: '华东', regions: ['320000'] }] },
    },
    [
      ['地域', '上海', '华东'],
      ['地点类型', '正在该地区的用户'],
    ],
    { region: () => '上海' },
  ],
  [
    'places with their radius',
    {
      district: ['BUSINESS_DISTRICT'],
      custom_locations: [place, district('3', '徐家汇'), district('4', '静安寺')],
    },
    [['商圈', '人民广场 周边 3.5 公里', '徐家汇', '静安寺（已下线）']],
    { district: (id) => (id === '4' ? null : undefined) },
  ],
  ['系统推荐', { smart_interest_action: 'RECOMMEND' }, [['行为兴趣', '系统推荐']]],
  [
    'tags, one of them gone from the platform',
    {
      smart_interest_action: 'CUSTOM',
      action_tags: [
        { id: '5', type: 1, name: '母婴' },
        { id: '6', type: 2 },
      ],
    },
    [
      ['行为天数', '30 天'],
      ['行为', '母婴（已下线）', '汽车'],
    ],
    { action: ({ id }) => (id === '5' ? null : '汽车') },
  ],
  [
    'crowds, one of them without effect',
    { auto_crowd_mode: [1], retargeting_tags_include: ['7', '8'], retargeting_tags_include_local: [row] },
    [['定向人群', '老客（未生效）', '8']],
  ],
  ['a price', { launch_price_by: ['CUSTOM'], launch_price: [2000, 4000] }, [['手机价格', '2000-4000 元']]],
  ['any price', { launch_price_by: ['CUSTOM'], launch_price: [0, 11_000] }, []],
  [
    'creators',
    { aweme_fan_by: 1, user_aweme_fan: [{ type: 'account', label_id: '9', author_name: '某达人' }] },
    [
      ['用户行为类型', '视频互动-已评论用户'],
      ['行为时间范围', '15 天'],
      ['达人分类和抖音达人', '某达人'],
    ],
  ],
  ['what is hidden', { career: ['IT'], device_brand: ['HUAWEI'] }, []],
])('the words of %s', (_, change, expected, names) => expect(lines(change, names)).toEqual(expected))

test('what the platform withdrew is marked', () => {
  const form = { ...emptyForm('video'), career_by: ['CUSTOM' as const], career: ['IT' as const], ac: ['WIFI' as const] }
  expect(targetingWords('video', form).map(({ field, isWithdrawn }) => [field, isWithdrawn])).toEqual([
    ['career', true],
    ['ac', false],
  ])
})

test.each<[string, 'video' | 'commerce', Partial<FiveTabForm>, string[]]>([
  ['nothing for an ordinary package', 'video', { ac: ['WIFI'] }, []],
  [
    'what is not sent',
    'video',
    { career_by: ['CUSTOM'], career: ['IT'], activate_type: ['WITH_IN_A_MONTH'] },
    ['平台已停用职业状态、首次激活时间，不会发送给平台'],
  ],
  [
    'that 系统推荐 has no effect beside crowds',
    'video',
    { smart_interest_action: 'RECOMMEND', auto_crowd_mode: [1] },
    ['选择了自定义人群时，系统推荐的行为兴趣不生效'],
  ],
  ['nothing of 系统推荐 without crowds', 'video', { smart_interest_action: 'RECOMMEND' }, []],
  ['nothing of the kind for commerce', 'commerce', { smart_interest_action: 'RECOMMEND', auto_crowd_mode: [1] }, []],
])('the preview notes %s', (_, platform, change, notes) => {
  expect(previewNotes(platform, { ...emptyForm(platform), ...change }).map(sentenceOf)).toEqual(notes)
})

test('commerce says its own fields', () => {
  const form: FiveTabForm = {
    ...emptyForm('commerce'),
    landing_type: 'LIVE',
    exclude_limited_region: 1,
    new_customer: 'NO_BUY',
    live_platform_tags: ['AWEME_FANS'],
  }
  expect(targetingWords('commerce', form).map(({ label, words }) => [label, ...words])).toEqual([
    ['排除限运地域', '排除'],
    ['新客', '店铺未购'],
    ['平台精选人群包', '抖音号粉丝'],
  ])
})

test.each<[[number, number], string]>([
  [[0, 6000], '0-6000 元'],
  [[8000, 11_000], '8000 元以上'],
  [[0, 11_000], '不限'],
])('the price %j is said as %s', (range, words) => expect(priceWords(range)).toBe(words))

test.each<[string, 'low' | 'high', number, PriceRange]>([
  ['a lower end on a step', 'low', 3000, [3000, 4000]],
  ['an upper end on a step', 'high', 9000, [2000, 9000]],
  ['a price between two steps', 'low', 2700, [2500, 4000]],
  ['a negative price', 'low', -1, [0, 4000]],
  ['a lower end above the upper one', 'low', 9000, [9000, 9500]],
  ['a lower end beyond the slider', 'low', 20_000, [10_500, 11_000]],
  ['an upper end below the lower one', 'high', 1500, [1000, 1500]],
  ['an upper end at the beginning', 'high', 10, [0, 500]],
  ['an upper end beyond the slider', 'high', 20_000, [2000, 11_000]],
])('%s typed over 2000-4000 is kept as the nearest range that can be', (_, end, typed, range) => {
  expect(priceTyped([2000, 4000], end, typed)).toEqual(range)
})

test('the quick ranges are those of the specification and lie on the steps', () => {
  expect(QUICK_PRICES.map(({ label }) => label)).toEqual(['2000-4000', '4000-6000', '6000-8000', '8000+'])
  for (const end of QUICK_PRICES.flatMap(({ range }) => range)) expect(end % PRICE.step).toBe(0)
  expect(PRICE).toEqual({ min: 0, max: 11_000, step: 500 })
})

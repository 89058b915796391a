import { expect, test } from 'vitest'
import { z } from 'zod'
import { FIELD_ORDER } from './fields.ts'
import { emptyForm, formOf } from './form.ts'
import { hasField } from './platforms.ts'
import { FIVE_TAB_TARGETING, type FiveTabTargeting } from './schema.ts'

const { video, commerce } = FIVE_TAB_TARGETING
const circle = { kind: 'circle', name: '人民广场', long: 121.475_2, lat: 31.228_833, radius: 3000 }
const tags = (count: number) => Array.from({ length: count }, (_, i) => ({ id: String(i + 1), type: 1 }))
const fans = (count: number) => Array.from({ length: count }, (_, i) => ({ type: 'category', value: String(i + 1) }))
const row = { retargeting_tags_id: '7', name: '老客', is_common: 1, retargeting_tags_op: 'ALL' }

test.each<[string, Record<string, unknown>, FiveTabTargeting]>([
  ['interest_action_mode', { interest_action_mode: 'CUSTOM' }, { smart_interest_action: 'CUSTOM' }],
  ['retargeting_tags', { retargeting_tags: ['7'] }, { retargeting_tags_include: ['7'] }],
  [
    'both spellings alike',
    { retargeting_tags: ['7'], retargeting_tags_include: [7] },
    { retargeting_tags_include: ['7'] },
  ],
  ['aweme_fan_behaviors_days', { aweme_fan_behaviors_days: 'SIXTY_DAYS' }, { aweme_fan_time_scope: 'SIXTY_DAYS' }],
])('the other spelling is read, the one spelling written: %s', (_, wire, read) =>
  expect(video.parse(wire)).toEqual(read),
)

test('two spellings with different values are refused', () => {
  const both = { retargeting_tags: ['7'], retargeting_tags_include: ['8'] }
  expect(video.safeParse(both).error?.issues[0]?.message).toBe(
    '「retargeting_tags_include」与「retargeting_tags」是同一个参数，值不一致',
  )
})

test.each([
  ['an unknown key', video, { agee: [] }, ['agee']],
  ['an unknown key inside', video, { regions: { regions: [], regionsPlan: [], city: [] } }, ['city']],
  ['a field that the platform never offered', commerce, { device_brand: ['APPLE'] }, ['device_brand']],
  ['the map of a platform without one', commerce, { custom_locations: [] }, ['custom_locations']],
  ['a field of the other platform', video, { new_customer: 'NO_BUY' }, ['new_customer']],
])('%s is refused by name', (_, schema, wire, keys) => {
  expect(schema.safeParse(wire).error?.issues[0]).toMatchObject({ code: 'unrecognized_keys', keys })
})

test.each<[string, Record<string, unknown>, boolean]>([
  ['a 64-bit id as text', { retargeting_tags_include: ['9223372036854775807'] }, true],
  ['an id above 64 bits', { retargeting_tags_include: ['9223372036854775808'] }, false],
  ['an id with leading zeros', { retargeting_tags_include: ['007'] }, false],
  ['a number that is exact', { retargeting_tags_include: [2 ** 53 - 1] }, true],
  ['a number that is not exact', { retargeting_tags_include: [2 ** 53] }, false],
  ['350 tags', { action_tags: tags(350) }, true],
  ['351 tags', { action_tags: tags(351) }, false],
  ['30 creators', { user_aweme_fan: fans(30) }, true],
  ['31 creators', { user_aweme_fan: fans(31) }, false],
  ['1,000 places', { custom_locations: Array.from({ length: 1000 }, () => circle) }, true],
  ['1,001 places', { custom_locations: Array.from({ length: 1001 }, () => circle) }, false],
  ['a circle of 15,000 m', { custom_locations: [{ ...circle, radius: 15_000 }] }, true],
  ['a circle below 3,000 m', { custom_locations: [{ ...circle, radius: 2999 }] }, false],
  ['a circle above 15,000 m', { custom_locations: [{ ...circle, radius: 15_001 }] }, false],
  ['7 decimals', { custom_locations: [{ ...circle, lat: 31.228_833_1 }] }, false],
  ['a place outside of China', { custom_locations: [{ ...circle, long: -74.006 }] }, false],
  ['a 商圈 of the platform', { custom_locations: [{ kind: 'business_district', id: '12', name: '徐家汇' }] }, true],
  ['a price between the steps', { launch_price: [0, 5750] }, false],
  ['a price range of nothing', { launch_price: [6000, 6000] }, false],
  ['no upper bound of the price', { launch_price: [8000, 11_000] }, true],
  ['two genders', { gender: ['GENDER_MALE', 'GENDER_FEMALE'] }, false],
  ['days that are no option', { action_days: 14 }, false],
  ['a code of the other platform', { aweme_fan_time_scope: 'DAYS_15' }, false],
])('bounds: %s', (_, wire, isRead) => expect(video.safeParse(wire).success).toBe(isRead))

const regionIds = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1))
test.each<[string, Record<string, unknown>, string]>([
  [
    '1,001 places say how many fit',
    { custom_locations: Array.from({ length: 1001 }, () => circle) },
    '商圈最多选择1000项',
  ],
  ['3,501 regions say how many fit', { regions: { regions: regionIds(3501), regionsPlan: [] } }, '地域最多选择3500项'],
  [
    '3,501 regions of a plan say how many fit',
    { regions: { regions: [], regionsPlan: [{ id: 1, name: '全国', regions: regionIds(3501) }] } },
    '地域最多选择3500项',
  ],
])('%s', (_, wire, sentence) => expect(video.safeParse(wire).error?.issues[0]?.message).toBe(sentence))

test('3,500 regions fit', () => {
  expect(video.safeParse({ regions: { regions: regionIds(3500), regionsPlan: [] } }).success).toBe(true)
})

test('the whole is at most 256 KB', () => {
  const rows = Array.from({ length: 350 }, () => ({ ...row, name: '长'.repeat(200), source: '源'.repeat(200) }))
  const large = { retargeting_tags_include_local: rows }
  expect(video.safeParse(large).error?.issues[0]?.message).toBe('定向内容不能超过 256 KB，请减少选择')
  expect(video.safeParse({ retargeting_tags_include_local: rows.slice(0, 100) }).success).toBe(true)
})

test('the defaults are those of the specification', () => {
  expect(emptyForm('video')).toMatchObject({
    location_types: ['CURRENT'],
    smart_interest_action: 'UNLIMITED',
    action_days: 30,
    launch_price: [0, 6000],
    aweme_fan_by: 0,
    aweme_fan_behaviors: ['COMMENTED_USER'],
    aweme_fan_time_scope: 'FIFTEEN_DAYS',
    auto_extend_enabled: 0,
  })
})

test.each(['video', 'commerce'] as const)('the defaults of %s are among what it reads', (platform) => {
  const offered = Object.entries(emptyForm(platform)).filter(([key]) =>
    FIELD_ORDER.some((field) => field === key && hasField(platform, field)),
  )
  const wire = Object.fromEntries(offered)
  expect(FIVE_TAB_TARGETING[platform].parse(wire)).toEqual(wire)
})

test('creators are read from the two lists of ids where the items are left out', () => {
  const form = formOf('video', { aweme_fan_by: 1, aweme_fan_categories: ['4'], aweme_fan_accounts: ['5'] })
  expect(form.user_aweme_fan).toEqual([
    { type: 'category', value: '4' },
    { type: 'account', label_id: '5' },
  ])
})

test.each([
  ['input', 'retargeting_tags'],
  ['output', 'retargeting_tags_include'],
] as const)('the API document describes every field of both platforms as %s', (io, spelling) => {
  for (const schema of [video, commerce]) {
    const defs = Object.values(z.toJSONSchema(schema, { io }).$defs ?? {})
    const [{ properties = {} } = {}] = defs.filter((one) => one.properties?.[spelling] !== undefined)
    expect(Object.keys(properties)).not.toEqual([])
    const isDescribed = (one: unknown) => JSON.stringify(one).includes('"description"')
    expect(Object.entries(properties).filter(([, one]) => !isDescribed(one))).toEqual([])
  }
})

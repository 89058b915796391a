import { afterAll, beforeAll, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { type ImportMapping, startImport } from '#contract/import.ts'
import { countRule, openRule } from '#contract/rule-crowd.ts'
import { setConsent } from '#contract/suppression.ts'
import { createCategory, createTag, listTags, previewTag, updateTag } from '#contract/tag.ts'
import type { ValueCondition } from '#contract/tag-condition.ts'
import type { TagDefinition } from '#contract/tag-definition.ts'
import { listFieldValues, updateAttribute } from '#contract/tag-field.ts'
import { maskPhones } from '../../files/mask-phones.ts'
import { anAdvertiser, leaf, tagged } from '../../testing/builders.ts'
import type { Caller } from '../../testing/caller.ts'
import { testApp } from '../../testing/test-app.ts'
import { uploadTo } from '../../testing/upload.ts'
import { holdsPhoneSql } from './phone-fields.ts'

const PHONE = '13812345678'
const REFUSED = {
  status: 403,
  code: FAULTS.phonesHidden.code,
  outcome: { code: 'field_holds_phones', params: { name: '备用电话' } },
  msg: '「备用电话」的值中有手机号，您没有查看手机号的权限，不能按它的值设条件',
}

const app = await testApp()
afterAll(() => app.close())
let adv_id: number
let category_id: number
let events_id: number
let blind: Caller

async function imported(text: string, mapping: ImportMapping) {
  const upload_id = await uploadTo(app, app.admin, text, 'file.csv')
  await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
  await app.settled()
}
const USERS: ImportMapping = { kind: 'users', id: 'id', identifiers: [], skip: [] }
const EVENTS: ImportMapping = { kind: 'events', id: 'id', event: 'event', time: 'time', skip: [] }

beforeAll(async () => {
  adv_id = await anAdvertiser(app)
  blind = await app.viewer('blind', [adv_id])
  // One phone among many notes is enough: a search for its beginning would find it.
  const notes = Array.from({ length: 30 }, (_, n) => `u${n},普通 ${n},城市${n % 3},订单20261123${100_000 + n}`)
  await imported(`id,备用电话,城市,订单\nu99,张三 138-1234-5678,城市1,\n${notes.join('\n')}\n`, USERS)
  await imported(
    `id,event,time,备用电话,金额\nu1,致电,2026-01-01 10:00:00,${PHONE},5\nu2,下单,2026-01-01 10:00:00,,7\n`,
    EVENTS,
  )
  const category = { adv_id, icon: 'other' as const }
  category_id = (await app.admin.get(createCategory, { body: { ...category, tag_type: 1, name: '属性' } })).id
  events_id = (await app.admin.get(createCategory, { body: { ...category, tag_type: 2, name: '事件' } })).id
})

const of = (attribute: string, condition: ValueCondition): TagDefinition => ({
  kind: 'attribute',
  attribute,
  condition,
})
const did = (event: string, more: object): TagDefinition =>
  ({ kind: 'event', event, window_days: null, at_least: 1, properties: [], negated: false, ...more }) as TagDefinition
const preview = (definition: TagDefinition, caller = blind) => caller.call(previewTag, { body: { adv_id, definition } })

/** Every way to compare with a value. */
const COMPARISONS: ValueCondition[] = [
  { is: 'equals', value: PHONE },
  { is: 'not_equals', value: PHONE },
  { is: 'in', values: [PHONE] },
  { is: 'not_in', values: ['1'] },
  { is: 'contains', value: '123' },
  { is: 'starts_with', value: '1' },
  { is: 'range', from: '13800000000', to: null, as: 'number' },
  { is: 'range', from: null, to: '2030-01-01', as: 'date' },
  { is: 'on', from: '2026-01-01', to: '2026-01-02' },
  { is: 'not_before', date: '2026-01-01' },
  { is: 'before', date: '2026-01-01' },
  { is: 'days', when: 'past', days: 5 },
]

test.each(COMPARISONS)(
  'an attribute with phones is not compared for a viewer who may not see them: $is',
  async (condition) => {
    expect(await preview(of('备用电话', condition))).toMatchObject(REFUSED)
    expect(await preview(did('致电', { properties: [{ property: '备用电话', condition }] }))).toMatchObject(REFUSED)
    expect((await preview(of('备用电话', condition), app.admin)).code).toBe(0)
  },
)

test('the numbers of a property with phones are not measured', async () => {
  for (const by of ['sum', 'average', 'smallest', 'largest']) {
    const measure = { of: by, property: '备用电话', from: '13800000000', to: null }
    expect(await preview(did('致电', { measure }))).toMatchObject(REFUSED)
  }
  const amount = { of: 'sum', property: '金额', from: '1', to: null }
  expect(await preview(did('下单', { measure: amount }))).toMatchObject({ code: 0, data: { count: 1 } })
})

test('the warehouse finds a phone in exactly those values that are shown masked', async () => {
  const texts = [
    ...[
      '13812345678',
      '+8613812345678',
      '0086 138 1234 5678',
      '138-1234-5678',
      '1381-2345-678',
      '１３８１２３４５６７８',
    ],
    'q=%2013812345678',
    ...['p=%31%33%38%31%32%33%34%35%36%37%38&b=1', 'p=1%3381%2D2345+678', 'p=%252F%2531%25338%EF%BC%9112345678'],
    'p=5%31%33%38%31%32%33%34%35%36%37%38',
    ...['a13812345678b', '客户13812345678', '013812345678', '10012345678', '138 1234\u200b5678', '138/1234/56 78'],
    ...[
      '113812345678',
      '138123456789',
      '2026-11-23 10:00:00',
      '1763863200',
      '20261123100001',
      '',
      '北京',
      '13 元 2026-11-23',
    ],
  ]
  const found = await app.stores.warehouse.load.acrossShards.query<{ text: string; yes: number }>(
    `SELECT text, ${holdsPhoneSql('text')} AS yes FROM (SELECT arrayJoin({texts:Array(String)}) AS text)`,
    { texts },
  )
  expect(found.map(({ text, yes }) => [text, Boolean(yes)])).toEqual(
    texts.map((text) => [text, maskPhones(text) !== text]),
  )
})

test('an event with a phone as its name is unknown to who may not see phones', async () => {
  await imported(`id,event,time,金额\nu1,回拨${PHONE},2026-01-01 10:00:00,5\n`, EVENTS)
  const guess = (phone: string, caller = blind) => preview(did(`回拨${phone}`, {}), caller)
  const unknown = (phone: string) => ({
    code: FAULTS.tagUnknownField.code,
    msg: expect.stringContaining(maskPhones(`回拨${phone}`)),
  })
  expect(await guess(PHONE, app.admin)).toMatchObject({ code: 0, data: { count: 1 } })
  expect(await guess(PHONE)).toMatchObject(unknown(PHONE))
  expect(await guess('13812345679')).toMatchObject(unknown('13812345679'))
})

test('a column of phones has one tag for those who have a phone, and no ranges', async () => {
  const rows = Array.from({ length: 300 }, (_, n) => `r${n},${13_800_000_000 + 977 * n},${23_800_000_000 + 977 * n}`)
  await imported(`id,回访,单号\n${rows.join('\n')}\n`, USERS)
  const { list } = await app.admin.get(listTags, { query: { adv_id, page: 1, page_size: 100 } })
  const of = (attribute: string) =>
    list.filter(({ definition }) => definition.kind === 'attribute' && definition.attribute === attribute)
  expect(of('回访').map(({ name }) => name)).toEqual(['有值'])
  // Numbers as long that are no phones.
  expect(of('单号').length).toBeGreaterThan(2)
})

test('whether there is a value may be asked, and other fields may be compared', async () => {
  expect(await preview(of('备用电话', { is: 'exists' }))).toMatchObject({ code: 0, data: { count: 31 } })
  expect(await preview(of('备用电话', { is: 'empty' }))).toMatchObject({ code: 0 })
  expect(await preview(of('城市', { is: 'equals', value: '城市1' }))).toMatchObject({ code: 0, data: { count: 11 } })
  // Longer numbers are no phones.
  expect(await preview(of('订单', { is: 'starts_with', value: '订单2026' }))).toMatchObject({ data: { count: 30 } })
})

test('tags with such a condition are neither made nor changed, and those of others stay usable', async () => {
  const definition = of('备用电话', { is: 'contains', value: PHONE })
  const body = { adv_id, category_id, name: '我的', definition }
  expect(await blind.call(createTag, { body })).toMatchObject(REFUSED)
  const events = did('致电', { properties: [{ property: '备用电话', condition: { is: 'equals', value: PHONE } }] })
  expect(await blind.call(createTag, { body: { ...body, category_id: events_id, definition: events } })).toMatchObject(
    REFUSED,
  )
  const { id } = await app.admin.get(createTag, { body: { ...body, name: '老板' } })
  await app.settled()
  const [shown] = (await blind.get(listTags, { query: { adv_id, id } })).list
  expect(shown?.text).toContain('138****5678')
  const change = (wanted: object) => blind.call(updateTag, { params: { id }, body: wanted })
  const guess = of('备用电话', { is: 'contains', value: '1381' })
  expect(await change({ definition: guess })).toMatchObject(REFUSED)
  expect(await change({ name: '大老板', definition: shown?.definition })).toMatchObject({ code: 0 })
  expect((await app.admin.get(listTags, { query: { adv_id, id } })).list[0]).toMatchObject({
    name: '大老板',
    definition,
  })
  const { rId } = await blind.get(openRule, { body: { advId: adv_id } })
  expect(
    await blind.call(countRule, { params: { rId }, body: { advId: adv_id, rule: leaf('a', 'n', tagged(id)) } }),
  ).toMatchObject({ code: 0 })
})

test('a phone is not guessed by naming it in the dictionary or among the values of consent', async () => {
  const refused = { code: FAULTS.phonesHidden.code, outcome: { code: 'phone_as_value' } }
  const attribute = { adv_id, name: '备用电话' }
  const dictionary = [{ value: PHONE, label: '猜' }]
  expect(await blind.call(updateAttribute, { body: { ...attribute, dictionary } })).toMatchObject(refused)
  const consent = { adv_id, attribute: '备用电话', refused_values: [PHONE] }
  expect(await blind.call(setConsent, { body: consent })).toMatchObject(refused)
  expect(await app.admin.call(setConsent, { body: consent })).toMatchObject({ code: 0 })
  expect(
    await blind.call(setConsent, { body: { ...consent, refused_values: ['138****5678', '普通 1'] } }),
  ).toMatchObject({
    code: 0,
  })
})

test('suggestions say why a field is closed, and new data change the answer', async () => {
  const asked = async (attribute: string, caller = blind) => {
    const { closed, closed_outcome } = await caller.get(listFieldValues, { query: { adv_id, attribute } })
    return [closed, closed_outcome?.code]
  }
  expect(await asked('备用电话')).toEqual([REFUSED.msg, 'field_holds_phones'])
  expect(await asked('备用电话', app.admin)).toEqual([null, undefined])
  expect(await asked('城市')).toEqual([null, undefined])
  await imported(`id,城市\nu500,${PHONE}\n`, USERS)
  expect((await asked('城市'))[1]).toBe('field_holds_phones')
})

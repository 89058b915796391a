import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { type ImportMapping, startImport } from '#contract/import.ts'
import { CROWD_TAG } from '#contract/rule.ts'
import { getRule, getRuleCrowd } from '#contract/rule-crowd.ts'
import { searchEverything } from '#contract/search.ts'
import { ATTRIBUTE_TAG, EVENT_TAG, getTagTree, listTags, updateCategory, updateTag } from '#contract/tag.ts'
import { definitionText } from '#contract/tag-definition.ts'
import {
  getAttribute,
  getEvent,
  getPropertyValues,
  listFields,
  listFieldValues,
  updateAttribute,
  updateEvent,
} from '#contract/tag-field.ts'
import { aCrowd, anAdvertiser, leaf, tagged } from '../../testing/builders.ts'
import type { Caller } from '../../testing/caller.ts'
import { testApp } from '../../testing/test-app.ts'
import { uploadTo } from '../../testing/upload.ts'
import { namesOfFields } from './field-names.ts'

const app = await testApp()
afterAll(() => app.close())
let adv_id: number
beforeEach(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
  await app.settled()
})

const USERS: ImportMapping = { kind: 'users', id: 'id', identifiers: [], skip: [] }
const EVENTS: ImportMapping = { kind: 'events', id: 'id', event: 'event', time: 'time', skip: [] }
async function imported(text: string, mapping = USERS) {
  const upload_id = await uploadTo(app, app.admin, text, 'file.csv')
  await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
  await app.settled()
}
async function settle(name: string, change: object) {
  const answer = await app.admin.call(updateAttribute, { body: { adv_id, name, ...change } as never })
  await app.settled()
  return answer
}
const attribute = (name: string, caller: Caller = app.admin) => caller.get(getAttribute, { query: { adv_id, name } })
/** Tags with their counts, by category. */
async function tree(tag_type: 1 | 2 = ATTRIBUTE_TAG, caller: Caller = app.admin) {
  const { data } = await caller.get(getTagTree, { query: { adv_id, tag_type } })
  return Object.fromEntries(
    data
      .filter(({ tag }) => tag !== '全部用户')
      .map(({ tag, group = [] }) => [tag, group.map((one) => `${one.tag} ${one.count}`).toSorted()]),
  )
}
const tagOf = async (name: string) => {
  const { list } = await app.admin.get(listTags, { query: { adv_id, keyword: name, page_size: 100 } })
  const found = list.find((tag) => tag.name === name)
  if (!found) throw new Error(`no tag ${name}`)
  return found
}
const numbers = (count: number, column: (n: number) => string | number, head = 'id,v') =>
  `${head}\n${Array.from({ length: count }, (_, n) => `${n},${column(n)}`).join('\n')}\n`
const SEX = [
  { value: '0', label: '男' },
  { value: '1', label: '女' },
]

test('a dictionary names tags, chips, suggestions and definitions, and rules stay as they are', async () => {
  await imported(numbers(30, (n) => n % 3, 'id,sex'))
  expect(await tree()).toEqual({ sex: ['0 10', '1 10', '2 10'] })
  const rule = leaf('a', 'n', tagged((await tagOf('0')).id))
  const crowd = await aCrowd(app, adv_id, rule)
  expect((await settle('sex', { display_name: '性别', dictionary: SEX })).code).toBe(0)
  expect(await tree()).toEqual({ 性别: ['2 10', '女 10', '男 10'] })
  expect(await tagOf('男')).toMatchObject({ text: '性别等于「男」', is_automatic: true })

  const saved = await app.admin.get(getRuleCrowd, { params: { id: crowd.id } })
  expect(saved).toMatchObject({ magnitude: 10 })
  const { def, tags } = await app.admin.get(getRule, { params: { rId: saved.rId } })
  expect(def).toMatchObject({ subTags: rule.subTags })
  expect(tags).toMatchObject([{ name: '男', path: '性别 / 男' }])
  const suggested = async (keyword: string) =>
    (await app.admin.get(listFieldValues, { query: { adv_id, attribute: 'sex', keyword } })).list
  expect(await suggested('女')).toEqual([{ value: '1', label: '女', is_masked: false }])
  expect(await attribute('sex')).toMatchObject({
    display_name: '性别',
    named: 2,
    dictionary: SEX.map((entry) => ({ ...entry, is_masked: false })),
  })

  // Labels that change places, and one that goes: names follow.
  await settle('sex', {
    dictionary: [
      { value: '0', label: '女' },
      { value: '1', label: '男' },
      { value: '2', label: '男' },
    ],
  })
  expect(await tree()).toEqual({ 性别: ['女 10', '男 (2) 10', '男 10'] })
  await settle('sex', { dictionary: [] })
  expect(await tree()).toEqual({ 性别: ['0 10', '1 10', '2 10'] })
  // A new value of a later file is named too, in the category with its new name.
  await settle('sex', { dictionary: [{ value: '3', label: '未知' }] })
  await imported('id,sex\n900,3\n901,3\n')
  expect(await tree()).toEqual({ 性别: ['0 10', '1 10', '2 10', '未知 2'] })
})

test('what a viewer named stays', async () => {
  await imported(numbers(20, (n) => n % 2, 'id,sex'))
  const tag = await tagOf('0')
  await app.admin.get(updateTag, { params: { id: tag.id }, body: { name: '先生' } })
  await app.admin.get(updateCategory, { params: { id: tag.category_id }, body: { name: '称呼' } })
  await settle('sex', { display_name: '性别', dictionary: SEX })
  expect(await tree()).toEqual({ 称呼: ['先生 10', '女 10'] })
})

test('values that the dictionary names become single tags whatever their number, and are made once', async () => {
  await imported(numbers(600, (n) => n, 'id,score'))
  const ranges = (await tree()).score ?? []
  expect(ranges).toHaveLength(10)
  await settle('score', {
    dictionary: [
      { value: '0', label: '零分' },
      { value: '599', label: '满分' },
      { value: '-1', label: '缺考' },
    ],
  })
  expect((await tree()).score).toEqual([...ranges, '满分 1', '零分 1'].toSorted())
  // A deleted tag does not come back with the next file.
  await app.stores.postgres.db.deleteFrom('tag').where('name', '=', '满分').execute()
  await imported('id,score\n900,-1\n')
  expect((await tree()).score).toEqual(expect.arrayContaining(['零分 1', '缺考 1']))
  expect((await tree()).score).not.toContain('满分 1')
  // Without the entry the tag goes, unless a crowd uses it.
  await aCrowd(app, adv_id, leaf('a', 'n', tagged((await tagOf('零分')).id)))
  await settle('score', { dictionary: [] })
  const left = (await tree()).score ?? []
  expect(left).toContain('0 1')
  expect(left.some((one) => one.startsWith('缺考'))).toBe(false)
})

test('a type that the values are not of is refused with the number of people, or changed on request', async () => {
  await imported(
    `id,age,word\n${Array.from({ length: 400 }, (_, n) => `${n},${n === 0 ? '不详' : n},词${n}`).join('\n')}\n`,
  )
  expect(await attribute('age')).toMatchObject({ type: 'text', is_type_fixed: false })
  expect(await tree()).toMatchObject({ age: ['有值 400'] })
  expect(await settle('age', { type: 'number' })).toMatchObject({
    code: FAULTS.attributeNotOfType.code,
    status: 409,
    msg: '400 人中有 1 人的值不是数字，改为数字后他们只计入「有值」',
  })
  expect(await settle('word', { type: 'date', allow_unreadable: true })).toMatchObject({
    msg: '没有一个值是日期，不能改为日期',
  })
  expect((await settle('age', { type: 'number', allow_unreadable: true })).code).toBe(0)
  const aged = (await tree()).age ?? []
  expect(aged).toHaveLength(11)
  expect(
    aged.filter((one) => !one.startsWith('有值')).reduce((sum, one) => sum + Number(one.split(' ').at(-1)), 0),
  ).toBe(399)

  // New words do not change a settled type; a guessed one they do.
  await imported('id,age\n900,未知\n')
  expect(await attribute('age')).toMatchObject({ type: 'number', is_type_fixed: true })
  expect((await settle('age', { type: null })).code).toBe(0)
  expect(await attribute('age')).toMatchObject({ type: 'text', is_type_fixed: false })
  expect((await tree()).age).toEqual(['有值 401'])
})

test('a save changes only what it was sent, also when an import changes the field at the same time', async () => {
  await imported(numbers(30, (n) => n % 3, 'id,sex'))
  const { db } = app.stores.postgres
  const begin = db.transaction.bind(db)
  vi.spyOn(db, 'transaction').mockImplementationOnce(() => {
    const builder = begin()
    const execute = builder.execute.bind(builder)
    builder.execute = async (work) => {
      const meanwhile = { type: 'text' as const, dictionary: JSON.stringify(SEX) }
      await db.updateTable('attribute').set(meanwhile).where('name', '=', 'sex').execute()
      return execute(work)
    }
    return builder
  })
  expect((await settle('sex', { display_name: '性别' })).code).toBe(0)
  expect(await attribute('sex')).toMatchObject({ display_name: '性别', type: 'text', is_type_fixed: false, named: 2 })
})

test('ranges that only a draft uses stay when the type changes', async () => {
  await imported(numbers(600, (n) => n + 1000, 'id,code'))
  const names = ((await tree()).code ?? []).map((one) => one.replace(/ \d+$/, ''))
  const [draft, crowd] = [await tagOf(names[0] ?? ''), await tagOf(names[1] ?? '')]
  const [viewer] = await app.stores.postgres.db.selectFrom('viewer').select('id').execute()
  // A crowd in a rule is no tag, whatever its id.
  const def = leaf('a', 'n', [...tagged(draft.id), { id: crowd.id, tag_type: CROWD_TAG }])
  await app.stores.postgres.db
    .insertInto('rule')
    .values({ adv_id, creator_id: viewer?.id ?? 0, def: JSON.stringify(def), created_at: 0, updated_at: 0 })
    .execute()
  expect((await settle('code', { type: 'text' })).code).toBe(0)
  expect(((await tree()).code ?? []).map((one) => one.replace(/ \d+$/, ''))).toEqual([draft.name, '有值'].toSorted())
})

test('numbers can be settled as words: their ranges go, those that a crowd uses stay', async () => {
  await imported(numbers(600, (n) => n + 1000, 'id,code'))
  const [first] = (await tree()).code ?? []
  const name = first?.replace(/ \d+$/, '') ?? ''
  const crowd = await aCrowd(app, adv_id, leaf('a', 'n', tagged((await tagOf(name)).id)))
  await app.settled()
  const before = await app.admin.get(getRuleCrowd, { params: { id: crowd.id } })
  expect((await settle('code', { type: 'text' })).code).toBe(0)
  expect((await tree()).code).toEqual([first, '有值 600'].toSorted())
  expect(await app.admin.get(getRuleCrowd, { params: { id: crowd.id } })).toMatchObject({ magnitude: before.magnitude })
})

test('phones are masked in names of tags, entries and suggestions; what is masked cannot be overwritten', async () => {
  const phone = '13812345678'
  await imported(`id,note\n1,${phone}\n2,普通\n`)
  await settle('note', {
    dictionary: [
      { value: phone, label: `老板 ${phone}` },
      { value: '普通', label: '一般' },
    ],
  })
  const ops = await app.viewer('ops', [adv_id])
  expect(await tree(ATTRIBUTE_TAG, ops)).toEqual({ note: ['一般 1', '老板 138****5678 1'] })
  const { list } = await ops.get(listTags, { query: { adv_id } })
  const masked = list.find(({ name }) => name.startsWith('老板'))
  expect(masked).toMatchObject({
    name: '老板 138****5678',
    text: 'note 等于「老板 138****5678」',
    definition: { condition: { value: '138****5678' } },
  })
  // What is shown of a phone is found, and its hidden digits are not.
  expect(await ops.get(listTags, { query: { adv_id, keyword: '138' } })).toMatchObject({ total: 1 })
  for (const keyword of ['1234', '13812']) {
    expect(await ops.get(listTags, { query: { adv_id, keyword } })).toMatchObject({ total: 0 })
    const { data } = await ops.get(getTagTree, { query: { adv_id, keyword } })
    expect(data).toEqual([])
    expect(await ops.get(searchEverything, { query: { q: keyword } })).toMatchObject({ tags: [] })
  }
  expect(await ops.get(searchEverything, { query: { q: '老板' } })).toMatchObject({
    tags: [{ name: '老板 138****5678' }],
  })
  expect((await attribute('note', ops)).dictionary).toEqual([
    { value: '138****5678', label: '老板 138****5678', is_masked: true },
    { value: '普通', label: '一般', is_masked: false },
  ])

  // The form sends back what it showed.
  const { name, definition, category_id } = masked ?? list[0] ?? ({} as never)
  await ops.get(updateTag, { params: { id: masked?.id ?? 0 }, body: { name, category_id, definition } })
  await ops.get(updateAttribute, { body: { adv_id, name: 'note', dictionary: [{ value: '普通', label: '普通人' }] } })
  await app.settled()
  expect(await tree()).toEqual({ note: ['普通人 1', `老板 ${phone} 1`] })
  expect((await tagOf(`老板 ${phone}`)).definition).toMatchObject({ condition: { value: phone } })
})

test('events and their properties have display names and types', async () => {
  await imported(
    'id,event,time,price,page,on\n1,pay,2026-01-01,3.5,首页,2026-01-02\n2,pay,2026-01-02,4,,2026-01-03\n',
    EVENTS,
  )
  const event = () => app.admin.get(getEvent, { query: { adv_id, name: 'pay' } })
  const types = async () => (await event()).properties.map(({ name, type }) => [name, type])
  expect(await types()).toEqual([
    ['price', 'number'],
    ['page', 'text'],
    ['on', 'date'],
  ])
  const properties = [
    { name: 'price', display_name: '金额' },
    { name: 'page', type: 'number' as const },
  ]
  await app.admin.get(updateEvent, { body: { adv_id, name: 'pay', display_name: '支付', properties } })
  await app.settled()
  expect(await event()).toMatchObject({
    display_name: '支付',
    properties: [
      { name: 'price', display_name: '金额', type: 'number', is_type_fixed: false },
      { name: 'page', display_name: 'page', type: 'number', is_type_fixed: true },
      { name: 'on', type: 'date' },
    ],
  })
  expect(await tree(EVENT_TAG)).toEqual({ 支付: ['做过支付 2'] })
  await app.admin.get(updateEvent, { body: { adv_id, name: 'pay', properties: [{ name: 'page', type: null }] } })
  expect((await event()).properties[1]).toMatchObject({ type: 'text', is_type_fixed: false })
  const unknown = { adv_id, name: 'pay', properties: [{ name: '没有', type: null }] }
  expect(await app.admin.call(updateEvent, { body: unknown })).toMatchObject({ status: 404 })
})

test('an event stands for a standard one, a purchase with its amount and number of goods', async () => {
  await imported(
    'id,event,time,price,n\nu1,付款,2026-01-01 10:00:00,5,1\nu1,分享给朋友,2026-01-01 10:00:00,,\n',
    EVENTS,
  )
  const settled = (name: string, meaning: object | null) =>
    app.admin.call(updateEvent, { body: { adv_id, name, meaning } as never })
  const meaning = async (name: string) => (await app.admin.get(getEvent, { query: { adv_id, name } })).meaning
  expect(await meaning('付款')).toBeNull()
  const pays = { standard: 'pay', amount: 'price', goods: 'n' }
  expect(await settled('付款', pays)).toMatchObject({ code: 0 })
  expect(await meaning('付款')).toEqual(pays)
  // Another change leaves it.
  await app.admin.get(updateEvent, { body: { adv_id, name: '付款', display_name: '支付成功' } })
  expect(await meaning('付款')).toEqual(pays)
  const { events } = await app.admin.get(listFields, { query: { adv_id } })
  expect(events.map(({ name, standard }) => [name, standard])).toEqual([
    ['付款', 'pay'],
    ['分享给朋友', null],
  ])
  expect(await settled('付款', { ...pays, amount: '没有的' })).toMatchObject({ code: FAULTS.notFound.code })
  expect(await settled('分享给朋友', { standard: 'share', amount: 'price', goods: null })).toMatchObject({
    code: FAULTS.badInput.code,
    msg: expect.stringContaining('只有下单与支付有金额和商品数'),
  })
  expect(await settled('付款', { ...pays, standard: 'buy' })).toMatchObject({ code: FAULTS.badInput.code })
  expect(await settled('付款', null)).toMatchObject({ code: 0 })
  expect(await meaning('付款')).toBeNull()
})

test('values of a property have names, which conditions, suggestions and searches speak', async () => {
  await imported('id,event,time,way\n1,pay,2026-01-01,1\n2,pay,2026-01-02,2\n3,pay,2026-01-02,2\n', EVENTS)
  const way = (dictionary: { value: string; label: string }[]) =>
    app.admin.call(updateEvent, { body: { adv_id, name: 'pay', properties: [{ name: 'way', dictionary }] } })
  const names = [
    { value: '1', label: '微信' },
    { value: '2', label: '支付宝' },
  ]
  expect(await way(names)).toMatchObject({ code: 0 })
  const of = { adv_id, name: 'pay', property: 'way' }
  const stored = names.map((entry) => ({ ...entry, is_masked: false }))
  expect(await app.admin.get(getPropertyValues, { query: of })).toEqual({ dictionary: stored })
  expect((await app.admin.get(getEvent, { query: { adv_id, name: 'pay' } })).properties).toMatchObject([{ named: 2 }])
  const suggested = async (keyword: string) => {
    const query = { adv_id, event: 'pay', property: 'way', keyword }
    return (await app.admin.get(listFieldValues, { query })).list.map(({ value, label }) => [value, label])
  }
  expect(await suggested('')).toEqual([
    ['2', '支付宝'],
    ['1', '微信'],
  ])
  expect(await suggested('微')).toEqual([['1', '微信']])
  const definition = {
    kind: 'event' as const,
    event: 'pay',
    window_days: null,
    at_least: 1,
    negated: false,
    properties: [{ property: 'way', condition: { is: 'in' as const, values: ['2', '1'] } }],
  }
  const names_of = await namesOfFields(app.stores.postgres.db, adv_id, [definition])
  expect(definitionText(definition, names_of)).toBe('做过「pay」（way 属于「支付宝」「微信」）')
  // What is left out stays; an empty list takes the names away.
  await app.admin.get(updateEvent, { body: { adv_id, name: 'pay', properties: [{ name: 'way', type: 'text' }] } })
  expect((await app.admin.get(getPropertyValues, { query: of })).dictionary).toHaveLength(2)
  expect(await way([])).toMatchObject({ code: 0 })
  expect(await app.admin.get(getPropertyValues, { query: of })).toEqual({ dictionary: [] })
  expect(await app.admin.call(getPropertyValues, { query: { ...of, property: '没有' } })).toMatchObject({ status: 404 })
  expect(await way([...names, { value: '1', label: '现金' }])).toMatchObject({ msg: '同一个值只能有一个名称' })
})

test('a property is a number although one of its values is no number', async () => {
  const amounts = Array.from({ length: 20 }, (_, n) => `${n},pay,2026-01-01,${n === 7 ? 'N/A' : n},${n % 2 ? n : '无'}`)
  await imported(`id,event,time,amount,note\n${amounts.join('\n')}\n`, EVENTS)
  const { properties } = await app.admin.get(getEvent, { query: { adv_id, name: 'pay' } })
  expect(properties.map(({ name, type }) => [name, type])).toEqual([
    ['amount', 'number'],
    ['note', 'text'],
  ])
})

test('bounds of a dictionary are refused by the field that is wrong', async () => {
  await imported('id,v\n1,a\n')
  const entries = (count: number) => Array.from({ length: count }, (_, n) => ({ value: `v${n}`, label: `名${n}` }))
  expect((await settle('v', { dictionary: entries(1000) })).code).toBe(0)
  expect(await settle('v', { dictionary: entries(1001) })).toMatchObject({ status: 400 })
  for (const dictionary of [
    [{ value: '', label: '空' }],
    [{ value: 'a'.repeat(201), label: '长' }],
    [{ value: 'a', label: '名'.repeat(61) }],
    [{ value: 'a', label: '  ' }],
    [
      { value: 'a', label: '一' },
      { value: 'a', label: '二' },
    ],
  ]) {
    expect(await settle('v', { dictionary })).toMatchObject({ status: 400 })
  }
  expect(await settle('没有', { display_name: '无' })).toMatchObject({ code: FAULTS.tagUnknownField.code })
})

test('fields are paged, searched and cut', async () => {
  const { db } = app.stores.postgres
  const value = (n: number) => `${n}${'长'.repeat(190)}`
  await db
    .insertInto('attribute')
    .values(
      Array.from({ length: 300 }, (_, slot) => ({
        adv_id,
        name: `列${slot}`,
        slot,
        type: 'text' as const,
        display_name: slot === 250 ? '会员等级' : `列${slot}`,
        values: JSON.stringify(Array.from({ length: 200 }, (_, n) => value(n))),
        distinct_values: 200,
      })),
    )
    .execute()
  const list = (query: object) => app.admin.get(listFields, { query: { adv_id, ...query } })
  const first = await list({})
  expect(first).toMatchObject({ attributes_total: 300, events: [], events_total: 0 })
  expect(first.attributes).toHaveLength(100)
  expect(first.attributes[0]?.values).toHaveLength(10)
  expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(1_000_000)
  expect((await list({ page: 3 })).attributes.at(-1)?.name).toBe('列299')
  expect(await list({ page: 9 })).toMatchObject({ attributes: [], attributes_total: 300 })
  expect((await list({ keyword: '会员' })).attributes.map(({ name }) => name)).toEqual(['列250'])
  expect((await list({ keyword: '列25' })).attributes_total).toBe(11)
})

test('a large tree is answered by category, and whole for callers who ask for all of it', async () => {
  await imported(numbers(30, (n) => `${n % 3},${n % 2}`, 'id,sex,vip'))
  const asked = async (query: object) =>
    (await app.admin.get(getTagTree, { query: { adv_id, ...query } })).data.map(({ tag, tags, group = [] }) => [
      tag,
      tags,
      group.map((one) => one.tag).toSorted(),
    ])
  const whole = [
    ['全部用户', 1, ['全部用户']],
    ['sex', 3, ['0', '1', '2']],
    ['vip', 2, ['0', '1']],
  ]
  expect(await asked({})).toEqual(whole)
  expect(await asked({ most: 6 })).toEqual(whole)
  // 全部用户 is always there: editors show shares of everybody.
  const categories = [whole[0], ['sex', 3, []], ['vip', 2, []]]
  expect(await asked({ most: 5 })).toEqual(categories)
  expect(await asked({ most: 0 })).toEqual(categories)
  const { category_id } = await tagOf('2')
  expect(await asked({ category_id })).toEqual([whole[1]])
  expect(await asked({ keyword: '2' })).toEqual([['sex', 1, ['2']]])
})

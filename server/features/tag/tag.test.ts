import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { CROWD_TAG } from '#contract/rule.ts'
import { getRuleCrowd } from '#contract/rule-crowd.ts'
import * as contract from '#contract/tag.ts'
import { ATTRIBUTE_TAG, EVENT_TAG, type TagType } from '#contract/tag.ts'
import * as batch from '#contract/tag-batch.ts'
import * as fieldCalls from '#contract/tag-field.ts'
import { rebuildTags } from '../../commands/tags.ts'
import { aCrowd, anAdvertiser, leaf, tagged } from '../../testing/builders.ts'
import { type World, writeWorld } from '../../testing/tag-world.ts'
import { type TestApp, testApp } from '../../testing/test-app.ts'
import { addDays, dayOf } from './day-window.ts'

const ZONE = 'Asia/Shanghai'
let app: TestApp
let adv: number
beforeAll(async () => {
  app = await testApp({ TIMEZONE: ZONE })
})
beforeEach(async () => {
  await app.reset()
  adv = await anAdvertiser(app)
  // 全部用户 is counted before there are people; otherwise some tests see an extra version on a busy machine.
  await app.settled()
})
afterAll(() => app.close())

const db = () => app.stores.postgres.db
const today = () => dayOf(Date.now() / 1000, ZONE)
const noon = (day: string) => Date.parse(`${day}T12:00:00+08:00`) / 1000

type Type = 'text' | 'number' | 'date'
async function write(world: World, fields: Record<string, Type>) {
  const known = await db().selectFrom('attribute').select(['name', 'slot']).where('adv_id', '=', adv).execute()
  const slots = Object.fromEntries(known.map((row) => [row.name, row.slot]))
  for (const [name, type] of Object.entries(fields)) {
    if (slots[name] !== undefined) continue
    const slot = Object.keys(slots).length
    slots[name] = slot
    await db()
      .insertInto('attribute')
      .values({ adv_id: adv, name, slot, type, display_name: name, values: '[]' })
      .execute()
  }
  const events = [...new Set(world.events.map((event) => event.name))]
  for (const name of events) {
    await db()
      .insertInto('event_name')
      .values({ adv_id: adv, name, display_name: name, properties: '["金额"]' })
      .onConflict((oc) => oc.doNothing())
      .execute()
  }
  await writeWorld(app.stores.warehouse.load.acrossShards, adv, world, slots, ZONE)
  const data = {
    attributes: Object.keys(fields).map((name) => ({ name })),
    events: events.map((name) => ({ name })),
    days: [...new Set(world.events.map((event) => dayOf(event.ts, ZONE)))],
  }
  await app.services.tagJobs.onData(adv, data)
  await app.settled()
  return data
}
const person = (uid: number, values: Record<string, string>, ts = 1) => ({ uid, rows: [{ ts, values }] })
const did = (uid: number, name: string, day: string) => ({ uid, name, ts: noon(day), properties: {} })

async function tree(tag_type: TagType = ATTRIBUTE_TAG, keyword?: string) {
  const { data } = await app.admin.get(contract.getTagTree, { query: { tag_type, adv_id: adv, keyword } })
  return Object.fromEntries(
    data.map((category) => [
      `${category.tag} ${category.icon}`,
      Object.fromEntries((category.group ?? []).map((tag) => [tag.tag, tag.count])),
    ]),
  )
}
const tagNamed = (name: string) =>
  db().selectFrom('tag').selectAll().where('adv_id', '=', adv).where('name', '=', name).executeTakeFirstOrThrow()

test('an import makes and counts the tags of its data', async () => {
  const world: World = {
    people: [person(1, { 性别: '男', 年龄: '30' }), person(2, { 性别: '女', 年龄: '9' }), person(3, { 性别: '女' })],
    events: [did(1, '支付', today()), did(2, '支付', addDays(today(), -3)), did(2, '支付', addDays(today(), -3))],
  }
  await write(world, { 性别: 'text', 年龄: 'number' })
  expect(await tree()).toEqual({
    '全部用户 all': { 全部用户: 3 },
    '性别 gender': { 女: 2, 男: 1 },
    '年龄 age': { 9: 1, 30: 1 },
  })
  expect(await tree(EVENT_TAG)).toEqual({ '支付 pay': { 做过支付: 2 } })
  expect(await tree(ATTRIBUTE_TAG, '女')).toEqual({ '性别 gender': { 女: 2 } })
  expect(await tree(ATTRIBUTE_TAG, '年龄')).toEqual({ '年龄 age': { 9: 1, 30: 1 } })
  const { attributes } = await app.admin.get(fieldCalls.listFields, { query: { adv_id: adv } })
  expect(attributes[0]).toMatchObject({ name: '性别', values: ['女', '男'], distinct: 2 })
})

test('later values add tags, a removed tag is not made again, and a repeated call changes nothing', async () => {
  const data = await write(
    { people: [person(1, { 城市: '上海' }), person(2, { 城市: '北京' })], events: [] },
    { 城市: 'text' },
  )
  await app.admin.get(contract.deleteTag, { params: { id: (await tagNamed('北京')).id } })
  await write({ people: [person(3, { 城市: '广州' }), person(1, { 城市: '广州' }, 2)], events: [] }, { 城市: 'text' })
  await app.services.tagJobs.onData(adv, data)
  await app.settled()
  expect(await tree()).toEqual({ '全部用户 all': { 全部用户: 3 }, '城市 city_level': { 广州: 2, 上海: 0 } })
})

test('more than 200 numbers make ten ranges that stay fixed; more than 200 texts count as 有值 alone', async () => {
  const people = Array.from({ length: 1000 }, (_, i) => person(i + 1, { 消费: String(i), 编号: `n${i}` }))
  await write({ people, events: [] }, { 消费: 'number', 编号: 'text' })
  const before = await tree()
  expect(before['编号 other']).toEqual({ 有值: 1000 })
  expect(Object.entries(before['消费 other'] ?? {})).toEqual([
    ['小于 100', 100],
    ...[100, 200, 300, 400, 500, 600, 700, 800].map((from) => [`${from} ~ ${from + 100}`, 100]),
    ['900 及以上', 100],
  ])
  await write({ people: [person(2000, { 消费: '99999' })], events: [] }, { 消费: 'number' })
  expect((await tree())['消费 other']).toEqual({ ...before['消费 other'], '900 及以上': 101 })
})

test('values that hardly repeat get ranges or 有值, those that repeat five times a tag each', async () => {
  const people = Array.from({ length: 134 }, (_, i) =>
    person(i + 1, { 消费: String(i * 10), 编号: `n${i}`, 门店: `店${i % 26}`, 品类: `类${i % 27}` }),
  )
  await write({ people, events: [] }, { 消费: 'number', 编号: 'text', 门店: 'text', 品类: 'text' })
  const before = await tree()
  expect(Object.keys(before['消费 other'] ?? {})).toHaveLength(10)
  expect(Object.values(before['消费 other'] ?? {}).reduce((sum, count) => Number(sum) + Number(count), 0)).toBe(134)
  expect(before['编号 other']).toEqual({ 有值: 134 })
  expect(Object.keys(before['门店 other'] ?? {})).toHaveLength(26)
  expect(before['品类 other']).toEqual({ 有值: 134 })
  // One more person, and every 品类 occurs five times.
  await write({ people: [person(135, { 品类: '类26' })], events: [] }, { 品类: 'text' })
  const after = (await tree())['品类 other']
  expect(Object.keys(after ?? {})).toHaveLength(28)
  expect(after).toMatchObject({ 有值: 135, 类26: 5 })
})

test('a tag that a crowd uses stays when its attribute gets more values than tags', async () => {
  const shops = Array.from({ length: 50 }, (_, i) => person(i + 1, { 门店: `店${i % 10}` }))
  await write({ people: shops, events: [] }, { 门店: 'text' })
  const { id } = await tagNamed('店3')
  const crowd = await aCrowd(app, adv, leaf('n1', 'u', [{ id, tag_type: ATTRIBUTE_TAG }]))
  await app.settled()
  const more = Array.from({ length: 300 }, (_, i) => person(100 + i, { 门店: `新店${i}` }))
  await write({ people: [...more, person(500, { 门店: '店3' })], events: [] }, { 门店: 'text' })
  expect(await tagNamed('店3')).toMatchObject({ id, count: 6 })
  expect(await tree()).toMatchObject({ '门店 other': { 店3: 6, 有值: 351 } })
  const found = await app.admin.get(getRuleCrowd, { params: { id: crowd.id } })
  expect(found.status).toBe('completed')
})

test('a late event rebuilds the windows that hold its day and the crowds that use them', async () => {
  const yesterday = addDays(today(), -1)
  await write({ people: [person(1, {}), person(2, {})], events: [did(1, '点击', yesterday)] }, {})
  const category = await db()
    .selectFrom('tag_category')
    .select('id')
    .where('tag_type', '=', EVENT_TAG)
    .executeTakeFirstOrThrow()
  const windowed = async (window_days: number) => {
    const definition = { kind: 'event', event: '点击', window_days } as const
    const body = { adv_id: adv, name: `近 ${window_days} 天点击`, category_id: category.id, definition }
    const { id } = await app.admin.get(contract.createTag, { body })
    await app.settled()
    return id
  }
  const week = await windowed(7)
  const month = await windowed(30)
  const crowd = await aCrowd(app, adv, leaf('n1', 'u', [{ id: month, tag_type: EVENT_TAG }]))
  await app.settled()
  const version = async (id: number) =>
    (await db().selectFrom('tag').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version
  const before = [await version(week), await version(month)]
  await write({ people: [], events: [did(2, '点击', addDays(today(), -10))] }, {})
  expect([await version(week), await version(month)]).toEqual([
    before[0],
    expect.toSatisfy((v) => v > (before[1] ?? 0)),
  ])
  expect((await tree(EVENT_TAG))['点击 click']).toEqual({ 做过点击: 2, '近 30 天点击': 2, '近 7 天点击': 1 })
  const row = await db().selectFrom('people').select('is_dirty').where('id', '=', crowd.id).executeTakeFirstOrThrow()
  expect(row.is_dirty).toBe(true)
})

test('windows move with the day', async () => {
  await write({ people: [person(1, {})], events: [did(1, '点击', addDays(today(), -1))] }, {})
  const { id } = await tagNamed('做过点击')
  const definition = { kind: 'event', event: '点击', window_days: 1 } as const
  await app.admin.get(contract.updateTag, { params: { id }, body: { definition } })
  await app.settled()
  await app.services.tagJobs.refreshWindows()
  const { version } = await tagNamed('做过点击')
  await app.settled()
  expect((await tagNamed('做过点击')).version).toBe(version)
  await db()
    .updateTable('tag')
    .set({ counted_at: noon(addDays(today(), -1)) })
    .where('id', '=', id)
    .execute()
  await app.services.tagJobs.refreshWindows()
  await app.settled()
  const next = await tagNamed('做过点击')
  expect(next.version).toBeGreaterThan(version)
  // The clock was set back by days after the build.
  await db()
    .updateTable('tag')
    .set({ counted_at: noon(addDays(today(), 3)) })
    .where('id', '=', id)
    .execute()
  await app.services.tagJobs.refreshWindows()
  await app.settled()
  expect((await tagNamed('做过点击')).version).toBeGreaterThan(next.version)
})

test('a window being built at midnight is built again', async () => {
  await write({ people: [person(1, {})], events: [did(1, '点击', addDays(today(), -1))] }, {})
  const { id } = await tagNamed('做过点击')
  const definition = { kind: 'event', event: '点击', window_days: 1 } as const
  await app.admin.get(contract.updateTag, { params: { id }, body: { definition } })
  await app.settled()
  await db()
    .updateTable('tag')
    .set({ counted_at: noon(addDays(today(), -1)), is_dirty: true })
    .where('id', '=', id)
    .execute()
  const { version } = await tagNamed('做过点击')
  const { generation } = await db()
    .selectFrom('tag')
    .select('generation')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await app.services.tagJobs.refreshWindows()
  const after = await db().selectFrom('tag').select('generation').where('id', '=', id).executeTakeFirstOrThrow()
  expect(after.generation).toBe(generation + 1)
  await app.settled()
  expect((await tagNamed('做过点击')).version).toBeGreaterThan(version)
})

test('a tag in use cannot be deleted, and the refusal names the crowd; a changed definition reaches the crowd', async () => {
  await write({ people: [person(1, { 性别: '男' }), person(2, { 性别: '女' })], events: [] }, { 性别: 'text' })
  const { id } = await tagNamed('男')
  const crowd = await aCrowd(app, adv, leaf('n1', 'u', tagged(id)), { name: '男性人群' })
  await app.settled()
  const refused = await app.admin.call(contract.deleteTag, { params: { id } })
  expect(refused).toMatchObject({
    code: FAULTS.tagInUse.code,
    msg: '标签「男」正在被使用，不可删除：「男性人群」',
    data: { by: [{ kind: 'crowd', id: crowd.id, name: '男性人群' }] },
  })
  expect(await app.admin.get(contract.getTagUsage, { params: { id } })).toEqual({
    list: [{ kind: 'crowd', id: crowd.id, name: '男性人群' }],
    through: [],
  })
  await db().updateTable('people').set({ computed_at: 0 }).execute()
  const definition = { kind: 'attribute', attribute: '性别', condition: { is: 'exists' } } as const
  await app.admin.get(contract.updateTag, { params: { id }, body: { definition, name: '有性别' } })
  await app.settled()
  expect(await tagNamed('有性别')).toMatchObject({ count: 2, is_automatic: false, is_dirty: false })
  expect(await app.admin.get(getRuleCrowd, { params: { id: crowd.id } })).toMatchObject({ magnitude: 2 })
})

test('a change reaches crowds that use crowds, and the tag’s usage lists them', async () => {
  await write({ people: [person(1, { 性别: '男' })], events: [] }, { 性别: 'text' })
  const { id } = await tagNamed('男')
  const crowdOf = async (crowd: number, name: string) => {
    const made = await aCrowd(app, adv, leaf('n1', null, [{ id: crowd, tag_type: CROWD_TAG }]), { name })
    await app.settled()
    return made.id
  }
  const near = await aCrowd(app, adv, leaf('n1', 'u', tagged(id)), { name: '男性' })
  await app.settled()
  const far = await crowdOf(near.id, '男性的人群')
  const farther = await crowdOf(far, '更远的人群')
  expect(await app.admin.get(contract.getTagUsage, { params: { id } })).toEqual({
    list: [{ kind: 'crowd', id: near.id, name: '男性' }],
    through: [
      { id: far, name: '男性的人群' },
      { id: farther, name: '更远的人群' },
    ],
  })
})

test('a crowd reads the tags of its own advertiser; for a viewer who is not a member it does not exist', async () => {
  await write({ people: [person(1, { 性别: '男' })], events: [] }, { 性别: 'text' })
  const crowd = await aCrowd(app, adv, leaf('n1', 'u', tagged((await tagNamed('男')).id)))
  const own = await anAdvertiser(app)
  const query = { tag_type: ATTRIBUTE_TAG, adv_id: own, people_id: crowd.id }
  expect((await app.admin.get(contract.getTagTree, { query })).adv.id).toBe(adv)
  const stranger = await app.viewer('stranger', [own])
  expect(await stranger.call(contract.getTagTree, { query })).toMatchObject({
    status: 404,
    msg: '人群包不存在或已被删除',
  })
  await app.settled()
})

test('tags and categories are validated before they are saved', async () => {
  await write({ people: [person(1, { 年龄: '3' })], events: [did(1, '点击', today())] }, { 年龄: 'number' })
  const { category_id } = await tagNamed('3')
  const range = (from: string | null, to: string | null) =>
    ({ kind: 'attribute', attribute: '年龄', condition: { is: 'range', from, to, as: 'number' } }) as const
  const create = (body: object) =>
    app.admin.call(contract.createTag, {
      body: { adv_id: adv, name: '新', category_id, definition: range('1', '2'), ...body },
    })
  expect(await create({ definition: range('abc', null) })).toMatchObject({ msg: '「abc」不是数字' })
  const date = (from: string, to: string | null = null) => ({
    ...range(from, to),
    condition: { is: 'range', from, to, as: 'date' },
  })
  for (const none of ['2026-02-30', '2026-01-01 24:00:00']) {
    expect(await create({ definition: date(none) })).toMatchObject({ msg: expect.stringContaining('不是日期') })
  }
  expect(await create({ definition: range('5', '5') })).toMatchObject({ msg: '范围的起点应小于终点' })
  expect(await create({ definition: date('2026-01-01', '2026-01-01 00:00:00') })).toMatchObject({
    msg: '范围的起点应小于终点',
  })
  expect(await create({ definition: { ...range('1', '2'), attribute: '星座' } })).toMatchObject({
    code: FAULTS.tagUnknownField.code,
    msg: '属性「星座」不存在，请先接入数据',
  })
  const event = { kind: 'event', event: '点击', window_days: null }
  expect(await create({ definition: event })).toMatchObject({ msg: '属性标签与事件标签不能放在同一分类' })
  expect(await create({ name: '3' })).toMatchObject({ code: FAULTS.tagNameTaken.code })
  expect(await create({})).toMatchObject({ code: 0 })
  const { id: everyone } = await tagNamed('全部用户')
  expect(await app.admin.call(contract.deleteTag, { params: { id: everyone } })).toMatchObject({
    code: FAULTS.tagBuiltIn.code,
  })
  expect(await app.admin.call(contract.deleteCategory, { params: { id: category_id } })).toMatchObject({
    code: FAULTS.categoryInUse.code,
  })
  const made = await app.admin.get(contract.createCategory, {
    body: { adv_id: adv, name: '生活', icon: 'lifestyle', tag_type: ATTRIBUTE_TAG },
  })
  await app.admin.get(contract.updateCategory, { params: { id: made.id }, body: { name: '作息', icon: 'routine' } })
  const { list } = await app.admin.get(contract.listCategories, { query: { adv_id: adv, tag_type: ATTRIBUTE_TAG } })
  expect(list.at(-1)).toEqual({
    id: made.id,
    name: '作息',
    icon: 'routine',
    tag_type: ATTRIBUTE_TAG,
    tags: 0,
    left_out: [],
  })
  await app.admin.get(contract.deleteCategory, { params: { id: made.id } })
  await app.settled()
})

test('a new condition is checked, counted and stored as it came', async () => {
  const yesterday = addDays(today(), -1)
  const paid = (uid: number, 金额: string) => ({ ...did(uid, '支付', yesterday), properties: { 金额 } })
  const events = [paid(1, '0.1'), paid(1, '0.2'), paid(2, '9'), did(3, '点击', yesterday)]
  await write({ people: [1, 2, 3].map((uid) => person(uid, {})), events }, {})
  const { category_id } = await tagNamed('做过支付')
  const event = { kind: 'event', event: '支付', window_days: null } as const
  const sum = { of: 'sum', property: '金额', from: '0.3', to: '1' } as const
  const create = (definition: object, name = '新') =>
    app.admin.call(contract.createTag, { body: { adv_id: adv, name, category_id, definition: definition as never } })
  expect(await create({ ...event, measure: { of: 'last' } })).toMatchObject({
    status: 400,
    msg: '请选择首次或最近一次发生在什么时间，不能是全部时间',
  })
  expect(await create({ ...event, dates: { from: '2026-02-30', to: null } })).toMatchObject({ status: 400 })
  expect(await create({ ...event, at_least: 3, at_most: 2 })).toMatchObject({ status: 400, msg: '至多不能小于至少' })
  // 0.1 + 0.2 is exactly 0.3.
  const body = { adv_id: adv, definition: { ...event, measure: sum } }
  expect(await app.admin.get(contract.previewTag, { body })).toMatchObject({ count: 1 })
  expect(await create({ ...event, measure: sum, negated: true })).toMatchObject({ code: 0 })
  await app.settled()
  expect(await tagNamed('新')).toMatchObject({
    count: 2,
    definition: { ...event, measure: sum, at_least: 1, properties: [], negated: true },
  })
})

test('relative days, first times and missing values are counted again when they may have changed', async () => {
  const yesterday = addDays(today(), -1)
  await write({ people: [person(1, { 注册: yesterday })], events: [did(1, '点击', yesterday)] }, { 注册: 'date' })
  const event = { kind: 'event', event: '点击' } as const
  const attribute = { kind: 'attribute', attribute: '注册' } as const
  const made: Record<string, contract.TagType> = {}
  const create = async (name: string, definition: object, tag_type: contract.TagType) => {
    const { list } = await app.admin.get(contract.listCategories, { query: { adv_id: adv, tag_type } })
    const category_id = list.at(-1)?.id ?? 0
    await app.admin.get(contract.createTag, {
      body: { adv_id: adv, name, category_id, definition: definition as never },
    })
    made[name] = tag_type
  }
  await create('首次', { ...event, window_days: 7, measure: { of: 'first' } }, EVENT_TAG)
  await create('很久以前', { ...event, window_days: null, before_days: 7 }, EVENT_TAG)
  await create('固定', { ...event, window_days: null, dates: { from: yesterday, to: yesterday } }, EVENT_TAG)
  await create('最近注册', { ...attribute, condition: { is: 'days', when: 'past', days: 7 } }, ATTRIBUTE_TAG)
  await create('没有注册', { ...attribute, condition: { is: 'empty' } }, ATTRIBUTE_TAG)
  await app.settled()
  const counts = async () =>
    Object.fromEntries(await Promise.all(Object.keys(made).map(async (name) => [name, (await tagNamed(name)).count])))
  expect(await counts()).toEqual({ 首次: 1, 很久以前: 0, 固定: 1, 最近注册: 1, 没有注册: 0 })
  // Events alone: an earlier first time, and a new person without the attribute.
  await write({ people: [person(2, {})], events: [did(1, '点击', addDays(today(), -30))] }, {})
  expect(await counts()).toEqual({ 首次: 0, 很久以前: 1, 固定: 1, 最近注册: 1, 没有注册: 1 })
  // A day passes: those with relative days are due, fixed dates are not.
  const dueAfterADay = async () => {
    await db()
      .updateTable('tag')
      .set({ counted_at: noon(yesterday) })
      .where('adv_id', '=', adv)
      .execute()
    const before = await db().selectFrom('tag').select(['name', 'generation']).where('adv_id', '=', adv).execute()
    await app.services.tagJobs.refreshWindows()
    const after = await db().selectFrom('tag').select(['name', 'generation']).where('adv_id', '=', adv).execute()
    await app.settled()
    const old = new Map(before.map((tag) => [tag.name, tag.generation]))
    return after.filter((tag) => tag.generation !== old.get(tag.name)).map((tag) => tag.name)
  }
  expect((await dueAfterADay()).toSorted()).toEqual(['首次', '很久以前', '最近注册'].toSorted())
})

test('values are suggested from the data, most frequent first, with phones masked', async () => {
  const paid = (uid: number, 渠道: string) => ({ ...did(uid, '支付', today()), properties: { 渠道 } })
  const events = [paid(1, '直播'), paid(2, '直播'), paid(1, '搜索'), paid(1, '13812345678'), paid(1, '长'.repeat(300))]
  await write({ people: [person(1, { 城市: '北京' }), person(2, { 城市: '上海' })], events }, { 城市: 'text' })
  const suggest = async (query: object, caller = app.admin) =>
    (await caller.get(fieldCalls.listFieldValues, { query: { adv_id: adv, ...query } })).list
  const property = { event: '支付', property: '渠道' }
  expect((await suggest(property)).map(({ value }) => value)).toEqual(['直播', '13812345678', '搜索'])
  expect(await suggest({ ...property, keyword: '搜' })).toEqual([{ value: '搜索', label: null, is_masked: false }])
  expect(await suggest({ attribute: '城市', keyword: '京' })).toEqual([
    { value: '北京', label: null, is_masked: false },
  ])
  const viewer = await app.viewer('member', [adv])
  expect(await suggest({ ...property, keyword: '138' }, viewer)).toEqual([
    { value: '138****5678', label: null, is_masked: true },
  ])
  expect(await suggest({ ...property, keyword: '1234' }, viewer)).toEqual([])
  const call = (query: object) =>
    app.admin.call(fieldCalls.listFieldValues, { query: { adv_id: adv, ...query } as never })
  expect(await call({ event: '退款', property: '渠道' })).toMatchObject({ code: FAULTS.tagUnknownField.code })
  expect(await call({ attribute: '星座' })).toMatchObject({ code: FAULTS.tagUnknownField.code })
  expect(await call({ event: '支付' })).toMatchObject({ status: 400 })
})

test('tags are deleted, hidden and moved in bulk; those that a crowd uses stay and name it', async () => {
  await write(
    { people: [person(1, { 城市: '上海' }), person(2, { 城市: '北京' }), person(3, { 城市: '广州' })], events: [] },
    { 城市: 'text' },
  )
  const [shanghai, beijing, canton, everyone] = await Promise.all(['上海', '北京', '广州', '全部用户'].map(tagNamed))
  const ids = [shanghai, beijing, canton, everyone].map((tag) => tag?.id ?? 0)
  const crowd = await aCrowd(app, adv, leaf('n1', 'u', tagged(ids[0] ?? 0)), { name: '上海人群' })
  const used = { id: ids[0], name: '上海', crowds: [{ id: crowd.id, name: '上海人群' }] }

  expect(await app.admin.get(batch.hideTags, { body: { adv_id: adv, ids: ids.slice(0, 2), hidden: true } })).toEqual({
    done: 2,
    kept: [],
  })
  expect(await tree()).toEqual({ '全部用户 all': { 全部用户: 3 }, '城市 city_level': { 广州: 1 } })
  const { list } = await app.admin.get(contract.listTags, { query: { adv_id: adv, tag_type: ATTRIBUTE_TAG } })
  expect(list.filter((tag) => tag.is_hidden).map((tag) => tag.name)).toEqual(['上海', '北京'])
  const one = await app.admin.get(contract.listTags, { query: { adv_id: adv, id: ids[1] ?? 0 } })
  expect(one.list.map((tag) => tag.name)).toEqual(['北京'])
  await app.admin.get(batch.hideTags, { body: { adv_id: adv, ids: ids.slice(0, 2), hidden: false } })

  const { id: category_id } = await app.admin.get(contract.createCategory, {
    body: { adv_id: adv, name: '大城市', icon: 'other', tag_type: ATTRIBUTE_TAG },
  })
  expect(await app.admin.get(batch.moveTags, { body: { adv_id: adv, ids: ids.slice(0, 3), category_id } })).toEqual({
    done: 3,
    kept: [],
  })
  expect(await app.admin.get(batch.getCategoryUsage, { params: { id: category_id } })).toEqual({
    tags: 3,
    crowds: used.crowds,
  })
  const withTags = { params: { id: category_id }, query: { with_tags: '1' as const } }
  expect(await app.admin.call(contract.deleteCategory, withTags)).toMatchObject({
    code: FAULTS.categoryTagsInUse.code,
    msg: '分类「大城市」中的标签正在被使用，不可删除：「上海人群」',
  })
  const checked = await app.admin.get(batch.deleteTags, { body: { adv_id: adv, ids, check: true } })
  const removed = await app.admin.get(batch.deleteTags, { body: { adv_id: adv, ids } })
  // What the check said.
  expect(removed).toEqual(checked)
  expect(removed).toEqual({
    done: 2,
    kept: [{ id: ids[3], name: '全部用户', crowds: [] }, used],
  })
  expect(await tree()).toEqual({ '全部用户 all': { 全部用户: 3 }, '大城市 other': { 上海: 1 } })
  await db().deleteFrom('crowd_use').execute()
  await app.admin.get(contract.deleteCategory, withTags)
  expect(await tree()).toEqual({ '全部用户 all': { 全部用户: 3 } })
})

test('suggested values mask phones for a viewer who may not see them', async () => {
  await write({ people: [person(1, { 备注: '13812345678' })], events: [] }, { 备注: 'text' })
  const ops = await app.viewer('运营', [adv])
  const { attributes } = await ops.get(fieldCalls.listFields, { query: { adv_id: adv } })
  expect(attributes[0]?.values).toEqual(['138****5678'])
})

test('a definition is counted without being saved', async () => {
  await write({ people: [person(1, { 年龄: '3' }), person(2, { 年龄: '30' })], events: [] }, { 年龄: 'number' })
  const definition = {
    kind: 'attribute',
    attribute: '年龄',
    condition: { is: 'range', from: '4', to: null, as: 'number' },
  } as const
  expect(await app.admin.get(contract.previewTag, { body: { adv_id: adv, definition } })).toMatchObject({ count: 1 })
})

test('a manual rebuild counts rows that no import announced', async () => {
  await write({ people: [person(1, { 性别: '男' })], events: [] }, { 性别: 'text' })
  await writeWorld(
    app.stores.warehouse.load.acrossShards,
    adv,
    { people: [person(2, { 性别: '男' })], events: [] },
    { 性别: 0 },
    ZONE,
  )
  expect(await app.admin.get(contract.rebuildTags, { body: { adv_id: adv } })).toEqual({ queued: 2 })
  await app.settled()
  expect(await tree()).toEqual({ '全部用户 all': { 全部用户: 2 }, '性别 gender': { 男: 2 } })
})

test('a replaced version is dropped after the grace period, the current one stays', async () => {
  await write({ people: [person(1, { 性别: '男' })], events: [] }, { 性别: 'text' })
  await app.admin.get(contract.rebuildTags, { body: { adv_id: adv } })
  await app.settled()
  const rows = () =>
    app.stores.warehouse.live.acrossShards.query<{ version: number }>('SELECT DISTINCT version FROM tag_member')
  expect(await rows()).toHaveLength(2)
  await app.services.tagJobs.dropLeftovers()
  expect(await rows()).toHaveLength(2)
  await db().updateTable('tag_leftover').set({ since: 0 }).execute()
  await app.services.tagJobs.dropLeftovers()
  expect(await rows()).toEqual([{ version: (await tagNamed('男')).version }])
  expect(await db().selectFrom('tag_leftover').selectAll().execute()).toEqual([])
})

test('viewers of other advertisers are refused for any id', async () => {
  await write({ people: [person(1, { 性别: '男' })], events: [] }, { 性别: 'text' })
  const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
  const { id, category_id } = await tagNamed('男')
  const params = { id }
  const definition = { kind: 'everyone' } as const
  const calls = [
    stranger.call(contract.getTagTree, { query: { adv_id: adv, tag_type: ATTRIBUTE_TAG } }),
    stranger.call(contract.listTags, { query: { adv_id: adv } }),
    stranger.call(contract.createTag, { body: { adv_id: adv, name: 'x', category_id, definition } }),
    stranger.call(contract.updateTag, { params, body: { name: 'x' } }),
    stranger.call(contract.deleteTag, { params }),
    stranger.call(contract.getTagUsage, { params }),
    stranger.call(contract.previewTag, { body: { adv_id: adv, definition } }),
    stranger.call(contract.rebuildTags, { body: { adv_id: adv } }),
    stranger.call(fieldCalls.listFields, { query: { adv_id: adv } }),
    stranger.call(contract.listCategories, { query: { adv_id: adv } }),
    stranger.call(contract.createCategory, {
      body: { adv_id: adv, name: 'x', icon: 'other', tag_type: ATTRIBUTE_TAG },
    }),
    stranger.call(contract.updateCategory, { params: { id: category_id }, body: { name: 'x' } }),
    stranger.call(contract.deleteCategory, { params: { id: category_id } }),
  ]
  for (const answer of await Promise.all(calls)) expect([403, 404]).toContain(answer.status)
  const own = await anAdvertiser(app)
  const owner = await app.viewer('owner', [own])
  const body = { adv_id: own, name: 'x', category_id, definition }
  expect(await owner.call(contract.createTag, { body })).toMatchObject({ status: 404 })
})

test('the command rebuilds one advertiser or all; an unknown one is answered with the known names', async () => {
  await write({ people: [person(1, { 性别: '男' })], events: [] }, { 性别: 'text' })
  await db().updateTable('advertiser').set({ name: '甲' }).where('id', '=', adv).execute()
  await writeWorld(
    app.stores.warehouse.load.acrossShards,
    adv,
    { people: [person(2, { 性别: '男' })], events: [] },
    { 性别: 0 },
    ZONE,
  )
  const typed = async (...argv: string[]) => {
    const lines: string[] = []
    const report = { progress: () => {}, print: (line: string) => void lines.push(line) }
    await rebuildTags.run(app, { argv, cwd: '/', signal: new AbortController().signal }, report)
    return lines
  }
  expect(await typed('--advertiser', '甲')).toEqual(['甲：2 个标签已重算'])
  expect(await tree()).toEqual({ '全部用户 all': { 全部用户: 2 }, '性别 gender': { 男: 2 } })
  expect(await typed()).toHaveLength(1)
  await expect(typed('--advertiser', '乙')).rejects.toThrow('广告主「乙」不存在。已有广告主：甲')
})

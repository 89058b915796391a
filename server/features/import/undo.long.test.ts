import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { getImport, type ImportMapping, previewUndo, startImport, undoImport } from '#contract/import.ts'
import { CROWD_TAG } from '#contract/rule.ts'
import { getRuleCrowd } from '#contract/rule-crowd.ts'
import { ATTRIBUTE_TAG, createTag, EVENT_TAG, getTagTree } from '#contract/tag.ts'
import { listFields, updateAttribute } from '#contract/tag-field.ts'
import { listTasks } from '#contract/task.ts'
import { transaction } from '../../postgres/transaction.ts'
import { aCrowd, anAdvertiser, leaf, tagged } from '../../testing/builders.ts'
import { aCustomCrowd } from '../../testing/custom-crowds.ts'
import { testApp } from '../../testing/test-app.ts'
import { uploadTo } from '../../testing/upload.ts'
import { UNDO_PHASE, type UndoingJob, undoRun } from './undo-run.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())

const USERS: ImportMapping = { kind: 'users', id: 'id', identifiers: [], skip: [] }
const EVENTS: ImportMapping = { kind: 'events', id: 'id', event: 'event', time: 'time', skip: [] }

/** Starts an import and answers its id. */
async function begin(adv_id: number, text: string, mapping = USERS, name = 'people.csv') {
  const upload_id = await uploadTo(app, app.admin, text, name)
  return (await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })).id
}
async function imported(adv_id: number, text: string, mapping = USERS, name?: string) {
  const id = await begin(adv_id, text, mapping, name)
  await app.settled()
  expect(await find(id)).toMatchObject({ status: 'done', error: null })
  return id
}
const find = (id: number) => app.admin.get(getImport, { params: { id } })
const undo = (id: number) => app.admin.call(undoImport, { params: { id } })
async function undone(id: number) {
  expect((await undo(id)).code).toBe(0)
  await app.settled()
  expect(await find(id)).toMatchObject({ status: 'undone', error: null })
}

/** What the console shows of an advertiser: its tags with their counts, and its fields. */
async function shownOf(adv_id: number) {
  const trees = await Promise.all(
    [ATTRIBUTE_TAG, EVENT_TAG].map((tag_type) => app.admin.get(getTagTree, { query: { adv_id, tag_type } })),
  )
  const tags = trees.flatMap(({ data }) =>
    data.flatMap((category) => (category.group ?? []).map((tag) => `${category.tag} ${tag.tag} ${tag.count}`)),
  )
  const { attributes, events } = await app.admin.get(listFields, { query: { adv_id } })
  return {
    tags: tags.sort(),
    attributes: attributes.map(({ name, type, distinct }) => ({ name, type, distinct })),
    events: events.map(({ name, properties }) => ({ name, properties })),
  }
}

const number = (count: number) => Array.from({ length: count }, (_, n) => n)
const withAges = (from: number, to: number) =>
  `id,city,age\n${number(to - from)
    .map((n) => `${from + n},城市${(from + n) % 3},${from + n}`)
    .join('\n')}\n`

test.each([
  ['users', USERS, 'id,city,level\n1,北京,高\n2,上海,5\n', 'id,city\n1,广州\n3,北京\n', USERS],
  ['ranges of numbers', USERS, withAges(0, 600), withAges(300, 800), USERS],
  ['fewer values than 200', USERS, withAges(0, 600), withAges(500, 650), USERS],
  [
    'events',
    EVENTS,
    'id,event,time,page\n1,看,2026-01-01,a\n2,买,2026-01-02,b\n',
    'id,event,time\n1,看,2026-01-03\n',
    EVENTS,
  ],
  ['users and events', USERS, 'id,city\n1,北京\n2,上海\n', 'id,event,time\n1,看,2026-01-03\n', EVENTS],
] as const)(
  'after an undo tags and fields are as if it had never been imported: %s',
  async (_what, mapping, first, second, then) => {
    const [adv_id, fresh] = [await anAdvertiser(app), await anAdvertiser(app)]
    const id = await imported(adv_id, first, mapping as ImportMapping)
    await imported(adv_id, second, then as ImportMapping)
    await undone(id)
    await imported(fresh, second, then as ImportMapping)
    expect(await shownOf(adv_id)).toEqual(await shownOf(fresh))

    // The same file counts again.
    await imported(adv_id, first, mapping as ImportMapping)
    await imported(fresh, first, mapping as ImportMapping)
    expect((await shownOf(adv_id)).tags).toEqual((await shownOf(fresh)).tags)
  },
  240_000,
)

test('earlier values return, and crowds recompute at once; their tags stay, without people', async () => {
  const adv_id = await anAdvertiser(app)
  await imported(adv_id, 'id,city\n1,北京\n2,上海\n')
  const id = await imported(adv_id, 'id,city,level\n1,上海,高\n3,北京,高\n', USERS, 'mistake.csv')
  const tagOf = async (name: string) => {
    const { data } = await app.admin.get(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
    return data.flatMap((category) => category.group ?? []).find((tag) => tag.tag === name)
  }
  const [shanghai, high] = [await tagOf('上海'), await tagOf('高')]
  const crowd = await aCrowd(app, adv_id, leaf('a', 'n', tagged(shanghai?.id ?? 0)), { name: '上海的人' })
  const other = await aCrowd(app, adv_id, leaf('a', 'n', tagged(high?.id ?? 0)), { name: '高价值' })
  await app.settled()
  const inCrowd = leaf('a', null, [{ id: crowd.id, tag_type: CROWD_TAG }])
  const nested = await aCrowd(app, adv_id, inCrowd, { name: '其中的人' })
  await app.settled()
  for (const { id } of [crowd, nested])
    expect(await app.admin.get(getRuleCrowd, { params: { id } })).toMatchObject({ magnitude: 2 })

  expect(await app.admin.get(previewUndo, { params: { id } })).toMatchObject({
    extent: { rows: 2, people: 1, taken_over: [] },
    // A crowd uses a tag of the other.
    attributes: [],
    crowds: [
      { id: crowd.id, name: '上海的人' },
      { id: other.id, name: '高价值' },
      { id: nested.id, name: '其中的人' },
    ],
    crowds_total: 3,
    accounts: [],
  })
  await undone(id)
  for (const { id } of [crowd, nested])
    expect(await app.admin.get(getRuleCrowd, { params: { id } })).toMatchObject({ magnitude: 1, status: 'completed' })
  expect(await app.admin.get(getRuleCrowd, { params: { id: other.id } })).toMatchObject({ magnitude: 0 })
  expect(await tagOf('高')).toMatchObject({ id: high?.id, count: 0 })
  expect(await tagOf('北京')).toMatchObject({ count: 1 })
  expect((await find(id)).undo).toMatchObject({ asked_by: '管理员', extent: { rows: 2, people: 1 } })
  const { list } = await app.admin.get(listTasks)
  expect(list.find((task) => task.title === '撤销导入「mistake.csv」')).toMatchObject({ status: 'done' })
})

test('the preview names the fields that go, and the crowds that others of their parts change', async () => {
  const adv_id = await anAdvertiser(app)
  await imported(adv_id, 'id,city\n1,北京\n2,\n')
  const id = await imported(adv_id, 'id,level,plan,vip\n3,高,月,是\n')
  await app.admin.get(updateAttribute, { body: { adv_id, name: 'plan', display_name: '套餐' } })
  const { db } = app.stores.postgres
  const category = await db.selectFrom('tag_category').select('id').where('source', '=', 'city').execute()
  const aTag = (name: string, attribute: string, condition: { is: 'empty' } | { is: 'exists' }) =>
    app.admin.get(createTag, {
      body: {
        adv_id,
        name,
        category_id: category[0]?.id ?? 0,
        definition: { kind: 'attribute', attribute, condition },
      },
    })
  await aTag('会员', 'vip', { is: 'exists' })
  const empty = await aTag('没有城市', 'city', { is: 'empty' })
  const uploaded = await aCustomCrowd(app, adv_id, [{ name: 'a.txt', content: `${'a'.repeat(32)}\n` }])
  await app.settled()
  const first = await aCrowd(app, adv_id, leaf('a', 'n', tagged(empty.id)), { name: '缺城市的人' })
  const inUpload = leaf('a', null, [{ id: uploaded, tag_type: CROWD_TAG }])
  const second = await aCrowd(app, adv_id, inUpload, { name: '上传的人' })
  await app.settled()
  expect(await app.admin.get(previewUndo, { params: { id } })).toMatchObject({
    attributes: ['level'],
    crowds: [
      { id: first.id, name: '缺城市的人' },
      { id: second.id, name: '上传的人' },
    ],
    uploaded_crowds: 1,
  })
  await undone(id)
  expect((await shownOf(adv_id)).attributes.map(({ name }) => name).toSorted()).toEqual(['city', 'plan', 'vip'])
})

test('an undo waits its turn among the imports, and two at once undo once', async () => {
  const adv_id = await anAdvertiser(app)
  const first = await imported(adv_id, 'id,city\n1,北京\n')
  const second = await begin(adv_id, 'id,city\n1,北京\n2,上海\n')
  const answers = await Promise.all([undo(first), undo(first)])
  expect(answers.map(({ code }) => code)).toEqual([0, 0])
  expect(await find(first)).toMatchObject({ status: 'undoing' })
  await app.settled()
  expect(await find(second)).toMatchObject({ status: 'done', report: { stored: 1, duplicate: 1 } })
  expect(await find(first)).toMatchObject({
    status: 'undone',
    undo: { extent: { rows: 1, people: 0, taken_over: [{ import_id: second, rows: 1 }] } },
  })
  expect((await shownOf(adv_id)).tags).toContain('全部用户 全部用户 2')
  const { db } = app.stores.postgres
  const audits = await db.selectFrom('audit').select('detail').where('action', '=', 'import.undo').execute()
  expect(audits).toHaveLength(1)
})

test('what cannot be undone says why', async () => {
  const adv_id = await anAdvertiser(app)
  const { db } = app.stores.postgres
  const id = await imported(adv_id, 'id,city\n1,北京\n')
  await db.updateTable('import').set({ brought: null }).where('id', '=', id).execute()
  expect(await undo(id)).toMatchObject({
    code: FAULTS.importNotUndoable.code,
    status: 409,
    msg: '不能撤销：此导入早于撤销功能，无法撤销',
  })
  expect(await find(id)).toMatchObject({ undo_obstacle: '此导入早于撤销功能，无法撤销' })

  const failed = await begin(adv_id, 'id,city\n"1,北京\n')
  await app.settled()
  await db.updateTable('import').set({ status: 'failed' }).where('id', '=', failed).execute()
  expect(await undo(failed)).toMatchObject({ msg: '不能撤销：导入没有成功，没有可撤销的数据' })
  await db.updateTable('import').set({ status: 'running' }).where('id', '=', failed).execute()
  expect(await undo(failed)).toMatchObject({ msg: '不能撤销：导入还没有结束，结束后可以撤销' })
  await db.updateTable('import').set({ status: 'undone' }).where('id', '=', failed).execute()
  expect(await undo(failed)).toMatchObject({ msg: '不能撤销：此导入已撤销' })
})

test('an undo that fails says so, is retried, and is ended before the next import', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const load = app.stores.warehouse.load.acrossShards
  const adv_id = await anAdvertiser(app)
  const first = await imported(adv_id, 'id,city\n1,北京\n2,上海\n')
  await load.command('RENAME TABLE identifier TO identifier_away')
  await undo(first)
  try {
    await vi.waitFor(async () => expect((await find(first)).status).toBe('undo_failed'), {
      timeout: 30_000,
      interval: 50,
    })
  } finally {
    await load.command('RENAME TABLE identifier_away TO identifier')
  }
  expect(await find(first)).toMatchObject({ error: expect.stringMatching(/^撤销没有完成/), undo_obstacle: null })
  const second = await imported(adv_id, 'id,city\n1,北京\n')
  expect(await find(second)).toMatchObject({ report: { stored: 1, duplicate: 0, new_people: 1 } })
  expect(await find(first)).toMatchObject({ status: 'undone', error: null })
  expect((await undo(first)).code).toBe(FAULTS.importNotUndoable.code)
  expect((await shownOf(adv_id)).tags).toContain('全部用户 全部用户 1')
})

test.each([
  ['users', USERS, withAges(0, 30), withAges(0, 30)],
  ['users of which the later file has fewer', USERS, withAges(0, 30), withAges(0, 10)],
  ['events', EVENTS, 'id,event,time\nu1,买,2026-11-01\nu2,买,2026-11-02\n', 'id,event,time\nu1,买,2026-11-01\n'],
])('rows that a later file only repeats stay when the earlier one is undone: %s', async (_, mapping, text, again) => {
  const adv_id = await anAdvertiser(app)
  const alone = await anAdvertiser(app)
  const first = await imported(adv_id, text, mapping)
  await imported(adv_id, again, mapping)
  await undone(first)
  await imported(alone, again, mapping)
  expect(await shownOf(adv_id)).toEqual(await shownOf(alone))
})

test('values that a dictionary names get their tags again when a file is imported after its undo', async () => {
  const adv_id = await anAdvertiser(app)
  const dictionary = [
    { value: '0', label: '男' },
    { value: '1', label: '女' },
  ]
  const mapping = { ...USERS, fields: [{ column: 's', dictionary }] } as ImportMapping
  const text = `id,s\n${number(30)
    .map((n) => `u${n},${n % 2}`)
    .join('\n')}\n`
  const first = await imported(adv_id, text, mapping)
  const before = await shownOf(adv_id)
  expect(before.tags).toContain('s 男 15')
  await undone(first)
  await imported(adv_id, text, mapping)
  expect((await shownOf(adv_id)).tags).toEqual(before.tags)
})

test('a tag that cannot be built stops neither an undo nor the next import', { timeout: 120_000 }, async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { db } = app.stores.postgres
  const load = app.stores.warehouse.load.acrossShards
  const adv_id = await anAdvertiser(app)
  const first = await imported(adv_id, 'id,city\n1,北京\n')
  // An attribute whose column is missing.
  const lost = { name: '缺失', slot: 77, type: 'text' as const, display_name: '缺失', values: '[]' }
  await db
    .insertInto('attribute')
    .values({ adv_id, ...lost })
    .execute()
  const category = await db.selectFrom('tag_category').select('id').where('adv_id', '=', adv_id).execute()
  await db
    .insertInto('tag')
    .values({
      adv_id,
      name: '建不成',
      tag_type: ATTRIBUTE_TAG,
      category_id: category[0]?.id ?? 0,
      definition: JSON.stringify({ kind: 'attribute', attribute: '缺失', condition: { is: 'exists' } }),
      is_automatic: false,
      is_built_in: false,
      created_at: 1,
    })
    .execute()
  const ends = (id: number, status: string) =>
    vi.waitFor(async () => expect((await find(id)).status).toBe(status), { timeout: 30_000, interval: 50 })
  await undo(first)
  await ends(first, 'undone')
  const { list } = await app.admin.get(listTasks)
  expect(list.find((task) => task.title === '计算标签')).toMatchObject({
    status: expect.stringMatching(/waiting|running/),
  })
  await ends(await begin(adv_id, 'id,city\n1,上海\n2,上海\n'), 'done')

  await load.command('ALTER TABLE person_row ADD COLUMN a77 String')
  await app.settled()
  await load.command('ALTER TABLE person_row DROP COLUMN a77')
  expect((await shownOf(adv_id)).tags).toEqual(expect.arrayContaining(['city 上海 2', '全部用户 全部用户 2']))
})

test('an undo builds the tags itself, once, and then their values are counted', async () => {
  const { db } = app.stores.postgres
  const adv_id = await anAdvertiser(app)
  const first = await imported(adv_id, 'id,city\n1,北京\n')
  await imported(adv_id, 'id,city\n2,上海\n')
  const rebuilds = () => db.selectFrom('task').select('id').where('title', '=', '计算标签').execute()
  const before = await rebuilds()
  await undone(first)
  expect(await rebuilds()).toEqual(before)
  const dirty = await db.selectFrom('tag').select('name').where('is_dirty', '=', true).execute()
  const due = await db.selectFrom('attribute').select('name').where('values_due', '=', true).execute()
  expect([...dirty, ...due]).toEqual([])
  expect((await shownOf(adv_id)).tags).toEqual(['city 上海 1', '全部用户 全部用户 1'])
})

test('an undo that another import ends stops with the job of that import', async () => {
  const { db } = app.stores.postgres
  const adv_id = await anAdvertiser(app)
  const id = await imported(adv_id, 'id,city\n1,北京\n2,上海\n')
  const state = JSON.stringify({ phase: UNDO_PHASE })
  await db.updateTable('import').set({ status: 'undo_failed', state }).where('id', '=', id).execute()
  const { warehouse } = app.stores
  const undoing = undoRun({ db, warehouse, timezone: 'Asia/Shanghai', onUndone: async () => {} })
  const job: UndoingJob = {
    signal: AbortSignal.abort(),
    step: (work) => transaction(db, work),
    task: { id: null, progress: () => {} },
  }
  await expect(undoing.settle(id, job)).rejects.toThrow()
  const rows = await warehouse.load.acrossShards.query('SELECT 1 FROM person_row')
  expect(rows).toHaveLength(2)
  expect(await find(id)).toMatchObject({ status: 'undo_failed' })
})

const scores = (from: number, to: number) =>
  `id,score\n${number(to - from)
    .map((n) => `${from + n},${from + n}`)
    .join('\n')}\n`
const settle = async (adv_id: number, change: object) => {
  expect((await app.admin.call(updateAttribute, { body: { adv_id, name: 'score', ...change } as never })).code).toBe(0)
  await app.settled()
}

test('values that were named since stay tags if they are still there, else their tags return with them', async () => {
  const adv_id = await anAdvertiser(app)
  await imported(adv_id, scores(0, 300))
  // Times are whole seconds.
  await app.stores.postgres.db.updateTable('tag').set({ created_at: 1 }).execute()
  const second = await imported(adv_id, scores(300, 310))
  const dictionary = [
    { value: '0', label: '零' },
    { value: '305', label: '后来' },
  ]
  await settle(adv_id, { dictionary })
  const named = ['score 后来 1', 'score 零 1']
  const shown = async () => (await shownOf(adv_id)).tags.filter((tag) => named.includes(tag))
  expect(await shown()).toEqual(named)
  await undone(second)
  expect(await shown()).toEqual(['score 零 1'])
  await imported(adv_id, scores(300, 310))
  expect(await shown()).toEqual(named)
})

test('an undo keeps the ranges of a field that was settled as a number, though some values are none', async () => {
  const adv_id = await anAdvertiser(app)
  await imported(adv_id, `${scores(0, 400)}400,不详\n`)
  await settle(adv_id, { type: 'number', allow_unreadable: true })
  const before = (await shownOf(adv_id)).tags
  expect(before.filter((tag) => tag.startsWith('score '))).toHaveLength(11)
  // Times are whole seconds.
  await app.stores.postgres.db.updateTable('tag').set({ created_at: 1 }).execute()
  await undone(await imported(adv_id, 'id,score\n900,7\n'))
  expect((await shownOf(adv_id)).tags).toEqual(before)
})

test('ranges that were cut after an import are cut again when it is undone', async () => {
  const adv_id = await anAdvertiser(app)
  await imported(adv_id, `${scores(0, 400)}400,不详\n`)
  await app.stores.postgres.db.updateTable('tag').set({ created_at: 1 }).execute()
  const second = await imported(adv_id, 'id,score\n900,7\n')
  await settle(adv_id, { type: 'number', allow_unreadable: true })
  const cut = (await shownOf(adv_id)).tags.filter((tag) => tag.startsWith('score '))
  expect(cut).toHaveLength(11)
  await undone(second)
  expect((await shownOf(adv_id)).tags.filter((tag) => tag.startsWith('score '))).toHaveLength(11)
})

test('ranges of which a crowd uses one stay together when the import that they were cut from is undone', async () => {
  const adv_id = await anAdvertiser(app)
  const first = await imported(adv_id, scores(0, 300))
  await imported(adv_id, scores(300, 700))
  const ranges = () =>
    app.stores.postgres.db
      .selectFrom('tag')
      .select('id')
      .where('adv_id', '=', adv_id)
      .where('is_built_in', '=', false)
      .orderBy('id')
      .execute()
  const before = await ranges()
  await aCrowd(app, adv_id, leaf('a', 'n', tagged(before[0]?.id ?? 0)))
  await app.settled()
  await undone(first)
  expect(before).toHaveLength(10)
  expect(await ranges()).toEqual(before)
})

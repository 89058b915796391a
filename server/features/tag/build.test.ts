import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { outcome } from '#contract/outcome.ts'
import { ATTRIBUTE_TAG } from '#contract/tag.ts'
import { TagDefinition } from '#contract/tag-definition.ts'
import type { EveryShard } from '../../clickhouse/handles.ts'
import { transaction } from '../../postgres/transaction.ts'
import { testPostgres, truncateAll } from '../../testing/postgres.ts'
import { membersOf, type World, writeWorld } from '../../testing/tag-world.ts'
import { type TestWarehouse, testWarehouse } from '../../testing/warehouse.ts'
import { type BuildRun, tagBuild } from './build.ts'

const ADV = 7
const ZONE = 'Asia/Shanghai'
const SLOTS = { 性别: 0, 年龄: 1, 注册: 2 }
/** 2026-11-21 00:30 in Shanghai, still the 20th in UTC. */
const NOW = Date.parse('2026-11-20T16:30:00Z') / 1000
const DAY = 86_400

let postgres: Awaited<ReturnType<typeof testPostgres>>
let warehouse: TestWarehouse
beforeAll(async () => {
  postgres = await testPostgres()
  warehouse = await testWarehouse()
})
beforeEach(async () => {
  await anAdvertiser()
})
afterEach(async () => {
  await truncateAll(postgres.db)
  await warehouse.truncate()
})
afterAll(async () => {
  await postgres.close()
  await warehouse.close()
})

async function anAdvertiser() {
  const { db } = postgres
  await db.insertInto('advertiser').values({ id: ADV, name: '甲', created_at: 1 }).execute()
  await db
    .insertInto('tag_category')
    .values({ id: 1, adv_id: ADV, name: '分类', icon: 'other', tag_type: ATTRIBUTE_TAG, source: null })
    .execute()
  await db
    .insertInto('attribute')
    .values(
      Object.entries(SLOTS).map(([name, slot]) => ({
        adv_id: ADV,
        name,
        slot,
        type: 'text' as const,
        display_name: name,
        values: '[]',
      })),
    )
    .execute()
  await db
    .insertInto('event_name')
    .values(['支付', '点击'].map((name) => ({ adv_id: ADV, name, display_name: name, properties: '[]' })))
    .execute()
}

const changed: number[][] = []
const builder = (options: { zone?: string; now?: number; load?: EveryShard } = {}) =>
  tagBuild({
    db: postgres.db,
    load: options.load ?? warehouse.load.everyShard,
    timezone: options.zone ?? ZONE,
    clock: () => options.now ?? NOW,
    onTagsChanged: async (_tx, _adv, ids) => void changed.push([...ids]),
  })
const run = (): BuildRun => ({ step: (work) => transaction(postgres.db, work) })

let tags = 0
async function aTag(definition: object): Promise<number> {
  const row = await postgres.db
    .insertInto('tag')
    .values({
      adv_id: ADV,
      name: `t${++tags}`,
      tag_type: ATTRIBUTE_TAG,
      category_id: 1,
      definition: TagDefinition.parse(definition),
      is_automatic: false,
      is_built_in: false,
      created_at: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
const touch = (id: number) =>
  postgres.db
    .updateTable('tag')
    .set((eb) => ({ is_dirty: true, generation: eb('generation', '+', 1) }))
    .where('id', '=', id)
    .execute()
const tagRow = (id: number) => postgres.db.selectFrom('tag').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
/** The people of the tag's current version; checks that the tag's count equals their number. */
async function people(id: number): Promise<number[]> {
  const tag = await tagRow(id)
  const rows = await warehouse.live.acrossShards.query<{ uid: number }>(
    `SELECT arrayJoin(bitmapToArray(groupBitmapMergeState(bitmap))) AS uid FROM tag_member
     WHERE adv_id = ${ADV} AND tag_id = ${id} AND version = ${tag.version} ORDER BY uid`,
  )
  const uids = rows.map((row) => row.uid)
  expect(tag.count).toBe(uids.length)
  return uids
}

const FAR = 3 * 2 ** 20 + 5
const at = (text: string) => Date.parse(text) / 1000
const WORLD: World = {
  people: [
    {
      uid: 1,
      rows: [
        { ts: 10, values: { 性别: '男', 年龄: '18', 注册: '2026-01-01' } },
        { ts: 20, values: { 性别: '', 年龄: '9.5' } },
      ],
    },
    { uid: 2, rows: [{ ts: 10, values: { 性别: '女', 年龄: '100', 注册: '2026-01-01 08:00:00' } }] },
    { uid: 3, rows: [{ ts: 10, values: { 性别: "O'Brien \\", 年龄: 'abc', 注册: '2025-12-31T23:59:59Z' } }] },
    {
      uid: 4,
      rows: [
        { ts: 10, values: { 性别: '男', 年龄: '' } },
        { ts: 10, values: { 性别: '女', 年龄: '-3', 注册: '2026-02-30' } },
      ],
    },
    { uid: FAR, rows: [] },
  ],
  events: [
    { uid: 1, name: '支付', ts: at('2026-11-20T12:00:00+08:00'), properties: { 金额: '99.9', 渠道: '直播' } },
    { uid: 1, name: '支付', ts: at('2026-11-14T00:00:00+08:00'), properties: { 金额: '100', 渠道: '搜索' } },
    { uid: 2, name: '支付', ts: at('2026-11-13T23:59:59+08:00'), properties: { 金额: '1e3' } },
    { uid: 2, name: '支付', ts: at('2026-11-21T00:10:00+08:00'), properties: { 金额: '20', 渠道: '直播' } },
    { uid: FAR, name: '支付', ts: at('2026-11-20T23:59:59+08:00'), properties: { 金额: 'x' } },
    { uid: FAR, name: '点击', ts: at('2026-11-20T23:59:59+08:00'), properties: {} },
  ],
}
const attribute = (name: string, condition: object) => ({ kind: 'attribute', attribute: name, condition })
const event = (more: object = {}) => ({ kind: 'event', event: '支付', window_days: null, ...more })
const range = (from: string | null, to: string | null, as = 'number') => ({ is: 'range', from, to, as })

const measured = (of: string, from: string | null, to: string | null) =>
  event({ measure: { of, property: '金额', from, to } })

const CASES: [object, number[]][] = [
  [{ kind: 'everyone' }, [1, 2, 3, 4, FAR]],
  [attribute('性别', { is: 'equals', value: '男' }), [1]],
  [attribute('性别', { is: 'equals', value: "O'Brien \\" }), [3]],
  [attribute('性别', { is: 'in', values: ['男', '女'] }), [1, 2, 4]],
  [attribute('性别', { is: 'exists' }), [1, 2, 3, 4]],
  [attribute('年龄', range('9', '100')), [1]],
  [attribute('年龄', range(null, '10')), [1, 4]],
  [attribute('年龄', range('100', null)), [2]],
  [attribute('注册', range('2026-01-01', null, 'date')), [1, 2, 3]],
  [attribute('注册', range('2026-01-01', '2026-01-01 08:00:00', 'date')), [1, 3]],
  [attribute('性别', { is: 'not_equals', value: '男' }), [2, 3, 4]],
  [attribute('性别', { is: 'not_in', values: ['男', '女'] }), [3]],
  [attribute('性别', { is: 'contains', value: "'Brien \\" }), [3]],
  [attribute('性别', { is: 'contains', value: '%' }), []],
  [attribute('性别', { is: 'starts_with', value: "O'" }), [3]],
  [attribute('性别', { is: 'starts_with', value: 'Brien' }), []],
  [attribute('性别', { is: 'empty' }), [FAR]],
  [attribute('注册', { is: 'empty' }), [FAR]],
  [attribute('注册', { is: 'on', from: '2026-01-01', to: '2026-01-01' }), [1, 2, 3]],
  [attribute('注册', { is: 'on', from: '2025-12-01', to: '2025-12-31' }), []],
  [attribute('注册', { is: 'not_before', date: '2026-01-01' }), [1, 2, 3]],
  [attribute('注册', { is: 'not_before', date: '2026-01-02' }), []],
  [attribute('注册', { is: 'before', date: '2026-01-01' }), []],
  [attribute('注册', { is: 'before', date: '2026-01-02' }), [1, 2, 3]],
  // 2026-01-01 is 324 days before 2026-11-21.
  [attribute('注册', { is: 'days', when: 'past', days: 324 }), [1, 2, 3]],
  [attribute('注册', { is: 'days', when: 'past', days: 323 }), []],
  [attribute('注册', { is: 'days', when: 'before', days: 323 }), [1, 2, 3]],
  [attribute('注册', { is: 'days', when: 'before', days: 324 }), []],
  [attribute('注册', { is: 'days', when: 'next', days: 3650 }), []],
  [event(), [1, 2, FAR]],
  [event({ negated: true }), [3, 4]],
  [event({ window_days: 1 }), [1, FAR]],
  [event({ window_days: 7 }), [1, FAR]],
  [event({ window_days: 7, at_least: 2 }), [1]],
  [event({ window_days: 8 }), [1, 2, FAR]],
  [event({ at_least: 2 }), [1, 2]],
  [event({ at_least: 2, negated: true }), [3, 4, FAR]],
  [event({ window_days: 1, negated: true }), [2, 3, 4]],
  [event({ properties: [{ property: '金额', condition: range('100', null) }] }), [1, 2]],
  [event({ window_days: 7, properties: [{ property: '金额', condition: range('100', null) }] }), [1]],
  [event({ properties: [{ property: '渠道', condition: { is: 'equals', value: '直播' } }] }), [1, 2]],
  [event({ properties: [{ property: '渠道', condition: { is: 'exists' } }], at_least: 2 }), [1]],
  [event({ negated: true, properties: [{ property: '渠道', condition: { is: 'exists' } }] }), [3, 4, FAR]],
  [event({ properties: [{ property: '渠道', condition: { is: 'empty' } }] }), [2, FAR]],
  [event({ properties: [{ property: '渠道', condition: { is: 'not_equals', value: '直播' } }] }), [1]],
  [event({ dates: { from: '2026-11-14', to: '2026-11-14' } }), [1]],
  [event({ dates: { from: null, to: '2026-11-13' } }), [2]],
  [event({ dates: { from: '2026-11-21', to: null } }), [2]],
  [event({ dates: { from: '2026-11-21', to: '9999-12-31' } }), [2]],
  [event({ dates: { from: '0001-01-01', to: '2026-11-13' } }), [2]],
  [event({ dates: { from: '2026-11-01', to: '2026-11-13' }, negated: true }), [1, 3, 4, FAR]],
  [event({ before_days: 7 }), [2]],
  [event({ before_days: 6 }), [1, 2]],
  [event({ at_least: 1, at_most: 1 }), [FAR]],
  [event({ at_least: 2, at_most: 2 }), [1, 2]],
  [event({ at_least: 2, at_most: 2, negated: true }), [3, 4, FAR]],
  [event({ window_days: 1, at_least: 1, at_most: 1 }), [1, FAR]],
  [event({ at_most: 1, properties: [{ property: '渠道', condition: { is: 'equals', value: '直播' } }] }), [1, 2]],
  [event({ measure: { of: 'days' }, at_least: 2 }), [1, 2]],
  [event({ measure: { of: 'days' }, at_most: 1 }), [FAR]],
  [event({ measure: { of: 'days' }, window_days: 7, at_least: 2, negated: true }), [2, 3, 4, FAR]],
  [measured('sum', '199.9', '199.91'), [1]],
  [measured('sum', '199.91', null), [2]],
  [measured('sum', null, '1000'), [1]],
  [{ ...measured('sum', '1000', null), negated: true }, [1, 3, 4, FAR]],
  [measured('average', '99.95', '99.96'), [1]],
  [measured('average', '510', null), [2]],
  [measured('smallest', null, '99.9'), [2]],
  [measured('smallest', '99.9', null), [1]],
  [measured('largest', '100', '100.1'), [1]],
  [measured('largest', '1e3', null), [2]],
  [{ ...measured('sum', '20', '21'), dates: { from: '2026-11-21', to: null } }, [2]],
  [{ ...measured('sum', '20', '21'), dates: { from: '2026-11-21', to: '9999-12-31' } }, [2]],
  [event({ measure: { of: 'first' }, window_days: 7 }), [1, FAR]],
  [event({ measure: { of: 'first' }, window_days: 6 }), [FAR]],
  [event({ measure: { of: 'first' }, before_days: 7 }), [2]],
  [event({ measure: { of: 'first' }, dates: { from: '2026-11-13', to: '2026-11-14' } }), [1, 2]],
  [event({ measure: { of: 'last' }, window_days: 1 }), [1, FAR]],
  // An event of today does not count for relative days.
  [event({ measure: { of: 'last' }, before_days: 7 }), [2]],
  [event({ measure: { of: 'last' }, dates: { from: '2026-11-13', to: '2026-11-20' } }), [1, FAR]],
  [
    event({
      measure: { of: 'last' },
      dates: { from: '2026-11-14', to: '2026-11-14' },
      properties: [{ property: '渠道', condition: { is: 'equals', value: '搜索' } }],
    }),
    [1],
  ],
  [event({ measure: { of: 'last' }, window_days: 1, negated: true }), [2, 3, 4]],
]

test('each kind of definition holds the right people when all are built at once', async () => {
  await writeWorld(warehouse.load.acrossShards, ADV, WORLD, SLOTS, ZONE)
  const ids: number[] = []
  for (const [definition] of CASES) ids.push(await aTag(definition))
  expect(await builder().rebuild(ADV, run())).toBe(CASES.length)
  for (const [index, [definition, expected]] of CASES.entries()) {
    const id = ids[index] as number
    expect(await people(id), JSON.stringify(definition)).toEqual(expected)
    expect(membersOf(WORLD, TagDefinition.parse(definition), { now: NOW, zone: ZONE })).toEqual(expected)
    expect(await tagRow(id)).toMatchObject({ counted_at: NOW, is_dirty: false, error: null })
  }
  expect(changed.at(-1)?.toSorted()).toEqual(ids.toSorted())
  const preview = ([definition]: (typeof CASES)[number]) =>
    builder().count(warehouse.live.everyShard, ADV, TagDefinition.parse(definition))
  expect(await Promise.all(CASES.map(preview))).toEqual(CASES.map(([, expected]) => expected.length))
})

test('a day is a calendar day of the time zone', async () => {
  const midnight = at('2026-11-20T00:00:00-05:00')
  const world: World = {
    people: [1, 2, 3].map((uid) => ({ uid, rows: [] })),
    events: [midnight - 1, midnight, midnight + DAY].map((ts, index) => ({
      uid: index + 1,
      name: '支付',
      ts,
      properties: { 金额: '1' },
    })),
  }
  const zone = 'America/Bogota'
  await writeWorld(warehouse.load.acrossShards, ADV, world, {}, zone)
  const byDay = await aTag(event({ window_days: 1 }))
  const byEvent = await aTag(event({ window_days: 1, properties: [{ property: '金额', condition: { is: 'exists' } }] }))
  await builder({ zone, now: midnight + DAY }).rebuild(ADV, run())
  expect(await people(byDay)).toEqual([2])
  expect(await people(byEvent)).toEqual([2])
  await touch(byDay)
  await builder({ zone, now: midnight + DAY - 1 }).rebuild(ADV, run())
  expect(await people(byDay)).toEqual([1])
})

test('people leave a tag when their value changes', async () => {
  await writeWorld(warehouse.load.acrossShards, ADV, WORLD, SLOTS, ZONE)
  const men = await aTag(attribute('性别', { is: 'equals', value: '男' }))
  await builder().rebuild(ADV, run())
  expect(await people(men)).toEqual([1])
  const first = await tagRow(men)
  const more: World = { people: [{ uid: 1, rows: [{ ts: 30, values: { 性别: '女' } }] }], events: [] }
  await writeWorld(warehouse.load.acrossShards, ADV, more, SLOTS, ZONE)
  await touch(men)
  await builder().rebuild(ADV, run())
  expect(await people(men)).toEqual([])
  const leftovers = postgres.db.selectFrom('tag_leftover').select(['tag_id', 'version'])
  expect(await leftovers.where('tag_id', '=', men).execute()).toEqual([{ tag_id: men, version: first.version }])
  expect(await leftovers.where('tag_id', 'is', null).execute()).toEqual([])
})

test('a change made during a build is built too', async () => {
  await writeWorld(warehouse.load.acrossShards, ADV, WORLD, SLOTS, ZONE)
  const tag = await aTag(attribute('性别', { is: 'exists' }))
  let steps = 0
  const changingData: BuildRun = {
    step: async (work) => {
      steps++
      if (steps === 1) {
        const more: World = { people: [{ uid: 9, rows: [{ ts: 1, values: { 性别: '男' } }] }], events: [] }
        await writeWorld(warehouse.load.acrossShards, ADV, more, SLOTS, ZONE)
        await touch(tag)
      }
      return transaction(postgres.db, work)
    },
  }
  await builder().rebuild(ADV, changingData)
  expect(steps).toBe(2)
  expect(await people(tag)).toEqual([1, 2, 3, 4, 9])
})

test('an import between two passes of a build puts nobody into two tags that exclude each other', async () => {
  await writeWorld(warehouse.load.acrossShards, ADV, WORLD, SLOTS, ZONE)
  const men = await aTag(attribute('性别', { is: 'equals', value: '男' }))
  const women = await aTag(attribute('性别', { is: 'equals', value: '女' }))
  const more: World = { people: [{ uid: 2, rows: [{ ts: 30, values: { 性别: '男' } }] }], events: [] }
  let passes = 0
  const load: EveryShard = {
    ...warehouse.load.everyShard,
    async command(sql, ...given) {
      // The build has already read who has several rows.
      if (sql.includes('SELECT tag_id') && ++passes === 1)
        await writeWorld(warehouse.load.acrossShards, ADV, more, SLOTS, ZONE)
      return warehouse.load.everyShard.command(sql, ...given)
    },
  }
  expect(await builder({ load }).rebuild(ADV, run())).toBe(2)
  expect([await people(men), await people(women)]).toEqual([[1, 2], [4]])
})

test('a build locks the crowds before the rows of tags, as whoever deletes tags does', async () => {
  await writeWorld(warehouse.load.acrossShards, ADV, WORLD, SLOTS, ZONE)
  const tag = await aTag(attribute('性别', { is: 'equals', value: '男' }))
  const { db } = postgres
  await sql`create function holds_lock() returns trigger language plpgsql as $$ begin
    if not exists (select 1 from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) then
      raise 'the tags are locked before the crowds';
    end if;
    return new; end $$`.execute(db)
  await sql`create trigger holds_lock before update on tag for each row execute function holds_lock()`.execute(db)
  try {
    await builder().rebuild(ADV, run())
  } finally {
    await sql`drop function holds_lock cascade`.execute(db)
  }
  expect(await people(tag)).toEqual([1])
})

test('a build that dies before taking effect leaves the last version, and its rows do not mix into the next one', async () => {
  await writeWorld(warehouse.load.acrossShards, ADV, WORLD, SLOTS, ZONE)
  const tag = await aTag(attribute('性别', { is: 'equals', value: '男' }))
  await builder().rebuild(ADV, run())
  const before = await tagRow(tag)
  await postgres.db
    .updateTable('tag')
    .set({ definition: TagDefinition.parse(attribute('性别', { is: 'exists' })) })
    .execute()
  await touch(tag)
  const killedRun: BuildRun = { step: () => Promise.reject(new Error('killed')) }
  await expect(builder().rebuild(ADV, killedRun)).rejects.toThrow('killed')
  expect(await tagRow(tag)).toMatchObject({ version: before.version, count: before.count, is_dirty: true })
  expect(await people(tag)).toEqual([1])
  await builder().rebuild(ADV, run())
  expect(await people(tag)).toEqual([1, 2, 3, 4])
})

test('two concurrent builds end with the newer definition', async () => {
  await writeWorld(warehouse.load.acrossShards, ADV, WORLD, SLOTS, ZONE)
  const tag = await aTag(attribute('性别', { is: 'equals', value: '男' }))
  let reachStep = () => {}
  const atStep = new Promise<void>((resolve) => {
    reachStep = resolve
  })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let first = true
  const slow: BuildRun = {
    step: async (work) => {
      if (first) {
        first = false
        reachStep()
        await held
      }
      return transaction(postgres.db, work)
    },
  }
  const slowEnd = builder().rebuild(ADV, slow)
  await atStep
  await postgres.db
    .updateTable('tag')
    .set({ definition: TagDefinition.parse(attribute('性别', { is: 'equals', value: '女' })) })
    .execute()
  await touch(tag)
  await builder().rebuild(ADV, run())
  release()
  await slowEnd
  expect(await people(tag)).toEqual([2, 4])
  expect(await tagRow(tag)).toMatchObject({ is_dirty: false })
})

test('a definition of an unknown attribute fails with that reason and keeps the last result', async () => {
  await writeWorld(warehouse.load.acrossShards, ADV, WORLD, SLOTS, ZONE)
  const tag = await aTag(attribute('性别', { is: 'exists' }))
  await builder().rebuild(ADV, run())
  await postgres.db
    .updateTable('tag')
    .set({ definition: TagDefinition.parse(attribute('星座', { is: 'exists' })) })
    .execute()
  await touch(tag)
  await builder().rebuild(ADV, run())
  expect(await people(tag)).toEqual([1, 2, 3, 4])
  expect(await tagRow(tag)).toMatchObject({
    error: outcome('tag_field_missing', { what: 'attribute', name: '星座' }),
    is_dirty: false,
  })
})

test('a tag that cannot be counted does not stop others, and is counted once the obstacle is gone', async () => {
  await writeWorld(warehouse.load.acrossShards, ADV, WORLD, SLOTS, ZONE)
  // An attribute whose column is missing.
  const missing = { name: '缺失', slot: 77, type: 'text' as const, display_name: '', values: '[]' }
  await postgres.db
    .insertInto('attribute')
    .values({ adv_id: ADV, ...missing })
    .execute()
  const failing = await aTag({ kind: 'attribute', attribute: '缺失', condition: { is: 'exists' } })
  const everyone = await aTag({ kind: 'everyone' })
  const men = await aTag({ kind: 'attribute', attribute: '性别', condition: { is: 'equals', value: '男' } })
  await expect(builder().rebuild(ADV, run())).rejects.toThrow('a77')
  expect(await people(everyone)).toHaveLength(5)
  expect(await people(men)).toEqual([1])
  expect(await tagRow(failing)).toMatchObject({ is_dirty: true, version: 0, count: null })
  expect(await tagRow(everyone)).toMatchObject({ is_dirty: false })
  await warehouse.load.acrossShards.command(`ALTER TABLE person_row ADD COLUMN a77 String`)
  expect(await builder().rebuild(ADV, run())).toBe(1)
  expect(await people(failing)).toEqual([])
  await warehouse.load.acrossShards.command(`ALTER TABLE person_row DROP COLUMN a77`)
})

test('random definitions over random people match plain loops', async () => {
  const someone = fc.record({
    uid: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 2 ** 20 - 3, max: 2 ** 20 + 3 })),
    rows: fc.array(
      fc.record({
        ts: fc.integer({ min: 1, max: 4 }),
        values: fc.record({
          性别: fc.constantFrom('', '男', '女', '{a:b}', "'"),
          年龄: fc.constantFrom('', '1', '2.5', '-7', '1e2', 'x', '10', '9'),
          注册: fc.constantFrom(
            '',
            '2026-01-01',
            '2026-01-01 00:00:01',
            '2026-01-01T00:00:00Z',
            '不详',
            '2025-02-30',
            '0000-00-00',
          ),
        }),
      }),
      { maxLength: 3 },
    ),
  })
  const anEvent = (uids: number[]) =>
    fc.record({
      uid: fc.constantFrom(...uids),
      name: fc.constantFrom('支付', '点击'),
      ts: fc.integer({ min: NOW - 4 * DAY, max: NOW }),
      properties: fc.record({ 金额: fc.constantFrom('', '1', '2.5', '10', 'x') }),
    })
  const worlds = fc.uniqueArray(someone, { minLength: 1, maxLength: 15, selector: (p) => p.uid }).chain((list) =>
    fc.record({
      people: fc.constant(list),
      events: fc.array(anEvent(list.map((p) => p.uid)), { maxLength: 40 }),
    }),
  )
  const condition = fc.oneof(
    fc.record({ is: fc.constant('equals'), value: fc.constantFrom('男', '1', "'", '') }),
    fc.record({ is: fc.constant('in'), values: fc.constant(['男', '{a:b}', '2.5']) }),
    fc.constant({ is: 'exists' }),
    fc.constantFrom(range('1', '10'), range(null, '2.5'), range('-7', null)),
    fc.constantFrom(range('2026-01-01', null, 'date'), range(null, '2026-01-01 00:00:01', 'date')),
    fc.record({ is: fc.constantFrom('not_equals', 'contains', 'starts_with'), value: fc.constantFrom('男', '1', '2') }),
    fc.record({ is: fc.constant('not_in'), values: fc.constant(['男', '{a:b}', '2.5']) }),
    fc.constant({ is: 'empty' }),
    fc.record({
      is: fc.constant('on'),
      from: fc.constant('2025-12-31'),
      to: fc.constantFrom('2025-12-31', '2026-01-01'),
    }),
    fc.record({
      is: fc.constantFrom('not_before', 'before'),
      date: fc.constantFrom('2026-01-01', '2026-01-02', '2026-11-21'),
    }),
    fc.record({
      is: fc.constant('days'),
      when: fc.constantFrom('past', 'before', 'next'),
      days: fc.constantFrom(1, 2, 323, 324, 400),
    }),
  )
  const period = fc.constantFrom(
    { window_days: null },
    { window_days: 1 },
    { window_days: 2 },
    { window_days: 4 },
    { window_days: null, before_days: 1 },
    { window_days: null, before_days: 2 },
    { window_days: null, dates: { from: '2026-11-18', to: '2026-11-19' } },
    { window_days: null, dates: { from: '2026-11-20', to: null } },
    { window_days: null, dates: { from: null, to: '2026-11-18' } },
  )
  const numbers = fc.record({
    of: fc.constantFrom('sum', 'average', 'smallest', 'largest'),
    property: fc.constant('金额'),
    from: fc.constantFrom('1', '2.5', '5'),
    to: fc.constantFrom(null, '6.75', '10', '13.5'),
  })
  const times = { at_least: fc.constantFrom(1, 2, 3), at_most: fc.constantFrom(undefined, 3, 5) }
  const measure = fc.oneof(
    fc.record(times),
    fc.record({ ...times, measure: fc.constant({ of: 'days' }) }),
    fc.record({ measure: numbers }),
    fc.record({ measure: fc.constantFrom({ of: 'first' }, { of: 'last' }) }),
  )
  const definition = fc.oneof(
    fc.record({ kind: fc.constant('attribute'), attribute: fc.constantFrom('性别', '年龄', '注册'), condition }),
    fc
      .tuple(
        fc.record({
          kind: fc.constant('event'),
          event: fc.constantFrom('支付', '点击'),
          negated: fc.boolean(),
          properties: fc.array(fc.record({ property: fc.constant('金额'), condition }), { maxLength: 2 }),
        }),
        period,
        measure,
      )
      .map(([what, when, how]) => ({ ...what, ...when, ...how })),
  )
  await fc.assert(
    fc.asyncProperty(worlds, fc.array(definition, { minLength: 1, maxLength: 8 }), async (world, definitions) => {
      await postgres.db.deleteFrom('tag').execute()
      await warehouse.truncate()
      await writeWorld(warehouse.load.acrossShards, ADV, world, SLOTS, ZONE)
      const ids: number[] = []
      for (const each of definitions) ids.push(await aTag(each))
      await builder().rebuild(ADV, run())
      for (const [index, each] of definitions.entries()) {
        const expected = membersOf(world, TagDefinition.parse(each), { now: NOW, zone: ZONE })
        expect(await people(ids[index] as number), JSON.stringify(each)).toEqual(expected.toSorted((a, b) => a - b))
      }
    }),
    { numRuns: 10 },
  )
}, 120_000)

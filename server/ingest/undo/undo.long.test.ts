import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PeopleMapping, UndoExtent } from '#contract/import.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import { type TestWarehouse, testWarehouse } from '../../testing/warehouse.ts'
import { loader } from '../load.ts'
import { stages } from '../stage.ts'
import { extentOf } from './extent.ts'
import { undoRows } from './undo.ts'

let warehouse: TestWarehouse
let next = 1
const NOW = Date.UTC(2026, 10, 20)
/** The advertiser whose import is undone, and one to whom that file was never imported. */
const UNDONE = 1
const FRESH = 2

beforeAll(async () => {
  warehouse = await testWarehouse()
})
beforeEach(() => warehouse.truncate())
afterAll(async () => {
  await warehouse.close()
})

interface File {
  mapping: PeopleMapping
  text: string
}
interface Imported {
  id: number
  adv_id: number
  kind: 'users' | 'events'
}

const USERS: PeopleMapping = {
  kind: 'users',
  id: 'id',
  phone: 'phone',
  identifiers: [{ column: 'qq', type: 'QQ' }],
  skip: [],
}
const EVENTS: PeopleMapping = { kind: 'events', id: 'id', event: 'event', time: 'time', message_id: 'mid', skip: [] }

/** `at`: the place of the file, which makes the times of users' values equal for both advertisers. */
async function importFile({ mapping, text }: File, adv_id: number, at: number, lastUid = 0): Promise<Imported> {
  const id = next++
  const path = join(warehouse.dataDir, `undo-${id}`)
  writeFileSync(path, text)
  const { loadFile } = loader({
    warehouse,
    timezone: 'Asia/Shanghai',
    dataDir: warehouse.dataDir,
    personKey: Buffer.alloc(32, 7),
  })
  const attributes = [{ name: 'city', slot: 0 }]
  await loadFile({
    import_id: id,
    adv_id,
    mapping,
    path,
    file_name: 'a.csv',
    nowMs: NOW + at,
    attributes,
    lastUid,
  })
  const stage = stages(warehouse.load.everyShard, mapping.kind, id)
  await stage.join({ isAgain: false })
  await stage.drop()
  return { id, adv_id, kind: mapping.kind }
}

const lastUidOf = async (adv_id: number) => {
  const [row] = await warehouse.load.acrossShards.query<{ uid: number }>(
    'SELECT max(uid) AS uid FROM person_key WHERE adv_id = {adv_id:UInt32}',
    { adv_id },
  )
  return row?.uid ?? 0
}

const heirsOf = ({ taken_over }: UndoExtent) => taken_over.map(({ import_id }) => import_id)

async function undo(of: Imported) {
  const extent = await extentOf(warehouse.load.acrossShards, of)
  expect(await extentOf(warehouse.load.acrossShards, of, { rowsAtOnce: 1 })).toEqual(extent)
  const lastUid = await lastUidOf(of.adv_id)
  await undoRows({ load: warehouse.load, of, heirs: heirsOf(extent), timezone: 'Asia/Shanghai', lastUid })
  return { extent, lastUid }
}

/** Everything that the tables hold of an advertiser, with people by their ids. */
async function contentsOf(adv_id: number) {
  const named = (columns: string, table: string) =>
    `SELECT k.one_id AS one_id, ${columns} FROM ${table} AS t
     LEFT JOIN person_key AS k ON k.adv_id = t.adv_id AND k.uid = t.uid WHERE t.adv_id = ${adv_id} ORDER BY ALL`
  const ask = <T = object>(sql: string) => warehouse.load.acrossShards.query<T>(sql)
  return {
    people: await ask<{ one_id: string; n: number }>(
      `SELECT one_id, count() AS n FROM person_key WHERE adv_id = ${adv_id} GROUP BY one_id ORDER BY 1`,
    ),
    rows: await ask(named('toString(t.ts) AS ts, t.line AS line, hex(t.phone) AS phone, t.a0 AS city', 'person_row')),
    identifiers: await ask(
      `SELECT DISTINCT * FROM (${named('t.id_type AS type, hex(t.value_hash) AS value', 'identifier')}) ORDER BY ALL`,
    ),
    events: await ask(
      named('toString(t.ts) AS ts, t.name AS name, toString(mapSort(t.properties)) AS properties', 'event'),
    ),
    days: await ask(
      `SELECT one_id, name, day, sum(n) AS n FROM
         (${named('t.name AS name, toString(t.day) AS day, t.n AS n', 'event_day')}) GROUP BY ALL ORDER BY ALL`,
    ),
  }
}

/** Imports the files and undoes one of them, and compares with an advertiser who never had that file. */
async function checkUndo(files: readonly File[], undone: number) {
  const imported: Imported[] = []
  for (const [at, file] of files.entries()) imported.push(await importFile(file, UNDONE, at))
  const before = await contentsOf(UNDONE)
  const of = imported[undone] as Imported
  const { extent } = await undo(of)
  for (const [at, file] of files.entries()) if (at !== undone) await importFile(file, FRESH, at)
  const after = await contentsOf(UNDONE)
  expect(after).toEqual(await contentsOf(FRESH))
  const left = new Set(after.people.map((row) => row.one_id))
  expect(extent.people).toBe(before.people.filter((row) => !left.has(row.one_id)).length)
  const handed = extent.taken_over.reduce((sum, one) => sum + one.rows, 0)
  const stored = ({ rows, events }: typeof before) => (of.kind === 'users' ? rows.length : events.length)
  expect(extent.rows - handed).toBe(stored(before) - stored(after))
  return { before, after, extent, imported }
}

const users = (...rows: string[]): File => ({ mapping: USERS, text: ['id,phone,qq,city', ...rows, ''].join('\n') })
const events = (...rows: string[]): File => ({
  mapping: EVENTS,
  text: ['id,event,time,mid,item', ...rows, ''].join('\n'),
})

test('rows that later imports left out as duplicates are theirs after an undo, with identifiers and sums by day', async () => {
  const first = users('1,13800000001,12345,北京', '2,13800000002,,上海', '3,13800000003,22222,广州')
  const second = users('1,13800000001,12345,北京', '4,,,深圳')
  const third = users('1,13800000001,12345,北京', '2,13800000002,,上海')
  const { extent, imported } = await checkUndo([first, second, third], 0)
  expect(extent).toEqual({
    rows: 3,
    people: 1,
    taken_over: [
      { import_id: imported[1]?.id, rows: 1 },
      { import_id: imported[2]?.id, rows: 1 },
    ],
  })

  await warehouse.truncate()
  const visits = ['1,看,2026-01-01 10:00:00,,a', '1,看,2026-01-01 10:00:00,,a', '2,买,2026-02-01,,b']
  const more = await checkUndo([events(...visits), events(visits[0] as string, '1,看,2026-01-02,,c'), first], 0)
  expect(more.after.days).toEqual([
    { one_id: '1', name: '看', day: '2026-01-01', n: 1 },
    { one_id: '1', name: '看', day: '2026-01-02', n: 1 },
  ])
})

test.each([
  ['users', users('1,,,北京', '2,,,上海'), users('3,,,广州')],
  ['events', events('1,看,2026-01-01,,a', '2,买,2026-02-01,,b'), events('3,看,2026-01-01,,a')],
])('an undo compares no rows when nobody repeated them: %s', async (_kind, first, second) => {
  const of = await importFile(first, UNDONE, 0)
  await importFile(second, UNDONE, 1)
  const asked: string[] = []
  const { acrossShards, everyShard, oneNode } = warehouse.load
  const query: typeof acrossShards.query = (sql, ...given) => {
    asked.push(sql)
    return acrossShards.query(sql, ...given)
  }
  const load = { acrossShards: { ...acrossShards, query }, everyShard, oneNode }
  const extent = await extentOf(load.acrossShards, of)
  expect(extent).toEqual({ rows: 2, people: 2, taken_over: [] })
  await undoRows({ load, of, heirs: heirsOf(extent), timezone: 'Asia/Shanghai', lastUid: await lastUidOf(UNDONE) })
  expect(asked.length).toBeGreaterThan(2)
  expect(asked.filter((sql) => sql.includes('row_id IN'))).toEqual([])
  expect((await contentsOf(UNDONE)).people).toEqual([{ one_id: '3', n: 1 }])
})

test('a message id that came again with other cells counts as it came then, for a person who is new by it', async () => {
  const { after } = await checkUndo([events('1,看,2026-01-01,m1,a'), events('2,买,2026-01-05,m1,b')], 0)
  expect(after.people).toEqual([{ one_id: '2', n: 1 }])
  expect(after.days).toEqual([{ one_id: '2', name: '买', day: '2026-01-05', n: 1 }])
})

test('the same file can be imported again, and no person gets a number that was given before', async () => {
  const file = users('1,13800000001,,北京', '2,,,上海')
  const first = await importFile(file, UNDONE, 0)
  const before = await contentsOf(UNDONE)
  const { lastUid } = await undo(first)
  expect(await contentsOf(UNDONE)).toEqual({ people: [], rows: [], identifiers: [], events: [], days: [] })
  await importFile(file, UNDONE, 0, lastUid)
  expect(await contentsOf(UNDONE)).toEqual(before)
  const uids = await warehouse.load.acrossShards.query('SELECT uid FROM person_key ORDER BY uid')
  expect(uids).toEqual([{ uid: 3 }, { uid: 4 }])
})

/** Handles that fail once `most` statements that change something were run, as a kill would end them. */
function dying({ acrossShards, everyShard, oneNode }: Handles, most: number): Handles {
  let run = 0
  const counted = async (command: Promise<void>) => {
    await command
    if (++run === most) throw new Killed()
  }
  return {
    acrossShards: { ...acrossShards, command: (...given) => counted(acrossShards.command(...given)) },
    everyShard: { ...everyShard, command: (...given) => counted(everyShard.command(...given)) },
    oneNode: { ...oneNode, command: (...given) => counted(oneNode.command(...given)) },
  }
}
class Killed extends Error {}

test.each([
  ['users', [users('1,13800000001,12345,北京', '2,,,上海'), users('1,13800000001,12345,北京', '3,,,广州')]],
  [
    'events',
    [events('1,看,2026-01-01,m1,a', '2,买,2026-02-03,,b'), events('3,买,2026-01-05,m1,b', '2,买,2026-02-03,,b')],
  ],
] as const)(
  'an undo of %s that ends after any of its statements is finished by the next',
  async (_kind, files) => {
    const imported: Imported[] = []
    for (const [at, file] of files.entries()) imported.push(await importFile(file, UNDONE, at))
    const of = imported[0] as Imported
    const lastUid = await lastUidOf(UNDONE)
    const heirs = heirsOf(await extentOf(warehouse.load.acrossShards, of))
    const given = { of, heirs, timezone: 'Asia/Shanghai', lastUid }
    let kills = 0
    for (let isDone = false; !isDone; kills++) {
      isDone = await undoRows({ load: dying(warehouse.load, kills + 1), ...given }).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof Killed)) throw error
          return false
        },
      )
    }
    expect(kills).toBeGreaterThan(5)
    await importFile(files[1], FRESH, 1)
    expect(await contentsOf(UNDONE)).toEqual(await contentsOf(FRESH))
  },
  240_000,
)

const id = fc.integer({ min: 1, max: 6 })
const userRow = fc
  .tuple(
    id,
    fc.constantFrom('', '13800000001', '13800000002'),
    fc.constantFrom('', '12345'),
    fc.constantFrom('北京', ''),
  )
  .map((cells) => cells.join(','))
const eventRow = fc
  .tuple(
    id,
    fc.constantFrom('看', '买'),
    fc.constantFrom('2026-01-01', '2026-02-03'),
    fc.constantFrom('', '', 'm1', 'm2'),
  )
  .map(([one, name, day, mid]) => `${one},${name},${day},${mid},x`)
const file = fc.oneof(
  fc.array(userRow, { minLength: 1, maxLength: 8 }).map((rows) => users(...rows)),
  fc.array(eventRow, { minLength: 1, maxLength: 8 }).map((rows) => events(...rows)),
)

test('after an undo everything is as if the file had never been imported', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(file, { minLength: 2, maxLength: 4 }), fc.nat(3), async (files, n) => {
      await warehouse.truncate()
      await checkUndo(files, n % files.length)
    }),
    { numRuns: 4, endOnFailure: true },
  )
})

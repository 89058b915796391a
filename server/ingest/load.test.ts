import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ImportMapping } from '#contract/import.ts'
import { type TestWarehouse, testWarehouse } from '../testing/warehouse.ts'
import { loader } from './load.ts'
import { stages } from './stage.ts'

let warehouse: TestWarehouse
let next = 1
const personKey = Buffer.alloc(32, 7)
const NOW = Date.UTC(2026, 10, 20)

beforeAll(async () => {
  warehouse = await testWarehouse()
})
beforeEach(async () => {
  await warehouse.truncate()
})
afterAll(async () => {
  await warehouse.close()
})

async function importText(text: string, mapping: ImportMapping, sliceRows?: number) {
  const import_id = next++
  const path = join(warehouse.dataDir, `file-${import_id}.csv`)
  writeFileSync(path, text)
  const { loadFile } = loader({
    warehouse,
    timezone: 'Asia/Shanghai',
    dataDir: warehouse.dataDir,
    personKey,
    ...(sliceRows ? { sliceRows, sliceBytes: sliceRows * 20 } : {}),
  })
  const loaded = await loadFile({
    import_id,
    adv_id: 1,
    mapping,
    path,
    file_name: 'a.csv',
    nowMs: NOW + import_id,
    attributes: [{ name: 'city', slot: 0 }],
  })
  const stage = stages(warehouse.load, mapping.kind, import_id)
  await stage.join({ isAgain: false })
  await stage.drop()
  return loaded
}

const USERS = { kind: 'users', id: 'id', identifiers: [], skip: [] } as ImportMapping
const EVENTS = { kind: 'events', id: 'id', event: 'event', time: 'time', skip: [] } as ImportMapping

const people = () =>
  warehouse.load.query<{ one_id: string; uid: number }>('SELECT one_id, uid FROM person_key ORDER BY uid')

test('users: every row is stored, duplicate or refused, and a bad row costs no neighbour', async () => {
  const loaded = await importText('id,city\n007,北京\n1\n2,a,b\n,上海\n 3 ,"a,b"\n4,\n', USERS)
  expect(loaded).toMatchObject({ rows: 6, stored: 3, duplicate: 0, refused: 3, new_people: 3 })
  expect(loaded.reasons).toEqual([
    { reason: '列数与首行不一致', rows: 2 },
    { reason: '用户 ID 为空', rows: 1 },
  ])
  expect((await people()).map((p) => p.one_id).sort()).toEqual(['007', '3', '4'])
  expect((await people()).map((p) => p.uid)).toEqual([1, 2, 3])
  const values = await warehouse.load.query('SELECT a0 FROM person_row ORDER BY line')
  expect(values).toEqual([{ a0: '北京' }, { a0: 'a,b' }, { a0: '' }])
})

const FILE = ['id,event,time', 'u1,buy,2026-01-01 10:00:00', 'u2,view,1767232800', 'u1,buy,2026-01-01 10:00:00'].join(
  '\n',
)

test('events: two equal purchases both count, and the same file twice changes nothing', async () => {
  expect(await importText(FILE, EVENTS)).toMatchObject({ rows: 3, stored: 3, duplicate: 0, refused: 0, new_people: 2 })
  expect(await importText(FILE, EVENTS)).toMatchObject({ rows: 3, stored: 0, duplicate: 3, refused: 0, new_people: 0 })
  expect(await importText(`${FILE}\nu1,buy,2026-01-01 10:00:00\nu3,buy,2026-01-02\n`, EVENTS)).toMatchObject({
    rows: 5,
    stored: 2,
    duplicate: 3,
    new_people: 1,
  })
  const days = await warehouse.load.query(
    'SELECT name, toString(day) AS day, sum(n) AS n FROM event_day GROUP BY ALL ORDER BY ALL',
  )
  expect(days).toEqual([
    { name: 'buy', day: '2026-01-01', n: 3 },
    { name: 'buy', day: '2026-01-02', n: 1 },
    { name: 'view', day: '2026-01-01', n: 1 },
  ])
})

test('equal rows of different slices are counted through the whole file', async () => {
  const row = 'u1,buy,2026-01-01 10:00:00'
  const other = (i: number) => `u${i},view,2026-01-01 10:00:0${i % 10}`
  const lines = ['id,event,time', ...Array.from({ length: 200_000 }, (_, i) => (i % 1000 === 0 ? row : other(i)))]
  const text = lines.join('\n')
  const first = await importText(text, EVENTS, 50_000)
  expect(first).toMatchObject({ rows: 200_000, stored: 200_000, duplicate: 0, refused: 0 })
  const second = await importText(`${text}\n${row}\n${row}`, EVENTS, 30_000)
  expect(second).toMatchObject({ rows: 200_002, stored: 2, duplicate: 200_000 })
  const [ids] = await warehouse.load.query('SELECT count() AS n, uniqExact(row_id) AS ids FROM event')
  expect(ids).toEqual({ n: 200_002, ids: 200_002 })
})

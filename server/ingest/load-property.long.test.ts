import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleMapping } from '#contract/import.ts'
import { attributeValuesSql } from '../clickhouse/person-sql.ts'
import { type TestWarehouse, testWarehouse } from '../testing/warehouse.ts'
import { loader } from './load.ts'
import { stages } from './stage.ts'

let warehouse: TestWarehouse
let next = 1
const NOW = Date.UTC(2026, 10, 20)
/** A slice of 1 MB holds about 20 rows with this padding. */
const PAD = 'x'.repeat(50_000)

beforeAll(async () => {
  warehouse = await testWarehouse()
})
afterAll(async () => {
  await warehouse.close()
})

type Cells = Record<string, string>
interface File {
  rows: Cells[]
  peopleInMemory: number
}

const text = (rows: readonly Cells[], columns: readonly string[]) =>
  [columns, ...rows.map((row) => columns.map((column) => row[column] ?? PAD))]
    .map((cells) => cells.join(','))
    .join('\n')

async function importFile(content: string, mapping: PeopleMapping, peopleInMemory: number) {
  const import_id = next++
  const path = join(warehouse.dataDir, `file-${import_id}`)
  writeFileSync(path, content)
  const { loadFile } = loader({
    warehouse,
    timezone: 'UTC',
    dataDir: warehouse.dataDir,
    personKey: Buffer.alloc(32, 7),
    sliceBytes: 1_000_000,
    peopleInMemory,
  })
  const nowMs = NOW + import_id
  const job = { import_id, adv_id: 1, mapping, path, file_name: 'a.csv', nowMs }
  const loaded = await loadFile({ ...job, attributes: [{ name: 'city', slot: 0 }] })
  const stage = stages(warehouse.load.everyShard, mapping.kind, import_id)
  await stage.join({ isAgain: false })
  await stage.drop()
  return loaded
}

/** The expected result of files of users or events, computed row by row. */
function reference(kind: 'users' | 'events', columns: readonly string[]) {
  const store = new Map<string, { copies: number; row: Cells }>()
  const people = new Set<string>()
  const cities = new Map<string, string>()
  return {
    store,
    people,
    cities,
    add(rows: readonly Cells[]) {
      const report = { rows: rows.length, stored: 0, duplicate: 0, refused: 0, new_people: 0 }
      const before = new Map([...store].map(([key, { copies }]) => [key, copies]))
      const inFile = new Map<string, number>()
      for (const row of rows) {
        const id = row.id as string
        if (id === '' || row.time === '没有') {
          report.refused++
          continue
        }
        const isFixed = kind === 'events' && row.mid !== ''
        const key = isFixed ? `mid ${row.mid}` : columns.map((column) => row[column]).join(',')
        const nth = inFile.get(key) ?? 0
        inFile.set(key, nth + 1)
        if (isFixed ? store.has(key) : nth < (before.get(key) ?? 0)) {
          report.duplicate++
          continue
        }
        report.stored++
        store.set(key, { copies: (store.get(key)?.copies ?? 0) + 1, row })
        if (!people.has(id)) report.new_people++
        people.add(id)
        if (row.city) cities.set(id, row.city)
      }
      return report
    },
  }
}

async function peopleAreNumbered(people: ReadonlySet<string>) {
  const rows = await warehouse.load.acrossShards.query<{ one_id: string; uid: number }>(
    'SELECT one_id, uid FROM person_key ORDER BY uid',
  )
  expect(rows.map((row) => row.one_id).sort()).toEqual([...people].sort())
  expect(rows.map((row) => row.uid)).toEqual(rows.map((_, index) => index + 1))
}

const ids = fc.oneof({ weight: 12, arbitrary: fc.integer({ min: 1, max: 40 }).map((n) => `u${n}`) }, fc.constant(''))
const filesOf = (...rows: fc.Arbitrary<Cells>[]) => {
  const run = fc.oneof(...rows.map((row) => fc.array(row, { minLength: 1, maxLength: 40 })))
  const file = fc.record({
    // Runs of similar rows, so that slices differ.
    rows: fc.array(run, { minLength: 1, maxLength: 5 }).map((runs) => runs.flat()),
    peopleInMemory: fc.constantFrom(0, 5, 1_000_000),
  })
  return fc.array(file, { minLength: 1, maxLength: 3 })
}

/** Imports random files one after the other; after each, the report, the people and `same` of the store must equal the model's. */
async function checkRowByRow(
  mapping: PeopleMapping,
  columns: readonly string[],
  files: fc.Arbitrary<File[]>,
  same: (model: ReturnType<typeof reference>) => Promise<void>,
) {
  await fc.assert(
    fc.asyncProperty(files, async (given) => {
      await warehouse.truncate()
      const model = reference(mapping.kind, columns)
      for (const { rows, peopleInMemory } of given) {
        const loaded = await importFile(text(rows, columns), mapping, peopleInMemory)
        expect(loaded).toMatchObject(model.add(rows))
        await peopleAreNumbered(model.people)
        await same(model)
      }
    }),
    { numRuns: 6, endOnFailure: true },
  )
}

test('event files give the same result as row by row, whatever repeats in or between them', async () => {
  const columns = ['id', 'event', 'time', 'mid', 'pad']
  const mapping = {
    kind: 'events',
    id: 'id',
    event: 'event',
    time: 'time',
    message_id: 'mid',
    skip: ['pad'],
  } as PeopleMapping
  const row = (from: number, mid: fc.Arbitrary<string>) => {
    const time = fc.integer({ min: from, max: from + 30 }).map((second) => `${1767232800 + second}`)
    return fc.record({
      id: ids,
      event: fc.constantFrom('view', 'buy'),
      time: fc.oneof({ weight: 20, arbitrary: time }, fc.constant('没有')),
      mid,
    })
  }
  const none = fc.constant('')
  const some = fc.oneof(
    { weight: 3, arbitrary: none },
    fc.integer({ min: 1, max: 20 }).map((n) => `m${n}`),
  )
  const files = filesOf(row(0, none), row(20, none), row(40, none), row(0, some), row(20, some))
  await checkRowByRow(mapping, columns, files, async (model) => {
    const kept = await warehouse.load.acrossShards.query<{ id: string; n: number }>(
      `SELECT concat(k.one_id, ' ', e.name, ' ', toString(toUnixTimestamp(e.ts))) AS id, count() AS n, uniqExact(row_id) AS ids
       FROM event AS e INNER JOIN person_key AS k USING (adv_id, uid) GROUP BY id HAVING n = ids ORDER BY id`,
    )
    const wanted = new Map<string, number>()
    for (const { copies, row } of model.store.values()) {
      const id = `${row.id} ${row.event} ${row.time}`
      wanted.set(id, (wanted.get(id) ?? 0) + copies)
    }
    expect(Object.fromEntries(kept.map(({ id, n }) => [id, n]))).toEqual(Object.fromEntries(wanted))
  })
})

test('user files give the same result as row by row, whatever repeats in or between them', async () => {
  const columns = ['id', 'city', 'pad']
  const mapping = { kind: 'users', id: 'id', identifiers: [], skip: ['pad'] } as PeopleMapping
  const some = fc.record({ id: ids, city: fc.constantFrom('', '北京', '上海') })
  // Files whose people are all new are numbered by rows.
  const fresh = fc.nat(1_000_000).map((n): Cells => ({ id: `n${n}`, city: '广州' }))
  const files = fc.oneof(filesOf(some), filesOf(fresh), filesOf(fc.oneof({ weight: 30, arbitrary: fresh }, some)))
  await checkRowByRow(mapping, columns, files, async (model) => {
    const cities = await warehouse.load.acrossShards.query<{ one_id: string; city: string }>(
      `SELECT k.one_id AS one_id, v.value AS city FROM ${attributeValuesSql(0)} AS v INNER JOIN person_key AS k ON k.uid = v.uid`,
      { adv_id: 1 },
    )
    expect(Object.fromEntries(cities.map(({ one_id, city }) => [one_id, city]))).toEqual(
      Object.fromEntries(model.cities),
    )
  })
})

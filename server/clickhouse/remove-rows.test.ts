import { afterAll, beforeEach, expect, test } from 'vitest'
import { testWarehouse } from '../testing/warehouse.ts'
import { EngineError } from './engine-error.ts'
import { runStatements } from './migrate.ts'
import { removeRows } from './remove-rows.ts'
import { peopleLists } from './tables/0008-people-lists.ts'
import { peopleByDay } from './tables/0014-people-by-day.ts'

// Merging at once takes a right that the console never needs.
const warehouse = await testWarehouse({ hasAllRights: true })
afterAll(() => warehouse.close())
beforeEach(() => warehouse.truncate())

/** Enough for a part whose columns have files of their own, which the engine treats in another way. */
const ROWS = 400_000
const { acrossShards: engine, everyShard } = warehouse.load
const numberOf = async (sql: string) => (await engine.query<{ n: number }>(sql))[0]?.n

/** What the kept orders say, and what the rows say. */
const counts = async () => ({
  newest: await numberOf(`SELECT count() AS n FROM event WHERE adv_id = 1 AND ts >= '2026-01-02 00:00:00'`),
  days: await numberOf(
    `SELECT toFloat64(groupBitmapMerge(s)) AS n FROM
     (SELECT groupBitmapState(uid) AS s FROM event_day WHERE adv_id = 1 AND day >= '2026-01-01')`,
  ),
  people: await numberOf('SELECT count() AS n FROM person_key WHERE adv_id = 1 AND uid >= 0'),
})
const settings = 'SETTINGS optimize_use_projections = 0'
const rows = async () => ({
  newest: await numberOf(`SELECT count() AS n FROM event WHERE adv_id = 1 AND ts >= '2026-01-02 00:00:00' ${settings}`),
  days: await numberOf(`SELECT uniqExact(uid) AS n FROM event_day WHERE adv_id = 1 ${settings}`),
  people: await numberOf(`SELECT count() AS n FROM person_key WHERE adv_id = 1 ${settings}`),
})

async function insert(import_id: number) {
  const numbers = `numbers(${import_id * ROWS}, ${ROWS})`
  await engine.command(
    `INSERT INTO event (adv_id, uid, ts, name, properties, import_id)
     SELECT 1, number, toDateTime64('2026-01-01 00:00:00', 3, 'UTC') + number, 'browse', map('n', toString(number)), ${import_id} FROM ${numbers}`,
  )
  await engine.command(
    `INSERT INTO event_day (adv_id, name, day, uid, n, import_id)
     SELECT 1, 'browse', toDate('2026-01-01') + number % 20, number, 1, ${import_id} FROM ${numbers}`,
  )
  await engine.command(
    `INSERT INTO person_key (adv_id, one_id, uid, import_id) SELECT 1, toString(number), number, ${import_id} FROM ${numbers}`,
  )
}

test('removed rows are gone from every order in which they are kept', { timeout: 60_000 }, async () => {
  await insert(1)
  await insert(2)
  const before = await counts()
  for (const table of ['event', 'event_day', 'person_key']) await removeRows(everyShard, table, 'import_id = 2')
  expect(await counts()).toEqual(await rows())
  expect(await counts()).toMatchObject({ days: ROWS, people: ROWS })
  expect(before).toMatchObject({ days: 2 * ROWS, people: 2 * ROWS })
  // Merging adds sums up.
  for (const table of ['event', 'event_day', 'person_key']) await engine.command(`OPTIMIZE TABLE ${table} FINAL`)
  expect(await counts()).toEqual(await rows())
})

test('rows that an older version marked as gone stay gone', { timeout: 60_000 }, async () => {
  for (const table of ['event', 'event_day', 'person_key'])
    await engine.command(
      `ALTER TABLE ${table} DROP PROJECTION ${{ event: 'by_time', event_day: 'people_by_day' }[table] ?? 'by_number'}`,
    )
  await insert(1)
  await insert(2)
  for (const table of ['event', 'event_day', 'person_key'])
    await engine.command(`DELETE FROM ${table} WHERE import_id = 2 AND uid % 2 = 0`)
  for (const migration of [peopleLists, peopleByDay]) await runStatements(warehouse.load, migration)
  // The migration does not wait for the engine to have written them.
  for (const [table, name] of [
    ['event', 'by_time'],
    ['event_day', 'people_by_day'],
    ['person_key', 'by_number'],
  ] as const)
    await engine.command(`ALTER TABLE ${table} MATERIALIZE PROJECTION ${name} SETTINGS mutations_sync = 2`)
  expect(await counts()).toEqual(await rows())
  expect(await counts()).toMatchObject({ days: ROWS * 1.5, people: ROWS * 1.5 })
})

test('a lightweight deletion of such rows is refused by the engine', async () => {
  await insert(1)
  for (const table of ['event', 'event_day', 'person_key'])
    await expect(engine.command(`DELETE FROM ${table} WHERE import_id = 1`)).rejects.toThrow('projections')
})

test('a server that does not know settings of a projection keeps the people of a day without them', async () => {
  await everyShard.command('ALTER TABLE event_day DROP PROJECTION people_by_day')
  const { oneNode } = warehouse.load
  const older = {
    ...oneNode,
    command: () => Promise.reject(new EngineError('other', 'Syntax error: failed at position 80 (WITH)')),
  }
  await runStatements({ everyShard, oneNode: older }, peopleByDay)
  await insert(1)
  expect(await counts()).toEqual(await rows())
  await expect(
    runStatements(
      { everyShard, oneNode: { ...older, command: () => Promise.reject(new EngineError('away', '')) } },
      peopleByDay,
    ),
  ).rejects.toThrow(EngineError)
})

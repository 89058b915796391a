import { isDeepStrictEqual } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type TestWarehouse, testWarehouse } from '../testing/warehouse.ts'
import { migrate } from './migrate.ts'

let warehouse: TestWarehouse
beforeAll(async () => {
  warehouse = await testWarehouse()
})
afterEach(() => warehouse.truncate())
afterAll(() => warehouse.close())

const echo = async (type: string, value: Parameters<typeof warehouse.live.acrossShards.query>[1]) =>
  (
    await warehouse.live.acrossShards.query<{ back: unknown; type: string }>(
      `SELECT {v:${type}} AS back, toTypeName(back) AS type`,
      value,
    )
  )[0]

test('parameters arrive as the type the statement names', async () => {
  expect(await echo('UInt32', { v: 7 })).toEqual({ back: 7, type: 'UInt32' })
  expect(await echo('Int64', { v: -7n })).toEqual({ back: -7, type: 'Int64' })
  expect(await echo('String', { v: `O'Brien \\ "人群" 😀 {v:UInt8} \n\t` })).toMatchObject({
    back: `O'Brien \\ "人群" 😀 {v:UInt8} \n\t`,
  })
  expect(await echo('Array(String)', { v: [`a'b`, 'c\\d', ''] })).toMatchObject({ back: [`a'b`, 'c\\d', ''] })
  expect(await echo('Array(Array(UInt32))', { v: [[1], []] })).toMatchObject({ back: [[1], []] })
  expect(await echo('Map(String, String)', { v: { "k'": 'v' } })).toMatchObject({ back: { "k'": 'v' } })
  expect(await echo('Map(String, String)', { v: {} })).toMatchObject({ back: {} })
  expect(await echo('Nullable(String)', { v: null })).toMatchObject({ back: null })
  expect(await echo('Array(Nullable(UInt8))', { v: [1, null] })).toMatchObject({ back: [1, null] })
  expect(await echo("DateTime64(3, 'UTC')", { v: new Date('2026-11-20T01:02:03.456Z') })).toMatchObject({
    back: '2026-11-20 01:02:03.456',
  })
  expect(await echo('Date', { v: '2026-11-20' })).toMatchObject({ back: '2026-11-20' })
  expect(await echo('Bool', { v: true })).toMatchObject({ back: true })
  expect(await echo('Float64', { v: 0.1 })).toMatchObject({ back: 0.1 })
})

test('a hundred thousand values fit one statement, and limits and names may be parameters', async () => {
  const ids = Array.from({ length: 100_000 }, (_, id) => id * 7)
  const rows = await warehouse.live.acrossShards.query<{ number: number }>(
    'SELECT number FROM {table:Identifier}(700000) WHERE number IN {ids:Array(UInt32)} ORDER BY number DESC LIMIT {n:UInt32}',
    { ids, n: 2, table: 'numbers' },
  )
  expect(rows).toEqual([{ number: 699_993 }, { number: 699_986 }])
})

test('text in quotes is left alone, and a missing parameter is an error', async () => {
  expect(await warehouse.live.acrossShards.query(`SELECT '{v:UInt8}' AS a /* {v:UInt8} */`)).toEqual([
    { a: '{v:UInt8}' },
  ])
  await expect(warehouse.live.acrossShards.query('SELECT {v:UInt8}')).rejects.toThrow('parameter v')
})

test('a number beyond a double is refused, not rounded', async () => {
  expect(await warehouse.live.acrossShards.query('SELECT toUInt64(9007199254740991) AS n')).toEqual([
    { n: Number.MAX_SAFE_INTEGER },
  ])
  await expect(warehouse.live.acrossShards.query('SELECT toUInt64(9007199254740993) AS n')).rejects.toThrow(
    '9007199254740993',
  )
  expect(await warehouse.live.acrossShards.query(`SELECT '9007199254740993' AS n, 1e300 AS f`)).toEqual([
    { n: '9007199254740993', f: 1e300 },
  ])
})

test('inserted rows are read back, and an unknown column is an error', async () => {
  await warehouse.load.acrossShards.insert('person_key', [
    { adv_id: 1, one_id: '007', uid: 1 },
    { adv_id: 1, one_id: '人\n', uid: 2 },
  ])
  expect(await warehouse.live.acrossShards.query('SELECT one_id, uid FROM person_key ORDER BY uid')).toEqual([
    { one_id: '007', uid: 1 },
    { one_id: '人\n', uid: 2 },
  ])
  await expect(warehouse.load.acrossShards.insert('person_key', [{ adv_id: 1, one: 'x', uid: 1 }])).rejects.toThrow()
  await expect(
    warehouse.load.acrossShards.insert('person_key', [
      { adv_id: 1, uid: 1 },
      { adv_id: 1, one: 'x', uid: 1 },
    ]),
  ).rejects.toThrow()
})

const ENDLESS = 'SELECT count() AS n FROM numbers({n:UInt64}) WHERE sipHash64(number) = 1'
/** Hours of work; `mark` identifies the statement. */
const hours = (mark: number) => ({ n: 10_000_000_000_000 + mark })
/** Whether its read rows still grow; the engine lists a stopped query until its connection is used again. */
const isRunning = async (mark: number) => {
  const rowsRead = () =>
    warehouse.live.acrossShards.query(
      `SELECT read_rows FROM system.processes WHERE position(query, {text:String}) > 0 AND query NOT LIKE '%processes%'`,
      { text: String(hours(mark).n) },
    )
  const before = await rowsRead()
  await new Promise((resolve) => setTimeout(resolve, 300))
  return !isDeepStrictEqual(await rowsRead(), before)
}

test('a count does not wait for a load query, which can be killed by its comment', async () => {
  const slow = warehouse.load.acrossShards.query(ENDLESS, hours(1), { comment: 'slow' }).then(
    () => 'answered',
    (error: Error) => error.message,
  )
  await expect.poll(() => isRunning(1), { timeout: 10_000 }).toBe(true)
  expect(await warehouse.live.acrossShards.query('SELECT {n:UInt8} AS n', { n: 1 })).toEqual([{ n: 1 }])
  expect(await isRunning(1)).toBe(true)
  await warehouse.load.acrossShards.kill('another')
  expect(await isRunning(1)).toBe(true)

  const began = Date.now()
  await warehouse.load.acrossShards.kill('slow')
  expect(await slow).toMatch(/QUERY_WAS_CANCELLED|was cancelled/)
  expect(Date.now() - began).toBeLessThan(10_000)
  expect(await isRunning(1)).toBe(false)
})

test('an aborted query stops in the engine', async () => {
  const stop = new AbortController()
  const slow = warehouse.live.acrossShards.query(ENDLESS, hours(2), { signal: stop.signal }).then(
    () => 'answered',
    (error: Error) => error.name,
  )
  await expect.poll(() => isRunning(2), { timeout: 10_000 }).toBe(true)
  const began = Date.now()
  stop.abort()
  expect(await slow).toBe('AbortError')
  expect(Date.now() - began).toBeLessThan(10_000)
  expect(await isRunning(2)).toBe(false)
})

test('tables are migrated once, and a newer store is refused with a sentence', async () => {
  const versions = () => warehouse.live.acrossShards.query('SELECT version FROM table_migration ORDER BY version')
  const before = await versions()
  await migrate(warehouse.load)
  expect(await versions()).toEqual(before)
  await expect(migrate(warehouse.load, [])).rejects.toThrow('更新的版本')
})

test('a closed store refuses new calls at once and answers earlier ones', async () => {
  const asked = Promise.all(
    Array.from({ length: 20 }, () => warehouse.live.acrossShards.query('SELECT sleep(0.01) AS n')),
  )
  await warehouse.restart()
  expect(await asked).toHaveLength(20)
  const live = warehouse.live.acrossShards
  await warehouse.restart()
  await expect(live.query('SELECT 1')).rejects.toThrow('closed')
})

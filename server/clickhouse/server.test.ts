import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ATTRIBUTE_TAG } from '#contract/tag.ts'
import { bytesOf } from '../files/text-lines.ts'
import { StartError } from '../start-error.ts'
import { type ClickHouseServer, startClickHouse } from '../testing/clickhouse-server.ts'
import { type TestWarehouse, testWarehouse } from '../testing/warehouse.ts'
import { openPool } from './engine.ts'
import { openClickHouse } from './open.ts'
import { openEvaluator } from './rule/evaluate.ts'
import { openServer } from './store.ts'

let server: ClickHouseServer
let warehouse: TestWarehouse
beforeAll(async () => {
  server = await startClickHouse({
    users: {
      reader: ['GRANT SELECT ON *.*'],
      owner: ['GRANT ALL ON owned.*', 'GRANT TABLE ENGINE ON Memory', 'GRANT SELECT ON system.parts'],
    },
  })
  warehouse = await testWarehouse({ server: server.url })
})
afterAll(async () => {
  await warehouse.close()
  await server.stop()
})

const open = (url: string) => openClickHouse({ clickhouseUrl: url, dataDir: warehouse.dataDir })
const as = (user: string, password: string, database = '') => {
  const url = new URL(server.url)
  Object.assign(url, { username: user, password, pathname: `/${database}` })
  return url.href
}
const PASSWORD = () => new URL(server.url).password

test('the same statements go to a server by URL', async () => {
  await warehouse.load.acrossShards.insert('person_key', [{ adv_id: 1, one_id: "人 '7'", uid: 1 }])
  expect(
    await warehouse.live.acrossShards.query('SELECT one_id, uid FROM person_key WHERE one_id = {id:String}', {
      id: "人 '7'",
    }),
  ).toEqual([{ one_id: "人 '7'", uid: 1 }])
  await expect(warehouse.live.acrossShards.query('SELECT nothing')).rejects.toMatchObject({ code: 'other' })
})

test('an error after the first rows of an answer is reported like one before them', async () => {
  const failing = 'SELECT throwIf(number = 3000000) AS a, number AS b FROM numbers(4000000)'
  await expect(warehouse.live.acrossShards.query(failing)).rejects.toMatchObject({ code: 'other' })
  await expect(warehouse.live.acrossShards.bytes(`${failing} FORMAT RowBinary`)).rejects.toMatchObject({
    code: 'other',
  })
})

test('rules count the same on a server by URL, in memory and by the engine', async () => {
  await warehouse.load.acrossShards.command(
    `INSERT INTO tag_member SELECT 1, t, 1, bitShiftRight(uid, 20), groupBitmapState(uid)
     FROM (SELECT toUInt32(number % 2 + 1) AS t, toUInt32(number * 3) AS uid FROM numbers(1000000)) GROUP BY t, bitShiftRight(uid, 20)`,
  )
  const sets = [1, 2].map((id) => ({ kind: 'tag' as const, id, version: 1, count: 500_000 }))
  const rule = {
    id: 'a',
    op: 'e' as const,
    subTags: [
      { id: 1, tag_type: ATTRIBUTE_TAG },
      { id: 2, tag_type: ATTRIBUTE_TAG },
    ],
    exps: [],
  }
  for (const bitmapMemory of [1e8, 0]) {
    const evaluator = openEvaluator(warehouse, { bitmapMemory })
    expect(await evaluator.countRule(1, rule, sets)).toEqual({ a: 500_000 })
    expect(await evaluator.storeRule(1, { ...rule, op: 'u' }, sets, { crowd_id: 9, version: 1 })).toBe(1_000_000)
    await evaluator.close()
  }
})

test('an aborted query that the server does not stop answers late, and its abort fails nothing else', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const clients = await openServer(server.url).clients({ size: 1, memoryShare: 0.05 })
  const pool = openPool(clients, () => Promise.reject(new Error('no right to kill')))
  const left = new AbortController()
  const answer = pool.query('SELECT sleep(0.5) AS slept', {}, { signal: left.signal })
  setTimeout(() => left.abort(), 100)
  expect(await answer).toEqual([{ slept: 0 }])
  // An unhandled rejection would end the process and fail the test run.
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(errors.mock.calls.map(([said]) => said)).toEqual(['查询未能中止'])
  await pool.close()
  errors.mockRestore()
})

test('lines of a local file are sent to a server', async () => {
  const file = join(warehouse.dataDir, 'lines.txt')
  writeFileSync(file, '2,b\n3,"c"\n')
  expect(warehouse.load.acrossShards.readsFiles).toBe(false)
  await warehouse.load.acrossShards.command('CREATE TABLE lines (line String) ENGINE = Memory')
  await warehouse.load.acrossShards.insertLines('lines', bytesOf(file))
  expect(await warehouse.live.acrossShards.query('SELECT line FROM lines ORDER BY line')).toEqual([
    { line: '2,b' },
    { line: '3,"c"' },
  ])
  await expect(warehouse.load.acrossShards.insertLines('nowhere', bytesOf(file))).rejects.toMatchObject({
    code: 'unknown_table',
  })
})

test('lines that cannot be read do not count as an outage of the server, a connection that breaks between them does', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const lines = vi.spyOn(console, 'log').mockImplementation(() => {})
  const { load } = warehouse
  await load.acrossShards.command('CREATE TABLE sent (line String) ENGINE = MergeTree ORDER BY line')
  await expect(load.acrossShards.insertLines('sent', bytesOf('/nowhere'))).rejects.toMatchObject({ code: 'ENOENT' })
  async function* failing() {
    yield Buffer.from('a\n'.repeat(1_000_000))
    throw new Error('unreadable')
  }
  await expect(load.acrossShards.insertLines('sent', failing())).rejects.toThrow('unreadable')
  expect(errors).not.toHaveBeenCalled()
  async function* interrupted() {
    yield Buffer.from('a\n'.repeat(1_000_000))
    await server.kill()
    yield Buffer.from('b\n'.repeat(1_000_000))
  }
  await expect(load.acrossShards.insertLines('sent', interrupted())).rejects.toMatchObject({
    name: 'EngineError',
    code: 'away',
  })
  await server.start()
  expect(await load.acrossShards.query('SELECT line FROM sent LIMIT 1')).toEqual([])
  expect(errors.mock.calls.map(([said]) => said)).toEqual([expect.stringMatching(/^数据仓库暂时不可用：/)])
  expect(lines.mock.calls.map(([said]) => said)).toEqual(['数据仓库已恢复'])
})

test('a start fails with a sentence when the server does not answer', async () => {
  await expect(open('http://127.0.0.1:9')).rejects.toThrow('CLICKHOUSE_URL 指定的 ClickHouse 没有响应')
})

test('a start fails with a sentence when the server is not a ClickHouse', async () => {
  const other = createServer((_, answer) => answer.writeHead(404).end('<html>Not Found</html>')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  await expect(open(`http://me:secret@127.0.0.1:${port}`)).rejects.toThrow('上不是 ClickHouse 的 HTTP 接口')
  other.close()
})

test.each([
  ['a wrong password', () => as('renqun', 'secret'), '用户名或密码不正确'],
  ['a user it does not know', () => as('nobody', 'secret'), '用户名或密码不正确'],
  ['a database it does not have', () => as('renqun', PASSWORD(), 'secret'), '没有这个库'],
])('%s stops the start with a sentence', async (_what, url, sentence) => {
  const opening = open(url())
  await expect(opening).rejects.toThrow(StartError)
  await expect(opening).rejects.toThrow(sentence)
  await expect(opening).rejects.not.toThrow('secret')
})

test('a start fails when the user lacks rights, and names the statements that grant them', async () => {
  await expect(open(as('reader', PASSWORD(), 'default'))).rejects.toThrow(
    '用户 reader 缺少权限，请由它的管理员执行：\nGRANT SELECT, INSERT, ALTER, CREATE TABLE, DROP TABLE, TRUNCATE, OPTIMIZE, SYSTEM MERGES ON `default`.* TO `reader`;\nGRANT TABLE ENGINE ON MergeTree TO `reader`;',
  )
  await warehouse.load.acrossShards.command('CREATE DATABASE owned')
  const error = await open(as('owner', PASSWORD(), 'owned')).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(StartError)
  expect((error as Error).message.split('\n').slice(1)).toEqual([
    ...['MergeTree', 'ReplacingMergeTree', 'SummingMergeTree', 'Join', 'Set'].map(
      (engine) => `GRANT TABLE ENGINE ON ${engine} TO \`owner\`;`,
    ),
    'GRANT SELECT ON system.processes TO `owner`;',
  ])
})

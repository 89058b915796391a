import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Session } from 'chdb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { StartError } from '../process/start-error.ts'
import { openClickHouse, type Warehouse } from './open.ts'
import { openEvaluator } from './rule/evaluate.ts'

// The engine of the embedded store behind the HTTP interface of a server, so that the way by URL is walked without one:
// the real client, its settings and errors. It is no proof of a real server's.
const path = mkdtempSync(join(tmpdir(), 'renqun-server-'))
const engine = new Session(path)
const TRANSPORT =
  /^(query_id|database|param_.*|wait_end_of_query|enable_http_compression|compress|role|session_.*|send_progress.*|http_.*|default_format)$/

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

let refusesKills = false
const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const sql = [url.searchParams.get('query'), await bodyOf(request)].filter(Boolean).join('\n')
  const settings = [...url.searchParams].filter(([name]) => name !== 'query' && !TRANSPORT.test(name))
  try {
    if (refusesKills && sql.startsWith('KILL')) throw new Error('no right to kill')
    if (settings.length > 0)
      await engine.queryAsync(`SET ${settings.map(([name, value]) => `${name} = '${value}'`).join(', ')}`)
    const answer = await engine.queryAsync(sql || 'SELECT 1')
    response.end(Buffer.from(answer.bytes()))
  } catch (error) {
    response.writeHead(500, { 'X-ClickHouse-Exception-Code': '1' }).end(String(error))
  }
})

let warehouse: Warehouse
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  warehouse = await openClickHouse({ clickhouseUrl: `http://127.0.0.1:${address.port}`, dataDir: path })
})
afterAll(async () => {
  await warehouse.close()
  server.closeAllConnections()
  server.close()
  engine.close()
  rmSync(path, { recursive: true, force: true })
})

test('the same statements go to a server by URL', async () => {
  await warehouse.load.insert('person_key', [{ adv_id: 1, one_id: "人 '7'", uid: 1 }])
  expect(
    await warehouse.live.query('SELECT one_id, uid FROM person_key WHERE one_id = {id:String}', { id: "人 '7'" }),
  ).toEqual([{ one_id: "人 '7'", uid: 1 }])
  await expect(warehouse.live.query('SELECT nothing')).rejects.toThrow('nothing')
})

test('rules count the same over a server by URL, in memory and by the engine', async () => {
  await warehouse.load.command(
    `INSERT INTO tag_member SELECT 1, t, 1, bitShiftRight(uid, 20), groupBitmapState(uid)
     FROM (SELECT toUInt32(number % 2 + 1) AS t, toUInt32(number * 3) AS uid FROM numbers(1000000)) GROUP BY t, bitShiftRight(uid, 20)`,
  )
  const sets = [1, 2].map((id) => ({ kind: 'tag' as const, id, version: 1, count: 500_000 }))
  const rule = {
    id: 'a',
    op: 'e' as const,
    subTags: [
      { id: 1, tag_type: 1 as const },
      { id: 2, tag_type: 1 as const },
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

test('a query that the server will not stop is answered late, and takes nothing down with it', async () => {
  refusesKills = true
  const left = new AbortController()
  const answer = warehouse.live.query('SELECT sleep(0.5) AS slept', {}, { signal: left.signal })
  setTimeout(() => left.abort(), 100)
  expect(await answer).toEqual([{ slept: 0 }])
  // A rejection that nobody handles would end the process; the test run fails by it.
  await new Promise((resolve) => setTimeout(resolve, 200))
  refusesKills = false
})

test('a server that does not answer stops the start with a sentence', async () => {
  await expect(openClickHouse({ clickhouseUrl: 'http://127.0.0.1:9', dataDir: path })).rejects.toThrow(
    'CLICKHOUSE_URL 指定的 ClickHouse 没有响应',
  )
})

test.each([
  ['Code: 516. DB::Exception: x: Authentication failed. (AUTHENTICATION_FAILED) (version 24.3)', '用户名或密码不正确'],
  ['Code: 81. DB::Exception: Database x does not exist. (UNKNOWN_DATABASE) (version 24.3)', '没有这个库'],
  ['<html>Not Found</html>', '上不是 ClickHouse 的 HTTP 接口'],
])('a server that refuses, or is another, stops the start with a sentence: %s', async (answered, sentence) => {
  const other = createServer((_, answer) => answer.writeHead(404).end(answered)).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const opening = openClickHouse({ clickhouseUrl: `http://me:secret@127.0.0.1:${port}`, dataDir: path })
  await expect(opening).rejects.toThrow(StartError)
  await expect(opening).rejects.toThrow(sentence)
  await expect(opening).rejects.not.toThrow('secret')
  other.close()
})

test('a file of this machine is sent to a server line by line', async () => {
  const file = join(path, 'lines.txt')
  writeFileSync(file, '2,b\n3,"c"\n')
  expect(warehouse.load.readsFiles).toBe(false)
  await warehouse.load.command('CREATE TABLE lines (line String) ENGINE = Memory')
  await warehouse.load.insertLines('lines', file)
  expect(await warehouse.live.query('SELECT line FROM lines ORDER BY line')).toEqual([
    { line: '2,b' },
    { line: '3,"c"' },
  ])
})

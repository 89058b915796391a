import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { ROW_BYTES_MAX } from '#contract/file-limits.ts'
import { getImport, type ImportMapping, previewImport, refusedRowsPath, startImport } from '#contract/import.ts'
import { outcome } from '#contract/outcome.ts'
import { CELL_SHOWN } from '../../files/preview-limits.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { dictionaryGiant, listGiant, plainGiant, slowGiant } from '../../testing/giant-cells.ts'
import { testApp } from '../../testing/test-app.ts'
import { uploadTo } from '../../testing/upload.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())

const MB = 1024 * 1024
const USERS: ImportMapping = { kind: 'users', id: 'id', identifiers: [], skip: [] }
const TOO_DENSE = '压缩比超过 100 倍，可能是压缩炸弹，已停止解压'
const LONG_ROW = { reason: '单行超过 1 MB', outcome: outcome('row_too_long') }
const unreadable = (reason: string) => ({ code: FAULTS.importUnreadable.code, msg: `文件无法读取：${reason}` })

const upload = (content: string | Buffer, name = 'a.parquet') => uploadTo(app, app.admin, content, name)
const preview = (upload_id: string) => app.admin.call(previewImport, { body: { upload_id, kind: 'users' } })

async function imported(upload_id: string) {
  const adv_id = await anAdvertiser(app)
  const { id } = await app.admin.get(startImport, { body: { adv_id, upload_id, mapping: USERS } })
  await app.settled()
  const row = await app.admin.get(getImport, { params: { id } })
  const refused = await app.app.inject({ url: refusedRowsPath(id), headers: { cookie: app.admin.cookie } })
  return { ...row, refused: refused.body }
}

let files = 0
async function parquetOf(select: string): Promise<Buffer> {
  const path = join(app.stores.settings.dataDir, `made-${++files}.parquet`)
  await (await app.stores.warehouse.fileEngine()).command(`INSERT INTO FUNCTION file('${path}', 'Parquet') ${select}`)
  return readFileSync(path)
}

/** Replaces a number in the footer by another that takes the same number of bytes. */
function withNumber(file: Buffer, from: number, to: number): Buffer {
  const changed = Buffer.from(file)
  for (let at = changed.indexOf(inFooter(from)); at !== -1; at = changed.indexOf(inFooter(from)))
    inFooter(to).copy(changed, at)
  expect(changed.equals(file)).toBe(false)
  return changed
}

/** The footer is Thrift: a field of 64 bits begins with 0x16, and its number is a zigzag varint. */
function inFooter(number: number): Buffer {
  const bytes = [0x16]
  for (let rest = number * 2; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest < 128 ? rest : (rest % 128) + 128)
    if (rest < 128) return Buffer.from(bytes)
  }
}

test('a Parquet whose footer declares an unpacked size far above its own is refused at once', async () => {
  const upload_id = await upload(plainGiant())
  expect(await preview(upload_id)).toMatchObject(unreadable(TOO_DENSE))
  const adv_id = await anAdvertiser(app)
  const started = await app.admin.call(startImport, { body: { adv_id, upload_id, mapping: USERS } })
  expect(started).toMatchObject(unreadable(TOO_DENSE))
})

test('a footer that declares too small a size or a wrong number of rows is detected', async () => {
  const damaged = unreadable('Parquet 文件不完整或已损坏')
  const bytes = withNumber(withNumber(plainGiant(), 480_000_191, 40_000_191), 480_000_507, 40_000_507)
  expect(await preview(await upload(bytes))).toMatchObject(damaged)
  expect(await preview(await upload(withNumber(dictionaryGiant(), 40, 50)))).toMatchObject(damaged)
})

test('a row that does not fit into the memory of a preview is refused with a sentence', async () => {
  const upload_id = await upload(listGiant())
  expect(await preview(upload_id)).toMatchObject(unreadable('前几行内容过大，预览需要的内存超过 512 MB'))
  const { status, error } = await imported(upload_id)
  expect([status, error]).toEqual(['failed', expect.stringMatching(/^文件无法读取：/)])
})

test('nearly identical cells are imported even if they unpack to over a hundred times the file', async () => {
  const columns = Array.from(
    { length: 30 },
    (_, n) => `if(number % 997 = 0, '一般', '第${n}项的答案：非常满意') AS c${n}`,
  )
  const file = await parquetOf(`SELECT toString(number) AS id, ${columns.join(', ')} FROM numbers(75_000)`)
  expect(file.length).toBeLessThan(MB)
  const { status, error, report } = await imported(await upload(file))
  expect([status, error]).toEqual(['done', null])
  expect(report).toMatchObject({ rows: 75_000, stored: 75_000, refused: 0 })
})

describe.runIf(process.platform === 'linux')('five previews at once of 40 cells of 12 MB', () => {
  test('run one by one for their viewer, and only the shown rows reach the process', async () => {
    const uploads: string[] = []
    for (let n = 0; n < 5; n++) uploads.push(await upload(dictionaryGiant()))
    const before = resident('VmRSS')
    // Resets the peak.
    writeFileSync('/proc/self/clear_refs', '5')
    const cpu = process.threadCpuUsage()
    const watch = watchStatements()
    const answers = await Promise.all(uploads.map(preview))
    const atOnce = await watch.end()
    const { user, system } = process.threadCpuUsage(cpu)
    for (const { data } of answers) {
      expect(data.columns).toEqual(['id', 'city'])
      expect(data.rows).toHaveLength(40)
      expect(data.rows.every(([, city]) => city === 'x'.repeat(CELL_SHOWN))).toBe(true)
    }
    expect(atOnce).toBe(1)
    // Each file holds 480 MB of cells: in memory in the engine, and twice in this process if they were read whole.
    expect(resident('VmHWM') - before).toBeLessThan(1000)
    // Microseconds of CPU time of the thread that answers calls.
    expect(user + system).toBeLessThan(3_000_000)
  })
})

/** MB. */
function resident(what: 'VmRSS' | 'VmHWM'): number {
  const [, kb] = new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kb) / 1024
}

/** Statements that read the rows of a previewed Parquet. */
async function reading(where = '1'): Promise<number> {
  const [row] = await (await app.stores.warehouse.fileEngine()).query<{ n: number }>(
    `SELECT count() AS n FROM system.processes WHERE query LIKE '%source.parquet%LIMIT 50%'
     AND query NOT LIKE '%system.processes%' AND ${where}`,
  )
  return row?.n ?? 0
}

/** The most statements over a previewed file that ran at once. */
function watchStatements() {
  let most = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) most = Math.max(most, await reading())
  })()
  return {
    async end() {
      isOver = true
      await watching
      return most
    },
  }
}

test('a preview whose caller disconnected is stopped in the engine, and the next one starts', async () => {
  const [slow, next] = [await upload(slowGiant()), await upload('id\n1\n', 'a.csv')]
  const stopped = async () => {
    const [row] = await (await app.stores.warehouse.fileEngine()).query<{ n: number }>(
      `SELECT sum(value) AS n FROM system.errors WHERE name = 'QUERY_WAS_CANCELLED'`,
    )
    return row?.n ?? 0
  }
  const before = await stopped()
  const asked = request(`${await app.origin()}${previewImport.path}`, {
    method: 'POST',
    headers: { cookie: app.admin.cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    agent: false,
  })
  const ended = new Promise((resolve) => asked.once('close', resolve))
  asked.on('error', () => {}).end(JSON.stringify({ upload_id: slow, kind: 'users' }))
  // The engine first tries whether all rows fit at once, and they do not.
  const isSlow = async () => (await reading(`query LIKE '%parquet_max_block_size = 1,%'`)) > 0
  await vi.waitUntil(isSlow, { timeout: 20_000, interval: 5 })
  asked.destroy()
  await ended
  expect((await preview(next)).data.rows).toEqual([['1']])
  expect(await stopped()).toBeGreaterThan(before)
})

test('a preview shows rows only up to 4 MB of JSON', async () => {
  const columns = Array.from({ length: 300 }, (_, n) => `x AS c${n}`)
  const file = await parquetOf(`SELECT ${columns.join(', ')} FROM (SELECT repeat('长', 700) AS x FROM numbers(50))`)
  const { data } = await preview(await upload(file))
  expect(data.columns).toHaveLength(300)
  expect(data.rows).toHaveLength(7)
  expect(data.rows[0]?.[299]).toBe('长'.repeat(CELL_SHOWN))
})

test('in every format a row of over 1 MB is refused and one of 1 MB is stored', async () => {
  const most = 'x'.repeat(ROW_BYTES_MAX - '1,'.length)
  const rows = [
    ['1', most],
    ['2', `${most}x`],
    ['3', 'x'.repeat(2 * MB)],
    ['4', 'ok'],
  ] as const
  const json = (id: string, city: string) => JSON.stringify({ id, city })
  const spare = json('1', '').length - '1,'.length
  const parquet = await parquetOf(
    `SELECT id, arrayStringConcat(arrayWithConstant(length, 'x')) AS city FROM
     (SELECT (arrayJoin([('1', ${most.length}), ('2', ${most.length + 1}), ('3', ${2 * MB}), ('4', 2)]) AS a).1 AS id, a.2 AS length)`,
  )
  const formats: [string, string | Buffer][] = [
    ['a.csv', `id,city\n${rows.map((row) => row.join(',')).join('\n')}`],
    ['a.ndjson', rows.map(([id, city]) => json(id, id === '4' ? city : city.slice(spare))).join('\n')],
    ['a.parquet', parquet],
  ]
  for (const [name, content] of formats) {
    const { status, report, error, refused } = await imported(await upload(content, name))
    expect([name, status, error]).toEqual([name, 'done', null])
    expect(report, name).toMatchObject({ rows: 4, stored: 2, duplicate: 0, refused: 2 })
    expect(report?.reasons, name).toEqual([{ ...LONG_ROW, rows: 2 }])
    expect(refused.split('\n').slice(1, -1), name).toHaveLength(2)
    expect(refused.length, name).toBeLessThan(10_000)
    const [longest] = await app.stores.warehouse.load.acrossShards.query(
      'SELECT max(length(a0)) AS n FROM person_row WHERE import_id = (SELECT max(import_id) FROM person_row)',
    )
    expect(longest, name).toEqual({ n: name === 'a.ndjson' ? most.length - spare : most.length })
  }
})

test('cells of 12 MB stored once in a dictionary are refused row by row', async () => {
  const { report, refused } = await imported(await upload(dictionaryGiant()))
  expect(report).toMatchObject({ rows: 40, stored: 0, refused: 40, reasons: [{ ...LONG_ROW, rows: 40 }] })
  expect(refused.split('\n')[40]).toBe(`39,${'x'.repeat(500)}…,40（不完整）,单行超过 1 MB`)
})

test('a gzip of text, like one of Parquet, may unpack to a hundred times its size', async () => {
  const line = `${'x'.repeat(1000)}\n`
  const bomb = gzipSync(Buffer.concat([Buffer.from('id\n'), Buffer.alloc(70 * MB, line)]), { level: 1 })
  const { status, error } = await imported(await upload(bomb, 'a.csv.gz'))
  expect([status, error]).toEqual(['failed', `文件无法读取：${TOO_DENSE}`])
})

test('JSON that is nested too deep, has too many keys or does not end is refused with a sentence', async () => {
  const deep = `{"id":"1","a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const upload_id = await upload(`${deep}\n{"id":"2"}`, 'a.ndjson')
  expect((await preview(upload_id)).data.rows).toEqual([['2']])
  const keys = Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`k${n}`, 1]))
  expect(await preview(await upload(JSON.stringify(keys), 'a.ndjson'))).toMatchObject(unreadable('列数超过 1000'))
  const endless = `${JSON.stringify({ id: '长'.repeat(2 * MB) })}\n{"id":"2"}`
  expect(await preview(await upload(endless, 'a.ndjson'))).toMatchObject(unreadable('单行超过 1 MB'))
})

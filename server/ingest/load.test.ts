import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ImportMapping } from '#contract/import.ts'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import type { Handles } from '../clickhouse/handles.ts'
import { attributeValuesSql, personFieldSql } from '../clickhouse/person-sql.ts'
import { removeRows } from '../clickhouse/remove-rows.ts'
import type { AppError } from '../errors.ts'
import type { FileFault } from '../files/file-fault.ts'
import { unseal } from '../identifiers/seal.ts'
import { type TestWarehouse, testWarehouse } from '../testing/warehouse.ts'
import { loader, refusedPath } from './load.ts'
import { stagedImports, stages } from './stage.ts'

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

interface Given {
  engine?: Handles
  name?: string
  sliceRows?: number
  peopleInMemory?: number
}

async function load(content: string | Buffer, mapping: ImportMapping, given: Given = {}) {
  const import_id = next++
  const path = join(warehouse.dataDir, `file-${import_id}`)
  writeFileSync(path, content)
  const { loadFile } = loader({
    warehouse: { load: given.engine ?? warehouse.load, fileEngine: warehouse.fileEngine },
    timezone: 'Asia/Shanghai',
    dataDir: warehouse.dataDir,
    personKey,
    ...(given.sliceRows ? { sliceRows: given.sliceRows, sliceBytes: given.sliceRows * 20 } : {}),
    ...(given.peopleInMemory === undefined ? {} : { peopleInMemory: given.peopleInMemory }),
  })
  const loaded = await loadFile({
    import_id,
    adv_id: 1,
    mapping,
    path,
    file_name: given.name ?? 'a.csv',
    nowMs: NOW + import_id,
    attributes: [{ name: 'city', slot: 0 }],
  })
  return { loaded, stage: stages(warehouse.load.everyShard, mapping.kind, import_id), import_id }
}

async function importText(content: string | Buffer, mapping: ImportMapping, given: Given = {}) {
  const { loaded, stage } = await load(content, mapping, given)
  await stage.join({ isAgain: false })
  await stage.drop()
  return loaded
}

const USERS = { kind: 'users', id: 'id', identifiers: [], skip: [] } as ImportMapping
const EVENTS = { kind: 'events', id: 'id', event: 'event', time: 'time', skip: [] } as ImportMapping

const people = () =>
  warehouse.load.acrossShards.query<{ one_id: string; uid: number }>('SELECT one_id, uid FROM person_key ORDER BY uid')

test('users: every row is stored, a duplicate or refused, and a bad row does not affect its neighbours', async () => {
  const loaded = await importText('id,city\n007,北京\n1\n2,a,b\n,上海\n 3 ,"a,b"\n4,\n', USERS)
  expect(loaded).toMatchObject({ rows: 6, stored: 3, duplicate: 0, refused: 3, new_people: 3 })
  expect(loaded.reasons).toEqual([
    { outcome: outcome('rows_ragged'), rows: 2 },
    { outcome: outcome('row_without_id'), rows: 1 },
  ])
  expect((await people()).map((p) => p.one_id).sort()).toEqual(['007', '3', '4'])
  expect((await people()).map((p) => p.uid)).toEqual([1, 2, 3])
  const values = await warehouse.load.acrossShards.query('SELECT a0 FROM person_row ORDER BY line')
  expect(values).toEqual([{ a0: '北京' }, { a0: 'a,b' }, { a0: '' }])
})

const FILE = ['id,event,time', 'u1,buy,2026-01-01 10:00:00', 'u2,view,1767232800', 'u1,buy,2026-01-01 10:00:00'].join(
  '\n',
)

test('joining events of two months again after a kill in the second month keeps the first', async () => {
  const { stage, import_id } = await load(
    'id,event,time\nu1,buy,2026-01-05\nu2,buy,2026-01-06\nu1,buy,2026-02-05\nu2,buy,2026-02-06\n',
    EVENTS,
  )
  const { query } = warehouse.load.acrossShards
  const months = () => query('SELECT toYYYYMM(ts) AS month, count() AS n FROM event GROUP BY month ORDER BY month')
  await stage.join({ isAgain: false })
  const whole = await months()
  expect(whole).toEqual([
    { month: 202601, n: 2 },
    { month: 202602, n: 2 },
  ])
  // Some parts of the second month were attached before the kill.
  await removeRows(warehouse.load.everyShard, 'event', `import_id = ${import_id} AND uid = 2 AND toYYYYMM(ts) = 202602`)
  await stage.join({ isAgain: true })
  expect(await months()).toEqual(whole)
  await stage.drop()
})

test('events: two equal purchases both count, and the same file twice changes nothing', async () => {
  expect(await importText(FILE, EVENTS)).toMatchObject({ rows: 3, stored: 3, duplicate: 0, refused: 0, new_people: 2 })
  expect(await importText(FILE, EVENTS)).toMatchObject({ rows: 3, stored: 0, duplicate: 3, refused: 0, new_people: 0 })
  expect(await importText(`${FILE}\nu1,buy,2026-01-01 10:00:00\nu3,buy,2026-01-02\n`, EVENTS)).toMatchObject({
    rows: 5,
    stored: 2,
    duplicate: 3,
    new_people: 1,
  })
  const days = await warehouse.load.acrossShards.query(
    'SELECT name, toString(day) AS day, sum(n) AS n FROM event_day GROUP BY ALL ORDER BY ALL',
  )
  expect(days).toEqual([
    { name: 'buy', day: '2026-01-01', n: 3 },
    { name: 'buy', day: '2026-01-02', n: 1 },
    { name: 'view', day: '2026-01-01', n: 1 },
  ])
})

test('equal rows in different slices are counted over the whole file', async () => {
  const row = 'u1,buy,2026-01-01 10:00:00'
  const other = (i: number) => `u${i},view,2026-01-01 10:00:0${i % 10}`
  const lines = ['id,event,time', ...Array.from({ length: 200_000 }, (_, i) => (i % 1000 === 0 ? row : other(i)))]
  const text = lines.join('\n')
  const first = await importText(text, EVENTS, { sliceRows: 50_000 })
  expect(first).toMatchObject({ rows: 200_000, stored: 200_000, duplicate: 0, refused: 0 })
  const second = await importText(`${text}\n${row}\n${row}`, EVENTS, { sliceRows: 30_000, peopleInMemory: 10 })
  expect(second).toMatchObject({ rows: 200_002, stored: 2, duplicate: 200_000 })
  const [ids] = await warehouse.load.acrossShards.query('SELECT count() AS n, uniqExact(row_id) AS ids FROM event')
  expect(ids).toEqual({ n: 200_002, ids: 200_002 })
})

const cities = () =>
  warehouse.load.acrossShards.query(
    `SELECT k.one_id AS one_id, v.value AS city FROM ${attributeValuesSql(0)} AS v
     INNER JOIN person_key AS k ON k.uid = v.uid ORDER BY one_id`,
    { adv_id: 1 },
  )

test.each([
  ['kept in memory', {}],
  ['looked up', { peopleInMemory: 0 }],
])('events of people whom the slice before made known are theirs, ids being %s', async (_how, given) => {
  // The second slice is read while the first, which has all people, is being stored.
  const rows = Array.from({ length: 300_000 }, (_, i) => `u${i % 100},view,${1767232800 + i}`)
  const loaded = await importText(['id,event,time', ...rows].join('\n'), EVENTS, given)
  expect(loaded).toMatchObject({ rows: 300_000, stored: 300_000, new_people: 100 })
  const [wrong] = await warehouse.load.acrossShards.query(
    `SELECT count() AS n FROM event LEFT JOIN person_key USING (adv_id, uid)
     WHERE one_id != concat('u', toString((toUnixTimestamp(ts) - 1767232800) % 100))`,
  )
  expect(wrong).toEqual({ n: 0 })
})

test('a Parquet column may have any name', async () => {
  const path = join(warehouse.dataDir, 'named-n.parquet')
  await (await warehouse.fileEngine()).command(
    `INSERT INTO FUNCTION file('${path}', 'Parquet') SELECT toString(number + 1) AS id, number AS n, 'x' AS n_ FROM numbers(3)`,
  )
  const report = await importText(readFileSync(path), USERS, { name: 'a.parquet' })
  expect(report).toMatchObject({ rows: 3, stored: 3, new_people: 3 })
})

test('binary values of a Parquet column are stored as hex', async () => {
  const path = join(warehouse.dataDir, 'bytes.parquet')
  await (await warehouse.fileEngine()).command(
    `INSERT INTO FUNCTION file('${path}', 'Parquet')
     SELECT toString(number) AS id, if(number = 2, NULL, if(number = 1, '北京', unhex('fffe41'))) AS city FROM numbers(3)`,
  )
  await importText(readFileSync(path), USERS, { name: 'a.parquet' })
  expect(await cities()).toEqual([
    { one_id: '0', city: 'fffe41' },
    { one_id: '1', city: '北京' },
  ])
})

test('CSV, NDJSON and Parquet, plain or compressed, give the same result', async () => {
  const rows = [
    { id: '007', city: '北京' },
    { id: '8', city: 'a,"b"\nc' },
  ]
  const csv = '\ufeffid,city\r\n007,北京\r\n8,"a,""b""\nc"\r\n'
  const ndjson = rows.map((row) => JSON.stringify(row)).join('\n')
  const parquet = join(warehouse.dataDir, 'rows.parquet')
  await (await warehouse.fileEngine()).command(
    `INSERT INTO FUNCTION file('${parquet}', 'Parquet') SELECT c.1 AS id, c.2 AS city FROM
     (SELECT arrayJoin({rows:Array(Array(String))}) AS a, (a[1], a[2]) AS c)`,
    { rows: rows.map((row) => [row.id, row.city]) },
  )
  const files: [string, Buffer][] = [
    ['a.csv', Buffer.from(csv)],
    ['a.ndjson', Buffer.from(ndjson)],
    ['a.parquet', readFileSync(parquet)],
  ]
  for (const [name, bytes] of files) {
    for (const [as, content] of [
      [name, bytes],
      [`${name}.gz`, gzipSync(bytes)],
    ] as const) {
      await warehouse.truncate()
      expect(await importText(content, USERS, { name: as }), as).toMatchObject({ rows: 2, stored: 2, new_people: 2 })
      expect(await cities(), as).toEqual([
        { one_id: '007', city: '北京' },
        { one_id: '8', city: 'a,"b"\nc' },
      ])
    }
  }
})

test('a fault of a whole file is one sentence', async () => {
  const fault = (content: string | Buffer, name?: string, mapping = USERS) =>
    importText(content, mapping, name === undefined ? {} : { name }).then(
      () => 'no fault',
      (error: FileFault | AppError) => sentenceOf(error.outcome),
    )
  expect(await fault('')).toBe('文件是空的')
  expect(await fault('\n\n')).toBe('文件是空的')
  expect(await fault('id,a,a\n1,2,3')).toBe('列名「a」重复')
  expect(await fault('uid,a\n1,2')).toContain('文件中没有列「id」，有：uid、a')
  expect(await fault(Buffer.from('id,name\n1,ok\n2,\xff\xff', 'latin1'))).toContain('不是 UTF-8 编码（第 3 行）')
  expect(await fault(Buffer.from('MZ\0\0', 'latin1'), 'a.csv')).toContain('文件内容是程序')
  expect(await fault('id,a\r1,x\r2,y\r')).toContain('换行符是单独的 CR')
  expect(await fault('id,a\0b\n1,x\n')).toContain('控制字符')
  expect(await fault(Buffer.from('PK\x03\x04', 'latin1'), 'a.zip')).toContain('zip')
  expect(await fault(Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1..', 'latin1'))).toContain('Excel 97-2003 工作簿')
  expect(await fault(Buffer.from('PK\x03\x04..[Content_Types].xml', 'latin1'))).toContain('Excel 工作簿')
  expect(await fault(Buffer.from('MZ\x90\0\x03\0', 'latin1'))).toContain('程序')
  expect(await fault(gzipSync('id\n1\n2').subarray(0, 20), 'a.csv.gz')).toBe('压缩文件不完整或已损坏')
  expect(await fault('PAR1 and no more', 'a.parquet')).toBe('Parquet 文件不完整或已损坏')
  expect(await fault(gzipSync('id\n1\n'), 'a.parquet.gz')).toBe('文件不是 Parquet 格式，或已损坏')
  const columns = Array.from({ length: 1001 }, (_, i) => `c${i}`).join(',')
  expect(await fault(columns)).toBe('列数超过 1000')
  expect(await importText('id,city\n', USERS)).toMatchObject({ rows: 0, stored: 0 })
})

test('a quoting error refuses its own line only; refused rows keep their line numbers and text', async () => {
  const long = 'x'.repeat(1_100_000)
  const text = `id,city\n1,"a\nb"\n2,"open\n3,"bad"x\n4,ok\n\n5,${long}\n6,"ok"\n7,1,2\n ,no\n`
  const { loaded, import_id } = await load(text, USERS)
  expect(loaded).toMatchObject({ rows: 8, stored: 3, refused: 5 })
  const lines = readFileSync(refusedPath(warehouse.dataDir, import_id), 'utf8').split('\n').slice(1, -1)
  expect(lines.map((line) => line.slice(0, 40))).toEqual([
    '"2,""open",,4（不完整）,引号位置不正确',
    '"3,""bad""x",,5（不完整）,引号位置不正确',
    `"5,${long}`.slice(0, 40),
    '7,1,2,10（不完整）,列数与首行不一致：有 3 列，应为 2 列',
    ' ,no,11,用户 ID 为空',
  ])
  expect(lines[2]).toMatch(/x",,8（不完整）,单行超过 1 MB$/)
})

test('a refused row of NDJSON is kept as the line that it is', async () => {
  const lines = ['{"id":"1","amount":1.50}', '', '{"id": "", "amount": 12, "note":"a\u2028b"}', '{"id":2', '[3]']
  const { loaded, import_id } = await load(lines.join('\n'), USERS, { name: 'a.ndjson' })
  expect(loaded).toMatchObject({ rows: 4, stored: 1, refused: 3 })
  const [, ...rows] = readFileSync(refusedPath(warehouse.dataDir, import_id), 'utf8').trimEnd().split('\n')
  expect(rows).toEqual([
    '"{""id"": """", ""amount"": 12, ""note"":""a\u2028b""}",3,用户 ID 为空',
    '"{""id"":2",4,不是有效的 JSON',
    '[3],5,不是 JSON 对象',
  ])
})

test('a line separator of Unicode in a cell does not shift the refused rows', async () => {
  const { import_id } = await load('id,city\n1,a\u2028b\n,c\n3,d\n', USERS)
  expect(readFileSync(refusedPath(warehouse.dataDir, import_id), 'utf8')).toContain('\n,c,3,用户 ID 为空\n')
})

test('a zero byte refuses its own row only', async () => {
  const refused = { rows: 3, stored: 2, refused: 1 }
  expect(await importText('id,city\n1,a\n2,b\0c\n3,d\n', USERS)).toMatchObject(refused)
  const lines = ['{"id":"4"}', '{"id":"5","city":"b\\u0000c"}', '{"id":"6","city":"d"}']
  expect(await importText(lines.join('\n'), USERS, { name: 'a.ndjson' })).toMatchObject(refused)
})

test('a row counts as the same row whether it is quoted or not, and whatever rows are beside it', async () => {
  const plain = 'id,event,time\nu1,buy,2026-01-01 10:00:00\nu2,buy,2026-01-01 10:00:00\n'
  const quoted =
    'id,event,time\r\n"u1",buy,2026-01-01 10:00:00\r\nu2,"buy","2026-01-01 10:00:00"\r\n"u,3",buy,2026-01-01\r\n'
  expect(await importText(plain, EVENTS)).toMatchObject({ stored: 2 })
  expect(await importText(quoted, EVENTS)).toMatchObject({ stored: 1, duplicate: 2 })
})

test('times are read in all supported formats, and others are refused with a reason', async () => {
  const good = [
    '2026-01-02',
    '2026-01-02 03:04:05',
    '2026-01-01T19:04:05Z',
    '1767294245',
    '1767294245000',
    '2026-01-02T03:04',
    '20260102030405',
    '2026/1/2 3:04:05',
    '2026.01.02 03:04:05',
    '2026年1月2日 3:04:05',
    '2026年01月02日3时4分5秒',
    '2026/1/2 上午 3:04:05',
    '46024.1278356481',
    '20260102',
    '2026/1/2',
    '2026年1月2日',
    '46024',
    '202601021504',
    '2026-1-2 15:04',
    '2026年1月2日 下午3:04',
    '46024.627777777778',
  ]
  const bad = [
    ...['', 'soon', '2026-02-30', '1999-12-31 23:59:59', '2026-11-22 00:00:00', '2026-01-01 24:00:00'],
    ...['20260230', '2026/2/30', '2026年13月1日', '2026/1/2 25:00', '1/2/2026', '12345'],
  ]
  const text = ['id,event,time', ...[...good, ...bad].map((time, i) => `u${i},e,${time}`)].join('\n')
  const loaded = await importText(text, EVENTS)
  expect(loaded).toMatchObject({ rows: 33, stored: 21, refused: 12, new_people: 21 })
  expect(Object.fromEntries(loaded.reasons.map((one) => [one.outcome.code, one.rows]))).toEqual({
    row_without_time: 1,
    row_time_unreadable: 8,
    row_time_too_early: 2,
    row_time_too_late: 1,
  })
  const times = await warehouse.load.acrossShards.query(
    `SELECT toString(ts, 'Asia/Shanghai') AS at FROM event INNER JOIN person_key USING (uid)
     ORDER BY toUInt32(substring(one_id, 2))`,
  )
  expect(times.map((row) => (row as { at: string }).at.slice(0, 19))).toEqual([
    '2026-01-02 00:00:00',
    ...Array(4).fill('2026-01-02 03:04:05'),
    '2026-01-02 03:04:00',
    ...Array(7).fill('2026-01-02 03:04:05'),
    ...Array(4).fill('2026-01-02 00:00:00'),
    ...Array(4).fill('2026-01-02 15:04:00'),
  ])
})

test('a message id counts once, in its file and in later files', async () => {
  const mapping = { ...EVENTS, message_id: 'mid' } as ImportMapping
  const head = 'id,event,time,mid\n'
  const text = `${head}u1,a,2026-01-01,m1\nu2,b,2026-03-01,m1\nu1,a,2026-01-01,m2\n`
  expect(await importText(text, mapping)).toMatchObject({ rows: 3, stored: 2, duplicate: 1, new_people: 1 })
  expect(await importText(`${head}u9,z,2026-06-01,m2\n`, mapping)).toMatchObject({
    stored: 0,
    duplicate: 1,
    new_people: 0,
  })
})

test('equal rows without a message id both count, even if the slice of the first had message ids', async () => {
  const row = (i: number, mid: string) => `u${i % 7},view,${1767232800 + i},${mid},${i}`
  const rows = 200_000
  const lines = Array.from({ length: rows }, (_, i) => row(i === rows - 10 ? 10 : i, i < 10 ? `m${i}` : ''))
  const text = ['id,event,time,mid,n', ...lines].join('\n')
  const mapping = { ...EVENTS, message_id: 'mid' } as ImportMapping
  expect(await importText(text, mapping, { sliceRows: 60_000 })).toMatchObject({ stored: rows, duplicate: 0 })
  const [ids] = await warehouse.load.acrossShards.query('SELECT uniqExact(row_id) AS ids FROM event')
  expect(ids).toEqual({ ids: rows })
  expect(await importText(text, mapping, { sliceRows: 50_000 })).toMatchObject({ stored: 0, duplicate: rows })
})

test('the newest value wins, as does the later line of one file, and an empty cell keeps the old value', async () => {
  await importText('id,city\n1,a\n2,b\n3,c\n', USERS)
  expect(await importText('id,city\n1,\n2,x\n2,y\n4,d\n', USERS)).toMatchObject({ stored: 4, new_people: 1 })
  expect(await cities()).toEqual([
    { one_id: '1', city: 'a' },
    { one_id: '2', city: 'y' },
    { one_id: '3', city: 'c' },
    { one_id: '4', city: 'd' },
  ])
})

test('phones and device ids are stored encrypted and hashed; invalid ones are left out of the identifiers', async () => {
  const mapping = { ...USERS, phone: 'phone', identifiers: [{ column: 'idfa', type: 'IDFA' }] } as ImportMapping
  const idfa = '0a1b2c3d-0000-1111-2222-333344445555'
  const loaded = await importText(`id,phone,idfa\n1,13800000000,${idfa}\n2,138,zz\n`, mapping)
  expect(loaded.warnings).toEqual([
    { outcome: outcome('identifier_not_stored', { type: 'MOBILE_PHONE' }), rows: 1, first: [2] },
    { outcome: outcome('identifier_not_stored', { type: 'IDFA' }), rows: 1, first: [2] },
  ])
  const rows = await warehouse.load.acrossShards.query<{ id_type: string; value_hash: string }>(
    'SELECT id_type, value_hash FROM identifier WHERE uid = 1 ORDER BY id_type',
  )
  const hash = (name: string, text: string) => createHash(name).update(text).digest('hex')
  const md5 = hash('md5', idfa.toUpperCase())
  expect(rows.filter((row) => row.id_type !== 'IDFA')).toEqual([
    { id_type: 'HASH_IDFA', value_hash: md5 },
    { id_type: 'HASH_MOBILE_PHONE', value_hash: hash('md5', '13800000000') },
    { id_type: 'MD5_SHA256_IDFA', value_hash: hash('sha256', md5) },
    { id_type: 'SHA256_MOBILE_PHONE', value_hash: hash('sha256', '13800000000') },
  ])
  const sealed = rows.find((row) => row.id_type === 'IDFA')?.value_hash ?? ''
  expect(unseal(sealed, personKey)).toBe(idfa.toUpperCase())
  const phones = await warehouse.load.acrossShards.query<{ value: string }>(
    `SELECT value FROM ${personFieldSql('phone')} ORDER BY uid`,
    {
      adv_id: 1,
    },
  )
  expect(phones.map((row) => unseal(row.value, personKey))).toEqual(['13800000000', '138'])
})

test('joining stages again after a kill stores every row once', async () => {
  const { stage, import_id } = await load(FILE, EVENTS)
  await stage.join({ isAgain: false })
  await warehouse.load.acrossShards.command(`ALTER TABLE event DELETE WHERE name = 'view' SETTINGS mutations_sync = 2`)
  await stage.join({ isAgain: true })
  await stage.join({ isAgain: true })
  const [counts] = await warehouse.load.acrossShards.query(
    'SELECT (SELECT count() FROM event) AS events, (SELECT sum(n) FROM event_day) AS days, (SELECT count() FROM person_key) AS people',
  )
  expect(counts).toEqual({ events: 3, days: 3, people: 2 })
  expect(await stagedImports(warehouse.load.everyShard)).toContain(import_id)
  await stage.drop()
  expect(await stagedImports(warehouse.load.everyShard)).not.toContain(import_id)
})

test('an attribute is number, date or text by all of its values', async () => {
  const text = 'id,n,d,zip,mixed,none\n1,1.5,2026-01-01,010,1,\n2,-3,2026-12-31,020,x,\n3,,,030,2,\n'
  const { attributes } = await importText(text, USERS)
  expect(Object.fromEntries(attributes.map((one) => [one.name, one.type]))).toEqual({
    n: 'number',
    d: 'date',
    zip: 'text',
    mixed: 'text',
    none: null,
  })
})

test('rows may be numbered when they have no id', async () => {
  const text = `city\n${Array.from({ length: 300 }, (_, i) => (i === 5 ? 'a,b' : `c${i}`)).join('\n')}\n`
  expect(await importText(text, { ...USERS, id: 'row' } as ImportMapping)).toMatchObject({
    rows: 300,
    stored: 299,
    refused: 1,
  })
  const found = await cities()
  expect(found).toContainEqual({ one_id: '1', city: 'c0' })
  expect(found).toContainEqual({ one_id: '300', city: 'c299' })
  expect(found.some((row) => (row as { one_id: string }).one_id === '6')).toBe(false)
})

test('a file sent to a remote engine gives the same result', async () => {
  const text = 'id,city\n1,a\n2,"b,c"\n3\n,x\n4,d\n'
  const sent = { ...warehouse.load, oneNode: { ...warehouse.load.oneNode, readsFiles: false } }
  expect(await importText(text, USERS, { engine: sent })).toMatchObject({ rows: 5, stored: 3, refused: 2 })
  expect(await cities()).toEqual([
    { one_id: '1', city: 'a' },
    { one_id: '2', city: 'b,c' },
    { one_id: '4', city: 'd' },
  ])
  expect(await importText(text, USERS)).toMatchObject({ stored: 0, duplicate: 3 })
})

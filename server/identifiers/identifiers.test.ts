import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { IdentifierType } from '#contract/identifier.ts'
import { type TestWarehouse, testWarehouse } from '../testing/warehouse.ts'
import { type IdentifierStore, identifierStore } from './identifiers.ts'
import type { BuildRequest, CheckRun, FileReport } from './types.ts'

const KEY = Buffer.alloc(32, 7)
let warehouse: TestWarehouse
let identifiers: IdentifierStore
let dataDir: string
let files = 0

beforeAll(async () => {
  warehouse = await testWarehouse()
  dataDir = mkdtempSync(join(tmpdir(), 'renqun-identifiers-'))
  identifiers = identifierStore({ warehouse, dataDir, personKey: KEY })
})
beforeEach(() => warehouse.truncate())
afterAll(async () => {
  await warehouse.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** A file as an upload left it. */
function aFile(content: string | Buffer, name = 'a.txt') {
  const file_id = ++files
  const path = join(dataDir, `upload-${file_id}`)
  writeFileSync(path, content)
  return { file_id, path, name }
}

const CROWD = { adv_id: 1, crowd_id: 100 }

async function check(type: IdentifierType, given: ReturnType<typeof aFile>[], version = 1, run: CheckRun = {}) {
  const reports: FileReport[] = []
  const totals = await identifiers.check(
    { ...CROWD, version, type, files: given },
    { signal: new AbortController().signal, ...run, fileDone: (_, report) => void reports.push(report) },
  )
  return { totals, reports }
}

const build = (type: IdentifierType, version: number, rest: Partial<BuildRequest> = {}) =>
  identifiers.build(
    { ...CROWD, version, type, kind: 'create', base_version: 0, ...rest },
    { signal: new AbortController().signal },
  )

async function valuesOf(type: IdentifierType, version: number) {
  const rows = await warehouse.load.query<{ value: string }>(
    `SELECT value FROM (${identifiers.valuesSql({ ...CROWD, version, type })}) ORDER BY value`,
  )
  return rows.map((row) => row.value)
}

const md5 = (char: string) => char.repeat(32)

test('a report closes: each line is valid, a duplicate or malformed, and malformed ones can be downloaded', async () => {
  const first = aFile(`${md5('a')}\n${md5('B')}\r\n  "${md5('b')}" \n\nnone\n=cmd()\n`)
  const second = aFile(`\uFEFF${md5('a')}\r${md5('c')}\r\n`)
  const { totals, reports } = await check('HASH_IMEI', [first, second])
  expect(reports).toEqual([
    {
      line_count: 6,
      valid_count: 2,
      duplicate: 1,
      malformed: 3,
      reasons: [
        { reason: '应为 32 位十六进制字符', lines: 2 },
        { reason: '空行', lines: 1 },
      ],
      error: null,
    },
    { line_count: 2, valid_count: 1, duplicate: 1, malformed: 0, reasons: [], error: null },
  ])
  expect(totals).toEqual({ lines: 8, valid: 3, duplicate: 2, malformed: 3 })
  expect(readFileSync(identifiers.malformedPath(first.file_id), 'utf8')).toBe(
    "\uFEFF行号,原因,内容\n4,空行,\n5,应为 32 位十六进制字符,none\n6,应为 32 位十六进制字符,'=cmd()\n",
  )
  expect(existsSync(identifiers.malformedPath(second.file_id))).toBe(false)
  expect(await build('HASH_IMEI', 1)).toEqual({ size: 3, matched: 0 })
  expect(await valuesOf('HASH_IMEI', 1)).toEqual([md5('a'), md5('b'), md5('c')])
})

test('a crowd grows, shrinks and goes back, and every version can still be read', async () => {
  const lines = (...chars: string[]) => [aFile(chars.map(md5).join('\n'))]
  await check('HASH_IMEI', lines('a', 'b', 'c'))
  expect(await build('HASH_IMEI', 1)).toMatchObject({ size: 3 })
  await check('HASH_IMEI', lines('c', 'd'), 2)
  expect(await build('HASH_IMEI', 2, { kind: 'append', base_version: 1 })).toMatchObject({ size: 4 })
  await check('HASH_IMEI', lines('a', 'd', 'e'), 3)
  expect(await build('HASH_IMEI', 3, { kind: 'remove', base_version: 2 })).toMatchObject({ size: 2 })
  expect(await build('HASH_IMEI', 4, { kind: 'restore', base_version: 3, restored_from: 1 })).toMatchObject({ size: 3 })
  const all = await Promise.all([1, 2, 3, 4].map((version) => valuesOf('HASH_IMEI', version)))
  expect(all).toEqual([
    ['a', 'b', 'c'].map(md5),
    ['a', 'b', 'c', 'd'].map(md5),
    ['b', 'c'].map(md5),
    ['a', 'b', 'c'].map(md5),
  ])
})

test('plain identifiers are stored encrypted and read back', async () => {
  await check('OAID', [aFile('aBc-1\n"x"\naBc-1\n有\n')])
  expect(await build('OAID', 1)).toMatchObject({ size: 2 })
  expect(await valuesOf('OAID', 1)).toEqual(['aBc-1', 'x'])
  const [found] = await warehouse.load.query<{ n: number }>(
    `SELECT countIf(position(value, 'aBc') > 0) AS n FROM crowd_identifier`,
  )
  expect(found?.n).toBe(0)
})

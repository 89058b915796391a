import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcome } from '#contract/outcome.ts'
import { type TestWarehouse, testWarehouse } from '../testing/warehouse.ts'
import { columnsOf, headOf } from './head.ts'
import { prepareParquet } from './parquet-lines.ts'

/** Written by pyarrow, since the engine cannot: `time` has no zone, `paid` is UTC; both are 2026-01-01 23:30. */
const CLOCKS =
  'UEFSMRUAFSAVICwVBBUAFQYVBhwAAAACAAAABAEBAAAAMQEAAAAyFQAVIBUgLBUEFQAVBhUGHAAAAAIAAAAEAQEAAABlAQAAAGUVABUsFSwsFQ' +
  'QVABUGFQYcAAAAAgAAAAQBAM6t+FtHBgAAzq34W0cGABUAFSwVLCwVBBUAFQYVBhwAAAACAAAABAEAzq34W0cGAADOrfhbRwYAFQQZXDUAGAZz' +
  'Y2hlbWEVCAAVDCUCGAJpZCUATBwAAAAVDCUCGAVldmVudCUATBwAAAAVBCUCGAR0aW1lJRRMjBIcLAAAAAAAFQQlAhgEcGFpZCUUTIwRHCwAAA' +
  'AAABYEGRwZTCYAHBUMGSUGABkYAmlkFQAWBBZGFkYmCEkcFQAVABUCADwWBBkGGSYABAAAACYAHBUMGSUGABkYBWV2ZW50FQAWBBZGFkYmTkkc' +
  'FQAVABUCADwWBBkGGSYABAAAACYAHBUEGSUGABkYBHRpbWUVABYEFlIWUiaUAUkcFQAVABUCADwpBhkmAAQAAAAmABwVBBklBgAZGARwYWlkFQ' +
  'AWBBZSFlIm5gFJHBUAFQAVAgA8KQYZJgAEAAAAFrACFgQmCBawAgAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjUuMC4xGUwcAAAcAAAc' +
  'AAAcAAAAWQEAAFBBUjE='
/** A file with two columns called `a`. */
const REPEATED =
  'UEFSMRUAFRYVFiwVAhUAFQYVBhwAAAACAAAAAgEBAAAAMRUAFRYVFiwVAhUAFQYVBhwAAAACAAAAAgEBAAAAMRUEGTw1ABgGc2NoZW1hFQQAFQ' +
  'wlAhgBYSUATBwAAAAVDCUCGAFhJQBMHAAAABYCGRwZLCYAHBUMGSUGABkYAWEVABYCFjwWPCYISRwVABUAFQIAPBYCGQYZJgACAAAAJgAcFQwZ' +
  'JQYAGRgBYRUAFgIWPBY8JkRJHBUAFQAVAgA8FgIZBhkmAAIAAAAWeBYCJggWeAAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjUuMC4xGS' +
  'wcAAAcAAAAvwAAAFBBUjE='

let warehouse: TestWarehouse
beforeAll(async () => {
  warehouse = await testWarehouse()
})
afterAll(() => warehouse.close())

function file(content: Buffer): string {
  const path = join(mkdtempSync(join(warehouse.dataDir, 'parquet-')), 'a.parquet')
  writeFileSync(path, content)
  return path
}
const written = async (select: string) => {
  const path = join(mkdtempSync(join(warehouse.dataDir, 'parquet-')), 'a.parquet')
  await (await warehouse.fileEngine()).command(`INSERT INTO FUNCTION file('${path}', 'Parquet') ${select}`)
  return path
}
const head = (path: string) => headOf(warehouse.fileEngine, path, 'a.parquet', 50)

test('keeps the text of a time without a zone and marks one in UTC', async () => {
  const { columns, rows } = await head(file(Buffer.from(CLOCKS, 'base64')))
  expect(columns).toEqual(['id', 'event', 'time', 'paid'])
  expect(rows[0]?.cells).toEqual(['1', 'e', '2026-01-01 23:30:00', '2026-01-01 23:30:00.000000Z'])
})

test('column names that cannot be stored are refused with the name', async () => {
  await expect(head(file(Buffer.from(REPEATED, 'base64')))).rejects.toMatchObject({
    outcome: outcome('file_parquet_columns_repeated'),
  })
  for (const [name, refusal] of [
    ['a\\x1fb\\x02', outcome('file_column_unusable', { name: 'a b ' })],
    ['_row_number', outcome('file_column_unusable', { name: '_row_number' })],
    ['长'.repeat(201), outcome('file_column_too_long', { name: '长'.repeat(20), max: 200 })],
  ] as const) {
    await expect(head(await written(`SELECT '1' AS id, 'x' AS \`${name}\``))).rejects.toMatchObject({
      outcome: refusal,
    })
  }
})

test('previews many short rows and columns within the memory limit', async () => {
  const numbers = Array.from({ length: 30 }, (_, n) => `cityHash64(number, ${n}) % 1000 AS n${n}`)
  const path = await written(`SELECT toString(number) AS id, ${numbers.join(', ')} FROM numbers(200_000)`)
  expect((await head(path)).rows).toHaveLength(50)
  expect((await columnsOf(warehouse.fileEngine, path, 'a.parquet')).columns).toHaveLength(31)
})

test('stops unpacking a gzipped Parquet file that unpacks to far more than its size', async () => {
  const bomb = gzipSync(Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(80 * 1024 ** 2)]))
  await expect(head(file(bomb))).rejects.toMatchObject({ outcome: outcome('file_too_dense', { times: 100 }) })
})

test('reports a damaged file wherever the damage is', async () => {
  const path = await written(
    `SELECT toString(number) AS id FROM numbers(1000) SETTINGS output_format_parquet_compression_method = 'none'`,
  )
  const whole = readFileSync(path)
  for (const [from, to] of [
    [100, 400],
    [whole.length - 200, whole.length - 12],
  ] as const) {
    const damaged = file(Buffer.concat([whole.subarray(0, from), Buffer.alloc(to - from, 0xff), whole.subarray(to)]))
    const broken = { outcome: outcome('file_parquet_broken') }
    await expect(head(damaged)).rejects.toMatchObject(broken)
    const directory = mkdtempSync(join(warehouse.dataDir, 'prepared-'))
    await expect(prepareParquet(await warehouse.fileEngine(), damaged, false, directory)).rejects.toMatchObject(broken)
  }
})

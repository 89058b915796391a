import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ImportMapping } from '#contract/import.ts'
import { type TestWarehouse, testWarehouse } from '../testing/warehouse.ts'
import { loader } from './load.ts'
import { stages } from './stage.ts'

let warehouse: TestWarehouse
let next = 1
const MB = 1024 * 1024
/** About twenty rows with this padding make a slice. */
const PAD = 'x'.repeat(50_000)

beforeAll(async () => {
  warehouse = await testWarehouse()
})
beforeEach(() => warehouse.truncate())
afterAll(() => warehouse.close())

async function importRows(rows: readonly object[], mapping: ImportMapping) {
  const import_id = next++
  const path = join(warehouse.dataDir, `file-${import_id}`)
  writeFileSync(path, rows.map((row) => JSON.stringify(row)).join('\n'))
  const personKey = Buffer.alloc(32, 7)
  const { loadFile } = loader({ warehouse, timezone: 'UTC', dataDir: warehouse.dataDir, personKey, sliceBytes: MB })
  const nowMs = Date.UTC(2026, 10, 20)
  const loaded = await loadFile({
    import_id,
    adv_id: 1,
    mapping,
    path,
    file_name: 'a.ndjson',
    nowMs,
    attributes: [],
  })
  const stage = stages(warehouse.load.everyShard, mapping.kind, import_id)
  await stage.join({ isAgain: false })
  await stage.drop()
  return loaded
}

const USERS: ImportMapping = { kind: 'users', id: 'id', phone: 'phone', identifiers: [], skip: ['pad', 'mark'] }

test('an optional key of the mapping may appear long after the first rows', async () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({
    id: `${i}`,
    pad: PAD,
    ...(i < 50 ? { mark: i } : { phone: '13800000000', city: `c${i % 2}` }),
  }))
  const loaded = await importRows(rows, USERS)
  expect(loaded).toMatchObject({ rows: 60, stored: 60, refused: 0, warnings: [] })
  expect(loaded.attributes).toMatchObject([{ name: 'city', distinct: 2 }])
  const [phones] = await warehouse.load.acrossShards.query(
    `SELECT uniqExact(uid) AS people FROM identifier WHERE id_type = 'HASH_MOBILE_PHONE'`,
  )
  expect(phones).toEqual({ people: 10 })
})

test('refuses a file whose optional mapped key never appears, and at once one without a required key', async () => {
  const rows = Array.from({ length: 30 }, (_, i) => ({ id: `${i}`, pad: PAD, mark: i }))
  await expect(importRows(rows, USERS)).rejects.toThrow('文件中没有列「phone」，有：id、pad、mark')
  await expect(importRows(rows, { ...USERS, id: 'uid' })).rejects.toThrow('文件中没有列「uid」')
})

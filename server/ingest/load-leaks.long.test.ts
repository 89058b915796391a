import { getEventListeners } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { queryObjects } from 'node:v8'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImportMapping } from '#contract/import.ts'
import { READ_BYTES } from '../files/slice-reader.ts'
import { type TestWarehouse, testWarehouse } from '../testing/warehouse.ts'
import { loader } from './load.ts'
import { stages } from './stage.ts'

const USERS: ImportMapping = { kind: 'users', id: 'id', identifiers: [], skip: [] }
const ROWS_PER_SLICE = 1024
/** Promises that other parts of the process may make meanwhile. */
const PROMISES_SPARE = 20

let warehouse: TestWarehouse
let made = 0
beforeAll(async () => {
  warehouse = await testWarehouse()
})
afterAll(() => warehouse.close())

/** A slice has at least READ_BYTES. */
function file(slices: number): string {
  const filler = 'x'.repeat(READ_BYTES / ROWS_PER_SLICE)
  return `id,city\n${Array.from({ length: slices * ROWS_PER_SLICE }, (_, n) => `p${n},${filler}\n`).join('')}`
}

async function load(content: string, signal: AbortSignal, progress = () => {}) {
  const import_id = ++made
  const path = join(warehouse.dataDir, `file-${import_id}`)
  writeFileSync(path, content)
  const { loadFile } = loader({
    warehouse,
    timezone: 'Asia/Shanghai',
    dataDir: warehouse.dataDir,
    personKey: Buffer.alloc(32, 7),
    sliceRows: ROWS_PER_SLICE,
    sliceBytes: READ_BYTES,
  })
  const job = { import_id, adv_id: 1, mapping: USERS, path, file_name: 'a.csv', nowMs: Date.now(), attributes: [] }
  try {
    return await loadFile(job, { signal, progress })
  } finally {
    await stages(warehouse.load.everyShard, 'users', import_id).drop()
  }
}

/** Promises alive after a garbage collection. A promise that never settles keeps those raced against it alive. */
const promises = () => queryObjects(Promise, { format: 'count' })
/** Open connections to worker threads. */
const ports = () => process.getActiveResourcesInfo().filter((one) => one === 'MessagePort').length
const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length

test('a load keeps no slice and no listener after it ended', async () => {
  const { signal } = new AbortController()
  await load(file(2), signal)
  const before = { promises: promises(), ports: ports() }
  const { rows } = await load(file(24), signal)
  expect(rows).toBe(24 * ROWS_PER_SLICE)
  expect(listeners(signal)).toBe(0)
  expect(ports()).toBe(before.ports)
  expect(promises()).toBeLessThan(before.promises + PROMISES_SPARE)
}, 90_000)

test('a load that is stopped leaves no listener and no thread', async () => {
  const stop = new AbortController()
  const before = ports()
  await expect(load(file(4), stop.signal, () => stop.abort(new Error('stopped')))).rejects.toThrow('stopped')
  expect(listeners(stop.signal)).toBe(0)
  expect(ports()).toBe(before)
})

test('a load of a refused file leaves no listener and no thread', async () => {
  const { signal } = new AbortController()
  const before = ports()
  await expect(load(file(4).replace('id,', 'name,'), signal)).rejects.toThrow('id')
  expect(listeners(signal)).toBe(0)
  expect(ports()).toBe(before)
})

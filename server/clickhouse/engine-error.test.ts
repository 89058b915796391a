import { ClickHouseError } from '@clickhouse/client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isDiskFull } from '../storage/disk-full.ts'
import { type TestWarehouse, testWarehouse } from '../testing/warehouse.ts'
import { engineError, isEngineError } from './engine-error.ts'
import { outageLog } from './outage-log.ts'

let warehouse: TestWarehouse
beforeAll(async () => {
  warehouse = await testWarehouse()
})
afterAll(() => warehouse.close())

test.each([
  ['timeout', 'SELECT sum(sleepEachRow(0.5)) FROM numbers(9) SETTINGS max_execution_time = 1, max_block_size = 1'],
  ['memory', 'SELECT length(groupArray(number)) FROM numbers(9000000) SETTINGS max_memory_usage = 1000000'],
  ['unknown_table', 'SELECT * FROM nowhere'],
  ['duplicate_column', 'CREATE TABLE twice (a String, a String) ENGINE = Memory'],
  ['other', 'SELECT nothing'],
])('a failed statement has the code %s', async (code, sql) => {
  const error = await warehouse.live.acrossShards.command(sql).catch((error: unknown) => error)
  expect(error).toMatchObject({ name: 'EngineError', code })
})

const answer = (code: string, type: string, message: string) => new ClickHouseError({ code, type, message })

test.each([
  ['memory', answer('241', 'MEMORY_LIMIT_EXCEEDED', 'Query memory limit exceeded: would use 1.00 MiB')],
  ['server_memory', answer('241', 'MEMORY_LIMIT_EXCEEDED', '(total) memory limit exceeded: would use 1.00 GiB')],
  ['disk_full', answer('243', 'NOT_ENOUGH_SPACE', 'Cannot reserve 16.05 MiB, not enough space. ')],
  ['disk_full', answer('75', 'CANNOT_WRITE', 'Cannot write to file: , errno: 28, strerror: No space left on device')],
  ['busy', answer('202', 'TOO_MANY_SIMULTANEOUS_QUERIES', 'Too many simultaneous queries')],
  ['cancelled', answer('341', 'UNFINISHED', "Mutation 'mutation_7.txt' was killed")],
  ['cancelled', answer('394', 'QUERY_WAS_CANCELLED', 'Query was cancelled')],
  ['sign_in_refused', answer('516', 'AUTHENTICATION_FAILED', 'x: Authentication failed')],
  ['access_denied', answer('497', 'ACCESS_DENIED', 'x: Not enough privileges')],
  ['away', Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' })],
  ['away', new Error('socket hang up')],
  ['away', new Error('<html>502 Bad Gateway</html>')],
  ['timeout', new Error('Timeout error.')],
])('what a server answers, or that it does not, has the code %s', (code, thrown) => {
  const error = engineError(thrown, 'server')
  expect(error).toMatchObject({ code, cause: thrown })
  expect(isDiskFull(error)).toBe(code === 'disk_full')
})

test('the embedded engine is never away', () => {
  expect(isEngineError(engineError(new Error('socket hang up'), 'embedded'), 'other')).toBe(true)
})

test('an outage and its end are logged once each; a statement sent before the outage does not end it', () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const lines = vi.spyOn(console, 'log').mockImplementation(() => {})
  const outages = outageLog()
  const early = outages.losses()
  outages.lost(new Error('socket hang up'))
  outages.lost(new Error('socket hang up'))
  outages.answered(early)
  expect(lines).not.toHaveBeenCalled()
  outages.answered(outages.losses())
  outages.answered(outages.losses())
  expect(errors.mock.calls.map(([said]) => said)).toEqual([expect.stringMatching(/^数据仓库暂时不可用：/)])
  expect(lines.mock.calls.map(([said]) => said)).toEqual(['数据仓库已恢复'])
  vi.restoreAllMocks()
})

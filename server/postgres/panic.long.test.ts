import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { tinyDisk } from '../testing/tiny-disk.ts'
import { panicWatch } from './panic.ts'
import { servePglite } from './pglite-server.ts'

const message = (type: string, body: string) => {
  const bytes = Buffer.alloc(5 + Buffer.byteLength(body))
  bytes.write(type, 0)
  bytes.writeInt32BE(bytes.length - 1, 1)
  bytes.write(body, 5)
  return bytes
}

test('a panic is recognised however the answer is split, and nothing else is taken for one', () => {
  const row = message('D', 'E\0\0\0\x14SPANIC\0VPANIC\0Mno\0\0')
  const error = message('E', 'SERROR\0VERROR\0C53100\0MVPANIC\0\0')
  const panic = message('E', 'SPANIC\0VPANIC\0C53100\0M磁盘\0\0')
  const answer = Buffer.concat([message('1', ''), row, error, row, panic])
  for (let size = 1; size <= answer.length; size++) {
    const panicIn = panicWatch()
    const found: unknown[] = []
    for (let at = 0; at < answer.length; at += size) found.push(panicIn(answer.subarray(at, at + size)))
    expect(found.filter(Boolean)).toMatchObject([{ message: '磁盘', code: '53100' }])
    expect(found.at(-1)).not.toBeNull()
  }
})

const disk = tinyDisk(160)
afterAll(() => disk?.remove())

test.skipIf(!disk)('an engine whose log has no room ends the process instead of hanging', async () => {
  if (!disk) return
  const db = await PGlite.create(join(disk.path, 'postgres'))
  const server = await servePglite(db, join(disk.path, '.s.PGSQL.5432'))
  const client = new pg.Client({ host: disk.path, port: 5432, user: 'postgres', database: 'postgres' })
  client.on('error', () => {})
  await client.connect()
  disk.fill()
  const write = async () => {
    for (;;) await client.query(`select pg_logical_emit_message(true, '', repeat('x', 4000000))`)
  }
  const [failure, written] = await Promise.allSettled([server.failure, write()])
  expect(written.status).toBe('rejected')
  expect(failure.status === 'rejected' && failure.reason).toMatchObject({
    code: '53100',
    message: expect.stringContaining('No space left on device'),
  })
})

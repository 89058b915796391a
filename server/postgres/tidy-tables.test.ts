import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testJobs } from '../testing/jobs.ts'
import { analyzeChangedTables, vacuumTables } from './tidy-tables.ts'

const { db } = await testJobs()
const signal = new AbortController().signal

const insertAudit = (rows: number) =>
  db
    .insertInto('audit')
    .values(Array.from({ length: rows }, () => ({ at: 1, action: 'seen', detail: '{}' })))
    .execute()

async function auditTable() {
  const { rows } = await sql<{ rows: number; analyzed: Date | null; vacuumed: Date | null; pages: number }>`
    select reltuples::int as rows, last_analyze as analyzed, last_vacuum as vacuumed, relpages as pages
    from pg_class join pg_stat_user_tables as counted on counted.relid = pg_class.oid
    where pg_class.oid = 'audit'::regclass`.execute(db)
  return rows[0]
}
/** Counts of changes are written with a delay. */
const counted = () => sql`select pg_stat_force_next_flush()`.execute(db)

test('tables that changed are analyzed, and those that did not are left alone', async () => {
  await insertAudit(40)
  await counted()
  await analyzeChangedTables(db, signal)
  expect(await auditTable()).toMatchObject({ analyzed: null })

  await insertAudit(2000)
  await counted()
  await analyzeChangedTables(db, signal)
  const first = await auditTable()
  expect(first).toMatchObject({ rows: 2040, analyzed: expect.any(Date) })

  await insertAudit(100)
  await counted()
  await analyzeChangedTables(db, signal)
  expect((await auditTable())?.analyzed).toEqual(first?.analyzed)
})

test('the room of deleted rows is used again', async () => {
  await insertAudit(3000)
  await counted()
  await vacuumTables(db, signal)
  const before = await auditTable()
  for (let round = 0; round < 3; round++) {
    await db.deleteFrom('audit').execute()
    await counted()
    await vacuumTables(db, signal)
    await insertAudit(3000)
    await counted()
  }
  await vacuumTables(db, signal)
  expect((await auditTable())?.pages).toBeLessThanOrEqual((before?.pages ?? 0) + 1)
})

test('an end that was asked for comes between two tables', async () => {
  await insertAudit(2000)
  await counted()
  await expect(analyzeChangedTables(db, AbortSignal.abort())).rejects.toThrow()
})

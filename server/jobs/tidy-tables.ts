import type { Kysely } from 'kysely'
import type { Database } from '../postgres/schema.ts'
import { analyzeChangedTables, vacuumTables } from '../postgres/tidy-tables.ts'
import type { Jobs } from './open.ts'

const ANALYZE = 'tables.analyze'
const VACUUM = 'tables.vacuum'

/** Keeps the tables of an embedded database in order, which a server does by itself. */
export function tidyTables({ db, jobs, timezone }: { db: Kysely<Database>; jobs: Jobs; timezone: string }) {
  jobs.handle(ANALYZE, { concurrency: 1 }, ({ signal }) => analyzeChangedTables(db, signal))
  jobs.schedule(ANALYZE, '*/10 * * * *', timezone)
  jobs.handle(VACUUM, { concurrency: 1 }, ({ signal }) => vacuumTables(db, signal))
  jobs.schedule(VACUUM, '50 3 * * *', timezone)
}

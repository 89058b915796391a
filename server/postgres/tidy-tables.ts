import { type Kysely, sql } from 'kysely'

/**
 * What autovacuum does for a server and nothing does for PGlite: without it the engine takes every table for nearly empty
 * and finds rows one by one, and room that deleted rows had is never used again. For an embedded database alone.
 *
 * The thresholds are autovacuum's defaults (https://www.postgresql.org/docs/current/routine-vacuuming.html). Tables are done
 * one by one, so that whoever waits comes in between.
 */
export async function analyzeChangedTables<DB>(db: Kysely<DB>, signal: AbortSignal): Promise<void> {
  await eachTable(db, CHANGED, signal, (table) => sql`analyze ${table}`)
}

/** Takes longer, so it is done at night. */
export async function vacuumTables<DB>(db: Kysely<DB>, signal: AbortSignal): Promise<void> {
  await eachTable(db, DELETED, signal, (table) => sql`vacuum (analyze) ${table}`)
}

const CHANGED = sql<boolean>`n_mod_since_analyze > 50 + 0.1 * greatest(reltuples, 0)`
const DELETED = sql<boolean>`n_dead_tup > 50 + 0.2 * greatest(reltuples, 0)
  or n_ins_since_vacuum > 1000 + 0.2 * greatest(reltuples, 0)`

async function eachTable<DB>(
  db: Kysely<DB>,
  isDue: ReturnType<typeof sql<boolean>>,
  signal: AbortSignal,
  work: (table: ReturnType<typeof sql>) => ReturnType<typeof sql>,
): Promise<void> {
  const { rows } = await sql<{ schemaname: string; relname: string }>`
    select schemaname, counted.relname from pg_stat_user_tables as counted
    join pg_class as known on known.oid = counted.relid
    where ${isDue} order by n_mod_since_analyze desc`.execute(db)
  for (const { schemaname, relname } of rows) {
    signal.throwIfAborted()
    await work(sql`${sql.table(`${schemaname}.${relname}`)}`).execute(db)
  }
}

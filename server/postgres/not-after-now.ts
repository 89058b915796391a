import { type Kysely, sql } from 'kysely'
import { now } from '../time/clock.ts'
import type { Database } from './schema.ts'

/**
 * Sets times in the future to now. Such times remain after a clock was set back; a sweep calls this first, so that these
 * rows are removed after the usual time instead of much later.
 */
export async function notAfterNow(
  db: Kysely<Database>,
  table: keyof Database,
  column: string,
  at = now(),
): Promise<void> {
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${at} where ${sql.ref(column)} > ${at}`.execute(db)
}

import { type Kysely, sql } from 'kysely'
import { now } from '../time/clock.ts'
import type { Database } from './schema.ts'

/**
 * Sets times in the future to now. A clock that was set back leaves such times; a sweep calls this first, so that these
 * rows go after their usual time instead of much later.
 */
export async function notAfterNow(
  db: Kysely<Database>,
  table: keyof Database,
  column: string,
  at = now(),
): Promise<void> {
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${at} where ${sql.ref(column)} > ${at}`.execute(db)
}

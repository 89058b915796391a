import { type Kysely, sql } from 'kysely'
import { now } from '../time/clock.ts'
import type { Database } from './schema.ts'

/**
 * A clock that was set back leaves times in the future. Called before a sweep asks how old something is: what seems to
 * come from the future is taken for new, so it goes after its usual time and not after as much more.
 */
export async function notAfterNow(
  db: Kysely<Database>,
  table: keyof Database,
  column: string,
  at = now(),
): Promise<void> {
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${at} where ${sql.ref(column)} > ${at}`.execute(db)
}

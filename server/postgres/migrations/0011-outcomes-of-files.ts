import type { Kysely } from 'kysely'
import { toOutcomes } from './0009-outcomes.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of [
    ['crowd_file', 'error'],
    ['webhook', 'last_error'],
  ] as const) {
    await toOutcomes(db, table, column)
  }
}

import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../postgres/schema.ts'

/** Notes how many people a version of a crowd has, as it comes into force. Ids of both kinds are of one sequence. */
export async function noteSize(
  tx: Transaction<Database>,
  size: { crowd_id: number; version: number; count: number; counted_at: number },
): Promise<void> {
  await tx
    .insertInto('crowd_size')
    .values(size)
    .onConflict((conflict) => conflict.columns(['crowd_id', 'version']).doNothing())
    .execute()
}

export const forgetSizes = (tx: Transaction<Database>, crowd_id: number) =>
  tx.deleteFrom('crowd_size').where('crowd_id', '=', crowd_id).execute()

/** Sizes of a crowd over time, oldest first: each of the versions since `recently`, and the last of each day before. */
export async function sizesOf(
  db: Kysely<Database>,
  crowd_id: number,
  { timezone, recently }: { timezone: string; recently: number },
): Promise<{ counted_at: number; count: number }[]> {
  const at = sql.ref<number>('counted_at')
  const day = sql`(to_timestamp(${at}) at time zone ${timezone})::date`
  const { rows } = await sql<{ counted_at: number; count: number }>`
    select distinct on (moment) counted_at, count from
      (select counted_at, count, version, case when ${at} >= ${recently} then version::text else ${day}::text end as moment
       from crowd_size where crowd_id = ${crowd_id}) as size
    order by moment, counted_at desc, version desc`.execute(db)
  return rows.toSorted((one, other) => one.counted_at - other.counted_at)
}

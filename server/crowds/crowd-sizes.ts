import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../postgres/schema.ts'

/** A version of a crowd as it is shown over time. */
export interface VersionSize {
  version: number
  counted_at: number
  count: number
  has_members: boolean
}

/** Notes how many people a version of a crowd has, as it comes into force. Ids of both kinds are of one sequence. */
export async function noteSize(
  tx: Transaction<Database>,
  size: { crowd_id: number; version: number; count: number; counted_at: number },
): Promise<void> {
  await tx
    .updateTable('crowd_size')
    .set({ replaced_at: size.counted_at })
    .where('crowd_id', '=', size.crowd_id)
    .where('version', '!=', size.version)
    .where('replaced_at', 'is', null)
    .execute()
  await tx
    .insertInto('crowd_size')
    .values(size)
    .onConflict((conflict) => conflict.columns(['crowd_id', 'version']).doNothing())
    .execute()
}

export const forgetSizes = (tx: Transaction<Database>, crowd_id: number) =>
  tx.deleteFrom('crowd_size').where('crowd_id', '=', crowd_id).execute()

/** The versions of a crowd that still have their people. */
export async function keptVersions(db: Kysely<Database>, crowd_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('crowd_size')
    .select('version')
    .where('crowd_id', '=', crowd_id)
    .where('has_members', '=', true)
    .execute()
  return rows.map((row) => row.version)
}

/** Sizes of a crowd over time, oldest first: each of the versions since `recently`, and the last of each day before. */
export async function sizesOf(
  db: Kysely<Database>,
  crowd_id: number,
  { timezone, recently }: { timezone: string; recently: number },
): Promise<VersionSize[]> {
  const at = sql.ref<number>('counted_at')
  const day = sql`(to_timestamp(${at}) at time zone ${timezone})::date`
  const { rows } = await sql<VersionSize>`
    select distinct on (moment) counted_at, count, version, has_members from
      (select counted_at, count, version, has_members,
         case when ${at} >= ${recently} then version::text else ${day}::text end as moment
       from crowd_size where crowd_id = ${crowd_id}) as size
    order by moment, counted_at desc, version desc`.execute(db)
  return rows.toSorted((one, other) => one.counted_at - other.counted_at || one.version - other.version)
}

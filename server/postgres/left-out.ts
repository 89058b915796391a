import { type Kysely, sql } from 'kysely'
import type { LeftOut } from '#contract/targeting/there.ts'
import type { Database } from './schema.ts'

/** The same in a query that joins both tables: of a package made there, or of the copy of ours. */
export const leftOutSql = sql<LeftOut[] | null>`coalesce(targeting_there.left_out, targeting_mirror.others)`

/** What a package's targeting leaves out of what its platform restricts, as it was read last. */
export async function leftOutOfPackage(db: Kysely<Database>, package_id: number): Promise<LeftOut[]> {
  const there = await db
    .selectFrom('targeting_package')
    .leftJoin('targeting_there', 'targeting_there.package_id', 'targeting_package.id')
    .leftJoin('targeting_mirror', 'targeting_mirror.package_id', 'targeting_package.id')
    .select(leftOutSql.as('left_out'))
    .where('targeting_package.id', '=', package_id)
    .executeTakeFirst()
  return there?.left_out ?? []
}

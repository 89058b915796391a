import type { Kysely } from 'kysely'
import type { LeftOut } from '#contract/targeting/there.ts'
import type { Database } from './schema.ts'

/** What a package's targeting leaves out of what its platform restricts; nothing for a package of ours. */
export async function leftOutOfPackage(db: Kysely<Database>, package_id: number): Promise<LeftOut[]> {
  const there = await db
    .selectFrom('targeting_there')
    .select('left_out')
    .where('package_id', '=', package_id)
    .executeTakeFirst()
  return there?.left_out ?? []
}

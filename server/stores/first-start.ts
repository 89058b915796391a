import type { Postgres } from '../postgres/open.ts'

/** The value that the first start stored under this name; stores the given one if there is none. */
export async function ofFirstStart(db: Postgres['db'], name: string, value: string): Promise<string> {
  await db
    .insertInto('setting')
    .values({ name, value })
    .onConflict((oc) => oc.doNothing())
    .execute()
  const kept = await db.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirstOrThrow()
  return kept.value
}

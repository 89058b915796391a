import type { Postgres } from '../postgres/open.ts'

/** What the first start wrote under this name; the given value where none did. */
export async function ofFirstStart(db: Postgres['db'], name: string, value: string): Promise<string> {
  await db
    .insertInto('setting')
    .values({ name, value })
    .onConflict((oc) => oc.doNothing())
    .execute()
  const kept = await db.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirstOrThrow()
  return kept.value
}

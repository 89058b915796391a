import type { Kysely } from 'kysely'
import type { Database } from '../../postgres/schema.ts'

/** What a caller sends back of the first page; nothing for the first page itself. */
interface Given {
  as_of: number | undefined
  pin: readonly number[] | undefined
}

/**
 * Imports whose rows came after the first page was read, and the pin that says so to the next pages: the highest import
 * there was, then those that are left out. A time alone cannot tell, as imports end in the second in which a page is read.
 */
export async function pinned(db: Kysely<Database>, adv_id: number, { as_of, pin }: Given) {
  const [newest, ...left] = pin ?? []
  // Before the others are read: one that is added in between has a higher id.
  const last = await db
    .selectFrom('import')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  const rows = await db
    .selectFrom('import')
    .select('id')
    .where('adv_id', '=', adv_id)
    .where('kind', '=', 'events')
    .where((eb) =>
      eb.or([
        eb('finished_at', 'is', null),
        ...(newest === undefined ? [] : [eb('id', '>', newest)]),
        ...(as_of === undefined ? [] : [eb('finished_at', newest === undefined ? '>=' : '>', as_of)]),
      ]),
    )
    .orderBy('id')
    .execute()
  const later = [...new Set([...left, ...rows.map(({ id }) => id)])]
  return { later, pin: pin ?? [last?.id ?? 1, ...later] }
}

import type { Kysely } from 'kysely'
import type { ImportKind } from '#contract/import.ts'
import type { KnownTypes } from '../../ingest/type-warnings.ts'
import type { Database } from '../../postgres/schema.ts'

/** The types of an advertiser's attributes, or those that were settled for properties of its events. */
export async function knownTypes(
  db: Kysely<Database>,
  adv_id: number | undefined,
  kind: ImportKind,
): Promise<KnownTypes> {
  if (adv_id === undefined || kind === 'reports') return new Map()
  if (kind === 'users') {
    const rows = await db
      .selectFrom('attribute')
      .select(['name', 'type', 'is_type_fixed'])
      .where('adv_id', '=', adv_id)
      .execute()
    // An attribute that was guessed to be text may be numbers in this file.
    return new Map(
      rows.flatMap(({ name, type, is_type_fixed }) =>
        is_type_fixed || type !== 'text' ? [[name, { type, isFixed: is_type_fixed }]] : [],
      ),
    )
  }
  const rows = await db.selectFrom('event_name').select('property_settings').where('adv_id', '=', adv_id).execute()
  return new Map(
    rows.flatMap(({ property_settings }) =>
      Object.entries(property_settings).flatMap(([name, { type }]) =>
        type ? [[name, { type, isFixed: true }] as const] : [],
      ),
    ),
  )
}

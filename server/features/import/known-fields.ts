import type { Transaction } from 'kysely'
import type { LoadedData } from '../../ingest/load-types.ts'
import type { Database } from '../../postgres/schema.ts'

/** Adds the attributes and events of an import, or widens known ones. May be repeated. */
export async function makeKnown(tx: Transaction<Database>, adv_id: number, loaded: LoadedData): Promise<void> {
  await keepAttributes(tx, adv_id, loaded)
  await keepEvents(tx, adv_id, loaded)
}

async function keepAttributes(tx: Transaction<Database>, adv_id: number, { attributes }: LoadedData) {
  if (attributes.length === 0) return
  const known = new Map(
    (await tx.selectFrom('attribute').select(['name', 'type']).where('adv_id', '=', adv_id).execute()).map((row) => [
      row.name,
      row.type,
    ]),
  )
  for (const { name, slot, type } of attributes) {
    const had = known.get(name)
    if (had === undefined) {
      await tx
        .insertInto('attribute')
        .values({ adv_id, name, slot, type: type ?? 'text', display_name: name, values: '[]' })
        .execute()
    } else if (type !== null && type !== had && had !== 'text') {
      // An attribute with both numbers and words is text.
      await tx
        .updateTable('attribute')
        .set({ type: 'text' })
        .where('adv_id', '=', adv_id)
        .where('name', '=', name)
        .execute()
    }
  }
}

async function keepEvents(tx: Transaction<Database>, adv_id: number, { events }: LoadedData) {
  const rows = await tx
    .selectFrom('event_name')
    .select(['id', 'name', 'properties'])
    .where('adv_id', '=', adv_id)
    .execute()
  const known = new Map(rows.map((row) => [row.name, row]))
  const fresh = events.filter(({ name }) => !known.has(name))
  for (let at = 0; at < fresh.length; at += 500) {
    await tx
      .insertInto('event_name')
      .values(
        fresh.slice(at, at + 500).map(({ name, properties }) => ({
          adv_id,
          name,
          display_name: name,
          properties: JSON.stringify(properties),
          dirty_since: null,
        })),
      )
      .execute()
  }
  for (const { name, properties } of events) {
    const had = known.get(name)
    const all = [...new Set([...(had?.properties ?? []), ...properties])]
    if (had && all.length > had.properties.length) {
      await tx
        .updateTable('event_name')
        .set({ properties: JSON.stringify(all) })
        .where('id', '=', had.id)
        .execute()
    }
  }
}

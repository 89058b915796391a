import type { Transaction } from 'kysely'
import type { ColumnSettings, EventsMapping, ImportMapping } from '#contract/import.ts'
import { DICTIONARY_MAX } from '#contract/tag-field.ts'
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
    (
      await tx.selectFrom('attribute').select(['name', 'type', 'is_type_fixed']).where('adv_id', '=', adv_id).execute()
    ).map((row) => [row.name, row]),
  )
  for (const { name, slot, type } of attributes) {
    const had = known.get(name)
    if (had === undefined) {
      await tx
        .insertInto('attribute')
        .values({ adv_id, name, slot, type: type ?? 'text', display_name: name, values: '[]' })
        .execute()
    } else if (type !== null && type !== had.type && had.type !== 'text' && !had.is_type_fixed) {
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

/** An earlier version may have read the file, without noting what its repeated rows name. */
type Loaded = Omit<LoadedData, 'brought'> & Partial<Pick<LoadedData, 'brought'>>
const NOTHING: LoadedData['brought'] = { attributes: [], events: [] }

/**
 * Stores what the mapping settles about the fields of an import, also of those that only its repeated rows have. May be
 * repeated. Returns the names of the attributes that it settled.
 */
export async function settleFields(
  tx: Transaction<Database>,
  adv_id: number,
  mapping: ImportMapping,
  { attributes, events, brought = NOTHING }: Loaded,
): Promise<string[]> {
  if (mapping.kind === 'events') {
    const all = new Map([...brought.events, ...events].map((event) => [event.name, event]))
    for (const { name, properties } of all.values()) await settleProperties(tx, { adv_id, name }, properties, mapping)
    return []
  }
  const names = new Set([...brought.attributes, ...attributes].map(({ name }) => name))
  const settled: string[] = []
  for (const { column, name = column, ...settings } of mapping.fields ?? []) {
    if (names.has(name) && (await settleAttribute(tx, { adv_id, name }, settings))) settled.push(name)
  }
  return settled
}

async function settleAttribute(
  tx: Transaction<Database>,
  { adv_id, name }: { adv_id: number; name: string },
  { display_name, type, dictionary = [] }: Omit<ColumnSettings, 'column' | 'name'>,
): Promise<boolean> {
  const attribute = await tx
    .selectFrom('attribute')
    .select(['id', 'type', 'display_name', 'tagged_by', 'dictionary'])
    .where('adv_id', '=', adv_id)
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
  // The rows that a file repeats may be those of an import that was undone.
  if (!attribute) return false
  const known = new Map(attribute.dictionary.map((entry) => [entry.value, entry]))
  for (const entry of dictionary) known.set(entry.value, { ...known.get(entry.value), ...entry })
  const isRetyped = type !== undefined && type !== attribute.type
  await tx
    .updateTable('attribute')
    .set({
      display_name: display_name ?? attribute.display_name,
      ...(type ? { type, is_type_fixed: true } : {}),
      // null: its tags are made as at the first import.
      ...(isRetyped && attribute.tagged_by === 'ranges' ? { tagged_by: null } : {}),
      dictionary: JSON.stringify([...known.values()].slice(0, DICTIONARY_MAX)),
    })
    .where('id', '=', attribute.id)
    .execute()
  return true
}

async function settleProperties(
  tx: Transaction<Database>,
  { adv_id, name }: { adv_id: number; name: string },
  properties: readonly string[],
  { fields = [] }: EventsMapping,
): Promise<void> {
  const event = await tx
    .selectFrom('event_name')
    .select(['id', 'property_settings'])
    .where('adv_id', '=', adv_id)
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
  const settled = fields.flatMap(({ column, name: property = column, display_name, type }) =>
    properties.includes(property) && (display_name || type) ? [{ property, display_name, type }] : [],
  )
  if (!event || settled.length === 0) return
  const all = { ...event.property_settings }
  for (const { property, display_name, type } of settled) {
    all[property] = { ...all[property], ...(display_name ? { display_name } : {}), ...(type ? { type } : {}) }
  }
  await tx
    .updateTable('event_name')
    .set({ property_settings: JSON.stringify(all) })
    .where('id', '=', event.id)
    .execute()
}

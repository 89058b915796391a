import type { Transaction } from 'kysely'
import type { ColumnSettings, EventsMapping, ImportMapping } from '#contract/import.ts'
import { DICTIONARY_MAX, EVENT_DICTIONARY_MAX } from '#contract/tag-field.ts'
import type { LoadedData } from '../../ingest/load-types.ts'
import type { Database, StoredSetting } from '../../postgres/schema.ts'

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
 * repeated. Returns each setting with what was there before.
 */
export async function settleFields(
  tx: Transaction<Database>,
  adv_id: number,
  mapping: ImportMapping,
  { attributes, events, brought = NOTHING }: Loaded,
): Promise<StoredSetting[]> {
  const settled: StoredSetting[] = []
  if (mapping.kind === 'reports') return settled
  if (mapping.kind === 'events') {
    const all = new Map([...brought.events, ...events].map((event) => [event.name, event]))
    for (const { name, properties } of all.values())
      settled.push(...(await settleProperties(tx, { adv_id, name }, properties, mapping)))
    return settled
  }
  const names = new Set([...brought.attributes, ...attributes].map(({ name }) => name))
  for (const { column, name = column, ...settings } of mapping.fields ?? []) {
    if (names.has(name)) settled.push(...(await settleAttribute(tx, { adv_id, name }, settings)))
  }
  return settled
}

async function settleAttribute(
  tx: Transaction<Database>,
  { adv_id, name }: { adv_id: number; name: string },
  { display_name, type, dictionary = [] }: Omit<ColumnSettings, 'column' | 'name'>,
): Promise<StoredSetting[]> {
  const attribute = await tx
    .selectFrom('attribute')
    .select(['id', 'type', 'is_type_fixed', 'display_name', 'tagged_by', 'dictionary'])
    .where('adv_id', '=', adv_id)
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
  // The rows that a file repeats may be those of an import that was undone.
  if (!attribute) return []
  const known = new Map(attribute.dictionary.map((entry) => [entry.value, entry]))
  const own = attribute.display_name === name ? null : attribute.display_name
  const settled: StoredSetting[] = [
    ...(display_name ? [{ attribute: name, what: 'display_name' as const, set: display_name, before: own }] : []),
    ...(type
      ? [{ attribute: name, what: 'type' as const, set: type, before: attribute.is_type_fixed ? attribute.type : null }]
      : []),
    ...dictionary.map(({ value, label }) => ({
      attribute: name,
      what: 'label' as const,
      value,
      set: label,
      before: known.get(value)?.label ?? null,
    })),
  ]
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
  return settled
}

async function settleProperties(
  tx: Transaction<Database>,
  { adv_id, name }: { adv_id: number; name: string },
  properties: readonly string[],
  { fields = [] }: EventsMapping,
): Promise<StoredSetting[]> {
  const event = await tx
    .selectFrom('event_name')
    .select(['id', 'property_settings'])
    .where('adv_id', '=', adv_id)
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
  const settled = fields.flatMap(({ column, name: property = column, display_name, type, dictionary = [] }) =>
    properties.includes(property) && (display_name || type || dictionary.length > 0)
      ? [{ property, display_name, type, dictionary }]
      : [],
  )
  if (!event) return []
  const all = { ...event.property_settings }
  const made: StoredSetting[] = []
  let room = EVENT_DICTIONARY_MAX - Object.values(all).reduce((sum, one) => sum + (one.dictionary?.length ?? 0), 0)
  for (const { property, display_name, type, dictionary } of settled) {
    const of = { event: name, property }
    const before = all[property]
    if (display_name)
      made.push({ ...of, what: 'display_name', set: display_name, before: before?.display_name ?? null })
    if (type) made.push({ ...of, what: 'type', set: type, before: before?.type ?? null })
    const known = new Map(before?.dictionary?.map((entry) => [entry.value, entry]))
    for (const entry of dictionary) {
      const label = known.get(entry.value)?.label ?? null
      // What has no room is left out, as an attribute's is.
      if (label === null && (known.size >= DICTIONARY_MAX || room-- <= 0)) continue
      made.push({ ...of, what: 'label', value: entry.value, set: entry.label, before: label })
      known.set(entry.value, entry)
    }
    all[property] = {
      ...before,
      ...(display_name ? { display_name } : {}),
      ...(type ? { type } : {}),
      ...(known.size > 0 ? { dictionary: [...known.values()] } : {}),
    }
  }
  await tx
    .updateTable('event_name')
    .set({ property_settings: JSON.stringify(all) })
    .where('id', '=', event.id)
    .execute()
  return made
}

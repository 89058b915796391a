import { type Kysely, sql, type Transaction } from 'kysely'
import type { Handles } from '../../clickhouse/handles.ts'
import { slotColumn } from '../../clickhouse/person-sql.ts'
import { lockCrowds } from '../../crowds/crowd-lock.ts'
import { anyLeftOut, type FileValues, fileValues } from '../../ingest/attribute-values.ts'
import { isSettled, takeSettingsBack } from '../../postgres/mapping-settings.ts'
import type { Database, StoredBrought, StoredEntry } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { doRepeat, namedValues } from './attribute-statistics.ts'
import { leftOutOf } from './left-out.ts'
import { lockTags, markAll } from './store.ts'
import { type AutomaticTag, isRangeOf, removeUnused, type ValuesLeft } from './unused-tags.ts'

/** What an undone import had brought, once its rows are gone. */
export interface UndoneData extends StoredBrought {
  adv_id: number
  import_id: number
  /** Imports that took over rows. */
  heirs: readonly number[]
}

/** The attributes and events that are left of it. */
interface Left {
  attributes: { name: string }[]
  events: { name: string }[]
}

/**
 * Forgets the attributes, events and automatic tags that nothing but an undone import needed, and marks all tags for a
 * rebuild. What a crowd, a draft or a viewer's own tag uses stays, then without people. May be repeated.
 */
export async function forgetUndone(db: Kysely<Database>, load: Handles, data: UndoneData): Promise<Left> {
  const { adv_id } = data
  await transaction(db, (tx) => takeSettingsBack(tx, data))
  const values = await valuesLeft(db, load, data)
  const events = await eventsLeft(load, data)
  return transaction(db, async (tx) => {
    await lockCrowds(tx, adv_id)
    await lockTags(tx, adv_id)
    const removed = await removeUnused(tx, adv_id, { since: data.began, values, events: emptyEvents(data, events) })
    const others = await othersBrought(tx, data)
    const left = {
      attributes: await forgetAttributes(tx, data, values, others, removed),
      events: await forgetEvents(tx, data, events, others),
    }
    await removeEmptyCategories(tx, adv_id)
    await markAll(tx, adv_id)
    return left
  })
}

/** The values that the import's attributes still have. */
async function valuesLeft(db: Kysely<Database>, load: Handles, { adv_id, attributes }: UndoneData) {
  const known = await db
    .selectFrom('attribute')
    .select(['name', 'slot', 'type', 'is_type_fixed', 'dictionary'])
    .where('adv_id', '=', adv_id)
    .where('name', 'in', ['', ...attributes.map(({ name }) => name)])
    .execute()
  const columns = known.map(({ slot }) => slotColumn(slot))
  const found = await fileValues(load.acrossShards, `(SELECT * FROM person_row WHERE adv_id = ${adv_id})`, columns)
  const left = new Map<string, ValuesLeft>()
  for (const attribute of known) {
    const { name, slot } = attribute
    const of = found.get(slotColumn(slot)) as FileValues
    const named = await namedValues(load, adv_id, attribute, of.values)
    const isNamed = of.values !== null && of.values.length > 0 && named.length === of.values.length
    const asNew = { slot, tagged_by: null, values: [] }
    const byValue = isNamed || (of.values !== null && (await doRepeat(load, adv_id, asNew, of.values)))
    left.set(name, { ...of, type: attribute.is_type_fixed ? attribute.type : of.type, byValue, named })
  }
  return left
}

/** The import's events that still have rows, with the properties that these have. */
async function eventsLeft(load: Handles, { adv_id, events }: UndoneData): Promise<Map<string, string[]>> {
  if (events.length === 0) return new Map()
  const rows = await load.acrossShards.query<{ name: string; properties: string[] }>(
    `SELECT name, groupUniqArrayArray(mapKeys(properties)) AS properties FROM event
     WHERE adv_id = {adv_id:UInt32} AND name IN {names:Array(String)} GROUP BY name`,
    { adv_id, names: events.map(({ name }) => name) },
  )
  return new Map(rows.map((row) => [row.name, row.properties]))
}

const emptyEvents = ({ events }: UndoneData, left: ReadonlyMap<string, unknown>) =>
  events.map(({ name }) => name).filter((name) => !left.has(name))

/** What the advertiser's other imports brought, oldest first; imports of earlier versions are not among them. */
async function othersBrought(tx: Transaction<Database>, { adv_id, import_id }: UndoneData): Promise<StoredBrought[]> {
  const rows = await tx
    .selectFrom('import')
    .select('brought')
    .where('adv_id', '=', adv_id)
    .where('id', '!=', import_id)
    .where('status', '!=', 'undone')
    .where('brought', 'is not', null)
    .orderBy(sql`(brought->>'began')::bigint`)
    .orderBy('id')
    .execute()
  return rows.flatMap(({ brought }) => (brought ? [brought] : []))
}

async function forgetAttributes(
  tx: Transaction<Database>,
  { adv_id, began }: UndoneData,
  values: ReadonlyMap<string, ValuesLeft>,
  others: readonly StoredBrought[],
  removed: readonly AutomaticTag[],
): Promise<{ name: string }[]> {
  const left: { name: string }[] = []
  for (const [name, found] of values) {
    const first = others.flatMap((one) => one.attributes).find((one) => one.name === name)
    const isHeld = first !== undefined || found.distinct > 0 || (await isAttributeUsed(tx, adv_id, name))
    const of = { adv_id, name }
    if (!isHeld) await deleteField(tx, 'attribute', of)
    else {
      // An attribute whose first import had no value is text.
      const type = first?.type === null ? 'text' : (found.type ?? 'text')
      const gone = {
        untagged: valuesOf(removed, name),
        isUncut: removed.some((tag) => isRangeOf(tag, name)),
      }
      await keepAttribute(tx, of, { ...found, type }, { began, ...gone })
      left.push({ name })
    }
  }
  return left
}

/** The values of the attribute that these tags stand for. */
const valuesOf = (tags: readonly AutomaticTag[], attribute: string): ReadonlySet<string> =>
  new Set(
    tags.flatMap(({ definition }) =>
      definition.kind === 'attribute' && definition.attribute === attribute && definition.condition.is === 'equals'
        ? [definition.condition.value]
        : [],
    ),
  )

/** Whether a tag or the consent setting names it, or a viewer settled its type, name or dictionary. */
async function isAttributeUsed(tx: Transaction<Database>, adv_id: number, attribute: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from tag where adv_id = ${adv_id} and definition->>'attribute' = ${attribute}
    union all select 1 from consent where adv_id = ${adv_id} and attribute = ${attribute} limit 1`.execute(tx)
  if (rows.length > 0) return true
  const row = await tx
    .selectFrom('attribute')
    .select(['name', 'type', 'is_type_fixed', 'display_name', 'dictionary'])
    .where('adv_id', '=', adv_id)
    .where('name', '=', attribute)
    .executeTakeFirst()
  return row !== undefined && isSettled(row)
}

/**
 * Stores what is left of an attribute. Values that are left and were known stay known: a viewer may have removed their
 * tags. `untagged`: values whose tags were removed just now, which come back with the values; `isUncut`: its ranges were,
 * so they are cut anew from what is left.
 */
async function keepAttribute(
  tx: Transaction<Database>,
  { adv_id, name }: { adv_id: number; name: string },
  { type, values, distinct, leftOut }: FileValues & { type: 'text' | 'number' | 'date' },
  { began, untagged, isUncut }: { began: number; untagged: ReadonlySet<string>; isUncut: boolean },
): Promise<void> {
  const attribute = await tx
    .selectFrom('attribute')
    .select(['id', 'type', 'is_type_fixed', 'values', 'tagged_by', 'dictionary'])
    .where('adv_id', '=', adv_id)
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  // Ranges that went when the import changed the type are cut again.
  const isRetyped = !attribute.is_type_fixed && type !== attribute.type && attribute.tagged_by === 'ranges'
  const left = new Set(attribute.tagged_by === 'values' ? (values ?? []).filter((value) => !untagged.has(value)) : [])
  const { rows: older } = await sql`
    select 1 from tag where adv_id = ${adv_id} and is_automatic and definition->>'attribute' = ${name}
      and created_at < ${began} limit 1`.execute(tx)
  // The tag of a value that is no longer there went with the import, and comes back with the value.
  const isStill = ({ value }: StoredEntry) =>
    older.length > 0 && !untagged.has(value) && (values === null || values.includes(value))
  const asTagged = ({ is_tagged, ...entry }: StoredEntry): StoredEntry =>
    is_tagged && isStill(entry) ? { ...entry, is_tagged } : entry
  await tx
    .updateTable('attribute')
    .set({
      type: attribute.is_type_fixed ? attribute.type : type,
      values: JSON.stringify(attribute.values.filter((value) => left.has(value))),
      distinct_values: distinct,
      // null: its tags are made as at the first import.
      tagged_by: older.length > 0 && !isUncut && !isRetyped ? attribute.tagged_by : null,
      values_due: true,
      left_out: JSON.stringify(anyLeftOut(leftOut) ? leftOutOf([], leftOut) : []),
      dictionary: JSON.stringify(attribute.dictionary.map(asTagged)),
    })
    .where('id', '=', attribute.id)
    .execute()
}

async function forgetEvents(
  tx: Transaction<Database>,
  { adv_id, events }: UndoneData,
  left: ReadonlyMap<string, string[]>,
  others: readonly StoredBrought[],
): Promise<{ name: string }[]> {
  const kept: { name: string }[] = []
  for (const { name, properties } of events) {
    const row = await tx
      .selectFrom('event_name')
      .select(['id', 'properties', 'display_name', 'property_settings'])
      .where('adv_id', '=', adv_id)
      .where('name', '=', name)
      .executeTakeFirst()
    if (!row) continue
    const isNamed = row.display_name !== name || Object.keys(row.property_settings).length > 0
    const elsewhere = others.flatMap((one) => one.events).filter((one) => one.name === name)
    const { rows } = await sql`
      select 1 from tag where adv_id = ${adv_id} and definition->>'event' = ${name} limit 1`.execute(tx)
    if (!left.has(name) && elsewhere.length === 0 && rows.length === 0 && !isNamed) {
      await deleteField(tx, 'event_name', { adv_id, name })
      continue
    }
    const mine = new Set(properties)
    const held = [...elsewhere.flatMap((one) => one.properties), ...(left.get(name) ?? [])]
    // Others' first, in the order of their imports, as if this import had never been.
    const all = new Set([...held, ...row.properties.filter((one) => !mine.has(one))])
    await tx
      .updateTable('event_name')
      .set({
        properties: JSON.stringify([...all]),
        // Its tag went with its rows, and comes back with them.
        ...(left.has(name) || rows.length > 0 ? {} : { is_tagged: false }),
      })
      .where('id', '=', row.id)
      .execute()
    if (left.has(name)) kept.push({ name })
  }
  return kept
}

/** Deletes a field. Its category is free for the tags of a later import. */
async function deleteField(
  tx: Transaction<Database>,
  table: 'attribute' | 'event_name',
  { adv_id, name }: { adv_id: number; name: string },
): Promise<void> {
  await tx.deleteFrom(table).where('adv_id', '=', adv_id).where('name', '=', name).execute()
  await tx
    .updateTable('tag_category')
    .set({ source: null })
    .where('adv_id', '=', adv_id)
    .where('tag_type', '=', table === 'attribute' ? 1 : 2)
    .where('source', '=', name)
    .where((eb) => eb.exists(eb.selectFrom('tag').select('tag.id').whereRef('tag.category_id', '=', 'tag_category.id')))
    .execute()
}

/** Removes the categories that imports made for fields that are gone. */
const removeEmptyCategories = (tx: Transaction<Database>, adv_id: number) =>
  sql`delete from tag_category c where adv_id = ${adv_id} and source is not null
    and not exists (select 1 from tag t where t.category_id = c.id)
    and not exists (select 1 from attribute a where a.adv_id = c.adv_id and a.name = c.source and c.tag_type = 1)
    and not exists (select 1 from event_name e where e.adv_id = c.adv_id and e.name = c.source and c.tag_type = 2)
    `.execute(tx)

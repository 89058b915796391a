import { type Kysely, sql, type Transaction } from 'kysely'
import { ATTRIBUTE_TAG, EVENT_TAG } from '#contract/tag.ts'
import { OPERATORS, type ValueCondition } from '#contract/tag-condition.ts'
import type { TagDefinition } from '#contract/tag-definition.ts'
import type { EventDefinition } from '#contract/tag-event.ts'
import { anyLeftOut, VALUES_MAX } from '../../ingest/attribute-values.ts'
import type { Database, StoredEntry } from '../../postgres/schema.ts'
import type { Attribute, AttributeStatistics } from './attribute-statistics.ts'
import { didName, shownName, syncAttributeNames, syncEventNames } from './automatic-names.ts'
import { formatted } from './day-window.ts'
import { guessIcon } from './guess-icon.ts'
import { leftOutOf } from './left-out.ts'
import { dateRanges, isWhole, type NamedRange, numberRanges, type Range, type Spread } from './ranges.ts'
import { ensureCategory, insertTags } from './store.ts'
import { isRangeOfOtherType, removeAutomatic } from './unused-tags.ts'

/** The position after the tags for values and the ranges. */
const LAST = VALUES_MAX + 100

/**
 * Makes the missing tags of an attribute: for its values, else for those that the dictionary names and for ranges, else
 * 有值. A tag that a viewer removed is not made again.
 */
export async function makeAttributeTags(
  tx: Transaction<Database>,
  adv_id: number,
  statistics: AttributeStatistics,
  zone: string,
): Promise<void> {
  const attribute = await tx
    .selectFrom('attribute')
    .selectAll()
    .where('id', '=', statistics.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const { byValue, spread } = statistics
  await syncAttributeNames(tx, adv_id, attribute)
  const cut = await rangesNow(tx, adv_id, attribute.name)
  const ofType = cut.filter(({ as }) => as === attribute.type)
  // Where an undo has the tags made as at the first import, a range that a crowd uses may be all that was left of them.
  const hadRanges = ofType.length > 0 && (attribute.tagged_by !== null || isWhole(ofType))
  // An import may give the attribute another type.
  if (cut.length > ofType.length) {
    await removeAutomatic(tx, { adv_id, attribute: attribute.name }, (tag) => isRangeOfOtherType(tag, attribute))
  }
  const ranges = spread && !hadRanges ? rangesOf(attribute.type, spread, zone).filter(isNewBeside(ofType)) : []
  await tx
    .updateTable('attribute')
    .set({
      distinct_values: statistics.distinct,
      values_due: true,
      tagged_by: byValue ? 'values' : 'ranges',
      dictionary: JSON.stringify(withTagged(attribute.dictionary, statistics.named)),
      left_out: JSON.stringify(leftOutOf(attribute.left_out, statistics.leftOut)),
      ...(statistics.values ? { values: JSON.stringify(statistics.values) } : {}),
    })
    .where('id', '=', statistics.id)
    .execute()
  const values = byValue ? (statistics.values ?? []) : statistics.named
  const tagged = attribute.dictionary.flatMap((entry) => (entry.is_tagged ? [entry.value] : []))
  const known = new Set([...(attribute.tagged_by === 'values' ? attribute.values : []), ...tagged])
  const fresh = new Set(values.filter((value) => !known.has(value)))
  // Made only once, like the others, since a viewer may have removed it.
  const isNewlyLeftOut = attribute.left_out.length === 0 && anyLeftOut(statistics.leftOut)
  const hasOnlyExists = !byValue && attribute.tagged_by !== 'ranges' && ranges.length === 0 && !hadRanges
  const needsExists = (isNewlyLeftOut || hasOnlyExists) && !(await hasExists(tx, adv_id, attribute.name))
  if (fresh.size === 0 && ranges.length === 0 && !needsExists) return

  const category = await categoryOf(tx, adv_id, attribute)
  const taken = await equalTags(tx, adv_id, attribute.name)
  const labels = new Map(attribute.dictionary.map(({ value, label }) => [value, label]))
  const sorted = values.toSorted(ORDER[attribute.type])
  // Text tags share position 0 and are ordered by count, largest first; numbers and dates keep their own order.
  const positions = new Map(sorted.map((value, index) => [value, attribute.type === 'text' ? 0 : index]))
  const fromValues = sorted
    .filter((value) => fresh.has(value) && !taken.has(value))
    .map((value) => ({
      name: labels.get(value) ?? value,
      definition: equals(attribute.name, value),
      position: positions.get(value) ?? 0,
    }))
  const fromRanges = ranges.map(({ name, condition }, index) => ({
    name,
    definition: { kind: 'attribute' as const, attribute: attribute.name, condition },
    position: VALUES_MAX + index,
  }))
  const forLeftOut = needsExists ? [existsTag(attribute.name)] : []
  await insertAll(tx, { adv_id, category_id: category.id }, [...fromValues, ...fromRanges, ...forLeftOut])
  if (byValue && attribute.type !== 'text') await updatePositions(tx, taken, positions)
}

/** Makes the tag 有值 when values turn out not to fit a tag. */
export async function makeExistsTag(tx: Transaction<Database>, adv_id: number, attribute: Named): Promise<void> {
  const category = await categoryOf(tx, adv_id, attribute)
  await insertAll(tx, { adv_id, category_id: category.id }, [existsTag(attribute.name)])
}

interface Named {
  name: string
  display_name: string
  slot: number
}

/** The values of a dictionary whose tags are made now are marked, so that they are made once. */
function withTagged(dictionary: readonly StoredEntry[], named: readonly string[]): StoredEntry[] {
  const all = new Set(named)
  return dictionary.map((entry) => (all.has(entry.value) ? { ...entry, is_tagged: true } : entry))
}

/** The category that imports made for the attribute, whatever it is called now. */
async function categoryOf(tx: Transaction<Database>, adv_id: number, { name, display_name, slot }: Named) {
  const known = await tx
    .selectFrom('tag_category')
    .select('id')
    .where('adv_id', '=', adv_id)
    .where('tag_type', '=', ATTRIBUTE_TAG)
    .where('source', '=', name)
    .executeTakeFirst()
  if (known) return known
  return ensureCategory(tx, {
    adv_id,
    name: display_name || name,
    tag_type: ATTRIBUTE_TAG,
    icon: guessIcon('attribute', name),
    source: name,
    position: slot,
  })
}

const existsTag = (attribute: string) => ({
  name: OPERATORS.exists.label,
  definition: { kind: 'attribute' as const, attribute, condition: { is: 'exists' as const } },
  position: LAST,
})

/** One all-time tag for a new event. A tag that a viewer deleted, alone or with its category, is not made again. */
export async function makeEventTag(tx: Transaction<Database>, adv_id: number, event: string): Promise<void> {
  const row = await tx
    .selectFrom('event_name')
    .select(['id', 'name', 'display_name', 'is_tagged'])
    .where('adv_id', '=', adv_id)
    .where('name', '=', event)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return
  await syncEventNames(tx, adv_id, row)
  if (row.is_tagged) return
  await tx.updateTable('event_name').set({ is_tagged: true }).where('id', '=', row.id).execute()
  if (await hasEventTag(tx, adv_id, event)) return
  const known = await tx
    .selectFrom('tag_category')
    .select('id')
    .where('adv_id', '=', adv_id)
    .where('tag_type', '=', EVENT_TAG)
    .where('source', '=', event)
    .executeTakeFirst()
  const shown = row.display_name || event
  const category =
    known ??
    (await ensureCategory(tx, {
      adv_id,
      name: shown,
      tag_type: EVENT_TAG,
      icon: guessIcon('event', `${event} ${shown}`),
      source: event,
      position: row.id,
    }))
  // A category that a viewer made before belongs to the event from now on.
  await tx
    .updateTable('tag_category')
    .set({ source: event })
    .where('id', '=', category.id)
    .where('source', 'is', null)
    .execute()
  const definition: EventDefinition = {
    kind: 'event',
    event,
    window_days: null,
    at_least: 1,
    properties: [],
    negated: false,
  }
  await insertAll(tx, { adv_id, category_id: category.id }, [{ name: didName(shown), definition, position: 0 }])
}

const hasEventTag = (tx: Kysely<Database>, adv_id: number, event: string) =>
  tx
    .selectFrom('tag')
    .select('id')
    .where('adv_id', '=', adv_id)
    .where('is_automatic', '=', true)
    .where(sql<boolean>`definition->>'event' = ${event}`)
    .limit(1)
    .executeTakeFirst()

const equals = (attribute: string, value: string): TagDefinition => ({
  kind: 'attribute',
  attribute,
  condition: { is: 'equals', value },
})

function rangesOf(type: Attribute['type'], spread: Spread, zone: string): NamedRange[] {
  return type === 'date' ? dateRanges(spread, (seconds, unit) => formatted(seconds, zone, unit)) : numberRanges(spread)
}

const ORDER = {
  text: (a: string, b: string) => (a < b ? -1 : 1),
  date: (a: string, b: string) => (a < b ? -1 : 1),
  number: (a: string, b: string) => Number(a) - Number(b) || (a < b ? -1 : 1),
}

/** Tags that already say "equals this value", by value. */
async function equalTags(tx: Kysely<Database>, adv_id: number, attribute: string): Promise<Map<string, number>> {
  const rows = await attributeTags(tx, adv_id, attribute)
  return new Map(
    rows.flatMap(({ id, definition }): [string, number][] =>
      definition.kind === 'attribute' && definition.condition.is === 'equals' ? [[definition.condition.value, id]] : [],
    ),
  )
}

/** The attribute's ranges that were made from its data. */
async function rangesNow(tx: Kysely<Database>, adv_id: number, attribute: string): Promise<Range[]> {
  const rows = await attributeTags(tx, adv_id, attribute)
  return rows.flatMap(({ is_automatic, definition }) =>
    is_automatic && definition.kind === 'attribute' && definition.condition.is === 'range'
      ? [definition.condition]
      : [],
  )
}

/** A range beside these that none of them equals. */
const isNewBeside =
  (ranges: readonly Range[]) =>
  ({ condition }: NamedRange): boolean =>
    !ranges.some(({ from, to }) => condition.is === 'range' && condition.from === from && condition.to === to)

async function hasExists(tx: Kysely<Database>, adv_id: number, attribute: string): Promise<boolean> {
  const rows = await attributeTags(tx, adv_id, attribute)
  return rows.some((row) => isCondition(row.definition, 'exists'))
}

const isCondition = (definition: TagDefinition, is: ValueCondition['is']) =>
  definition.kind === 'attribute' && definition.condition.is === is

const attributeTags = (tx: Kysely<Database>, adv_id: number, attribute: string) =>
  tx
    .selectFrom('tag')
    .select(['id', 'definition', 'is_automatic'])
    .where('adv_id', '=', adv_id)
    .where(sql<boolean>`definition->>'attribute' = ${attribute}`)
    .execute()

/** Updates the positions of existing tags, so that new values are sorted among them. */
async function updatePositions(
  tx: Kysely<Database>,
  taken: ReadonlyMap<string, number>,
  positions: ReadonlyMap<string, number>,
) {
  const moved = [...taken].filter(([value]) => positions.has(value))
  await sql`
    update tag set position = place.position
    from unnest(${moved.map(([, id]) => id)}::int[], ${moved.map(([value]) => positions.get(value))}::int[]) as place (id, position)
    where tag.id = place.id and tag.is_automatic`.execute(tx)
}

/** A tag's name is its value, or a similar name where that is taken or invisible. */
async function insertAll(
  tx: Kysely<Database>,
  into: { adv_id: number; category_id: number },
  tags: readonly { name: string; definition: TagDefinition; position: number }[],
): Promise<void> {
  let left = tags.map((tag) => ({ ...tag, name: shownName(tag.name) }))
  for (let copy = 2; left.length > 0; copy++) {
    const made = await insertTags(
      tx,
      left.map((tag) => ({ ...into, ...tag, is_automatic: true })),
    )
    left = left.filter((tag) => !made.delete(tag.name))
    left = left.map((tag) => ({ ...tag, name: `${tag.name.replace(/ \(\d+\)$/, '')} (${copy})` }))
  }
}

import { type Kysely, sql, type Transaction } from 'kysely'
import { EventDefinition, type TagDefinition } from '#contract/tag.ts'
import type { Engine } from '../../clickhouse/engine.ts'
import { slotColumn } from '../../clickhouse/person-sql.ts'
import { type FileValues, fileValues, VALUES_MAX } from '../../ingest/attribute-values.ts'
import type { Database } from '../../postgres/schema.ts'
import { personRows } from './build.ts'
import { formatted } from './day-window.ts'
import { IN_ORDER, newestValues, numberSql, type PersonRows, timeSql } from './definition-sql.ts'
import { guessIcon } from './guess-icon.ts'
import { dateRanges, type NamedRange, numberRanges, QUANTILES, QUANTILES_ABOVE, type Spread } from './ranges.ts'
import { ensureCategory, insertTags } from './store.ts'

const TAG_NAME_MAX = 60
const EXACT_FREQUENCY_MAX = 10_000
const SPREAD_PEOPLE = 100_000

interface Attribute {
  id: number
  name: string
  slot: number
  type: 'text' | 'number' | 'date'
  /** At the last look; 0 before the first. */
  distinct_values: number
  /** All of them when they are few. */
  values: string[]
}

/** What the data say of an attribute: its values when they are few, else how they spread. */
export interface Look {
  id: number
  /** All distinct values; null when they are more than VALUES_MAX. */
  values: string[] | null
  /** About how many; exact when they are few. */
  distinct: number
  spread: Spread | null
}

/** What newly landed data say of attributes, by name. */
export type FoundValues = Readonly<Record<string, Pick<FileValues, 'values' | 'distinct'>>>

/**
 * Looks at attributes before the transaction that makes their tags: at what was `found` of them when their data came in,
 * beside what was known before, else at all rows.
 */
export async function lookAt(
  load: Engine,
  adv_id: number,
  attributes: readonly Attribute[],
  { zone, found }: { zone: string; found: FoundValues },
): Promise<Look[]> {
  if (attributes.length === 0) return []
  const rows = await personRows(load, adv_id)
  const isTold = ({ name, distinct_values }: Attribute) =>
    found[name]?.values || (found[name] && distinct_values > VALUES_MAX) || (found[name]?.distinct ?? 0) > VALUES_MAX
  const untold = attributes.filter((attribute) => !isTold(attribute)).map(({ slot }) => slotColumn(slot))
  const seen = await fileValues(load, `(SELECT * FROM person_row WHERE adv_id = ${adv_id})`, untold)
  return Promise.all(
    attributes.map(async (attribute) => {
      const { values, distinct } = seen.get(slotColumn(attribute.slot)) ?? joined(attribute, found[attribute.name])
      const wantsRanges = values === null && attribute.type !== 'text' && attribute.distinct_values <= VALUES_MAX
      const spread = wantsRanges ? await spreadOf(load, rows, attribute, zone) : null
      return { id: attribute.id, values, distinct, spread }
    }),
  )
}

function joined({ values, distinct_values }: Attribute, found: FoundValues[string] | undefined) {
  const all = new Set(distinct_values > VALUES_MAX ? [] : values)
  for (const value of found?.values ?? []) all.add(value)
  const isMany = distinct_values > VALUES_MAX || (found?.distinct ?? 0) > VALUES_MAX || all.size > VALUES_MAX
  return isMany
    ? { values: null, distinct: Math.max(distinct_values, found?.distinct ?? 0, all.size) }
    : { values: [...all], distinct: all.size }
}

/** How the values of some people spread: cuts are rounded anyway, and counted exactly once they are made. */
async function spreadOf(load: Engine, rows: PersonRows, attribute: Attribute, zone: string): Promise<Spread | null> {
  const number = attribute.type === 'number' ? numberSql('value') : `toFloat64(${timeSql('value', zone)})`
  const share = Math.max(1, Math.floor(rows.count / SPREAD_PEOPLE))
  const people = newestValues(rows, attribute.slot, share === 1 ? '1' : `cityHash64(uid) % ${share} = 0`)
  // Each value is read once: a filter beside it would be asked no sooner than the values of all people are read.
  const read = `SELECT ifNull(${number}, nan) AS v, n FROM (SELECT value, count() AS n FROM (${people}) GROUP BY value)`
  const values = `SELECT v FROM (${read}) ARRAY JOIN range(n) AS nth WHERE isFinite(v)`
  const [found] = await load.query<{ n: number; least: number; most: number; quantiles: number[] }>(
    `SELECT count() AS n, min(v) AS least, max(v) AS most, ${quantilesSql(QUANTILES)} AS quantiles FROM (${values})`,
    {},
    { settings: IN_ORDER },
  )
  if (!found || found.n === 0) return null
  if (attribute.type !== 'number' || found.quantiles[0] !== found.least || found.least === found.most) return found
  const [above] = await load.query<{ least: number; quantiles: number[] }>(
    `SELECT min(v) AS least, ${quantilesSql(QUANTILES_ABOVE)} AS quantiles FROM (${values}) WHERE v > {least:Float64}`,
    { least: found.least },
    { settings: IN_ORDER },
  )
  return { ...found, above }
}

const quantilesSql = (shares: readonly number[]) => `quantilesExactExclusive(${shares.join(', ')})(v)`

/** Makes the tags that an attribute's data call for and that were not there before; what a viewer removed stays away. */
export async function makeAttributeTags(
  tx: Transaction<Database>,
  adv_id: number,
  look: Look,
  zone: string,
): Promise<void> {
  const attribute = await tx
    .selectFrom('attribute')
    .selectAll()
    .where('id', '=', look.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const ranges =
    look.spread && !(await hasRanges(tx, adv_id, attribute.name)) ? rangesOf(attribute.type, look.spread, zone) : []
  await tx
    .updateTable('attribute')
    .set({
      distinct_values: look.distinct,
      values_due: true,
      ...(look.values ? { values: JSON.stringify(look.values) } : {}),
    })
    .where('id', '=', look.id)
    .execute()
  const known = new Set(attribute.values)
  const fresh = new Set(look.values?.filter((value) => !known.has(value)))
  if (fresh.size === 0 && ranges.length === 0) return

  const category = await ensureCategory(tx, {
    adv_id,
    name: attribute.display_name || attribute.name,
    tag_type: 1,
    icon: guessIcon('attribute', attribute.name),
    source: attribute.name,
    position: attribute.slot,
  })
  const taken = await equalTags(tx, adv_id, attribute.name)
  const sorted = (look.values ?? []).toSorted(ORDER[attribute.type])
  // Texts stand by their counts, the greatest first; numbers and dates in their own order.
  const positions = new Map(sorted.map((value, index) => [value, attribute.type === 'text' ? 0 : index]))
  const fromValues = sorted
    .filter((value) => fresh.has(value) && !taken.has(value))
    .map((value) => ({ name: value, definition: equals(attribute.name, value), position: positions.get(value) ?? 0 }))
  const fromRanges = ranges.map(({ name, condition }, index) => ({
    name,
    definition: { kind: 'attribute' as const, attribute: attribute.name, condition },
    position: VALUES_MAX + index,
  }))
  await insertAll(tx, { adv_id, category_id: category.id }, [...fromValues, ...fromRanges])
  if (attribute.type !== 'text') await placeAgain(tx, taken, positions)
}

/** One all-time tag for an event that is new; a category that a viewer emptied stays empty. */
export async function makeEventTag(tx: Transaction<Database>, adv_id: number, event: string): Promise<void> {
  const row = await tx
    .selectFrom('event_name')
    .select(['id', 'display_name'])
    .where('adv_id', '=', adv_id)
    .where('name', '=', event)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return
  const known = await tx
    .selectFrom('tag_category')
    .select('id')
    .where('adv_id', '=', adv_id)
    .where('tag_type', '=', 2)
    .where('source', '=', event)
    .executeTakeFirst()
  if (known || (await hasEventTag(tx, adv_id, event))) return
  const shown = row.display_name || event
  const category = await ensureCategory(tx, {
    adv_id,
    name: shown,
    tag_type: 2,
    icon: guessIcon('event', `${event} ${shown}`),
    source: event,
    position: row.id,
  })
  // One that a viewer made before is from now on the event's.
  await tx
    .updateTable('tag_category')
    .set({ source: event })
    .where('id', '=', category.id)
    .where('source', 'is', null)
    .execute()
  const name = /^\p{Script=Han}/u.test(shown) ? `做过${shown}` : `做过 ${shown}`
  const definition = EventDefinition.parse({ kind: 'event', event, window_days: null })
  await insertAll(tx, { adv_id, category_id: category.id }, [{ name, definition, position: 0 }])
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

async function hasRanges(tx: Kysely<Database>, adv_id: number, attribute: string): Promise<boolean> {
  const rows = await attributeTags(tx, adv_id, attribute)
  return rows.some(
    ({ is_automatic, definition }) =>
      is_automatic && definition.kind === 'attribute' && definition.condition.is === 'range',
  )
}

const attributeTags = (tx: Kysely<Database>, adv_id: number, attribute: string) =>
  tx
    .selectFrom('tag')
    .select(['id', 'definition', 'is_automatic'])
    .where('adv_id', '=', adv_id)
    .where(sql<boolean>`definition->>'attribute' = ${attribute}`)
    .execute()

/** New values may come between those that have their tags. */
async function placeAgain(
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

/** A tag's name is its value; where that is taken or cannot be shown, one like it. */
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

function shownName(value: string): string {
  const text = [...(value.trim() || '（空白）')]
  return text.length > TAG_NAME_MAX ? `${text.slice(0, TAG_NAME_MAX - 6).join('')}…` : text.join('')
}

/** The exact number of distinct values and the frequent ones, for the forms; no tag waits for it. */
export async function countValues(
  load: Engine,
  adv_id: number,
  attribute: Pick<Attribute, 'slot' | 'distinct_values'>,
) {
  const people = newestValues(await personRows(load, adv_id), attribute.slot)
  const settings = IN_ORDER
  if (attribute.distinct_values > EXACT_FREQUENCY_MAX) {
    const [row] = await load.query<{ distinct: number; values: string[] }>(
      `SELECT uniqExact(value) AS distinct, topK(${VALUES_MAX})(value) AS values FROM (${people})`,
      {},
      { settings },
    )
    return row ?? { distinct: 0, values: [] }
  }
  const rows = await load.query<{ value: string }>(
    `SELECT value FROM (${people}) GROUP BY value ORDER BY count() DESC, value`,
    {},
    { settings },
  )
  return { distinct: rows.length, values: rows.slice(0, VALUES_MAX).map((row) => row.value) }
}

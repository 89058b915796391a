import { createHash } from 'node:crypto'
import { keysOf } from '#contract/common.ts'
import type { TagDefinition, TagKind, ValueCondition } from '#contract/tag.ts'
import { quote } from '../../clickhouse/bind.ts'
import { ROW_ORDER, slotColumn } from '../../clickhouse/person-sql.ts'
import { addDays, type DayWindow, pastDays } from './day-window.ts'

/** A tag to build; its definition's attribute has a slot in `Frame.slots`. */
export interface Definition<D extends TagDefinition = TagDefinition> {
  id: number
  definition: D
}
type OfKind<K extends TagKind> = Definition<Extract<TagDefinition, { kind: K }>>
type AttributeTag = OfKind<'attribute'>
type EventTag = OfKind<'event'>

/** What the statements of one build share. */
export interface Frame {
  adv_id: number
  timezone: string
  /** Day of TIMEZONE at which windows end (it is not part of them). */
  today: string
  /** By attribute name; `hasLong`: some of its values are too long for a tag. */
  attributes: ReadonlyMap<string, { slot: number; distinct: number; hasLong: boolean }>
  rows: PersonRows
}

/**
 * `several`: a subquery of one bitmap, the people with several rows in person_row; null if there are none. Only they
 * need a search for the newest value, which takes ten times as long as reading it.
 */
export interface PersonRows {
  adv_id: number
  count: number
  /** Number of buckets, empty ones included. */
  buckets: number
  several: string | null
}

export const severalRows = (adv_id: number) =>
  `SELECT groupBitmapState(uid) AS bitmap FROM (
     SELECT uid FROM person_row WHERE adv_id = ${adv_id} GROUP BY adv_id, uid HAVING count() > 1)`

/** person_row is ordered by person, so groups by person can be built while reading. */
export const IN_ORDER = { optimize_aggregation_in_order: 1 }

/** With more distinct values, a bitmap for each is slower: with 5,000 values three times as slow. */
const GROUPED_VALUES_MAX = 400
/** Characters of a value inside a statement. */
const EQUAL_CHARS_MAX = 2000
/** Up to this many buckets, of 2^20 people each, get a statement each. */
const BUCKETS_APART_MAX = 8
const BUCKET_PEOPLE = 2 ** 20

export interface MemberSelect {
  sql: string
  /** The tags whose people it selects. */
  ids: readonly number[]
  /** Runs after the others, in order. */
  isLast: boolean
}

/**
 * Statements of (tag_id, bucket, bitmap) that hold the people of the definitions, each exactly once: one pass over the
 * data for all tags of an attribute, one for all of an event, one more for those with property conditions.
 */
export const memberSelects = (frame: Frame, tags: readonly Definition[]): MemberSelect[] =>
  keysOf(SELECTS).flatMap((kind) => selectsOf(kind, frame, tags))

function selectsOf<K extends TagKind>(kind: K, frame: Frame, tags: readonly Definition[]): MemberSelect[] {
  const isOfKind = (tag: Definition): tag is OfKind<K> => tag.definition.kind === kind
  return SELECTS[kind](frame, tags.filter(isOfKind))
}

const SELECTS: { [K in TagKind]: (frame: Frame, tags: readonly OfKind<K>[]) => MemberSelect[] } = {
  attribute(frame, tags) {
    const groups = groupBy(tags, (tag) => tag.definition.attribute)
    return longestFirst(frame, groups).map((group) => first(attributeSelect(frame, group), group))
  },
  event(frame, tags) {
    const groupsOf = (negated: boolean) =>
      groupBy(
        tags.filter((tag) => tag.definition.negated === negated),
        (tag) => tag.definition.event,
      )
    return [
      ...groupsOf(false).flatMap((group) => eventSelects(frame, group).map((sql) => first(sql, group))),
      ...groupsOf(true).map((group) => last(notDoneSelect(frame, group), group)),
    ]
  },
  everyone: (frame, tags) => (tags.length > 0 ? [last(everyoneSelect(frame, tags), tags)] : []),
}

const first = (sql: string, tags: readonly Definition[]) => ({ sql, ids: idsOf(tags), isLast: false })
const last = (sql: string, tags: readonly Definition[]) => ({ sql, ids: idsOf(tags), isLast: true })

const READS_PERSON_ROWS: Record<TagKind, boolean> = { attribute: true, event: false, everyone: false }
/** Whether the statement of a definition needs `PersonRows.several`. */
export const readsPersonRows = ({ kind }: TagDefinition): boolean => READS_PERSON_ROWS[kind]

/** More values take longer, so these groups start first. */
const longestFirst = (frame: Frame, groups: readonly AttributeTag[][]) =>
  groups.toSorted((one, other) => distinctOf(frame, other) - distinctOf(frame, one))

const distinctOf = ({ attributes }: Frame, [tag]: readonly AttributeTag[]) =>
  attributes.get(tag?.definition.attribute ?? '')?.distinct ?? 0

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  return [...Map.groupBy(items, keyOf).values()]
}

const idsOf = (tags: readonly Definition[]) => tags.map((tag) => tag.id)
const idsSql = (tags: readonly Definition[]) => `[${idsOf(tags).join(', ')}]::Array(UInt32)`

const everyoneSelect = ({ adv_id }: Frame, tags: readonly Definition[]) =>
  `SELECT arrayJoin(${idsSql(tags)}) AS tag_id, bucket, bitmap FROM (
     SELECT toUInt16(bitShiftRight(uid, 20)) AS bucket, groupBitmapState(uid) AS bitmap
     FROM person_key WHERE adv_id = ${adv_id} GROUP BY bucket)`

// Attributes

function attributeSelect(frame: Frame, tags: readonly AttributeTag[]): string {
  const attribute = frame.attributes.get(tags[0]?.definition.attribute ?? '')
  if (!attribute) throw new Error('an attribute without a slot')
  const people = newestValues(frame.rows, attribute.slot)
  const ids = matchingIds(frame, tags)
  // Long values are not grouped: each group keeps its value in memory.
  if (attribute.distinct > GROUPED_VALUES_MAX || attribute.hasLong) {
    return `SELECT tag_id, bucket, groupBitmapState(uid) AS bitmap
      FROM (${people}) ARRAY JOIN ${ids} AS tag_id GROUP BY tag_id, bucket`
  }
  const { buckets } = frame.rows
  const states =
    frame.rows.several !== null || buckets > BUCKETS_APART_MAX
      ? `SELECT value, bucket, groupBitmapState(uid) AS state FROM (${people}) GROUP BY value, bucket`
      : Array.from({ length: buckets }, (_, bucket) => bucketStates(frame.rows, attribute.slot, bucket)).join(
          '\nUNION ALL\n',
        )
  return `SELECT tag_id, bucket, groupBitmapMergeState(state) AS bitmap FROM (${states})
    ARRAY JOIN ${ids} AS tag_id GROUP BY tag_id, bucket`
}

/** The people of each value in one bucket: grouping by a text alone is cheaper than by a text and a number. */
function bucketStates(rows: PersonRows, slot: number, bucket: number): string {
  // By uid, since the table is ordered by it.
  const within = `uid BETWEEN ${bucket * BUCKET_PEOPLE} AND ${(bucket + 1) * BUCKET_PEOPLE - 1}`
  return `SELECT value, toUInt16(${bucket}) AS bucket, groupBitmapState(uid) AS state
    FROM (${newestValues(rows, slot, within)}) GROUP BY value`
}

/** (uid, bucket, value) of the people who have the attribute; the same values as `attributeValuesSql`. */
export function newestValues({ adv_id, several }: PersonRows, slot: number, only = '1'): string {
  const column = slotColumn(slot)
  const rows = `FROM person_row WHERE adv_id = ${adv_id} AND ${column} != '' AND ${only}`
  const single = `SELECT uid, bucket, ${column} AS value ${rows}`
  if (several === null) return single
  return `${single} AND NOT bitmapContains((${several}), uid)
    UNION ALL
    SELECT uid, any(bucket) AS bucket, argMax(${column}, ${ROW_ORDER}) AS value ${rows} AND bitmapContains((${several}), uid)
    GROUP BY adv_id, uid`
}

/** An array of the tags whose condition `value` meets: equality by hash lookup, other conditions one by one. */
function matchingIds(frame: Frame, tags: readonly AttributeTag[]): string {
  const byValue = new Map<string, Set<number>>()
  const others: AttributeTag[] = []
  for (const tag of tags) {
    const values = equalValues(tag.definition.condition)
    if (!values) others.push(tag)
    for (const value of values ?? []) byValue.set(value, (byValue.get(value) ?? new Set()).add(tag.id))
  }
  const parts: string[] = []
  if (byValue.size > 0) {
    const values = [...byValue.keys()].map(quote)
    const places = values.map((_, index) => index + 2)
    const lists = [...byValue.values()].map((ids) => `[${[...ids].join(', ')}]`)
    parts.push(
      `arrayElement([[], ${lists.join(', ')}]::Array(Array(UInt32)), transform(value, [${values.join(', ')}], [${places.join(', ')}], 1))`,
    )
  }
  if (others.length > 0) {
    const hits = others.map((tag) => conditionSql(tag.definition.condition, 'value', frame.timezone))
    parts.push(`arrayFilter((id, hit) -> hit, ${idsSql(others)}, [${hits.join(', ')}])`)
  }
  return parts.length === 1 ? (parts[0] as string) : `arrayConcat(${parts.join(', ')})`
}

function equalValues(condition: ValueCondition): readonly string[] | null {
  if (condition.is === 'equals') return condition.value.length > EQUAL_CHARS_MAX ? null : [condition.value]
  if (condition.is === 'in') return condition.values
  return null
}

/** Older versions made tags of values of several megabytes, which are too long for a statement. */
function digestSql(wanted: string, value: string): string {
  const digest = createHash('sha256').update(wanted).digest('hex')
  return `(length(${value}) = ${Buffer.byteLength(wanted)} AND SHA256(${value}) = unhex('${digest}'))`
}

/** 0 or 1: whether the text `value` meets the condition; an empty value meets none. */
function conditionSql(condition: ValueCondition, value: string, zone: string): string {
  switch (condition.is) {
    case 'exists':
      return `${value} != ''`
    case 'equals':
      return condition.value.length > EQUAL_CHARS_MAX
        ? digestSql(condition.value, value)
        : `(${value} != '' AND ${value} = ${quote(condition.value)})`
    case 'in':
      return `(${value} != '' AND ${value} IN (${condition.values.map(quote).join(', ')}))`
    case 'range': {
      const of = condition.as === 'number' ? numberSql : (text: string) => timeSql(text, zone)
      const within: string[] = []
      if (condition.from !== null) within.push(`${of(value)} >= ${of(quote(condition.from))}`)
      if (condition.to !== null) within.push(`${of(value)} < ${of(quote(condition.to))}`)
      if (condition.as === 'number') within.push(`isFinite(${of(value)})`)
      return `ifNull(${within.join(' AND ')}, 0)`
    }
  }
}

/** NULL when the text is no number. */
export const numberSql = (text: string) => `toFloat64OrNull(${text})`
/** NULL when the text is no time; the engine would read a short number as a day of this month. */
export const timeSql = (text: string, zone: string) =>
  `if(length(${text}) >= 8, parseDateTime64BestEffortOrNull(${text}, 3, ${quote(zone)}), NULL)`

// Events

function eventSelects(frame: Frame, tags: readonly EventTag[]): string[] {
  const plain = tags.filter((tag) => tag.definition.properties.length === 0)
  const detailed = tags.filter((tag) => tag.definition.properties.length > 0)
  return [
    ...(plain.length > 0 ? [byDaySelect(frame, plain)] : []),
    ...(detailed.length > 0 ? [byEventSelect(frame, detailed)] : []),
  ]
}

/** Reads the rollup of events by person and day. */
function byDaySelect(frame: Frame, tags: readonly EventTag[]): string {
  const windows = tags.map((tag) => windowOf(frame, tag))
  const within = (window: DayWindow | null) =>
    window ? `day BETWEEN ${quote(window.from)} AND ${quote(window.to)}` : '1'
  const rows = `FROM event_day WHERE adv_id = ${frame.adv_id} AND name = ${quote(eventOf(tags))}${sinceSql(windows, (day) => `day >= ${quote(day)}`)}`
  if (tags.every((tag) => tag.definition.at_least === 1)) {
    if (windows.every((window) => window === null)) {
      return `SELECT arrayJoin(${idsSql(tags)}) AS tag_id, bucket, bitmap
        FROM (SELECT bucket, groupBitmapState(uid) AS bitmap ${rows} GROUP BY bucket)`
    }
    return withHits(tags, windows.map(within), `SELECT uid, bucket, day ${rows}`)
  }
  const distinct = [...new Set(windows.map(within))]
  const sums = distinct.map((hit, index) => `sumIf(n, ${hit}) AS n${index}`)
  const hits = tags.map((tag, index) => {
    const window = windows[index] ?? null
    return `n${distinct.indexOf(within(window))} >= ${tag.definition.at_least}`
  })
  return withHits(tags, hits, `SELECT uid, bucket, ${sums.join(', ')} ${rows} GROUP BY uid, bucket`)
}

/** Reads the events themselves. */
function byEventSelect(frame: Frame, tags: readonly EventTag[]): string {
  const zone = quote(frame.timezone)
  const windows = tags.map((tag) => windowOf(frame, tag))
  const meets = tags.map((tag, index) => {
    const window = windows[index]
    return [
      ...(window ? [`toDate(ts, ${zone}) BETWEEN ${quote(window.from)} AND ${quote(window.to)}`] : []),
      ...tag.definition.properties.map(({ property, condition }) =>
        conditionSql(condition, `properties[${quote(property)}]`, frame.timezone),
      ),
    ].join(' AND ')
  })
  const distinct = [...new Set(meets)]
  const counts = distinct.map((hit, index) => `countIf(${hit}) AS n${index}`)
  const hits = tags.map((tag, index) => `n${distinct.indexOf(meets[index] ?? '')} >= ${tag.definition.at_least}`)
  // One day before the windows begin, for any time zone: only lets the engine skip older months.
  const since = sinceSql(windows, (day) => `ts >= toDateTime64('${addDays(day, -1)} 00:00:00', 3, 'UTC')`)
  return withHits(
    tags,
    hits,
    `SELECT uid, bucket, ${counts.join(', ')} FROM event
     WHERE adv_id = ${frame.adv_id} AND name = ${quote(eventOf(tags))}${since} GROUP BY uid, bucket`,
  )
}

const withHits = (tags: readonly EventTag[], hits: readonly string[], people: string) =>
  `SELECT tag_id, bucket, groupBitmapState(uid) AS bitmap FROM (${people})
   ARRAY JOIN arrayFilter((id, hit) -> hit, ${idsSql(tags)}, [${hits.join(', ')}]) AS tag_id GROUP BY tag_id, bucket`

/** Everyone except the people of the same definitions without negation. */
function notDoneSelect(frame: Frame, tags: readonly EventTag[]): string {
  const did = eventSelects(
    frame,
    tags.map((tag) => ({ ...tag, definition: { ...tag.definition, negated: false } })),
  )
  return `SELECT tag_id, bucket, bitmapAndnot(groupBitmapMergeStateIf(part, all), groupBitmapMergeStateIf(part, NOT all)) AS bitmap
    FROM (
      SELECT tag_id, bucket, bitmap AS part, true AS all FROM (${everyoneSelect(frame, tags)})
      ${did.map((sql) => `UNION ALL SELECT tag_id, bucket, bitmap, false FROM (${sql})`).join('\n')}
    ) GROUP BY tag_id, bucket HAVING bitmapCardinality(bitmap) > 0`
}

const eventOf = (tags: readonly EventTag[]) => tags[0]?.definition.event ?? ''

function windowOf({ today }: Frame, { definition }: EventTag): DayWindow | null {
  return definition.window_days === null ? null : pastDays(definition.window_days, today)
}

/** If every tag has a window, nothing before the earliest one is read. */
function sinceSql(windows: readonly (DayWindow | null)[], atLeast: (day: string) => string): string {
  const froms = windows.map((window) => window?.from)
  const [earliest] = froms.some((from) => from === undefined) ? [] : (froms as string[]).toSorted()
  return earliest === undefined ? '' : ` AND ${atLeast(earliest)}`
}

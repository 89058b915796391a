import type { LeftOut } from '#contract/tag.ts'
import { quote } from '../../clickhouse/bind.ts'
import { isEngineError } from '../../clickhouse/engine-error.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import { slotColumn } from '../../clickhouse/person-sql.ts'
import { numberSql, timeSql } from '../../clickhouse/typed-text.ts'
import {
  canBeTag,
  canBeTagSql,
  type FileValues,
  fileValues,
  LEFT_OUT_SQL,
  type LeftOutCounts,
  NONE_LEFT_OUT,
  SHORTENED_LEFT_OUT_SQL,
  shortenedSql,
  VALUES_MAX,
} from '../../ingest/attribute-values.ts'
import type { NewAttribute } from '../../ingest/load-types.ts'
import type { StoredEntry } from '../../postgres/schema.ts'
import { newestValues } from './attribute-sql.ts'
import { personRows } from './build.ts'
import { IN_ORDER, type PersonRows } from './frame.ts'
import { holdsPhoneSql } from './phone-fields.ts'
import { QUANTILES, QUANTILES_ABOVE, type Spread } from './ranges.ts'

const EXACT_FREQUENCY_MAX = 10_000
const SPREAD_PEOPLE = 100_000
/** Bytes. Where full values need more, long ones are replaced by hashes, at the cost of a copy of each value. */
const PLAIN_VALUES_MEMORY = 512 * 1024 * 1024

export interface Attribute {
  id: number
  name: string
  slot: number
  type: 'text' | 'number' | 'date'
  /** At the last count; 0 before the first. */
  distinct_values: number
  /** All values when they are few, without those that cannot become a tag. */
  values: string[]
  left_out: LeftOut[]
  tagged_by: 'values' | 'ranges' | null
  dictionary: StoredEntry[]
}

/** What the data show of an attribute: its values when they are few, else their distribution. */
export interface AttributeStatistics {
  id: number
  /** All distinct values that can become a tag; null when the attribute has more than VALUES_MAX values in all. */
  values: string[] | null
  /** Approximate number of distinct values; exact when they are few. */
  distinct: number
  leftOut: LeftOutCounts
  /** Its values repeat or the dictionary names them all, so each gets a tag. */
  byValue: boolean
  /** The values that the dictionary names and that the data have. */
  named: string[]
  /** Of numbers and dates whose values do not repeat, if they have no ranges yet. */
  spread: Spread | null
}

/** What an import found of an attribute. An import begun by an older version has no `leftOut`. */
type Found = Pick<FileValues, 'values' | 'distinct'> & { leftOut?: LeftOutCounts | undefined }

/**
 * Examines attributes before the transaction that makes their tags: uses what the import `found` together with what
 * was known before, else reads all rows.
 */
export async function attributeStatistics(
  load: Handles,
  adv_id: number,
  attributes: readonly Attribute[],
  { zone, found }: { zone: string; found: ReadonlyMap<string, NewAttribute> },
): Promise<AttributeStatistics[]> {
  if (attributes.length === 0) return []
  const rows = await personRows(load.everyShard, adv_id)
  const foundOf = ({ name }: Attribute): Found | undefined => {
    const { values, distinct, leftOut } = found.get(name) ?? {}
    return values === undefined || distinct === undefined ? undefined : { values, distinct, leftOut }
  }
  const isKnown = (attribute: Attribute) => {
    const one = foundOf(attribute)
    return one && (one.values || attribute.distinct_values > VALUES_MAX || one.distinct > VALUES_MAX)
  }
  const unknown = attributes.filter((attribute) => !isKnown(attribute)).map(({ slot }) => slotColumn(slot))
  const seen = await fileValues(load.acrossShards, `(SELECT * FROM person_row WHERE adv_id = ${adv_id})`, unknown)
  return Promise.all(
    attributes.map(async (attribute) => {
      const { values, distinct, leftOut } =
        seen.get(slotColumn(attribute.slot)) ?? joined(attribute, foundOf(attribute))
      const named = await namedValues(load, adv_id, attribute, values)
      const isNamed = values !== null && values.length > 0 && named.length === values.length
      const byValue = isNamed || (values !== null && (await doRepeat(load, adv_id, attribute, values)))
      const wantsRanges = !byValue && attribute.type !== 'text' && attribute.tagged_by !== 'ranges'
      const spread = wantsRanges ? await spreadOf(load, rows, attribute, zone) : null
      return { id: attribute.id, values, distinct, leftOut, byValue, named, spread }
    }),
  )
}

/** Named values of one statement: a server's parameters and statements are bounded. */
const NAMED_AT_ONCE = 200

/** The values of the dictionary that the data have. `values`: all that they have, where these are few. */
export async function namedValues(
  load: Handles,
  adv_id: number,
  { slot, dictionary }: Pick<Attribute, 'slot' | 'dictionary'>,
  values: readonly string[] | null,
): Promise<string[]> {
  const named = dictionary.map(({ value }) => value)
  if (values) return named.filter((value) => values.includes(value))
  const found = new Set<string>()
  for (let at = 0; at < named.length; at += NAMED_AT_ONCE) {
    const some = named.slice(at, at + NAMED_AT_ONCE).map(quote)
    const column = slotColumn(slot)
    const rows = await load.acrossShards.query<{ value: string }>(
      `SELECT DISTINCT ${column} AS value FROM person_row WHERE adv_id = {adv_id:UInt32} AND ${column} IN (${some.join(', ')})`,
      { adv_id },
    )
    for (const { value } of rows) found.add(value)
  }
  return named.filter((value) => found.has(value))
}

/** A value gets a tag of its own only where values repeat: so many rows for each on average. */
const ROWS_PER_VALUE = 5
/** With fewer rows there is nothing to judge by yet, and there are few tags in any case. */
const ROWS_MIN = 10

/** Whether an attribute of few values gets a tag for each. It reads only as many rows as settle it. */
export async function doRepeat(
  load: Handles,
  adv_id: number,
  attribute: Pick<Attribute, 'slot' | 'tagged_by' | 'values'>,
  values: readonly string[],
) {
  const known = new Set(attribute.tagged_by === 'values' ? attribute.values : [])
  if (attribute.tagged_by === 'values' && values.every((value) => known.has(value))) return true
  const wanted = values.length * ROWS_PER_VALUE
  const [found] = await load.acrossShards.query<{ n: number }>(
    `SELECT count() AS n FROM (SELECT 1 FROM person_row
       WHERE adv_id = {adv_id:UInt32} AND ${slotColumn(attribute.slot)} != '' LIMIT {most:UInt32})`,
    { adv_id, most: Math.max(wanted, ROWS_MIN) },
  )
  const rows = found?.n ?? 0
  return rows >= wanted || rows < ROWS_MIN
}

function joined({ values, distinct_values, left_out }: Attribute, found: Found | undefined) {
  const all = new Set(distinct_values > VALUES_MAX ? [] : values)
  for (const value of found?.values ?? []) if (canBeTag(value)) all.add(value)
  // Only the counts are stored, not the values, so the larger one is a lower bound.
  const leftOut = { ...(found?.leftOut ?? NONE_LEFT_OUT) }
  for (const { code, params } of left_out) leftOut[code] = Math.max(leftOut[code], params.count)
  const distinct = all.size + leftOut.tooLong + leftOut.notText
  const isMany = distinct_values > VALUES_MAX || (found?.distinct ?? 0) > VALUES_MAX || distinct > VALUES_MAX
  return isMany
    ? { values: null, distinct: Math.max(distinct_values, found?.distinct ?? 0, distinct), leftOut }
    : { values: [...all], distinct, leftOut }
}

/**
 * The distribution of a sample of people; null of phones, whose ranges say nothing and would tell digits of them. Exact
 * enough: cuts are rounded, and the ranges are counted exactly later.
 */
async function spreadOf(load: Handles, rows: PersonRows, attribute: Attribute, zone: string): Promise<Spread | null> {
  const number = attribute.type === 'number' ? numberSql('value') : `toFloat64(${timeSql('value', zone)})`
  const share = Math.max(1, Math.floor(rows.count / SPREAD_PEOPLE))
  const people = newestValues(rows, attribute.slot, share === 1 ? '1' : `cityHash64(uid) % ${share} = 0`)
  // Parses each distinct value once; the filter outside runs after the values were parsed.
  const read = `SELECT ifNull(${number}, nan) AS v, ${holdsPhoneSql('value')} AS phone, n FROM (SELECT value, count() AS n FROM (${people}) GROUP BY value)`
  const values = `SELECT v, phone FROM (${read}) ARRAY JOIN range(n) AS nth WHERE isFinite(v)`
  // As text: a whole number may have more digits than the client accepts.
  const [found] = await load.acrossShards.query<{
    n: number
    phones: number
    least: string
    most: string
    quantiles: string[]
  }>(
    `SELECT count() AS n, countIf(phone) AS phones, toString(min(v)) AS least, toString(max(v)) AS most, ${quantilesSql(QUANTILES)} AS quantiles FROM (${values})`,
    {},
    { settings: IN_ORDER },
  )
  if (!found || found.n === 0 || found.phones > found.n / 2) return null
  const spread = { least: Number(found.least), most: Number(found.most), quantiles: found.quantiles.map(Number) }
  if (attribute.type !== 'number' || found.quantiles[0] !== found.least || found.least === found.most) return spread
  const [above] = await load.acrossShards.query<{ least: string; quantiles: string[] }>(
    `SELECT toString(min(v)) AS least, ${quantilesSql(QUANTILES_ABOVE)} AS quantiles FROM (${values}) WHERE v > {least:Float64}`,
    { least: found.least },
    { settings: IN_ORDER },
  )
  return { ...spread, above: above && { least: Number(above.least), quantiles: above.quantiles.map(Number) } }
}

const quantilesSql = (shares: readonly number[]) =>
  `arrayMap(quantile -> toString(quantile), quantilesExactExclusive(${shares.join(', ')})(v))`

/** The exact number of distinct values and the frequent ones, for forms; no tag build waits for it. */
export async function countValues(
  load: Handles,
  adv_id: number,
  attribute: Pick<Attribute, 'slot' | 'distinct_values'>,
): Promise<{ distinct: number; values: string[]; leftOut: LeftOutCounts }> {
  const people = newestValues(await personRows(load.everyShard, adv_id), attribute.slot)
  const isMany = attribute.distinct_values > EXACT_FREQUENCY_MAX
  const ask = (sql: string, settings = {}) =>
    load.acrossShards.query<{ distinct: number; values: string[] } & LeftOutCounts>(
      sql,
      {},
      { settings: { ...IN_ORDER, ...settings } },
    )
  const [row] = isMany
    ? await ask(manyValuesSql(people))
    : await ask(fewValuesSql(people, 'value'), { max_memory_usage: PLAIN_VALUES_MEMORY }).catch((error: unknown) => {
        if (!isEngineError(error, 'memory')) throw error
        return ask(fewValuesSql(people, shortenedSql('value')))
      })
  const { distinct = 0, values = [], tooLong = 0, notText = 0 } = row ?? {}
  return { distinct, values, leftOut: { tooLong, notText } }
}

/** Groups by value, then checks each distinct value once. `as` is the text that is grouped by. */
function fewValuesSql(people: string, as: string): string {
  const tooLong = SHORTENED_LEFT_OUT_SQL.tooLong('text')
  const notText = SHORTENED_LEFT_OUT_SQL.notText('text')
  const frequent = `groupArraySortedIf(${VALUES_MAX})((-toInt64(n), text), NOT (${tooLong} OR ${notText}))`
  return `SELECT count() AS distinct, countIf(${tooLong}) AS tooLong, countIf(${notText}) AS notText,
      arrayMap(one -> one.2, ${frequent}) AS values
    FROM (SELECT ${as} AS text, count() AS n FROM (${people}) GROUP BY text)`
}

/** For too many values to keep: counts their hashes and estimates the frequent ones. */
function manyValuesSql(people: string): string {
  return `SELECT uniqExact(value) AS distinct, topKIf(${VALUES_MAX})(value, ${canBeTagSql('value')}) AS values,
      uniqExactIf(value, ${LEFT_OUT_SQL.tooLong('value')}) AS tooLong,
      uniqExactIf(value, ${LEFT_OUT_SQL.notText('value')}) AS notText
    FROM (${people})`
}

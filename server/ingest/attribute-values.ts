import { type LeftOut, TAG_VALUE_MAX } from '#contract/tag.ts'
import type { AcrossShards } from '../clickhouse/handles.ts'

export type AttributeType = 'text' | 'number' | 'date'

/** Number of distinct values that cannot be a tag's, by reason. */
export type LeftOutCounts = Record<LeftOut['code'], number>

/** The values of an attribute in a file. */
export interface FileValues {
  /** null when the file has no value. */
  type: AttributeType | null
  /** All distinct values that can be a tag's, unsorted; null when there are more than VALUES_MAX, left-out ones included. */
  values: string[] | null
  /** Number of distinct values, left-out ones included; approximate when `values` is null. */
  distinct: number
  leftOut: LeftOutCounts
}

/** An attribute with more distinct values than this gets no tag per value. */
export const VALUES_MAX = 200
const VALUES_CHARS_MAX = 20_000
const COLUMNS_AT_ONCE = 20
/** Up to this many distinct values are checked one by one. */
const DISTINCT_MAX = 10_000

/** A text with more bytes has too many characters for a tag. The engine reads a length without reading the text. */
const BYTES_MAX = 4 * TAG_VALUE_MAX
const isBig = (text: string) => `length(${text}) > ${BYTES_MAX}`

const hasManyChars = (text: string) => `(${isBig(text)} OR lengthUTF8(${text}) > ${TAG_VALUE_MAX})`
const isNoText = (text: string) => `(NOT isValidUTF8(${text}) OR position(${text}, '\\0') > 0)`
/** The reasons why a text gets no tag, as SQL. A text that is too long is not checked for being text. */
export const LEFT_OUT_SQL = {
  tooLong: hasManyChars,
  notText: (text: string) => `(NOT ${hasManyChars(text)} AND ${isNoText(text)})`,
}
/** The prefix of a big value's substitute; no text of a file begins like this. */
const BIG = '\\0big'
/** Whether texts of at most `longest` bytes must be shortened, which costs a copy of each. */
const wantsShortening = (longest: number) => longest > BYTES_MAX
/** A text, or a hash instead of a big one: comparing thousands of big texts would fill the memory. */
export const shortenedSql = (text: string) => `if(${isBig(text)}, concat('${BIG}', hex(sipHash128(${text}))), ${text})`
const isHash = (shortened: string) => `startsWith(${shortened}, '${BIG}')`
/** LEFT_OUT_SQL for results of `shortenedSql`. */
export const SHORTENED_LEFT_OUT_SQL = {
  tooLong: (shortened: string) => `(${isHash(shortened)} OR ${LEFT_OUT_SQL.tooLong(shortened)})`,
  notText: (shortened: string) => `(NOT ${isHash(shortened)} AND ${LEFT_OUT_SQL.notText(shortened)})`,
}
export const canBeTagSql = (text: string) => `NOT (${LEFT_OUT_SQL.tooLong(text)} OR ${LEFT_OUT_SQL.notText(text)})`

/** The same check in JavaScript. */
export const canBeTag = (value: string) => [...value].length <= TAG_VALUE_MAX && !value.includes('\0')

export const NONE_LEFT_OUT: LeftOutCounts = { tooLong: 0, notText: 0 }
const sumOf = ({ tooLong, notText }: LeftOutCounts) => tooLong + notText
export const anyLeftOut = (counts: LeftOutCounts) => sumOf(counts) > 0

/** Digits with a leading zero are a code, not a number. */
const isNumber = (text: string) =>
  `(isFinite(ifNull(toFloat64OrNull(${text}), nan))
    AND NOT (startsWith(${text}, '0') AND length(${text}) > 1 AND NOT startsWith(${text}, '0.')))`
const isDay = (text: string) => `ifNull(toString(toDate32OrNull(${text})) = ${text}, 0)`
const isDate = (text: string) =>
  `if(length(${text}) = 10, ${isDay(text)},
    match(${text}, '^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2})?$') AND ${isDay(`substring(${text}, 1, 10)`)})`

/** 0 or 1: whether a text looks like a value of the type; the type of a column whose texts all do is guessed so. */
export const LOOKS_LIKE_SQL = { number: isNumber, date: isDate }

/** A column's values: `values` as in FileValues; if they are null, not all left-out values were counted. */
export interface ColumnValues {
  values: readonly string[] | null
  leftOut: LeftOutCounts
}
export type ValueLists = ReadonlyMap<string, ColumnValues>

/** Values that can be a tag's, and hashes of those that cannot. */
type Found = Record<'values' | LeftOut['code'], Set<string>>

/** The byte length of the longest value of each column, which the engine knows without reading the values. */
async function longestOf(
  load: AcrossShards,
  from: string,
  columns: readonly string[],
  where = '1',
  signal?: AbortSignal,
) {
  const [row] = await load.query<{ longest: number[] }>(
    `SELECT [${columns.map((column) => `max(length(${column}))`).join(', ')}] AS longest FROM ${from} WHERE ${where}`,
    {},
    { signal },
  )
  return new Map(columns.map((column, at) => [column, row?.longest[at] ?? 0]))
}

/** Collects the values of columns from several tables, one table after the other. */
export function collectValues(load: AcrossShards) {
  const found = new Map<string, Found>()
  const isMany = ({ values, tooLong, notText }: Found) => values.size + tooLong.size + notText.size > VALUES_MAX

  /** Reads a column that may have values to leave out. */
  async function readWithLeftOut(from: string, column: string, where: string, signal?: AbortSignal) {
    const hash = `hex(sipHash128(${column}))`
    const [row] = await load.query<Record<keyof Found, string[]>>(
      `SELECT groupUniqArrayIf(${VALUES_MAX + 1})(${column}, ${canBeTagSql(column)}) AS values,
         groupUniqArrayIf(${VALUES_MAX + 1})(${hash}, ${LEFT_OUT_SQL.tooLong(column)}) AS tooLong,
         groupUniqArrayIf(${VALUES_MAX + 1})(${hash}, ${LEFT_OUT_SQL.notText(column)}) AS notText
       FROM ${from} WHERE ${where} AND ${column} != ''`,
      {},
      { signal },
    )
    return row
  }

  return {
    /** Adds the values of the rows `where`; an empty cell is no value. */
    async add(from: string, columns: readonly string[], where = '1', signal?: AbortSignal): Promise<void> {
      for (const column of columns) {
        if (!found.has(column)) found.set(column, { values: new Set(), tooLong: new Set(), notText: new Set() })
      }
      const columnsOf = (some: readonly [string, Found][]) => some.map(([column]) => column)
      const open = [...found].filter(([column, all]) => columns.includes(column) && !isMany(all))
      for (let at = 0; at < open.length; at += COLUMNS_AT_ONCE) {
        const some = open.slice(at, at + COLUMNS_AT_ONCE)
        const longest = await longestOf(load, from, columnsOf(some), where, signal)
        const plain = columnsOf(some).filter((column) => (longest.get(column) ?? 0) <= BYTES_MAX)
        const lists = plain.map((column) => `groupUniqArray(${VALUES_MAX + 2})(${column}) AS v_${column}`)
        const [row] =
          plain.length === 0
            ? []
            : await load.query<Record<string, string[]>>(
                `SELECT ${lists.join(', ')} FROM ${from} WHERE ${where}`,
                {},
                { signal },
              )
        for (const [column, all] of some) {
          const values = row?.[`v_${column}`]
          // Invalid UTF-8 was read as U+FFFD.
          const hasLeftOut = !values?.every((one) => canBeTag(one) && !one.includes('\ufffd'))
          const more = hasLeftOut
            ? await readWithLeftOut(from, column, where, signal)
            : { values, tooLong: [], notText: [] }
          for (const value of more?.values ?? []) if (value !== '') all.values.add(value)
          for (const hash of more?.tooLong ?? []) all.tooLong.add(hash)
          for (const hash of more?.notText ?? []) all.notText.add(hash)
        }
      }
    },
    lists: (): ValueLists =>
      new Map(
        [...found].map(([column, all]) => [
          column,
          {
            values: isMany(all) ? null : [...all.values],
            leftOut: { tooLong: all.tooLong.size, notText: all.notText.size },
          },
        ]),
      ),
  }
}

/** Reads columns of a table: the values of columns with few of them, and whether all are numbers or dates. */
export async function fileValues(
  load: AcrossShards,
  from: string,
  columns: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, FileValues>> {
  const values = collectValues(load)
  await values.add(from, columns, '1', signal)
  return typedValues(load, from, values.lists(), signal)
}

/** The same where the values of a table's columns are known already. */
export async function typedValues(
  load: AcrossShards,
  from: string,
  lists: ValueLists,
  signal?: AbortSignal,
): Promise<Map<string, FileValues>> {
  const found = new Map<string, FileValues>()
  const few = new Map([...lists].flatMap(([column, { values }]) => (values ? [[column, values] as const] : [])))
  for (let at = 0; at < few.size; at += COLUMNS_AT_ONCE) {
    const some = new Map([...few].slice(at, at + COLUMNS_AT_ONCE))
    const types = await typesOfLists(load, some)
    for (const [column, values] of some) {
      const { leftOut } = lists.get(column) as ColumnValues
      const type = anyLeftOut(leftOut) ? 'text' : (types.get(column) ?? null)
      found.set(column, { type, values: [...values], distinct: values.length + sumOf(leftOut), leftOut })
    }
  }
  const many = [...lists].flatMap(([column, { values }]) => (values === null ? [column] : []))
  await Promise.all(
    many.map(async (column) => found.set(column, { ...(await readMany(load, from, column, signal)), values: null })),
  )
  return found
}

/** The part that is stored with the import's report: long values are read again instead. */
export function withoutLongValues(found: FileValues): FileValues {
  const chars = found.values?.reduce((sum, value) => sum + value.length, 0) ?? 0
  return chars > VALUES_CHARS_MAX ? { ...found, values: null } : found
}

/** The types of columns from lists of all their values; a column without values has none. */
async function typesOfLists(load: AcrossShards, lists: ReadonlyMap<string, readonly string[]>) {
  const full = [...lists].filter(([, values]) => values.length > 0)
  const params = Object.fromEntries(full.map(([column, values]) => [`of_${column}`, values]))
  const asked = full.flatMap(([column]) => [
    `arrayAll(v -> ${isNumber('v')}, {of_${column}:Array(String)}) AS n_${column}`,
    `arrayAll(v -> ${isDate('v')}, {of_${column}:Array(String)}) AS d_${column}`,
  ])
  const [row] = asked.length === 0 ? [] : await load.query<Record<string, number>>(`SELECT ${asked.join(', ')}`, params)
  return new Map(
    full.map(([column]) => [column, row?.[`n_${column}`] ? 'number' : row?.[`d_${column}`] ? 'date' : 'text'] as const),
  )
}

/** A column of many values: up to DISTINCT_MAX distinct values decide; of more, all rows, unless the type is clear then. */
async function readMany(load: AcrossShards, from: string, column: string, signal?: AbortSignal) {
  const longest = (await longestOf(load, from, [column], '1', signal)).get(column) ?? 0
  const text = wantsShortening(longest) ? shortenedSql(column) : column
  const values = `SELECT DISTINCT ${text} AS value FROM ${from} WHERE ${column} != '' LIMIT ${DISTINCT_MAX + 1}`
  // A value with at most as many bytes as a tag may have characters is not too long, and files hold only text.
  const mayLeaveOut = longest > TAG_VALUE_MAX
  const seen = await kindsOf(load, `(${values})`, mayLeaveOut, signal)
  if (seen.n <= DISTINCT_MAX) return { type: typeOf(seen), distinct: seen.n, leftOut: leftOutOf(seen) }
  const isSettled = seen.notNumber > 0 && seen.notDate > 0
  const rows = `(SELECT ${text} AS value FROM ${from} WHERE ${column} != '')`
  const all = isSettled ? seen : await kindsOf(load, rows, mayLeaveOut, signal)
  const about = await aboutDistinct(load, from, column, mayLeaveOut, signal)
  return { type: anyLeftOut(about.leftOut) ? ('text' as const) : typeOf(all), ...about }
}

/** Number of values, or rows, of each kind. */
interface Kinds extends LeftOutCounts {
  n: number
  notNumber: number
  notDate: number
}

async function kindsOf(load: AcrossShards, from: string, mayLeaveOut: boolean, signal?: AbortSignal): Promise<Kinds> {
  const { tooLong, notText } = SHORTENED_LEFT_OUT_SQL
  const leftOut = mayLeaveOut
    ? `countIf(${tooLong('value')}) AS tooLong, countIf(${notText('value')}) AS notText`
    : '0 AS tooLong, 0 AS notText'
  const [row] = await load.query<Kinds>(
    `SELECT count() AS n, countIf(NOT ${isNumber('value')}) AS notNumber, countIf(NOT ${isDate('value')}) AS notDate, ${leftOut} FROM ${from}`,
    {},
    { signal },
  )
  if (!row) throw new Error('a count answers one row')
  return row
}

const leftOutOf = ({ tooLong, notText }: LeftOutCounts): LeftOutCounts => ({ tooLong, notText })

function typeOf(kinds: Kinds): AttributeType {
  if (anyLeftOut(kinds)) return 'text'
  return kinds.notNumber === 0 ? 'number' : kinds.notDate === 0 ? 'date' : 'text'
}

async function aboutDistinct(
  load: AcrossShards,
  from: string,
  column: string,
  mayLeaveOut: boolean,
  signal?: AbortSignal,
) {
  const leftOut = mayLeaveOut
    ? `uniqIf(${column}, ${LEFT_OUT_SQL.tooLong(column)}) AS tooLong, uniqIf(${column}, ${LEFT_OUT_SQL.notText(column)}) AS notText`
    : '0 AS tooLong, 0 AS notText'
  const [row] = await load.query<LeftOutCounts & { n: number }>(
    `SELECT uniqIf(${column}, ${column} != '') AS n, ${leftOut} FROM ${from}`,
    {},
    { signal },
  )
  if (!row) throw new Error('a count answers one row')
  return { distinct: Math.max(row.n, VALUES_MAX + 1), leftOut: leftOutOf(row) }
}

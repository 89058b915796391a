import type { Engine } from '../clickhouse/open.ts'

export type AttributeType = 'text' | 'number' | 'date'

/** What a file says of an attribute. */
export interface FileValues {
  /** null when the file has no value. */
  type: AttributeType | null
  /** All distinct values, unsorted; null when they are more than VALUES_MAX. */
  values: string[] | null
  /** How many distinct values; about, when `values` is null. */
  distinct: number
}

/** An attribute with more distinct values than this gets no tag per value. */
export const VALUES_MAX = 200
const VALUES_CHARS_MAX = 20_000
const COLUMNS_AT_ONCE = 20
/** So many distinct values are still looked at one by one. */
const DISTINCT_MAX = 10_000

/** Digits that begin with a needless zero are a code, not a number. */
const isNumber = (text: string) =>
  `(isFinite(ifNull(toFloat64OrNull(${text}), nan))
    AND NOT (startsWith(${text}, '0') AND length(${text}) > 1 AND NOT startsWith(${text}, '0.')))`
const isDay = (text: string) => `ifNull(toString(toDate32OrNull(${text})) = ${text}, 0)`
const isDate = (text: string) =>
  `if(length(${text}) = 10, ${isDay(text)},
    match(${text}, '^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2})?$') AND ${isDay(`substring(${text}, 1, 10)`)})`

/** Up to VALUES_MAX distinct values of each column; null where there are more. */
export type ValueLists = ReadonlyMap<string, readonly string[] | null>

/** Finds the values of some columns in tables that are looked through one after the other. */
export function collectValues(load: Engine) {
  const found = new Map<string, Set<string> | null>()
  return {
    /** Of the rows `where`; an empty cell is no value. */
    async add(from: string, columns: readonly string[], where = '1', signal?: AbortSignal): Promise<void> {
      const open = columns.filter((column) => found.get(column) !== null)
      for (let at = 0; at < open.length; at += COLUMNS_AT_ONCE) {
        const some = open.slice(at, at + COLUMNS_AT_ONCE)
        const [row] = await load.query<Record<string, string[]>>(
          `SELECT ${some.map((column) => `groupUniqArray(${VALUES_MAX + 2})(${column}) AS v_${column}`).join(', ')} FROM ${from} WHERE ${where}`,
          {},
          { signal },
        )
        for (const column of some) {
          const values = found.get(column) ?? new Set()
          for (const value of row?.[`v_${column}`] ?? []) if (value !== '') values.add(value)
          found.set(column, values.size > VALUES_MAX ? null : values)
        }
      }
    },
    lists: (): ValueLists => new Map([...found].map(([column, values]) => [column, values && [...values]])),
  }
}

/** Looks through columns of a table: the values of those that have few, and whether all are numbers or dates. */
export async function fileValues(
  load: Engine,
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
  load: Engine,
  from: string,
  lists: ValueLists,
  signal?: AbortSignal,
): Promise<Map<string, FileValues>> {
  const found = new Map<string, FileValues>()
  const few = new Map([...lists].flatMap(([column, values]) => (values ? [[column, values] as const] : [])))
  for (let at = 0; at < few.size; at += COLUMNS_AT_ONCE) {
    const some = new Map([...few].slice(at, at + COLUMNS_AT_ONCE))
    const types = await typesOfLists(load, some)
    for (const [column, values] of some) {
      found.set(column, { type: types.get(column) ?? null, values: [...values], distinct: values.length })
    }
  }
  const many = [...lists.keys()].filter((column) => lists.get(column) === null)
  await Promise.all(
    many.map(async (column) => found.set(column, { ...(await lookAtMany(load, from, column, signal)), values: null })),
  )
  return found
}

/** What is kept of them beside the import's report: long values are looked at again instead. */
export function withoutLongValues(found: FileValues): FileValues {
  const chars = found.values?.reduce((sum, value) => sum + value.length, 0) ?? 0
  return chars > VALUES_CHARS_MAX ? { ...found, values: null } : found
}

/** The types of columns whose values are all at hand; a column without any has none. */
async function typesOfLists(load: Engine, lists: ReadonlyMap<string, readonly string[]>) {
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

/** Columns of many values: most have few enough to look at each once; of the others, those already seen rule most out. */
async function lookAtMany(load: Engine, from: string, column: string, signal?: AbortSignal) {
  const values = `SELECT DISTINCT ${column} AS value FROM ${from} WHERE ${column} != '' LIMIT ${DISTINCT_MAX + 1}`
  const seen = await failing(load, `(${values})`, signal)
  if (seen.n <= DISTINCT_MAX || (seen.number > 0 && seen.date > 0)) {
    const distinct = seen.n <= DISTINCT_MAX ? seen.n : await aboutDistinct(load, from, column, signal)
    return { type: typeOf(seen), distinct }
  }
  const all = await failing(load, `(SELECT ${column} AS value FROM ${from} WHERE ${column} != '')`, signal)
  return { type: typeOf(all), distinct: await aboutDistinct(load, from, column, signal) }
}

interface Failing {
  n: number
  /** Values that are no number, no date. */
  number: number
  date: number
}

async function failing(load: Engine, from: string, signal?: AbortSignal): Promise<Failing> {
  const [row] = await load.query<Failing>(
    `SELECT count() AS n, countIf(NOT ${isNumber('value')}) AS number, countIf(NOT ${isDate('value')}) AS date FROM ${from}`,
    {},
    { signal },
  )
  if (!row) throw new Error('a count answers one row')
  return row
}

const typeOf = ({ number, date }: Failing): AttributeType => (number === 0 ? 'number' : date === 0 ? 'date' : 'text')

async function aboutDistinct(load: Engine, from: string, column: string, signal?: AbortSignal): Promise<number> {
  const [row] = await load.query<{ n: number }>(
    `SELECT uniqIf(${column}, ${column} != '') AS n FROM ${from}`,
    {},
    { signal },
  )
  return Math.max(row?.n ?? 0, VALUES_MAX + 1)
}

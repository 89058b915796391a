import type { PeopleMapping } from '#contract/import.ts'
import { WARNING_LINES } from '#contract/import-warning.ts'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { quote } from '../clickhouse/bind.ts'
import type { AcrossShards, ThisMachine } from '../clickhouse/handles.ts'
import { readsAsSql } from '../clickhouse/typed-text.ts'
import { type AttributeType, LOOKS_LIKE_SQL } from './attribute-values.ts'
import type { CountedRows } from './counted-rows.ts'

interface KnownType {
  type: AttributeType
  /** A viewer or a mapping settled it; other values than its own then do not change it. */
  isFixed: boolean
}
/** The types that attributes or properties of an advertiser have already, by name. */
export type KnownTypes = ReadonlyMap<string, KnownType>

/** A column of values: as what it is stored, and SQL that reads a cell. */
interface Column {
  name: string
  cell: string
}
type Narrow = Exclude<AttributeType, 'text'>

/** Rows that show which type most values of a column look like. */
const SAMPLE_ROWS = 10_000
/** A column with fewer values, or with more that look otherwise, has no type that they could be unlike. */
const VALUES_MIN = 10
const SHARE_MIN = 0.9
const COLUMNS_AT_ONCE = 50

interface ColumnTypes {
  /** The type that the mapping or the advertiser's data give a column; null if it may have any. */
  of(name: string): KnownType | null
  /** Values of another type than guessed make the whole column text: so with attributes, and not with events' properties. */
  turnToText: boolean
}

/** What is known of the types of a file's columns. */
export function typesOf(mapping: PeopleMapping, known: KnownTypes): ColumnTypes {
  const settled = new Map(
    (mapping.fields ?? []).flatMap(({ column, name = column, type }) =>
      type ? [[name, { type, isFixed: true }] as const] : [],
    ),
  )
  return {
    of: (name) => settled.get(name) ?? known.get(name) ?? null,
    turnToText: mapping.kind === 'users',
  }
}

/** The type that nearly all values look like; null if they are of it all, or of none. */
function likely(counts: { n: number; numbers: number; dates: number }): Narrow | null {
  const isMost = (count: number) => count < counts.n && count >= counts.n * SHARE_MIN
  if (counts.n < VALUES_MIN || counts.numbers === counts.n || counts.dates === counts.n) return null
  return isMost(counts.numbers) ? 'number' : isMost(counts.dates) ? 'date' : null
}

const unlike = (column: string, type: Narrow, turnsToText: boolean): AnyOutcome =>
  turnsToText ? outcome('value_unlike_others', { column, type }) : outcome('value_not_of_type', { column, type })

/** Counts the stored rows whose values are not of their column's type. `number`: the column with a row's number, if there is
 * one; `part`: SQL for the part of the file that a row is of. */
export async function typeWarnings(
  load: AcrossShards,
  {
    rows,
    columns,
    number,
    part,
    types,
    timezone,
  }: {
    rows: string
    columns: readonly Column[]
    number: string | null
    part: string
    types: ColumnTypes
    timezone: string
  },
  signal?: AbortSignal,
): Promise<CountedRows[]> {
  const found: CountedRows[] = []
  for (let at = 0; at < columns.length; at += COLUMNS_AT_ONCE) {
    const some = columns.slice(at, at + COLUMNS_AT_ONCE)
    const unsettled = some.filter(({ name }) => types.of(name) === null)
    const guessed = await likelyTypes(load, rows, unsettled, signal)
    const asked = some.flatMap(({ name, cell }) => {
      const known = types.of(name)
      const isFixed = known?.isFixed ?? false
      const type = known?.type ?? guessed.get(name) ?? 'text'
      if (type === 'text') return []
      const isOfType = isFixed ? readsAsSql(type, cell, timezone) : LOOKS_LIKE_SQL[type](cell)
      return [
        {
          outcome: unlike(name, type, types.turnToText && !isFixed),
          sql: countedSql(`${cell} != '' AND NOT ${isOfType}`, number),
        },
      ]
    })
    if (asked.length === 0) continue
    const parts = await load.query<{ part: number; counts: [number, number[]][] }>(
      `SELECT ${part} AS part, [${asked.map(({ sql }) => sql).join(', ')}] AS counts FROM ${rows} GROUP BY part ORDER BY part`,
      {},
      { signal },
    )
    for (const [index, { outcome: why }] of asked.entries()) {
      for (const { part, counts } of parts) {
        const [rows, first] = counts[index] ?? [0, []]
        if (rows > 0) found.push({ outcome: why, rows, ...(number !== null && { first }), ...(part && { part }) })
      }
    }
  }
  return found
}

/** How many rows a condition holds for, and the numbers of the first of them. */
const countedSql = (condition: string, number: string | null) => {
  const first = number === null ? '[]::Array(UInt64)' : `groupArraySortedIf(${WARNING_LINES})(${number}, ${condition})`
  return `(countIf(${condition}), ${first})`
}

async function likelyTypes(load: AcrossShards, rows: string, columns: readonly Column[], signal?: AbortSignal) {
  if (columns.length === 0) return new Map<string, Narrow>()
  const counts = columns.map(
    ({ cell }) =>
      `(countIf(${cell} != ''), countIf(${LOOKS_LIKE_SQL.number(cell)}), countIf(${LOOKS_LIKE_SQL.date(cell)}))`,
  )
  const [row] = await load.query<{ counts: [number, number, number][] }>(
    `SELECT [${counts.join(', ')}] AS counts FROM (SELECT * FROM ${rows} LIMIT ${SAMPLE_ROWS})`,
    {},
    { signal },
  )
  return new Map(
    columns.flatMap(({ name }, index) => {
      const [n = 0, numbers = 0, dates = 0] = row?.counts[index] ?? []
      const type = likely({ n, numbers, dates })
      return type ? [[name, type] as const] : []
    }),
  )
}

/** The values of the first rows of a file that are not of their column's type: by column, which rows. */
export async function typeFaults(
  engine: ThisMachine,
  {
    columns,
    types,
    timezone,
  }: {
    columns: readonly { name: string; cells: readonly string[] }[]
    types: ColumnTypes
    timezone: string
  },
  signal?: AbortSignal,
): Promise<Map<string, { outcome: AnyOutcome; rows: number[] }>> {
  if (columns.length === 0) return new Map()
  const params = Object.fromEntries(columns.map(({ cells }, index) => [`c${index}`, [...cells]]))
  const asked = columns.map(({ name }, index) => {
    const each = (sql: string) => `arrayMap(v -> toUInt8(${sql}), {c${index}:Array(String)})`
    const reads = readsAsSql(types.of(name)?.type ?? 'text', 'v', timezone)
    return `(${each(reads)}, ${each(LOOKS_LIKE_SQL.number('v'))}, ${each(LOOKS_LIKE_SQL.date('v'))}) AS r${index}`
  })
  const [row] = await engine.query<Record<string, [number[], number[], number[]]>>(
    `SELECT ${asked.join(', ')}`,
    params,
    { signal },
  )
  const found = new Map<string, { outcome: AnyOutcome; rows: number[] }>()
  for (const [index, { name, cells }] of columns.entries()) {
    const [reads = [], numbers = [], dates = []] = row?.[`r${index}`] ?? []
    const filled = cells.flatMap((cell, at) => (cell === '' ? [] : [at]))
    const count = (flags: readonly number[]) => filled.filter((at) => flags[at] === 1).length
    const known = types.of(name)
    const isFixed = known?.isFixed ?? false
    const guessed = known ? null : likely({ n: filled.length, numbers: count(numbers), dates: count(dates) })
    const type = known?.type ?? guessed ?? 'text'
    if (type === 'text') continue
    const isOfType = isFixed ? reads : type === 'number' ? numbers : dates
    const rows = filled.filter((at) => isOfType[at] !== 1)
    if (rows.length > 0) found.set(name, { outcome: unlike(name, type, types.turnToText && !isFixed), rows })
  }
  return found
}

/** A property of the rows of events. */
export const propertyCell = (name: string) => `properties[${quote(name)}]`

import { createHash } from 'node:crypto'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { outcome } from '#contract/outcomes/make.ts'

export type JsonLine = { cells: string[]; hash: string } | { refused: AnyOutcome }

const LONG_NUMBER = /\d{16}/

/** A line of NDJSON as text cells, by the columns known so far; new keys become columns. */
export function jsonLine(text: string, known: Map<string, number>, addColumn: (name: string) => number): JsonLine {
  let row: unknown
  try {
    // A number with more digits than a double can hold keeps its digits as text.
    row = LONG_NUMBER.test(text) ? JSON.parse(text, exactNumber) : JSON.parse(text)
  } catch {
    return { refused: outcome('row_not_json') }
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return { refused: outcome('row_not_an_object') }
  const cells: string[] = []
  const hashed: [string, string][] = []
  for (const [key, value] of Object.entries(row)) {
    const cell = cellOf(value)
    if (cell === null) return { refused: outcome('row_nested_too_deeply') }
    if (cell === '') continue
    if (HAS_MARKS.test(cell) || HAS_MARKS.test(key)) return { refused: outcome('row_has_control') }
    // JSON may contain half a surrogate pair, which Postgres cannot store as a name.
    hashed.push([key.trim().toWellFormed() || '未命名', cell])
  }
  // Only once no cell was refused, since the row's keys become columns.
  for (const [name, cell] of hashed) {
    const at = known.get(name) ?? addColumn(name)
    cells[at] = cell.includes('\n') ? cell.replaceAll('\n', '\u001e') : cell
  }
  for (let at = 0; at < cells.length; at++) cells[at] ??= ''
  hashed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return { cells, hash: createHash('md5').update(JSON.stringify(hashed)).digest('hex') }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: our marks between and inside cells, and what Postgres cannot store.
const HAS_MARKS = /[\u0000\u001e\u001f]/

/** Null for a value nested so deeply that it can be parsed but not written again. */
function cellOf(value: unknown): string | null {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value !== 'object') return String(value)
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function exactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined) return value
  return /\d{16}/.test(source) ? source : value
}

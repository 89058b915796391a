import type { ImportMapping, PeopleMapping, ReportsMapping } from '#contract/import.ts'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { ThisMachine } from '../clickhouse/handles.ts'
import type { FileHead } from '../files/head.ts'
import { cellsSlice } from '../files/slice.ts'
import { sliceSql } from './reading/chunk-sql.ts'
import { eventChunkSql } from './reading/events.ts'
import {
  type HashKey,
  messageKey,
  metricColumns,
  type Plan,
  planOf,
  planOfKeys,
  type ReportsPlan,
  reportsPlanOf,
  reportsPlanOfKeys,
  rowKey,
} from './reading/plan.ts'
import { refusalOf } from './reading/refusal.ts'
import { reportChunkSql } from './reading/reports.ts'
import { userChunkSql } from './reading/users.ts'
import { identifierCells } from './storing/users.ts'
import { type KnownTypes, typeFaults, typesOf } from './type-warnings.ts'

export interface CheckedRow {
  /** Why an import would refuse it. */
  refused: AnyOutcome | null
  /** Cells that it would not use. */
  warnings: { column: string; outcome: AnyOutcome }[]
}

const CELL_END = '\u001f'
const LINES = '(SELECT arrayJoin({lines:Array(String)}) AS line)'
/** Only which cells are valid is asked for, and no key has a part in that. */
const NO_KEY = Buffer.alloc(32)
/** Rows of reports have no ids. */
const NO_ROW_KEY: HashKey = ['0', '0']

interface CheckOptions<Mapping> {
  mapping: Mapping
  timezone: string
  nowMs: number
  types?: KnownTypes
  signal?: AbortSignal
}

/** Checks the first rows of a file as an import with this mapping would: the same SQL reads them. */
export async function checkRows(
  engine: ThisMachine,
  head: FileHead,
  options: CheckOptions<ImportMapping>,
): Promise<CheckedRow[]> {
  const { mapping } = options
  return mapping.kind === 'reports'
    ? checkReports(engine, head, { ...options, mapping })
    : checkPeople(engine, head, { ...options, mapping })
}

/** The rows that can be read, as lines of a slice in which only the cells at `used` are filled. */
function asSlice({ columns, rows }: FileHead, used: readonly number[]) {
  const lines = rows.flatMap(({ cells, refused }, at) => (refused ? [] : lineOf(cells, used, at)))
  const all = Array.from(
    { length: Math.max(columns.length, ...used.map((at) => at + 1)) },
    (_, at) => columns[at] ?? '',
  )
  const layout = { place: { number: 0, row: 0, line: 1 }, seen: lines.length, separator: ',', hasBreaks: true }
  const cells = cellsSlice({ path: '', rows: () => lines.length }, all, layout)
  return { lines, slice: { ...cells, bytesRead: 0, isLast: true } }
}

/** Reads rows of a report as an import does; answers columns of those that `limit` names. */
async function readReports<T>(
  engine: ThisMachine,
  head: FileHead,
  { mapping, timezone, nowMs, signal }: CheckOptions<ReportsMapping>,
  { columns, limit }: { columns: string; limit: string },
): Promise<T[]> {
  const plan = (head.format === 'ndjson' ? reportsPlanOfKeys : reportsPlanOf)(mapping, head.columns)
  const { lines, slice } = asSlice(head, usedReportCells(plan))
  if (lines.length === 0) return []
  const read = sliceSql(slice, NO_ROW_KEY, { isNumbered: false, sentTo: LINES })
  const sql = `SELECT ${columns} FROM (${reportChunkSql(read, plan, { timezone, nowMs })}) WHERE ${limit} ORDER BY r`
  return engine.query<T>(sql, { lines }, { signal })
}

/** The rows of a report that an import would store, in their order. */
export const readReportRows = (engine: ThisMachine, head: FileHead, options: CheckOptions<ReportsMapping>) =>
  readReports<{ date: string; account_id: string; campaign_id: string; plan_id: string }>(engine, head, options, {
    columns: 'toString(date) AS date, account_id, campaign_id, plan_id',
    limit: 'reason = 0',
  })

async function checkReports(
  engine: ThisMachine,
  head: FileHead,
  options: CheckOptions<ReportsMapping>,
): Promise<CheckedRow[]> {
  const checked = head.rows.map(({ refused }): CheckedRow => ({ refused, warnings: [] }))
  const found = await readReports<{ r: number; reason: number }>(engine, head, options, {
    columns: 'r, reason',
    limit: 'reason != 0',
  })
  for (const { r, reason } of found) {
    const row = checked[r]
    if (row) row.refused = refusalOf(reason, 0, 0, metricColumns(options.mapping)).outcome
  }
  return checked
}

async function checkPeople(
  engine: ThisMachine,
  head: FileHead,
  { mapping, timezone, nowMs, types = new Map(), signal }: CheckOptions<PeopleMapping>,
): Promise<CheckedRow[]> {
  const { format, columns, rows } = head
  const checked = rows.map(({ refused }): CheckedRow => ({ refused, warnings: [] }))
  const whole = (format === 'ndjson' ? planOfKeys : planOf)(mapping, columns)
  const plan = { ...whole, rest: [] }
  const { lines, slice: cells } = asSlice(head, usedCells(plan))
  if (lines.length === 0) return checked
  const isNumbered = plan.kind === 'users' && plan.id === null
  const slice = sliceSql(cells, rowKey(0, mapping), { isNumbered, sentTo: LINES })
  const known = () => 'toUInt32(0)'
  const select =
    plan.kind === 'users'
      ? userChunkSql(slice, plan, [], { known, time: null })
      : eventChunkSql(slice, plan, { timezone, nowMs, messages: messageKey(0), known })
  const identifiers = plan.kind === 'users' ? identifierCells(plan, NO_KEY) : []
  const invalid = identifiers.map(({ column, isValid }) => `${column} != '' AND NOT (${isValid})`)
  const found = await engine.query<{ r: number; reason: number; invalid: number[] }>(
    `SELECT r, reason, [${invalid.map((one) => `toUInt8(${one})`).join(', ')}]::Array(UInt8) AS invalid FROM (${select})`,
    { lines },
    { signal },
  )
  const places =
    plan.kind === 'users' ? [plan.phone, ...plan.identifiers.map(({ at }) => at)].filter((at) => at !== null) : []
  for (const { r, reason, invalid } of found) {
    const row = checked[r]
    if (!row) continue
    if (reason !== 0) row.refused = refusalOf(reason, 0, 0).outcome
    for (const [index, isInvalid] of invalid.entries()) {
      const type = identifiers[index]?.type
      const column = columns[places[index] ?? -1]
      if (isInvalid && type && column)
        row.warnings.push({ column, outcome: outcome('identifier_not_stored', { type }) })
    }
  }
  const good = rows.flatMap(({ cells }, at) => (checked[at]?.refused ? [] : [{ at, cells }]))
  const columnAt = new Map(whole.rest.map(({ at, name }) => [name, at]))
  const faults = await typeFaults(
    engine,
    {
      columns: whole.rest.map(({ at, name }) => ({ name, cells: good.map(({ cells }) => (cells[at] ?? '').trim()) })),
      types: typesOf(mapping, types),
      timezone,
    },
    signal,
  )
  for (const [name, fault] of faults) {
    const column = columns[columnAt.get(name) ?? -1]
    for (const index of fault.rows) {
      if (column) checked[good[index]?.at ?? -1]?.warnings.push({ column, outcome: fault.outcome })
    }
  }
  return checked
}

/** The places of the cells that a plan reads. */
const usedCells = (plan: Plan): number[] =>
  (plan.kind === 'users'
    ? [plan.id, plan.phone, ...plan.identifiers.map(({ at }) => at)]
    : [plan.id, plan.event, plan.time, plan.messageId]
  ).filter((at) => at !== null)

const usedReportCells = ({ date, campaign, plan, account, metrics }: ReportsPlan): number[] =>
  [date, campaign, plan, account, ...metrics.map(({ at }) => at)].filter((at) => at !== null)

/** A row in the layout `cells`; those that are not checked are left empty. */
function lineOf(cells: readonly string[], used: readonly number[], at: number): string {
  const wanted = Array.from({ length: Math.max(cells.length, ...used.map((place) => place + 1)) }, (_, place) =>
    used.includes(place) ? (cells[place] ?? '').replaceAll('\n', '\u001e') : '',
  )
  return [String(at + 1), String(at + 1), 's', ...wanted].join(CELL_END)
}

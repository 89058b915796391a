import { createHash } from 'node:crypto'
import { type CellUnit, cellUnitOf } from '#contract/activity/metric-cell.ts'
import { METRICS, type ReportedKey } from '#contract/activity/metrics.ts'
import type { IdentifierType } from '#contract/identifier.ts'
import type { ImportMapping, PeopleMapping, ReportsMapping } from '#contract/import.ts'
import { ROW_ID } from '#contract/import.ts'
import { outcome } from '#contract/outcome.ts'
import { AppError } from '../../errors.ts'

/** The use of each column of the file, by column index. */
export interface UsersPlan {
  kind: 'users'
  /** null: rows are numbered. */
  id: number | null
  name: number | null
  phone: number | null
  identifiers: { at: number; type: IdentifierType }[]
  rest: { at: number; name: string }[]
}
export interface EventsPlan {
  kind: 'events'
  id: number
  event: number
  time: number
  title: number | null
  messageId: number | null
  rest: { at: number; name: string }[]
}
export type Plan = UsersPlan | EventsPlan

export interface ReportsPlan {
  kind: 'reports'
  date: number
  campaign: number
  plan: number | null
  account: number | null
  metrics: { at: number; column: string; metric: ReportedKey; unit: CellUnit }[]
}

const SHOWN = 30

/** Finds a column of the mapping in the file; the error for a missing one lists the columns that exist. */
function finderIn(columns: readonly string[]) {
  return (name: string): number => {
    const at = columns.indexOf(name)
    if (at !== -1) return at
    const known = { columns: columns.slice(0, SHOWN), more: columns.length > SHOWN }
    throw new AppError('importMapping', { reason: outcome('import_column_missing', { name, ...known }) })
  }
}

/** Refuses a file that lacks a column of the mapping. */
export function mustHaveColumns(mapping: ImportMapping, columns: readonly string[]): void {
  if (mapping.kind === 'reports') reportsPlanOf(mapping, columns)
  else planOf(mapping, columns)
}

export function reportsPlanOf(mapping: ReportsMapping, columns: readonly string[]): ReportsPlan {
  const find = finderIn(columns)
  const maybe = (name: string | undefined) => (name === undefined ? null : find(name))
  const metrics = new Set<ReportedKey>()
  for (const { metric } of mapping.metrics) {
    if (metrics.has(metric)) {
      const { label } = METRICS[metric]
      throw new AppError('importMapping', { reason: outcome('import_metric_twice', { label }) })
    }
    metrics.add(metric)
  }
  return {
    kind: 'reports',
    date: find(mapping.date),
    campaign: find(mapping.campaign),
    plan: maybe(mapping.plan),
    account: maybe(mapping.account),
    metrics: mapping.metrics.map((one) => ({ ...one, at: find(one.column), unit: cellUnitOf(one.metric) })),
  }
}

/** The columns with metrics of a file of reports, in the order in which reasons number them. */
export const metricColumns = (mapping: ImportMapping) =>
  mapping.kind === 'reports' ? mapping.metrics.map(({ column, metric }) => ({ column, unit: cellUnitOf(metric) })) : []

/** The plan for a part of an NDJSON file: a line may lack keys that later lines have. */
export function reportsPlanOfKeys(mapping: ReportsMapping, keys: readonly string[]): ReportsPlan {
  const optional = [mapping.plan, mapping.account, ...mapping.metrics.map(({ column }) => column)]
  const later = optional.filter((name): name is string => name !== undefined && !keys.includes(name))
  return reportsPlanOf(mapping, [...keys, ...new Set(later)])
}

/** Finds the mapping's columns in the file. */
export function planOf(mapping: PeopleMapping, columns: readonly string[]): Plan {
  const find = finderIn(columns)
  const renamed = new Map(renamesOf(mapping))
  for (const column of renamed.keys()) find(column)
  const storedName = (column: string) => renamed.get(column) ?? column
  const maybe = (name: string | undefined) => (name === undefined ? null : find(name))
  const restOf = (used: readonly (number | null)[]) => {
    const taken = new Set([...used, ...mapping.skip.map(find)])
    const rest = columns.flatMap((name, at) => (taken.has(at) ? [] : [{ at, name: storedName(name) }]))
    const names = new Set<string>()
    for (const { name } of rest) {
      if (renamed.size > 0 && names.has(name))
        throw new AppError('importMapping', { reason: outcome('import_name_twice', { name }) })
      names.add(name)
    }
    return rest
  }
  if (mapping.kind === 'users') {
    const id = mapping.id === ROW_ID ? null : find(mapping.id)
    const name = maybe(mapping.name)
    const phone = maybe(mapping.phone)
    const identifiers = mapping.identifiers.map(({ column, type }) => ({ at: find(column), type }))
    const rest = restOf([id, name, phone, ...identifiers.map((one) => one.at)])
    return { kind: 'users', id, name, phone, identifiers, rest }
  }
  const id = find(mapping.id)
  const event = find(mapping.event)
  const time = find(mapping.time)
  const title = maybe(mapping.title)
  const messageId = maybe(mapping.message_id)
  return { kind: 'events', id, event, time, title, messageId, rest: restOf([id, event, time, title, messageId]) }
}

/** The columns that are stored under another name, with that name. */
const renamesOf = ({ fields = [] }: PeopleMapping): [string, string][] =>
  fields.flatMap(({ column, name }) => (name === undefined || name === column ? [] : [[column, name]]))

/** The plan for a part of an NDJSON file: optional keys may appear later and are empty columns until then. */
export function planOfKeys(mapping: PeopleMapping, keys: readonly string[]): Plan {
  const skip = [...mapping.skip, ...renamesOf(mapping).map(([column]) => column)]
  const optional =
    mapping.kind === 'users'
      ? [mapping.name, mapping.phone, ...mapping.identifiers.map(({ column }) => column), ...skip]
      : [mapping.title, mapping.message_id, ...skip]
  const later = optional.filter((name): name is string => name !== undefined && !keys.includes(name))
  return planOf(mapping, [...keys, ...later])
}

/** Keys of the engine's hash that numbers rows: two 64-bit numbers. */
export type HashKey = readonly [string, string]

/**
 * A row's id is a hash of its cells under this key. The same cells under another mapping are another row: a column
 * skipped at first may be imported later, one line may hold two events, and `u1,1` means different things under
 * `id,is_vip` and `id,is_subscribed`. `columns`: the names of all cells, null where each row has its own.
 */
export function rowKey(adv_id: number, mapping: PeopleMapping, columns: readonly string[] | null = null): HashKey {
  const { kind } = mapping
  const renames = renamesOf(mapping).sort()
  const reading =
    kind === 'events'
      ? [mapping.id, mapping.event, mapping.time]
      : [
          mapping.id,
          mapping.name ?? '',
          mapping.phone ?? '',
          mapping.identifiers.map((one) => `${one.column}=${one.type}`).sort(),
          [...mapping.skip].sort(),
          ...(columns === null ? [] : [columns]),
          ...(renames.length === 0 ? [] : [renames]),
        ]
  return hashKey(['row', adv_id, kind, reading])
}

/** A message id alone identifies a row, in files and in tracking calls. */
export const messageKey = (adv_id: number): HashKey => hashKey(['message', adv_id])

function hashKey(parts: unknown): HashKey {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest()
  return [digest.readBigUInt64LE(0).toString(), digest.readBigUInt64LE(8).toString()]
}

export const hash128 = ([a, b]: HashKey, text: string) =>
  `reinterpretAsUInt128(sipHash128Keyed((toUInt64(${a}), toUInt64(${b})), ${text}))`

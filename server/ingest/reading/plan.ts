import { createHash } from 'node:crypto'
import type { IdentifierType } from '#contract/identifier.ts'
import type { ImportMapping } from '#contract/import.ts'
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

const SHOWN = 30

/** Finds the mapping's columns in the file; the error for a missing one lists the columns that exist. */
export function planOf(mapping: ImportMapping, columns: readonly string[]): Plan {
  const find = (name: string): number => {
    const at = columns.indexOf(name)
    if (at !== -1) return at
    const known = { columns: columns.slice(0, SHOWN), more: columns.length > SHOWN }
    throw new AppError('importMapping', { reason: outcome('import_column_missing', { name, ...known }) })
  }
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
const renamesOf = ({ fields = [] }: ImportMapping): [string, string][] =>
  fields.flatMap(({ column, name }) => (name === undefined || name === column ? [] : [[column, name]]))

/** The plan for a part of an NDJSON file: optional keys may appear later and are empty columns until then. */
export function planOfKeys(mapping: ImportMapping, keys: readonly string[]): Plan {
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
export function rowKey(adv_id: number, mapping: ImportMapping, columns: readonly string[] | null = null): HashKey {
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

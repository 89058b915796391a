import type { ImportedType } from '#contract/identifier.ts'
import { forgottenCell } from '../../identifiers/forms-sql.ts'
import type { Forgotten } from '../../identifiers/tombstones.ts'
import { firstReason, idReasons, type SliceSql } from './chunk-sql.ts'
import type { UsersPlan } from './plan.ts'
import { REFUSED } from './refusal.ts'

export const identifierColumn = (index: number) => `i${index}`

/** The columns of a chunk of users besides the common ones; `attributes` are the columns for the plan's `rest`. */
export const userColumns = (plan: UsersPlan, attributes: readonly string[]) => [
  ...(plan.name === null ? [] : ['name']),
  ...(plan.phone === null ? [] : ['phone']),
  ...attributes,
  ...plan.identifiers.map((_, index) => identifierColumn(index)),
]

/** Reads a slice of users into columns: one pass over the lines. */
export function userChunkSql(
  slice: SliceSql,
  plan: UsersPlan,
  attributes: readonly string[],
  at: { known: (id: string) => string; time: number | null; forgotten?: Forgotten | null },
): string {
  const columns = [
    `${plan.id === null ? `toString(${slice.row})` : slice.cell(plan.id)} AS one_id`,
    `${at.known('one_id')} AS u1`,
    `${slice.hash} AS h`,
    '0 AS fixed',
    `${firstReason([...idReasons(slice), ...forgottenReasons(plan, at.forgotten)])} AS reason`,
    ...(plan.name === null ? [] : [`${slice.cell(plan.name)} AS name`]),
    ...(plan.phone === null ? [] : [`${slice.cell(plan.phone)} AS phone`]),
    ...plan.rest.map(({ at }, index) => `${slice.cell(at)} AS ${attributes[index]}`),
    ...plan.identifiers.map(({ at }, index) => `${slice.cell(at)} AS ${identifierColumn(index)}`),
    ...(at.time === null ? [] : [`toInt64(${slice.cell(at.time)}) AS at`]),
  ]
  return `SELECT r, ${slice.row} AS row, ${columns.join(', ')} FROM ${slice.from}`
}

/** Rows of forgotten people: by their One ID, or by an identifier that only they had. */
function forgottenReasons(plan: UsersPlan, forgotten: Forgotten | null | undefined): [string, number][] {
  if (!forgotten) return []
  const cells: [ImportedType, string][] = [
    ...(plan.phone === null ? [] : [['MOBILE_PHONE', 'phone'] as [ImportedType, string]]),
    ...plan.identifiers.map(({ type }, index): [ImportedType, string] => [type, identifierColumn(index)]),
  ]
  const conditions = [
    forgotten.oneId?.('one_id') ?? null,
    ...cells.map(([type, cell]) => forgottenCell(type, cell, forgotten)),
  ].filter((condition) => condition !== null)
  return conditions.map((condition) => [condition, REFUSED.forgotten])
}

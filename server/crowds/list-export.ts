import { type SelectQueryBuilder, sql } from 'kysely'
import { LIST_EXPORT_MAX } from '#contract/crowd-list-export.ts'
import { downloadHead, downloadLine } from '#contract/download-csv.ts'
import { AppError } from '../errors.ts'
import { listPage } from './crowd-list.ts'
import { CROWDS, type CrowdKind } from './kinds.ts'

/** Crowds of one part of a file. */
const EXPORTED_AT_ONCE = 500

/** The ids of all rows that a list's filters find, in its order. More than a file may have are refused. */
export async function listedIds<DB, TB extends keyof DB, O>(
  rows: SelectQueryBuilder<DB, TB, O>,
  kind: CrowdKind,
  sort: 'created_at' | '-created_at',
): Promise<number[]> {
  const ids = rows.clearSelect().select(sql.ref<number>(`${CROWDS[kind].crowds}.id`).as('id'))
  const { total, page } = await listPage(ids, kind, { sort, limit: LIST_EXPORT_MAX })
  if (total > LIST_EXPORT_MAX) throw new AppError('listTooLong', { count: total, max: LIST_EXPORT_MAX })
  // Only the id was selected, which the type of any rows cannot tell.
  return (page as unknown as { id: number }[]).map(({ id }) => id)
}

/** A list as the lines of a csv. The rows are those that were found at the start; of a crowd deleted since, none. */
export async function* listLines(
  head: readonly string[],
  ids: readonly number[],
  cellsOf: (ids: readonly number[]) => Promise<ReadonlyMap<number, string[][]>>,
): AsyncGenerator<string> {
  yield downloadHead(head)
  for (let from = 0; from < ids.length; from += EXPORTED_AT_ONCE) {
    const part = ids.slice(from, from + EXPORTED_AT_ONCE)
    const cells = await cellsOf(part)
    yield part.flatMap((id) => (cells.get(id) ?? []).map(downloadLine)).join('')
  }
}

/** A number as a cell; empty if there is none. */
export const numberCell = (value: number | null): string => (value === null ? '' : String(value))

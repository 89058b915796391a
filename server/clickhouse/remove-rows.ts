import type { SqlParams } from './bind.ts'
import type { EveryShard } from './handles.ts'
import { PROJECTIONS } from './projections.ts'

const PROJECTED: ReadonlySet<string> = new Set(PROJECTIONS.map(([table]) => table))

/**
 * Removes rows of a table. Where the same rows are also kept in another order its parts are written anew, which takes
 * longer; elsewhere the rows are marked as gone.
 */
export const removeRows = (on: EveryShard, table: string, where: string, params?: SqlParams): Promise<void> =>
  on.command(
    PROJECTED.has(table)
      ? `ALTER TABLE ${table} DELETE WHERE ${where} SETTINGS mutations_sync = 2`
      : `DELETE FROM ${table} WHERE ${where}`,
    params,
  )

/** The tables with the rows of an import, the one with its rows last: until it is empty, an interrupted undo can start over. */
export const UNDO_TABLES = {
  users: ['person_row_repeat', 'identifier_repeat', 'identifier', 'person_row'],
  events: ['event_repeat', 'event_day', 'event'],
} as const

export interface UndoneImport {
  id: number
  adv_id: number
  kind: 'users' | 'events'
}

export const tableOf = ({ kind }: UndoneImport) => (kind === 'users' ? 'person_row' : 'event')

export const isMine = ({ id, adv_id }: UndoneImport) => `adv_id = ${adv_id} AND import_id = ${id}`
export const isOthers = ({ id, adv_id }: UndoneImport) => `adv_id = ${adv_id} AND import_id != ${id}`

/** Rows compared at a time. */
export const ROWS_AT_ONCE = 2_000_000
export const partsOf = (rows: number, atOnce = ROWS_AT_ONCE) => Math.max(1, Math.ceil(rows / atOnce))

/** A part of the rows, small enough to compare in memory. */
export const partOf = (part: number, parts: number, number = 'row_id') => `${number} % ${parts} = ${part}`

/**
 * A select of the rows that later imports left out because this one had stored them: of several that repeat a row, the
 * earliest takes its place.
 */
export const heirsSql = (of: UndoneImport, part = '1') =>
  `SELECT * FROM ${tableOf(of)}_repeat
   WHERE ${isOthers(of)} AND ${part} AND row_id IN (SELECT row_id FROM ${tableOf(of)} WHERE ${isMine(of)} AND ${part})
   ORDER BY at, import_id LIMIT 1 BY row_id`

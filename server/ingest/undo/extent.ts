import type { UndoExtent } from '#contract/import.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { heirsSql, isMine, isOthers, partOf, partsOf, ROWS_AT_ONCE, tableOf, type UndoneImport } from './rows.ts'

/** A select of the `uid` of those whom only this import brought, once its heirs have its rows. `part`: some of them. */
export const onlyHereSql = (of: UndoneImport, heirs = 'SELECT toUInt32(0) AS uid WHERE 0', part = '1') => {
  const mine = `import_id = ${of.id} AS mine`
  const where = `adv_id = ${of.adv_id} AND ${part}`
  return `SELECT arrayJoin(bitmapToArray(bitmapAndnot(groupBitmapStateIf(uid, mine), groupBitmapStateIf(uid, NOT mine)))) AS uid
    FROM (SELECT uid, ${mine} FROM person_row WHERE ${where}
      UNION ALL SELECT uid, ${mine} FROM event WHERE ${where}
      UNION ALL SELECT uid, 0 AS mine FROM (${heirs}))`
}

/** A select of the `uid` of those of a part of the people who have a row that a later import takes over. */
function heirsPeopleSql(of: UndoneImport, part: string): string {
  if (of.kind === 'users') {
    const mine = (columns: string) => `SELECT ${columns} FROM person_row WHERE ${isMine(of)} AND ${part}`
    return `${mine('uid')} AND row_id IN (
      SELECT row_id FROM person_row_repeat WHERE ${isOthers(of)} AND row_id IN (${mine('row_id')}))`
  }
  // A row may have been repeated with other people, of whom only the heir's person counts.
  const people = `FROM person_key WHERE adv_id = ${of.adv_id} AND ${part}`
  const theirs = `SELECT row_id FROM event_repeat WHERE ${isOthers(of)} AND one_id IN (SELECT one_id ${people})`
  return `SELECT uid ${people} AND one_id IN (SELECT one_id FROM (${heirsSql(of, `row_id IN (${theirs})`)}))`
}

/**
 * Counts what an undo would take away now; changes nothing. Only where others left out rows as duplicates are rows
 * compared, some at a time.
 */
export async function extentOf(
  load: AcrossShards,
  of: UndoneImport,
  { signal, rowsAtOnce = ROWS_AT_ONCE }: { signal?: AbortSignal | undefined; rowsAtOnce?: number } = {},
): Promise<UndoExtent> {
  const ask = async <T>(sql: string) => load.query<T>(sql, {}, { signal })
  const count = async (from: string) => (await ask<{ n: number }>(`SELECT count() AS n FROM ${from}`))[0]?.n ?? 0
  const rows = await count(`${tableOf(of)} WHERE ${isMine(of)}`)
  const repeats = await ask(`SELECT 1 FROM ${tableOf(of)}_repeat WHERE ${isOthers(of)} LIMIT 1`)
  if (repeats.length === 0) return { rows, people: await count(`(${onlyHereSql(of)})`), taken_over: [] }

  const parts = partsOf(rows, rowsAtOnce)
  const heirs = new Map<number, number>()
  let people = 0
  for (let part = 0; part < parts; part++) {
    const found = await ask<{ import_id: number; rows: number }>(
      `SELECT import_id, count() AS rows FROM (${heirsSql(of, partOf(part, parts))}) GROUP BY import_id`,
    )
    for (const one of found) heirs.set(one.import_id, (heirs.get(one.import_id) ?? 0) + one.rows)
    const some = partOf(part, parts, 'uid')
    people += await count(`(${onlyHereSql(of, heirsPeopleSql(of, some), some)})`)
  }
  const taken_over = [...heirs].map(([import_id, rows]) => ({ import_id, rows }))
  return { rows, people, taken_over: taken_over.sort((one, other) => one.import_id - other.import_id) }
}

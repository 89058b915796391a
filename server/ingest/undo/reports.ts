import type { UndoExtent } from '#contract/import.ts'
import type { AcrossShards, EveryShard } from '../../clickhouse/handles.ts'
import { removeRows } from '../../clickhouse/remove-rows.ts'
import { SAID } from '../../reports/rows-in-force.ts'

interface UndoneReports {
  id: number
  adv_id: number
}

/**
 * Counts what an undo would take away now; changes nothing. Every import of reports keeps all its rows, so those of days
 * that an earlier import brought alike are not its own, and those of days that the next one brought alike become that
 * import's. What it replaced counts again.
 */
export async function reportExtentOf(
  on: AcrossShards,
  { id, adv_id }: UndoneReports,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<UndoExtent> {
  const window = `OVER (PARTITION BY date, account_id ORDER BY version
    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)`
  const found = await on.query<{ heir: number; rows: number }>(
    `SELECT heir, sum(n) AS rows FROM (
       SELECT import_id, n, said, lagInFrame((n, said)) ${window} AS before, leadInFrame((n, said)) ${window} AS after,
         leadInFrame(import_id) ${window} AS next, if(after = (n, said), next, 0) AS heir
       FROM (SELECT date, account_id, version, any(import_id) AS import_id, count() AS n, ${SAID} AS said
             FROM report_day WHERE adv_id = {adv_id:UInt32} AND source = 'file' GROUP BY date, account_id, version))
     WHERE import_id = {id:UInt32} AND before != (n, said) GROUP BY heir ORDER BY heir`,
    { id, adv_id },
    { signal },
  )
  return {
    rows: found.reduce((sum, { rows }) => sum + rows, 0),
    people: 0,
    taken_over: found.flatMap(({ heir, rows }) => (heir === 0 ? [] : [{ import_id: heir, rows }])),
  }
}

/** Takes an import of reports out of the warehouse. May be repeated after a kill. */
export const undoReports = (on: EveryShard, { id, adv_id }: UndoneReports): Promise<void> =>
  removeRows(on, 'report_day', 'adv_id = {adv_id:UInt32} AND import_id = {id:UInt32}', { id, adv_id })

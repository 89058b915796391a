import type { ReportsMapping } from '#contract/import.ts'
import type { Handles } from '../clickhouse/handles.ts'
import type { Slice } from '../files/slice.ts'
import { FILES_IN_FORCE, SAID } from '../reports/rows-in-force.ts'
import { rowCounter } from './counted-rows.ts'
import type { LoadedData, LoadJob, LoadRun } from './load-types.ts'
import { sliceSql } from './reading/chunk-sql.ts'
import { type HashKey, reportsPlanOf, reportsPlanOfKeys } from './reading/plan.ts'
import { REPORT_COLUMNS, reportChunkSql } from './reading/reports.ts'
import { sentLines } from './reading/sent-lines.ts'
import type { openSource } from './reading/source.ts'
import { reportWarnings } from './report-warnings.ts'
import { dropParts, stageOf, stages } from './stage.ts'

interface ReportFile {
  cutter: ReturnType<typeof openSource>
  /** Bytes. */
  size: number
  isNdjson: boolean
  /** The share of the progress that reading takes. */
  share: number
}

/** Days are compared by what their rows say, so the rows themselves need no ids. */
const NO_KEY: HashKey = ['0', '0']

/**
 * Reads a file of reports into the import's stage. All its rows are stored, also those of days that are as they were:
 * the file then keeps its word when the import that brought the same rows before is undone.
 */
export async function loadReports(
  { load, timezone }: { load: Handles; timezone: string },
  job: LoadJob<ReportsMapping>,
  { cutter, size, isNdjson, share }: ReportFile,
  { signal, progress }: LoadRun,
): Promise<LoadedData> {
  const { import_id, adv_id, mapping, nowMs } = job
  const here = (sql: string) => load.oneNode.command(sql, {}, { signal })
  const stage = stages(load.everyShard, 'reports', import_id)
  await stage.create()
  const rows = stage.stage('report_day')
  const chunk = stageOf(import_id, 'chunk0')
  const columns = Object.entries(REPORT_COLUMNS)
  const names = columns.map(([name]) => name).join(', ')
  await here(`CREATE TABLE ${chunk} (${columns.map((column) => column.join(' ')).join(', ')}) ENGINE = Memory`)
  const version = await nextVersion(load, adv_id)
  const refusedRows = rowCounter()
  const total = { rows: 0, refused: 0 }
  let last: Slice | undefined

  async function keep(slice: Slice): Promise<void> {
    const plan = (isNdjson ? reportsPlanOfKeys : reportsPlanOf)(mapping, slice.columns)
    const sql = sliceSql(slice, NO_KEY, {
      isNumbered: false,
      sentTo: await sentLines(load.oneNode, import_id, slice, signal),
    })
    await here(
      `INSERT INTO ${chunk} (${names}) SELECT ${names} FROM (${reportChunkSql(sql, plan, { timezone, nowMs })})`,
    )
    await load.acrossShards.command(
      `INSERT INTO ${rows} (adv_id, date, account_id, source, version, campaign_id, plan_id, metrics, is_empty, taken_at,
         import_id)
       SELECT ${adv_id}, date, account_id, 'file', ${version}, campaign_id, plan_id, metrics, 0,
         toDateTime(${Math.floor(nowMs / 1000)}, 'UTC'), ${import_id} FROM ${chunk} WHERE reason = 0`,
      {},
      { signal },
    )
    const refused = await load.oneNode.bytes(`SELECT r, reason FROM ${chunk} WHERE reason != 0 FORMAT RowBinary`)
    await here(`TRUNCATE TABLE ${chunk}`)
    total.rows += slice.seen
    for (const { outcome, rows } of await cutter.settle(slice.number, refused)) {
      refusedRows.add(outcome, rows)
      total.refused += rows
    }
    progress?.(share * Math.min(1, slice.bytesRead / size), `已读取 ${total.rows.toLocaleString('en')} 行`)
  }

  const until = signal ?? new AbortController().signal
  for (;;) {
    cutter.ask()
    const cut = await cutter.next(until)
    if (!cut) break
    last = cut.slice
    await keep(cut.slice)
  }
  // Refuses the file if a column of the mapping never appeared.
  if (last) reportsPlanOf(mapping, last.columns)
  await cutter.end()
  progress?.(share, '汇总')
  await stage.toOnePart('report_day')
  await dropParts(load.oneNode, import_id)
  const span = await spanOf(load, rows)
  const duplicate = span ? await rowsOfSameDays(load, { adv_id, stage: rows, ...span }, signal) : 0
  const of = { adv_id, stage: rows, metrics: mapping.metrics.map(({ metric }) => metric) }
  const warnings = span ? await reportWarnings(load.acrossShards, { ...of, ...span }, job.linked ?? [], signal) : []
  return {
    ...total,
    duplicate,
    stored: total.rows - total.refused - duplicate,
    new_people: 0,
    reasons: refusedRows.counts(),
    warnings,
    attributes: [],
    events: [],
    days: [],
    brought: { attributes: [], events: [] },
  }
}

/** Imports of an advertiser run one at a time, so a file's rows get a greater version than all before. */
async function nextVersion(load: Handles, adv_id: number): Promise<string> {
  const [row] = await load.acrossShards.query<{ next: string }>(
    `SELECT toString(max(version) + 1) AS next FROM report_day WHERE adv_id = {adv_id:UInt32} AND source = 'file'`,
    { adv_id },
  )
  return row?.next ?? '1'
}

/** The first and the last day of the stage; null if it has no row. */
async function spanOf(load: Handles, stage: string): Promise<{ from: string; to: string } | null> {
  const [span] = await load.acrossShards.query<{ n: number; from: string; to: string }>(
    `SELECT count() AS n, toString(min(date)) AS from, toString(max(date)) AS to FROM ${stage}`,
  )
  return span && span.n > 0 ? { from: span.from, to: span.to } : null
}

/** How many rows of the stage are of days whose rows are the same as those in force, in any order. */
async function rowsOfSameDays(
  load: Handles,
  { adv_id, stage, from, to }: { adv_id: number; stage: string; from: string; to: string },
  signal: AbortSignal | undefined,
): Promise<number> {
  const [found] = await load.acrossShards.query<{ n: number }>(
    `SELECT sum(n) AS n FROM (${daysSql(stage)}) AS mine
     INNER JOIN (${daysSql(`(${FILES_IN_FORCE})`)}) AS known USING (date, account_id, n, said)`,
    { adv_id, from, to },
    { signal },
  )
  return found?.n ?? 0
}

const daysSql = (from: string) =>
  `SELECT date, account_id, count() AS n, ${SAID} AS said FROM ${from} GROUP BY date, account_id`

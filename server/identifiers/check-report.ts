import { HEADER_FAULT } from '#contract/line-mark.ts'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import type { Check, FileRead } from './check-tables.ts'
import { faultOutcome } from './identifier-sql.ts'
import { type MalformedRoom, malformedName, malformedPath, malformedRoom, writeMalformed } from './malformed.ts'
import type { CheckTotals, FileReport } from './types.ts'

const NOTHING: FileReport = {
  line_count: 0,
  valid_count: 0,
  duplicate: 0,
  malformed: 0,
  reasons: [],
  unread: [],
  error: null,
}

/** Reports each file, writes its malformed lines for download, and adds up the counts. */
export async function reportFiles(check: Check): Promise<CheckTotals> {
  const { deps, request, run, tables } = check
  const { raw, values } = tables
  const linesByFile = async (table: string) => {
    const rows = await deps.load.acrossShards.query<{ file: number; n: number }>(
      `SELECT file, count() AS n FROM ${table} GROUP BY file`,
      {},
      { signal: run.signal },
    )
    return new Map(rows.map((row) => [row.file, row.n]))
  }
  const good = await linesByFile(raw)
  const distinct = await linesByFile(values)
  const totals = { lines: 0, valid: 0, duplicate: 0, malformed: 0 }
  const room = deps.malformedRoom?.() ?? malformedRoom()
  for (const [file, { file_id }] of request.files.entries()) {
    const counts = { good: good.get(file) ?? 0, distinct: distinct.get(file) ?? 0 }
    const report = await reportFile(check, file_id, file, counts, room)
    totals.lines += report.line_count
    totals.valid += report.valid_count
    totals.duplicate += report.duplicate
    totals.malformed += report.malformed
    await run.fileDone?.(file_id, report)
  }
  run.progress?.(1, '已核对')
  return totals
}

async function reportFile(
  { deps: { load, dataDir, shared }, request: { type }, run: { signal }, tables: { exceptions }, read }: Check,
  file_id: number,
  file: number,
  { good, distinct }: { good: number; distinct: number },
  room: MalformedRoom,
): Promise<FileReport> {
  const { error, texts, unread } = read[file] as FileRead
  if (error !== null) return { ...NOTHING, unread, error }
  const faults = await load.oneNode.query<{ fault: number; n: number }>(
    `SELECT fault, count() AS n FROM ${exceptions} WHERE file = ${file} AND fault NOT IN (0, ${HEADER_FAULT}) GROUP BY fault ORDER BY n DESC, fault`,
    {},
    { signal },
  )
  const malformed = faults.reduce((sum, { n }) => sum + n, 0)
  if (good + malformed === 0) return { ...NOTHING, unread, error: outcome('file_empty') }
  // An empty line shows nothing that its count does not.
  const shown = faults.map(({ fault }) => fault).filter((fault) => faultOutcome(type, fault).code !== 'line_empty')
  const of = { table: exceptions, place: file, texts, type, faults: shown }
  const listed = await writeMalformed(load.oneNode, dataDir, file_id, of, room, signal)
  if (listed.size > 0) await shared.share(malformedPath(dataDir, file_id), malformedName(file_id), signal)
  return {
    line_count: good + malformed,
    valid_count: distinct,
    duplicate: good - distinct,
    malformed,
    reasons: faults.map(({ fault, n }) => {
      const why = faultOutcome(type, fault)
      return { reason: sentenceOf(why), outcome: why, lines: n, listed: listed.get(fault) ?? 0 }
    }),
    unread,
    error: null,
  }
}

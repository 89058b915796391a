import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { quote } from '../clickhouse/bind.ts'
import { createLike } from '../clickhouse/create-like.ts'
import { isWarehouseAway } from '../clickhouse/engine-error.ts'
import type { Handles } from '../clickhouse/handles.ts'
import { FileFault } from '../files/file-fault.ts'
import { numberedLines, type ReadyText, readyTexts } from '../files/text-lines.ts'
import { unpackBudget } from '../files/zip.ts'
import type { SharedFiles } from '../storage/shared-files.ts'
import {
  bucketSql,
  canonicalSql,
  faultOutcome,
  faultSql,
  identifierSql,
  isCanonicalSql,
  rangesOf,
  storedBytes,
} from './identifier-sql.ts'
import { malformedName, malformedPath, writeMalformed } from './malformed.ts'
import { dropStages, type StagePart, stageOf } from './stage.ts'
import type { CheckRequest, CheckRun, CheckTotals, FileReport } from './types.ts'

interface Deps {
  load: Handles
  dataDir: string
  shared: SharedFiles
  /** The key that encrypts plain identifiers. */
  key: Buffer
  /** For tests: smaller pieces of archives, fewer values compared at once. */
  pieceBytes?: number
  valuesAtOnce?: number
}

const LINE_SHOWN = 500
/** Statements at once, of one thread each: two threads of one statement would each collect the values and then merge them. */
const AT_ONCE = 2
const SINGLE = { max_threads: 1, max_insert_threads: 1 }
const VALUES_AT_ONCE = 1_000_000
/** With more texts than this, the parts are merged, since there would be too many of them. */
const TEXTS_UNMERGED = 200
const SPILL_BYTES = 512 * 1024 * 1024
const READ_SHARE = 0.5
const DISTINCT_SHARE = 0.45

export const workDirectory = (dataDir: string, crowd_id: number, version: number) =>
  join(dataDir, 'crowd-check', `${crowd_id}-${version}`)

/**
 * Checks the lines of a version's files and leaves its distinct values in the stage `values`. May be repeated: it starts
 * over.
 */
export async function checkFiles(deps: Deps, request: CheckRequest, run: CheckRun): Promise<CheckTotals> {
  const { load, dataDir, shared, key } = deps
  const { adv_id, crowd_id, version, type, files } = request
  const { signal } = run
  const directory = workDirectory(dataDir, crowd_id, version)
  const stage = (part: StagePart) => stageOf(crowd_id, version, part)
  const [raw, odd, values] = [stage('raw'), stage('odd'), stage('values')]
  const sentLines = [stage('lines0'), stage('lines1')] as const
  const define = (sql: string) => load.oneNode.command(sql)
  const insert = (sql: string, settings: Record<string, number>) => load.oneNode.command(sql, {}, { signal, settings })
  const sql = identifierSql(type, key)
  const bytes = storedBytes(type)
  const read: FileRead[] = files.map(() => ({ texts: [], error: null }))

  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  await dropStages(load.everyShard, crowd_id, version)
  await define(
    `CREATE TABLE ${raw} (bucket UInt8, file UInt8, value ${bytes ? `FixedString(${bytes})` : 'String'} CODEC(NONE))
     ENGINE = MergeTree ORDER BY bucket`,
  )
  // Lines that are malformed, or valid only without their blanks and quotes.
  await define(
    `CREATE TABLE ${odd} (file UInt8, text UInt16, row UInt64, fault UInt8, line String)
     ENGINE = MergeTree ORDER BY (file, text, row)`,
  )
  for (const table of [raw, odd]) await define(`SYSTEM STOP MERGES ${table}`)
  await createLike(load.everyShard, values, 'crowd_identifier')
  await load.everyShard.command(`SYSTEM STOP MERGES ${values}`)
  try {
    await readAll()
    await keepDistinct()
    const totals = await report()
    await clear([raw, odd, ...sentLines])
    return totals
  } catch (error) {
    // When this attempt was stopped, another one may already be filling `values`.
    await clear([raw, odd, ...sentLines, ...(signal?.aborted ? [] : [values])]).catch((left: unknown) => {
      if (!isWarehouseAway(left)) console.error('校验的临时数据没有清除，将由定时清理删除', left)
    })
    throw error
  }

  async function clear(tables: readonly string[]) {
    await rm(directory, { recursive: true, force: true })
    for (const table of tables) await load.everyShard.command(`DROP TABLE IF EXISTS ${table} SYNC`)
  }

  async function readAll() {
    const texts = textsInTurn()
    let done = 0
    await atOnce(AT_ONCE, async (worker) => {
      const next = await texts.next()
      if (next.done) return false
      const { text, file, number } = next.value
      await loadText(text, file, number, worker)
      await text.done()
      if (++done === TEXTS_UNMERGED) for (const table of [raw, odd]) await define(`SYSTEM START MERGES ${table}`)
      run.progress?.((READ_SHARE * file) / files.length, `正在读取第 ${file + 1} 个文件，共 ${files.length} 个`)
      return true
    })
  }

  /** The texts of all files in order. A read error is stored with its file, and the next file is read. */
  async function* textsInTurn() {
    const budget = unpackBudget()
    for (const [place, file] of files.entries()) {
      const of = read[place] as FileRead
      try {
        for await (const text of readyTexts(file, directory, budget, { signal, pieceBytes: deps.pieceBytes })) {
          yield { text, file: place, number: of.texts.push(text) - 1 }
        }
      } catch (error) {
        if (!(error instanceof FileFault)) throw error
        of.error = error.outcome
      }
    }
  }

  async function loadText(text: ReadyText, file: number, number: number, worker: number) {
    const line = text.hasReturns ? String.raw`trim(TRAILING '\r' FROM line)` : 'line'
    const lines = load.oneNode.readsFiles
      ? `(SELECT _row_number AS row, ${line} AS text FROM file(${quote(text.path)}, 'LineAsString', 'line String'))`
      : `(SELECT row, ${line} AS text FROM ${await sent(text.path, worker)})`
    const isGood = isCanonicalSql(type, 'text')
    const toRaw = (text: string, from: string) =>
      `INSERT INTO ${raw} SELECT ${bucketSql('value')}, ${file}, value FROM (SELECT ${sql.stored(text)} AS value FROM ${from})`
    await insert(toRaw('text', `${lines} WHERE ${isGood}`), SINGLE)
    // Reads the text again, but most files have hardly any such lines.
    await insert(
      `INSERT INTO ${odd} SELECT ${file}, ${number}, row, fault, if(fault = 0, canonical, substringUTF8(text, 1, ${LINE_SHOWN}))
       FROM (SELECT row, text, ${canonicalSql('text')} AS canonical, ${faultSql(type, 'canonical')} AS fault
             FROM ${lines} WHERE NOT ${isGood})`,
      SINGLE,
    )
    await insert(toRaw('line', `${odd} WHERE file = ${file} AND text = ${number} AND fault = 0`), SINGLE)
  }

  /** Sends the lines to an engine on another machine, each with its number in front. */
  async function sent(path: string, worker: number): Promise<string> {
    const table = sentLines[worker === 0 ? 0 : 1]
    await define(`DROP TABLE IF EXISTS ${table} SYNC`)
    await define(`CREATE TABLE ${table} (numbered String) ENGINE = Memory`)
    await load.oneNode.insertLines(table, numberedLines(path, signal))
    return `(SELECT toUInt64(substring(numbered, 1, position(numbered, ':') - 1)) AS row,
      substring(numbered, position(numbered, ':') + 1) AS line FROM ${table})`
  }

  /** Counts a repeated value for the first file that has it. Works bucket by bucket to limit memory. */
  async function keepDistinct() {
    const bad = read.flatMap(({ error }, place) => (error === null ? [] : [place]))
    const isGood = bad.length > 0 ? ` AND file NOT IN (${bad.join(', ')})` : ''
    const rows = await load.oneNode.query<{ bucket: number; n: number }>(
      `SELECT bucket, count() AS n FROM ${raw} GROUP BY bucket ORDER BY bucket`,
      {},
      { signal },
    )
    const ranges = rangesOf(rows, deps.valuesAtOnce ?? VALUES_AT_ONCE)
    const waiting = [...ranges]
    // A cast of a FixedString to String would drop trailing zero bytes.
    const whole = bytes ? `substring(value, 1, ${bytes})` : 'value'
    await atOnce(AT_ONCE, async () => {
      const range = waiting.shift()
      if (!range) return false
      await load.acrossShards.command(
        `INSERT INTO ${values} (adv_id, crowd_id, bucket, version, value, sign, file)
         SELECT ${adv_id}, ${crowd_id}, ${bucketSql('value')}, ${version}, ${whole}, 1, min(file) FROM ${raw}
         WHERE bucket BETWEEN ${range.first} AND ${range.last}${isGood} GROUP BY value`,
        {},
        { signal, settings: { ...SINGLE, max_bytes_before_external_group_by: SPILL_BYTES } },
      )
      run.progress?.(READ_SHARE + DISTINCT_SHARE * (1 - waiting.length / ranges.length), '去重')
      return true
    })
  }

  async function report(): Promise<CheckTotals> {
    const count = async (sql: string) =>
      new Map(
        (await load.acrossShards.query<{ file: number; n: number }>(sql, {}, { signal })).map((row) => [
          row.file,
          row.n,
        ]),
      )
    const good = await count(`SELECT file, count() AS n FROM ${raw} GROUP BY file`)
    const kept = await count(`SELECT file, count() AS n FROM ${values} GROUP BY file`)
    const totals = { lines: 0, valid: 0, duplicate: 0, malformed: 0 }
    for (const [place, { file_id }] of files.entries()) {
      const one = await reportOf(file_id, place, good.get(place) ?? 0, kept.get(place) ?? 0)
      totals.lines += one.line_count
      totals.valid += one.valid_count
      totals.duplicate += one.duplicate
      totals.malformed += one.malformed
      await run.fileDone?.(file_id, one)
    }
    run.progress?.(1, '已核对')
    return totals
  }

  async function reportOf(file_id: number, place: number, good: number, kept: number): Promise<FileReport> {
    const { error, texts } = read[place] as FileRead
    if (error !== null) return { ...NOTHING, error }
    const faults = await load.oneNode.query<{ fault: number; n: number }>(
      `SELECT fault, count() AS n FROM ${odd} WHERE file = ${place} AND fault != 0 GROUP BY fault ORDER BY n DESC, fault`,
      {},
      { signal },
    )
    const bad = faults.reduce((sum, { n }) => sum + n, 0)
    if (good + bad === 0) return { ...NOTHING, error: outcome('file_empty') }
    await writeMalformed(load.oneNode, dataDir, file_id, { table: odd, place, texts, type, isAny: bad > 0 }, signal)
    if (bad > 0) await shared.share(malformedPath(dataDir, file_id), malformedName(file_id), signal)
    return {
      line_count: good + bad,
      valid_count: kept,
      duplicate: good - kept,
      malformed: bad,
      reasons: faults.map(({ fault, n }) => {
        const outcome = faultOutcome(type, fault)
        return { reason: sentenceOf(outcome), outcome, lines: n }
      }),
      error: null,
    }
  }
}

/** The result of reading a file. */
interface FileRead {
  texts: ReadyText[]
  error: AnyOutcome | null
}

const NOTHING: FileReport = { line_count: 0, valid_count: 0, duplicate: 0, malformed: 0, reasons: [], error: null }

/** Repeats the work, `many` at once, until it returns false; the first failure ends it. */
async function atOnce(many: number, work: (worker: number) => Promise<boolean>): Promise<void> {
  let isOver = false
  const all = Array.from({ length: many }, async (_, worker) => {
    try {
      while (!isOver) if (!(await work(worker))) break
    } catch (error) {
      isOver = true
      throw error
    }
  })
  // Waits for all, so that nothing is still running when the failure is thrown.
  const failed = (await Promise.allSettled(all)).find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}

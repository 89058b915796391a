import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { quote } from '../clickhouse/bind.ts'
import type { Engine } from '../clickhouse/open.ts'
import { FileFault } from '../ingest/file-fault.ts'
import { type UnpackBudget, unpackBudget } from './archive.ts'
import {
  bucketSql,
  canonicalSql,
  faultSql,
  faultText,
  identifierSql,
  isPlainlyGoodSql,
  storedBytes,
} from './identifier-sql.ts'
import { writeMalformed } from './malformed.ts'
import { dropStages, stageOf } from './stage.ts'
import { type ReadyText, readyTexts } from './texts.ts'
import type { CheckedFile, CheckRequest, CheckRun, CheckTotals, FileReport } from './types.ts'

interface Needs {
  load: Engine
  dataDir: string
  /** What plain identifiers are encrypted with. */
  key: Buffer
}

const LINE_SHOWN = 500
const READ_SHARE = 0.7

export const workDirectory = (dataDir: string, crowd_id: number, version: number) =>
  join(dataDir, 'crowd-check', `${crowd_id}-${version}`)

/**
 * Checks the lines of a version's files and leaves its distinct values in the stage `values`. May be run again: it begins
 * from the beginning.
 */
export async function checkFiles({ load, dataDir, key }: Needs, request: CheckRequest, run: CheckRun) {
  const { adv_id, crowd_id, version, type, files } = request
  const { signal } = run
  const directory = workDirectory(dataDir, crowd_id, version)
  const stage = (part: Parameters<typeof stageOf>[2]) => stageOf(crowd_id, version, part)
  const [raw, malformed, values] = [stage('raw'), stage('malformed'), stage('values')]
  const command = (sql: string, settings = {}) => load.command(sql, {}, { signal, settings })
  const sql = identifierSql(type, key)
  const bytes = storedBytes(type)

  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  await dropStages(load, crowd_id, version)
  await command(
    `CREATE TABLE ${raw} (bucket UInt8, file UInt8, value ${bytes ? `FixedString(${bytes})` : 'String'}) ENGINE = MergeTree ORDER BY bucket`,
  )
  await command(
    `CREATE TABLE ${malformed} (file UInt8, text UInt16, row UInt64, fault UInt8, line String) ENGINE = MergeTree ORDER BY (file, text, row)`,
  )
  await command(`CREATE TABLE ${values} AS crowd_identifier`)

  try {
    const budget = unpackBudget()
    const read: (Read | { error: string })[] = []
    for (const [place, file] of files.entries()) {
      read.push(await readFile(file, place, budget))
      run.progress?.((READ_SHARE * (place + 1)) / files.length, `已读取 ${place + 1} 个文件，共 ${files.length} 个`)
    }
    const bad = read.flatMap((one, place) => ('error' in one ? [place] : []))
    await distinct(bad)
    return await reports(read)
  } finally {
    await rm(directory, { recursive: true, force: true })
    await command(`DROP TABLE IF EXISTS ${raw} SYNC`)
    await command(`DROP TABLE IF EXISTS ${malformed} SYNC`)
  }

  async function readFile(file: CheckedFile, place: number, budget: UnpackBudget): Promise<Read | { error: string }> {
    const names: string[] = []
    try {
      for await (const text of readyTexts(file, directory, budget, signal)) {
        await loadText(text, place, names.push(text.name) - 1)
        await text.done()
      }
      return { names }
    } catch (error) {
      if (error instanceof FileFault) return { error: error.message }
      throw error
    }
  }

  async function loadText(text: ReadyText, place: number, number: number) {
    const from = `(SELECT _row_number AS row, ${text.hasReturns ? String.raw`trim(TRAILING '\r' FROM line)` : 'line'} AS text
      FROM file(${quote(text.path)}, 'LineAsString', 'line String'))`
    const looked = `(SELECT row, text, ${isPlainlyGoodSql(type, 'text')} AS isPlainly, if(isPlainly, text, ${canonicalSql('text')}) AS canonical,
      if(isPlainly, 0, ${faultSql(type, 'canonical')}) AS fault FROM ${from})`
    await command(
      `INSERT INTO ${raw} SELECT ${bucketSql('value')}, ${place}, value FROM
       (SELECT ${sql.stored('canonical')} AS value FROM ${looked} WHERE fault = 0)`,
    )
    await command(
      `INSERT INTO ${malformed} SELECT ${place}, ${number}, row + 1, fault, substringUTF8(text, 1, ${LINE_SHOWN}) FROM ${looked} WHERE fault != 0`,
    )
  }

  /** The first file that has a value keeps it. */
  async function distinct(bad: readonly number[]) {
    await command(
      `INSERT INTO ${values} (adv_id, crowd_id, bucket, version, value, sign, file)
       SELECT ${adv_id}, ${crowd_id}, bucket, ${version}, value, 1, min(file) FROM ${raw}
       WHERE file NOT IN (${[-1, ...bad].join(', ')}) GROUP BY bucket, value`,
    )
  }

  async function reports(read: readonly (Read | { error: string })[]): Promise<CheckTotals> {
    const count = async (sql: string) =>
      new Map((await load.query<{ file: number; n: number }>(sql, {}, { signal })).map((row) => [row.file, row.n]))
    const good = await count(`SELECT file, count() AS n FROM ${raw} GROUP BY file`)
    const kept = await count(`SELECT file, count() AS n FROM ${values} GROUP BY file`)
    const totals = { lines: 0, valid: 0, duplicate: 0, malformed: 0 }
    for (const [place, one] of read.entries()) {
      const file = files[place] as CheckedFile
      const report =
        'error' in one
          ? { ...NOTHING, error: one.error }
          : await reportOf(file, place, one.names, good.get(place) ?? 0, kept.get(place) ?? 0)
      totals.lines += report.line_count
      totals.valid += report.valid_count
      totals.duplicate += report.duplicate
      totals.malformed += report.malformed
      await run.fileDone?.(file.file_id, report)
    }
    run.progress?.(1, '已核对')
    return totals
  }

  async function reportOf(
    file: CheckedFile,
    place: number,
    names: readonly string[],
    good: number,
    kept: number,
  ): Promise<FileReport> {
    const faults = await load.query<{ fault: number; n: number }>(
      `SELECT fault, count() AS n FROM ${malformed} WHERE file = ${place} GROUP BY fault ORDER BY n DESC`,
      {},
      { signal },
    )
    const bad = faults.reduce((sum, { n }) => sum + n, 0)
    await writeMalformed(load, dataDir, file.file_id, { table: malformed, place, names, type }, signal)
    return {
      line_count: good + bad,
      valid_count: kept,
      duplicate: good - kept,
      malformed: bad,
      reasons: faults.map(({ fault, n }) => ({ reason: faultText(type, fault), lines: n })),
      error: good + bad === 0 ? '文件中没有内容' : null,
    }
  }
}

/** The names of its texts, in the order in which they were numbered. */
interface Read {
  names: readonly string[]
}

const NOTHING: FileReport = {
  line_count: 0,
  valid_count: 0,
  duplicate: 0,
  malformed: 0,
  reasons: [],
  error: null,
}

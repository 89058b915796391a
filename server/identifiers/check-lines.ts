import { FORGOTTEN_FAULT } from '#contract/line-mark.ts'
import { quote } from '../clickhouse/bind.ts'
import { FileFault } from '../files/file-fault.ts'
import { numberedLines, type ReadyText, readyTexts } from '../files/text-lines.ts'
import { unpackBudget } from '../files/zip.ts'
import { type Check, type FileRead, READ_SHARE, SINGLE, WORKERS } from './check-tables.ts'
import { bucketSql, canonicalSql, faultSql, identifierSql, isCanonicalSql, normalisedSql } from './identifier-sql.ts'
import { sideBySide } from './side-by-side.ts'

/** Longer lines are cut where they are shown, in characters. */
const LINE_SHOWN = 500
/** With more texts than this, the parts are merged, since there would be too many of them. */
const TEXTS_UNMERGED = 200

/** Reads the lines of all files into the tables `raw` and `exceptions`. */
export async function readLines(check: Check): Promise<void> {
  const { deps, run, tables, request } = check
  const texts = textsInTurn(check)
  let done = 0
  await sideBySide(WORKERS, async (worker) => {
    const next = await texts.next()
    if (next.done) return false
    const { text, file, number } = next.value
    await loadText(check, text, { file, number, worker })
    await text.done()
    if (++done === TEXTS_UNMERGED)
      for (const table of [tables.raw, tables.exceptions])
        await deps.load.oneNode.command(`SYSTEM START MERGES ${table}`)
    const of = request.files.length
    run.progress?.((READ_SHARE * file) / of, `正在读取第 ${file + 1} 个文件，共 ${of} 个`)
    return true
  })
}

/** The texts of all files in order. A read error is stored with its file, and the next file is read. */
async function* textsInTurn({ deps: { pieceBytes }, request, run: { signal }, directory, read }: Check) {
  const budget = unpackBudget()
  for (const [file, uploaded] of request.files.entries()) {
    const of = read[file] as FileRead
    try {
      for await (const text of readyTexts(uploaded, directory, budget, {
        signal,
        pieceBytes,
        unread: (one) => of.unread.push(one),
      }))
        yield { text, file, number: of.texts.push(text) - 1 }
    } catch (error) {
      if (!(error instanceof FileFault)) throw error
      of.error = error.outcome
    }
  }
}

/** `file` and `number` are the places of the file and of its text. */
async function loadText(
  {
    deps: { load, key },
    request: { type, files },
    run: { signal },
    tables: { raw, exceptions, sent },
    forgotten,
  }: Check,
  text: ReadyText,
  { file, number, worker }: { file: number; number: number; worker: number },
) {
  const insert = (sql: string) => load.oneNode.command(sql, {}, { signal, settings: SINGLE })
  const line = text.hasReturns ? String.raw`trim(TRAILING '\r' FROM line)` : 'line'
  const lines = load.oneNode.readsFiles
    ? `(SELECT _row_number AS row, ${line} AS text FROM file(${quote(text.path)}, 'LineAsString', 'line String'))`
    : `(SELECT row, ${line} AS text FROM ${await sendLines(sent[worker === 0 ? 0 : 1])})`
  const isForgotten = (text: string) => forgotten?.identifier(type, normalisedSql('crowd', type, text)) ?? null
  const canonical = isCanonicalSql(type, 'text')
  const isTheirs = isForgotten('text')
  const isGood = isTheirs === null ? canonical : `(${canonical} AND NOT ${isTheirs})`
  const fault = faultSql(type, 'canonical', files[file]?.isMarked)
  const isTheirsToo = isForgotten('canonical')
  const faultOf = isTheirsToo === null ? fault : `if(${fault} = 0 AND ${isTheirsToo}, ${FORGOTTEN_FAULT}, ${fault})`
  const { stored } = identifierSql(type, key)
  const toRaw = (column: string, from: string) =>
    `INSERT INTO ${raw} SELECT ${bucketSql('value')}, ${file}, value FROM (SELECT ${stored(column)} AS value FROM ${from})`
  await insert(toRaw('text', `${lines} WHERE ${isGood}`))
  // Reads the text again, but most files have hardly any such lines.
  await insert(
    `INSERT INTO ${exceptions} SELECT ${file}, ${number}, row, fault, multiIf(fault = 0, canonical, fault = ${FORGOTTEN_FAULT}, '', substringUTF8(text, 1, ${LINE_SHOWN}))
     FROM (SELECT row, text, ${canonicalSql('text')} AS canonical, ${faultOf} AS fault
           FROM ${lines} WHERE NOT ${isGood})`,
  )
  await insert(toRaw('line', `${exceptions} WHERE file = ${file} AND text = ${number} AND fault = 0`))

  /** Sends the lines to an engine on another machine, each with its number in front. */
  async function sendLines(table: string): Promise<string> {
    await load.oneNode.command(`DROP TABLE IF EXISTS ${table} SYNC`)
    await load.oneNode.command(`CREATE TABLE ${table} (numbered String) ENGINE = Memory`)
    await load.oneNode.insertLines(table, numberedLines(text.path, signal))
    return `(SELECT toUInt64(substring(numbered, 1, position(numbered, ':') - 1)) AS row,
      substring(numbered, position(numbered, ':') + 1) AS line FROM ${table})`
  }
}

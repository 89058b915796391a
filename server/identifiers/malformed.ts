import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { downloadHead, downloadLine } from '#contract/download-csv.ts'
import type { IdentifierType } from '#contract/identifier.ts'
import { WITHHELD_FAULT } from '#contract/line-mark.ts'
import { sentenceOf } from '#contract/outcome.ts'
import type { OneNode } from '../clickhouse/handles.ts'
import { placeOf, type ReadyText } from '../files/text-lines.ts'
import { nullIfMissing } from '../storage/missing-file.ts'
import { faultOutcome } from './identifier-sql.ts'

/** How long malformed lines can be downloaded. */
export const MALFORMED_KEPT_SECONDS = 30 * 86_400
const PAGE = 50_000
/** Lines kept for download, per upload; further ones are only counted. */
const KEPT_LINES_MAX = 5_000_000
const KEPT_BYTES_MAX = 200 * 1024 ** 2
/** The fastest level that still makes a tenth of equal lines. */
const GZIP_LEVEL = 3

/** The malformed lines that may still be kept for an upload: its files share it. */
export interface MalformedRoom {
  lines: number
  /** Of the csv before it is compressed. */
  bytes: number
}
export const malformedRoom = (): MalformedRoom => ({ lines: KEPT_LINES_MAX, bytes: KEPT_BYTES_MAX })

/** The name of a copy in the object store. */
export const MALFORMED_PREFIX = 'malformed-'
export const malformedName = (file_id: number) => `${MALFORMED_PREFIX}${file_id}.csv.gz`

const directoryOf = (dataDir: string) => join(dataDir, 'crowd-malformed')
export const malformedPath = (dataDir: string, file_id: number) => join(directoryOf(dataDir), `${file_id}.csv.gz`)

/** Path and name of a csv that an earlier version wrote, uncompressed. */
export const earlierMalformed = (dataDir: string, file_id: number): [path: string, name: string] => [
  malformedPath(dataDir, file_id).replace(/\.gz$/, ''),
  malformedName(file_id).replace(/\.gz$/, ''),
]

interface MalformedOf {
  table: string
  /** Of the file among the request's. */
  place: number
  texts: readonly ReadyText[]
  type: IdentifierType
  /** The faults whose lines are listed, as numbers. */
  faults: readonly number[]
}

/**
 * Writes a compressed csv of a file's malformed lines with their positions and reasons, as far as there is room; no file if
 * there is nothing to list. Answers how many lines it lists, by fault.
 */
export async function writeMalformed(
  load: OneNode,
  dataDir: string,
  file_id: number,
  of: MalformedOf,
  room: MalformedRoom,
  signal?: AbortSignal,
): Promise<Map<number, number>> {
  const path = malformedPath(dataDir, file_id)
  const written = `${path}.part`
  const listed = new Map<number, number>()
  await rm(path, { force: true })
  if (of.faults.length === 0 || room.lines <= 0 || room.bytes <= 0) return listed
  await mkdir(directoryOf(dataDir), { recursive: true })
  try {
    await pipeline(
      Readable.from(csvOf(load, of, room, listed, signal)),
      createGzip({ level: GZIP_LEVEL }),
      createWriteStream(written, { mode: 0o600 }),
      { signal },
    )
    await rename(written, path)
  } catch (error) {
    await rm(written, { force: true })
    throw error
  }
  return listed
}

/** A mark stands for a line that was not sent, or that has no cell in the chosen column. */
function contentOf(fault: number, line: string): string {
  if (fault === WITHHELD_FAULT) return '（内容在上传时的浏览器中，未发送）'
  return fault > 2 ? '' : line
}

async function* csvOf(
  load: OneNode,
  { table, place, texts, type, faults }: MalformedOf,
  room: MalformedRoom,
  listed: Map<number, number>,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const isArchive = texts.some(({ sections }) => sections.some(({ name }) => name !== ''))
  yield downloadHead([...(isArchive ? ['文件'] : []), '行号', '原因', '内容'])
  let after = { text: 0, row: -1 }
  for (;;) {
    const rows = await load.query<{ text: number; row: number; fault: number; line: string }>(
      `SELECT text, row, fault, line FROM ${table}
       WHERE file = ${place} AND fault IN (${faults.join(', ')}) AND (text, row) > (${after.text}, ${after.row}) ORDER BY text, row LIMIT ${PAGE}`,
      {},
      { signal },
    )
    let page = ''
    for (const { text, row, fault, line: shown } of rows) {
      const { name, line } = placeOf((texts[text] as ReadyText).sections, row)
      const reason = sentenceOf(faultOutcome(type, fault))
      const written = downloadLine([...(isArchive ? [name] : []), String(line), reason, contentOf(fault, shown)])
      room.lines--
      room.bytes -= Buffer.byteLength(written)
      if (room.lines < 0 || room.bytes < 0) {
        yield page + downloadLine([...(isArchive ? [''] : []), '', '其余行未列出', ''])
        return
      }
      page += written
      listed.set(fault, (listed.get(fault) ?? 0) + 1)
    }
    yield page
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last
  }
}

/** Removes malformed lines that are too old to be downloaded. */
export async function sweepMalformed(dataDir: string, now: number): Promise<void> {
  const directory = directoryOf(dataDir)
  const names = await readdir(directory).catch(nullIfMissing)
  for (const name of names ?? []) {
    const path = join(directory, name)
    const made = await stat(path).catch(nullIfMissing)
    if (made && made.mtimeMs / 1000 < now - MALFORMED_KEPT_SECONDS) await rm(path, { force: true })
  }
}

import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { IdentifierType } from '#contract/identifier.ts'
import { sentenceOf } from '#contract/outcome.ts'
import type { OneNode } from '../clickhouse/handles.ts'
import { csvLine } from '../files/csv-record.ts'
import { placeOf, type ReadyText } from '../files/text-lines.ts'
import { nullIfMissing } from '../storage/missing-file.ts'
import { faultOutcome } from './identifier-sql.ts'

/** How long malformed lines can be downloaded. */
export const MALFORMED_KEPT_SECONDS = 30 * 86_400
const PAGE = 50_000
/** Lines beyond this number are counted but not listed: a file of empty lines would fill the disk. */
const LISTED_MAX = 20_000_000

/** The name of a copy in the object store. */
export const MALFORMED_PREFIX = 'malformed-'
export const malformedName = (file_id: number) => `${MALFORMED_PREFIX}${file_id}.csv`

const directoryOf = (dataDir: string) => join(dataDir, 'crowd-malformed')
export const malformedPath = (dataDir: string, file_id: number) => join(directoryOf(dataDir), `${file_id}.csv`)

/** Adds a quote, since a spreadsheet would run a cell that begins like a formula. */
const asText = (cell: string) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

/** Writes a csv of a file's malformed lines with their positions and reasons; writes no file if there are none. */
export async function writeMalformed(
  load: OneNode,
  dataDir: string,
  file_id: number,
  of: { table: string; place: number; texts: readonly ReadyText[]; type: IdentifierType; isAny: boolean },
  signal?: AbortSignal,
): Promise<void> {
  const path = malformedPath(dataDir, file_id)
  const written = `${path}.part`
  const isArchive = of.texts.some(({ sections }) => sections.some(({ name }) => name !== ''))
  await rm(path, { force: true })
  if (!of.isAny) return
  await mkdir(directoryOf(dataDir), { recursive: true })
  let after = { text: 0, row: -1 }
  let listed = 0
  const file = await open(written, 'w', 0o600)
  try {
    await file.write(`\uFEFF${csvLine([...(isArchive ? ['文件'] : []), '行号', '原因', '内容'])}`)
    for (;;) {
      const rows = await load.query<{ text: number; row: number; fault: number; line: string }>(
        `SELECT text, row, fault, line FROM ${of.table}
         WHERE file = ${of.place} AND fault != 0 AND (text, row) > (${after.text}, ${after.row}) ORDER BY text, row LIMIT ${PAGE}`,
        {},
        { signal },
      )
      const lines = rows.map(({ text, row, fault, line: shown }) => {
        const { name, line } = placeOf((of.texts[text] as ReadyText).sections, row)
        return csvLine([
          ...(isArchive ? [asText(name)] : []),
          String(line),
          sentenceOf(faultOutcome(of.type, fault)),
          asText(shown),
        ])
      })
      await file.write(lines.join(''))
      listed += rows.length
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) break
      if (listed >= LISTED_MAX) {
        await file.write(csvLine([...(isArchive ? [''] : []), '', '其余行未列出', '']))
        break
      }
      after = last
    }
    await file.close()
    await rename(written, path)
  } catch (error) {
    await file.close()
    await rm(written, { force: true })
    throw error
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

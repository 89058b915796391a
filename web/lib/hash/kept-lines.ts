import { downloadLine } from '#contract/download-csv.ts'
import type { IdentifierType } from '#contract/identifier.ts'
import { markedOutcome } from '#contract/line-mark.ts'
import { sentenceOf } from '#contract/outcome.ts'

/** The most malformed lines and bytes of one file that are kept for download; beyond that they are only counted. */
const LINES_MAX = 5_000_000
const BYTES_MAX = 200 * 1024 ** 2

interface KeptPart {
  /** The line number of the part's first row. */
  firstLine: number
  /** The text of an archive that it comes from; '' for a file that is no archive. */
  name: string
  lines: Blob
}

/** The malformed lines of a file. They leave the browser only as a download of its viewer. */
export interface KeptLines {
  type: IdentifierType
  parts: KeptPart[]
  lines: number
  bytes: number
  /** Malformed lines beyond what is kept. */
  dropped: number
}

export const newKeptLines = (type: IdentifierType): KeptLines => ({ type, parts: [], lines: 0, bytes: 0, dropped: 0 })

export function keepLines(kept: KeptLines, part: KeptPart, lines: number): void {
  if (lines === 0) return
  if (kept.lines + lines > LINES_MAX || kept.bytes + part.lines.size > BYTES_MAX) {
    kept.dropped += lines
    return
  }
  kept.parts.push(part)
  kept.lines += lines
  kept.bytes += part.lines.size
}

/** The kept lines as a csv with line numbers and reasons, made part by part. */
export async function keptLinesCsv({ type, parts, dropped }: KeptLines): Promise<Blob> {
  const isArchive = parts.some(({ name }) => name !== '')
  const first = isArchive ? ['文件'] : []
  const rows: Blob[] = [new Blob([`\uFEFF${[...first, '行号', '原因', '内容'].join(',')}\n`])]
  for (const { firstLine, name, lines } of parts) {
    const text = (await lines.text()).split('\n').slice(0, -1)
    const made = text.map((line) => {
      const [row = '', fault = '', ...rest] = line.split('\t')
      const reason = sentenceOf(markedOutcome(type, Number(fault)))
      return downloadLine([...(isArchive ? [name] : []), String(firstLine + Number(row)), reason, rest.join('\t')])
    })
    rows.push(new Blob([made.join('')]))
  }
  if (dropped > 0) rows.push(new Blob([`${isArchive ? ',' : ''},其余 ${dropped} 行未保留,\n`]))
  return new Blob(rows, { type: 'text/csv' })
}

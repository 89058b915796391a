import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Real rows, stored outside the repository; their tests are skipped if they are missing. */
const REAL_DATA = join(import.meta.dirname, '../../../shared/data')

export const hasRealData = existsSync(REAL_DATA)
export const realFile = (path: string) => join(REAL_DATA, path)

/** A file's rows by column name, to check counts against. */
export function realRows(path: string): Record<string, string>[] {
  const [header = [], ...rows] = csvRows(gunzipSync(readFileSync(realFile(path))).toString('utf8'))
  return rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? ''])))
}

function csvRows(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    if (isQuoted) {
      if (char !== '"') cell += char
      else if (text[at + 1] === '"') cell += text[++at]
      else isQuoted = false
    } else if (char === '"') isQuoted = true
    else if (char === ',' || char === '\n') {
      row.push(cell)
      cell = ''
      if (char === '\n') {
        rows.push(row)
        row = []
      }
    } else if (char !== '\r') cell += char
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell])
  return rows
}

import { z } from 'zod'
import { keysOf } from './common.ts'
import { Encoding } from './encoding.ts'

/** What may separate the columns of a line. */
export const SEPARATORS = { ',': '逗号', '\t': '制表符', ';': '分号', '|': '竖线' } as const
const Separator = z.enum(keysOf(SEPARATORS))
export type Separator = z.infer<typeof Separator>
/** The most columns among which one can be chosen. */
export const COLUMNS_SHOWN = 100

/** How the identifiers of a file are found in its bytes. */
export const TextChoice = z
  .object({
    encoding: Encoding.describe('文本的编码：utf-8、gb18030、utf-16le 或 utf-16be'),
    separator: Separator.nullable().describe('列之间的分隔符；null 表示整行就是一个标识'),
    column: z
      .int()
      .min(0)
      .max(COLUMNS_SHOWN - 1)
      .describe('标识所在的列，从 0 数起'),
    has_header: z.boolean().describe('首行是列名；它不是标识，也不计入行数'),
  })
  .describe('从文件中取标识的方式：编码、分隔符、列与首行')
export type TextChoice = z.infer<typeof TextChoice>

/** The choice of an uploaded file. Without an encoding the server recognises that of the file, or of each text of an archive. */
export const SentChoice = TextChoice.extend({
  encoding: Encoding.nullable()
    .default(null)
    .describe('文本的编码：utf-8、gb18030、utf-16le 或 utf-16be；null 时自动识别，压缩包内逐个文件识别'),
}).describe('从文件中取标识的方式：编码、分隔符、列与首行')
export type SentChoice = z.infer<typeof SentChoice>

/** Whether every line is its identifier as it stands, as in a file of UTF-8 with one column. */
export const takesWholeLines = ({ separator, has_header }: Pick<TextChoice, 'separator' | 'has_header'>): boolean =>
  separator === null && !has_header

/**
 * The cells of a line. A cell in quotes may hold separators, and doubled quotes; what follows its closing quote belongs to
 * it. No cell holds a line break, since each line of an identifier file stands alone.
 */
export function cellsOf(line: string, separator: Separator): string[] {
  if (!line.includes('"')) return line.split(separator)
  const cells: string[] = []
  for (let at = 0; ; ) {
    const { cell, next } = cellAt(line, at, separator)
    cells.push(cell)
    if (next === null) return cells
    at = next
  }
}

/** A cell of a line; null when the line has fewer columns. Without a separator the line is the cell. */
export function cellOf(line: string, { separator, column }: Pick<TextChoice, 'separator' | 'column'>): string | null {
  return separator === null ? line : (cellsOf(line, separator)[column] ?? null)
}

function cellAt(line: string, from: number, separator: Separator): { cell: string; next: number | null } {
  let cell = ''
  let at = from
  if (line[at] === '"') {
    for (at++; at < line.length; at++) {
      if (line[at] !== '"') cell += line[at]
      else if (line[at + 1] === '"') cell += line[++at]
      else break
    }
    at++
  }
  const end = line.indexOf(separator, at)
  cell += line.slice(at, end === -1 ? line.length : end)
  return { cell, next: end === -1 ? null : end + 1 }
}

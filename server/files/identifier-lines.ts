import { cellOf, type SentChoice, takesWholeLines } from '#contract/identifier-column.ts'
import { HEADER_MARK, MISSING_CELL_MARK } from '#contract/line-mark.ts'
import type { TextEncoding } from '#contract/text-encoding.ts'
import { utf8From } from './text-encoding.ts'
import { BadBytes, lineEndsIn, notUtf8, textPass } from './text-pass.ts'

/** The header of a file's first text. An archive's other texts may begin with the same one, or with a value. */
export type SharedHeader = { cell: string | null }

/**
 * The bytes of a text as lines of UTF-8 that hold one identifier each: converted, checked by `textPass`, and cut to the
 * chosen column. A line keeps its number: a header and a line without that column become a mark. Throws a `FileFault`
 * that names the line of the first bytes that cannot be read.
 */
export function identifierLines(
  encoding: TextEncoding,
  choice: SentChoice | null,
  in_archive: string | null,
  header: SharedHeader = { cell: null },
) {
  const converter = encoding === 'utf-8' ? null : utf8From(encoding, in_archive)
  const pass = textPass()
  const cut = choice && !takesWholeLines(choice) ? columnCut(choice, header) : null
  let ended = 0
  const passed = (work: () => Buffer): Buffer => {
    try {
      const lines = work()
      ended += lineEndsIn(lines)
      return lines
    } catch (error) {
      if (error instanceof BadBytes) throw notUtf8(in_archive, ended + lineEndsIn(error.before) + 1)
      throw error
    }
  }
  return {
    push(chunk: Buffer): Buffer {
      const bytes = converter ? converter.push(chunk) : chunk
      const lines = passed(() => pass.push(bytes))
      return cut ? cut.push(lines) : lines
    },
    end(): Buffer {
      const rest = converter ? converter.end() : Buffer.alloc(0)
      const last = Buffer.concat([passed(() => pass.push(rest)), passed(() => pass.end())])
      return cut ? Buffer.concat([cut.push(last), cut.end()]) : last
    },
    hasReturns: () => cut === null && pass.hasReturns(),
  }
}

/** Replaces each line by its cell of the chosen column. */
function columnCut(choice: SentChoice, header: SharedHeader) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: false })
  let open = ''
  let isFirst = choice.has_header
  const isHeader = (text: string): boolean => {
    const cell = cellOf(text, choice)?.trim().toLowerCase() ?? ''
    header.cell ??= cell
    return cell === header.cell
  }
  const cell = (line: string): string => {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    const mayBeHeader = isFirst
    isFirst = false
    if (mayBeHeader && isHeader(text)) return HEADER_MARK
    return text.trim() === '' ? '' : (cellOf(text, choice) ?? MISSING_CELL_MARK)
  }
  return {
    push(bytes: Buffer): Buffer {
      const lines = (open + decoder.decode(bytes, { stream: true })).split('\n')
      open = lines.pop() ?? ''
      return Buffer.from(lines.map((line) => `${cell(line)}\n`).join(''))
    },
    end: (): Buffer => Buffer.from(open === '' ? '' : `${cell(open)}\n`),
  }
}

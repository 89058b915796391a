import { BINARY_LOOK_BYTES, type Binary, binaryFormat } from '#contract/binary-format.ts'
import { type Outcome, outcome } from '#contract/outcome.ts'
import { recogniseEncoding, type TextEncoding } from '#contract/text-encoding.ts'
import { type ArchivedText, headOf, textsOf } from './archive.ts'

const BYTES = 64 * 1024
const LINES = 200

export const isZip = (name: string): boolean => name.toLowerCase().endsWith('.zip')

export interface FileLook {
  /** What it is if it is no text; null for a text and for an archive. */
  binary: Binary | null
  /** Why it cannot be read as it is. */
  fault: Outcome | null
  /** As recognised from the beginning, or as chosen. */
  encoding: TextEncoding
  /** The first complete lines of the file, or of the first text of an archive; none where they cannot be read. */
  lines: string[]
}

/** Reads the beginning of a file. */
export async function lookAtFile(file: File, chosen?: TextEncoding): Promise<FileLook> {
  try {
    const head = new Uint8Array(await file.slice(0, BYTES).arrayBuffer())
    if (isZip(file.name)) {
      const isOther = head.length > 0 && binaryFormat(head) !== 'zip'
      return isOther ? { ...NOTHING, binary: 'other' } : await lookAtArchive(file, chosen)
    }
    const binary = binaryFormat(head.subarray(0, BINARY_LOOK_BYTES))
    if (binary) return { ...NOTHING, binary }
    const isWhole = file.size <= BYTES
    const encoding = chosen ?? recogniseEncoding(head, isWhole)
    return {
      binary,
      fault: encodingFault(head, isWhole, encoding),
      encoding,
      lines: linesIn(head, !isWhole, encoding).slice(0, LINES),
    }
  } catch {
    // The server's check reports what is wrong with the file.
    return NOTHING
  }
}
const NOTHING: FileLook = { binary: null, fault: null, encoding: 'utf-8', lines: [] }

async function lookAtArchive(file: File, chosen?: TextEncoding): Promise<FileLook> {
  const texts = await textsOf(file)
  if (texts === null) return { ...NOTHING, fault: outcome('archive_broken') }
  // Those that can be read are, so only an archive of nothing else is refused.
  if (texts.length > 0 && texts.every(({ isEncrypted }) => isEncrypted))
    return { ...NOTHING, fault: outcome('archive_encrypted') }
  const [first] = texts
  if (!first) return NOTHING
  const { encoding, lines } = await linesOfText(file, first, chosen)
  return { ...NOTHING, encoding, lines: lines.slice(0, LINES) }
}

async function linesOfText(file: File, text: ArchivedText, chosen?: TextEncoding) {
  const { head, isWhole } = await headOf(file, text, BYTES)
  const encoding = chosen ?? recogniseEncoding(head, isWhole)
  const isText = binaryFormat(head.subarray(0, BINARY_LOOK_BYTES)) === null
  return { encoding, lines: isText ? linesIn(head, !isWhole, encoding) : [] }
}

/** `isCut`: there is more content, so the last line may be incomplete. */
export function linesIn(bytes: BufferSource, isCut: boolean, encoding: TextEncoding = 'utf-8'): string[] {
  const lines = new TextDecoder(encoding).decode(bytes).split(LINE_END)
  if (isCut || lines.at(-1) === '') lines.pop()
  return lines
}
const LINE_END = /\r\n|\n|\r/

/** Names the line of the first bytes that the encoding does not have. */
function encodingFault(bytes: Uint8Array<ArrayBuffer>, isWhole: boolean, encoding: TextEncoding): Outcome | null {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: !isWhole })
    return null
  } catch {
    const [before = ''] = new TextDecoder(encoding).decode(bytes).split('\ufffd', 1)
    return outcome('file_not_in_encoding', { in_archive: null, line: before.split(LINE_END).length, encoding })
  }
}

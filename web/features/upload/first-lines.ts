import { BINARY_LOOK_BYTES, type Binary, binaryFormat } from '#contract/binary-format.ts'
import { type Outcome, outcome } from '#contract/outcome.ts'
import { recogniseEncoding, type TextEncoding } from '#contract/text-encoding.ts'
import { lineBreakAfter } from '../../lib/hash/line-break.ts'
import { type ArchivedText, headOf, textsOf } from './archive.ts'

const BYTES = 64 * 1024
const LINES = 200
/** So many parts of a file, or texts of an archive, are sampled; a file that is not larger than all of them is read whole. */
const SAMPLES = 16
const SAMPLE_BYTES = 16 * 1024

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
  /** Complete lines from all over the file, or the first ones of texts all over the archive: a list for each text. */
  samples: string[][]
}

/** Reads the beginning of a file, and some of the rest. */
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
      samples: [await sampleOf(file, encoding)],
    }
  } catch {
    // The server's check reports what is wrong with the file.
    return NOTHING
  }
}
const NOTHING: FileLook = { binary: null, fault: null, encoding: 'utf-8', lines: [], samples: [] }

async function lookAtArchive(file: File, chosen?: TextEncoding): Promise<FileLook> {
  const texts = await textsOf(file)
  if (texts === null) return { ...NOTHING, fault: outcome('archive_broken') }
  // Those that can be read are, so only an archive of nothing else is refused.
  if (texts.length > 0 && texts.every(({ isEncrypted }) => isEncrypted))
    return { ...NOTHING, fault: outcome('archive_encrypted') }
  const looked: { encoding: TextEncoding; lines: string[] }[] = []
  for (const text of spread(texts)) looked.push(await linesOfText(file, text, chosen))
  const { encoding, lines } = looked[0] ?? NOTHING
  return { ...NOTHING, encoding, lines: lines.slice(0, LINES), samples: looked.map((one) => one.lines) }
}

/** The first one, and others at equal distances. */
const spread = <T>(all: readonly T[]): T[] => all.filter((_, at) => at % Math.ceil(all.length / SAMPLES) === 0)

async function linesOfText(file: File, text: ArchivedText, chosen?: TextEncoding) {
  const { head, isWhole } = await headOf(file, text, BYTES)
  const encoding = chosen ?? recogniseEncoding(head, isWhole)
  const isText = binaryFormat(head.subarray(0, BINARY_LOOK_BYTES)) === null
  return { encoding, lines: isText ? linesIn(head, !isWhole, encoding) : [] }
}

/** Complete lines of parts of a text, at equal distances. */
async function sampleOf(file: File, encoding: TextEncoding): Promise<string[]> {
  const isWhole = file.size <= SAMPLES * SAMPLE_BYTES
  const parts = isWhole ? 1 : SAMPLES
  const partBytes = isWhole ? file.size : SAMPLE_BYTES
  const unit = encoding === 'utf-16le' || encoding === 'utf-16be' ? encoding : 'byte'
  const lines: string[][] = []
  for (let part = 0; part < parts; part++) {
    // The last one ends where the file does.
    const at = part === 0 ? 0 : 2 * Math.floor(((file.size - partBytes) * part) / (parts - 1) / 2)
    const from = at === 0 ? 0 : await lineBreakAfter(file, at, unit)
    const to = part === parts - 1 ? file.size : at + partBytes
    if (from < to) lines.push(linesIn(await file.slice(from, to).arrayBuffer(), to < file.size, encoding))
  }
  return lines.flat()
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

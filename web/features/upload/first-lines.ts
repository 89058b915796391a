import { BINARY_LOOK_BYTES, type Binary, binaryFormat } from '#contract/binary-format.ts'
import { recogniseEncoding, type TextEncoding } from '#contract/text-encoding.ts'

const BYTES = 64 * 1024
const LINES = 200

export const isZip = (name: string): boolean => name.toLowerCase().endsWith('.zip')

export interface FileLook {
  /** What it is if it is no text; null for a text and for an archive. */
  binary: Binary | null
  /** As recognised from the beginning, or as chosen. */
  encoding: TextEncoding
  /** The first complete lines of the file, or of the first text of an archive; none where they cannot be read. */
  lines: string[]
}

/** Reads the beginning of a file. */
export async function lookAtFile(file: File, chosen?: TextEncoding): Promise<FileLook> {
  const isArchive = isZip(file.name)
  const isWhole = !isArchive && file.size <= BYTES
  try {
    const head = new Uint8Array(await file.slice(0, BYTES).arrayBuffer())
    if (isArchive && head.length > 0 && binaryFormat(head) !== 'zip') return { binary: 'other', ...NOTHING }
    const bytes = isArchive ? await firstEntry(head) : head
    const binary = binaryFormat(bytes.subarray(0, BINARY_LOOK_BYTES))
    if (binary && !isArchive) return { binary, ...NOTHING }
    const encoding = chosen ?? recogniseEncoding(bytes, isWhole)
    return { binary: null, encoding, lines: binary ? [] : linesIn(bytes, !isWhole, encoding) }
  } catch {
    // The server's check reports what is wrong with the file.
    return { binary: null, ...NOTHING }
  }
}
const NOTHING = { encoding: 'utf-8', lines: [] } satisfies Omit<FileLook, 'binary'>

/** `isCut`: there is more content, so the last line may be incomplete. */
export function linesIn(bytes: Uint8Array, isCut: boolean, encoding: TextEncoding = 'utf-8'): string[] {
  const lines = new TextDecoder(encoding).decode(bytes).split(/\r\n|\n|\r/)
  if (isCut || lines.at(-1) === '') lines.pop()
  return lines.slice(0, LINES)
}

const LOCAL_HEADER = 0x04034b50
const STORED = 0
const DEFLATED = 8

/** The content of an archive's first file, as far as `head` contains it. */
async function firstEntry(head: Uint8Array): Promise<Uint8Array> {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  let at = 0
  while (at + 30 <= head.length && view.getUint32(at, true) === LOCAL_HEADER) {
    const flags = view.getUint16(at + 6, true)
    const method = view.getUint16(at + 8, true)
    const packed = view.getUint32(at + 18, true)
    const from = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true)
    const isDirectory = head[at + 30 + view.getUint16(at + 26, true) - 1] === 0x2f
    const isEncrypted = (flags & 1) !== 0
    if (isEncrypted) break
    if (!isDirectory) {
      const body = head.subarray(from, packed > 0 ? from + packed : undefined)
      if (method === STORED) return body
      if (method === DEFLATED) return inflateHead(body)
      break
    }
    at = from + packed
  }
  return new Uint8Array()
}

/** Inflates data whose end is missing. */
async function inflateHead(packed: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([new Uint8Array(packed)]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    while (size < BYTES) {
      const { value, done } = await reader.read()
      if (done) break
      chunks.push(value)
      size += value.length
    }
  } catch {
    // The data ends early; what was inflated is enough.
  }
  await reader.cancel().catch(() => {})
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

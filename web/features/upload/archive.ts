/** A text of an archive. */
export interface ArchivedText {
  isEncrypted: boolean
  /** Where its own header begins. */
  at: number
  method: number
  /** Bytes of its packed content. */
  packed: number
}

const END = 0x06054b50
const END_BYTES = 22
const COMMENT_MAX = 65_535
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_HEADER = 0x04034b50
/** Large archives write this and the number itself elsewhere. */
const ELSEWHERE = 0xffffffff
const DIRECTORY_BYTES_MAX = 4 * 1024 ** 2
const STORED = 0
const DEFLATED = 8
const TEXT = /\.(txt|text|csv)$/i
const JUNK = /(^|\/)(__MACOSX\/|\._)/

/** The texts that an archive's directory names; null where it has no directory, because its end is missing. */
export async function textsOf(file: Blob): Promise<ArchivedText[] | null> {
  const tail = await viewOf(file, Math.max(0, file.size - END_BYTES - COMMENT_MAX), file.size)
  let end = tail.byteLength - END_BYTES
  while (end >= 0 && !(tail.getUint32(end, true) === END && isComment(tail, end))) end--
  if (end < 0) return null
  const size = tail.getUint32(end + 12, true)
  const from = tail.getUint32(end + 16, true)
  if (from === ELSEWHERE || size > DIRECTORY_BYTES_MAX) return []
  return from + size > file.size ? null : entriesIn(await viewOf(file, from, from + size))
}

/** Whether the rest of the file is as long as the end's comment. */
const isComment = (tail: DataView, end: number) => tail.getUint16(end + 20, true) === tail.byteLength - end - END_BYTES

function entriesIn(directory: DataView): ArchivedText[] {
  const texts: ArchivedText[] = []
  for (let at = 0; at + 46 <= directory.byteLength && directory.getUint32(at, true) === DIRECTORY_ENTRY; ) {
    const nameBytes = directory.getUint16(at + 28, true)
    const next = at + 46 + nameBytes + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true)
    if (next > directory.byteLength) break
    // Only the ending is read, which every encoding writes alike.
    const name = new TextDecoder('latin1').decode(new Uint8Array(directory.buffer, at + 46, nameBytes))
    if (TEXT.test(name) && !JUNK.test(name))
      texts.push({
        isEncrypted: (directory.getUint16(at + 8, true) & 1) !== 0,
        method: directory.getUint16(at + 10, true),
        packed: directory.getUint32(at + 20, true),
        at: directory.getUint32(at + 42, true),
      })
    at = next
  }
  return texts
}

/** About the first `bytes` of a text's content, and whether they are all of it; none where they cannot be read. */
export async function headOf(
  file: Blob,
  { at, method, packed, isEncrypted }: ArchivedText,
  bytes: number,
): Promise<{ head: Uint8Array<ArrayBuffer>; isWhole: boolean }> {
  const header = await viewOf(file, at, at + 30)
  if (isEncrypted || header.byteLength < 30 || header.getUint32(0, true) !== LOCAL_HEADER) return NOTHING
  const from = at + 30 + header.getUint16(26, true) + header.getUint16(28, true)
  const body = file.slice(from, from + Math.min(packed, bytes))
  if (method === STORED) return { head: new Uint8Array(await body.arrayBuffer()), isWhole: packed <= bytes }
  return method === DEFLATED ? inflateHead(body, bytes) : NOTHING
}
const NOTHING = { head: new Uint8Array(), isWhole: true }

/** Inflates data whose end may be missing. */
async function inflateHead(packed: Blob, bytes: number): Promise<{ head: Uint8Array<ArrayBuffer>; isWhole: boolean }> {
  const reader = packed.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  let isWhole = false
  try {
    while (size < bytes && !isWhole) {
      const { value, done } = await reader.read()
      if (done) isWhole = true
      else {
        chunks.push(value)
        size += value.length
      }
    }
  } catch {
    // The data ends early; what was inflated is enough.
  }
  await reader.cancel().catch(() => {})
  return { head: new Uint8Array(await new Blob(chunks).arrayBuffer()), isWhole }
}

const viewOf = async (file: Blob, from: number, to: number) => new DataView(await file.slice(from, to).arrayBuffer())

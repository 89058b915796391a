/** How the bytes of a text become characters, by the name that TextDecoder takes, with its label on the screens. */
export const TEXT_ENCODINGS = {
  'utf-8': 'UTF-8',
  gb18030: 'GBK',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16BE',
} as const
export type TextEncoding = keyof typeof TEXT_ENCODINGS

/** Bytes at the beginning in which UTF-16 without a byte-order mark is looked for. */
const UTF16_LOOK_BYTES = 1024

/**
 * The encoding of a text by some of its bytes: its beginning, or a part that begins with a character. `isWhole`: the
 * bytes end where the text ends, so an incomplete character at the end is a fault. Bytes that are no text of any of the
 * encodings answer `utf-8`, whose reader then names the line.
 */
export function recogniseEncoding(bytes: Uint8Array, isWhole: boolean): TextEncoding {
  const utf16 = recogniseUtf16(bytes)
  if (utf16) return utf16
  const { bad, long } = utf8Characters(bytes, isWhole)
  // A few broken characters among whole ones of three bytes are a damaged UTF-8 text; GBK hardly ever looks like that.
  if (bad === 0 || long >= bad) return 'utf-8'
  return isGb18030(bytes, isWhole) ? 'gb18030' : 'utf-8'
}

/** By the byte-order mark, or by every other byte being zero. */
function recogniseUtf16(bytes: Uint8Array): TextEncoding | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const head = bytes.subarray(0, UTF16_LOOK_BYTES)
  const zeros = [0, 0] as [number, number]
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1
  const [high, low] = zeros
  if (head.length < 4 || (high + low) * 3 < head.length) return null
  // Where nearly every byte is zero, the bytes are no text.
  if (Math.min(high, low) * 4 > Math.max(high, low)) return null
  return low > high ? 'utf-16le' : 'utf-16be'
}

/** Counts bytes that are not UTF-8, and well-formed characters of three or four bytes. */
function utf8Characters(bytes: Uint8Array, isWhole: boolean): { bad: number; long: number } {
  let bad = 0
  let long = 0
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] as number
    if (lead < 0x80) {
      at++
      continue
    }
    const length =
      lead >= 0xf0 && lead <= 0xf4 ? 4 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xc2 && lead < 0xe0 ? 2 : 0
    let have = 1
    while (have < length && at + have < bytes.length && ((bytes[at + have] as number) & 0xc0) === 0x80) have++
    const isCut = at + have === bytes.length && have < length
    if (isCut && !isWhole) break
    if (have === length && isShortest(lead, bytes[at + 1] as number)) {
      if (length > 2) long++
      at += length
    } else {
      bad++
      at++
    }
  }
  return { bad, long }
}

/** Neither longer than needed, nor a surrogate, nor beyond U+10FFFF. */
const isShortest = (lead: number, second: number): boolean =>
  !(
    (lead === 0xe0 && second < 0xa0) ||
    (lead === 0xed && second > 0x9f) ||
    (lead === 0xf0 && second < 0x90) ||
    (lead === 0xf4 && second > 0x8f)
  )

/** Whether the bytes have the structure of GB18030, of which GBK is a part. */
function isGb18030(bytes: Uint8Array, isWhole: boolean): boolean {
  const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39
  const isLead = (byte: number | undefined) => byte !== undefined && byte >= 0x81 && byte <= 0xfe
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] as number
    if (lead < 0x80) {
      at++
      continue
    }
    const second = bytes[at + 1]
    if (!isLead(lead)) return false
    if (second === undefined) return !isWhole
    if (second >= 0x40 && second <= 0xfe && second !== 0x7f) at += 2
    else if (!isDigit(second)) return false
    else if (at + 3 >= bytes.length) return !isWhole
    else if (isLead(bytes[at + 2]) && isDigit(bytes[at + 3])) at += 4
    else return false
  }
  return true
}

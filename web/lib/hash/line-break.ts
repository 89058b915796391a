const WINDOW_BYTES = 64 * 1024
const NEWLINE = 0x0a
const RETURN = 0x0d

/** `byte`: a line end is one byte, as in UTF-8 and GBK, where no other character holds such a byte. */
export type LineUnit = 'byte' | 'utf-16le' | 'utf-16be'

/** The first line start at or after a byte of the file; the file's size if there is none. */
export async function lineBreakAfter(file: Blob, at: number, unit: LineUnit = 'byte'): Promise<number> {
  const width = unit === 'byte' ? 1 : 2
  // The character before may end a line.
  for (let from = Math.max(0, at - (at % width) - width); from < file.size; from += WINDOW_BYTES) {
    // One more character tells a lone carriage return from one before a newline.
    const bytes = new Uint8Array(await file.slice(from, from + WINDOW_BYTES + width).arrayBuffer())
    const reach = Math.min(bytes.length, WINDOW_BYTES)
    const char = (i: number) =>
      width === 1
        ? bytes[i]
        : unit === 'utf-16le'
          ? (bytes[i] ?? 0) + (bytes[i + 1] ?? 0) * 256
          : (bytes[i] ?? 0) * 256 + (bytes[i + 1] ?? 0)
    for (let i = 0; i < reach; i += width) {
      if (char(i) === NEWLINE || (char(i) === RETURN && char(i + width) !== NEWLINE)) return from + i + width
    }
  }
  return file.size
}

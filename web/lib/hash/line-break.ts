const WINDOW_BYTES = 64 * 1024
const NEWLINE = 0x0a
const RETURN = 0x0d

/** The first line start at or after a byte of the file; the file's size if there is none. */
export async function lineBreakAfter(file: Blob, at: number): Promise<number> {
  // The byte before may end a line.
  for (let from = Math.max(0, at - 1); from < file.size; from += WINDOW_BYTES) {
    // One more byte tells a lone carriage return from one before a newline.
    const bytes = new Uint8Array(await file.slice(from, from + WINDOW_BYTES + 1).arrayBuffer())
    const reach = Math.min(bytes.length, WINDOW_BYTES)
    for (let i = 0; i < reach; i++) {
      if (bytes[i] === NEWLINE || (bytes[i] === RETURN && bytes[i + 1] !== NEWLINE)) return from + i + 1
    }
  }
  return file.size
}

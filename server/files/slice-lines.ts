import { createReadStream } from 'node:fs'

const NEWLINE = 0x0a

/** The lines of a slice, split at LF alone: a cell may hold what other readers take for a line end, such as U+2028. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  let open: Buffer[] = []
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let at = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, at)) {
      yield textOf([...open, chunk.subarray(at, end)])
      open = []
      at = end + 1
    }
    if (at < chunk.length) open.push(chunk.subarray(at))
  }
  if (open.length > 0) yield textOf(open)
}

const textOf = (parts: readonly Buffer[]) => Buffer.concat(parts).toString().replace(/\r$/, '')

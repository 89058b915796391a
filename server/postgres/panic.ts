const ERROR = 0x45
const HEADER = 5

/** The engine broke and answers nothing any more. */
export class Panic extends Error {
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** Reads the engine's answers, in chunks split anywhere, and returns the panic when a message reports one. */
export function panicWatch() {
  let open = Buffer.alloc(0)
  let skip = 0

  return function panicIn(data: Uint8Array): Panic | null {
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    const chunk = open.length > 0 ? Buffer.concat([open, bytes]) : bytes
    open = Buffer.alloc(0)
    let at = Math.min(skip, chunk.length)
    skip -= at
    while (at < chunk.length) {
      const end = at + HEADER > chunk.length ? Number.POSITIVE_INFINITY : at + 1 + chunk.readInt32BE(at + 1)
      const isError = chunk[at] === ERROR
      if (end > chunk.length && (isError || end === Number.POSITIVE_INFINITY)) {
        open = Buffer.from(chunk.subarray(at))
        return null
      }
      if (isError) {
        const { V: severity, M: message = '', C: code = '' } = fieldsOf(chunk.subarray(at + HEADER, end))
        if (severity === 'PANIC') return new Panic(message, code)
      }
      skip = Math.max(0, end - chunk.length)
      at = Math.min(end, chunk.length)
    }
    return null
  }
}

/** The fields of an error message: a letter and its text. */
function fieldsOf(body: Buffer): Record<string, string> {
  const fields = body.toString('utf8').split('\0').filter(Boolean)
  return Object.fromEntries(fields.map((field) => [field[0], field.slice(1)]))
}

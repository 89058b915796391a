export interface Part {
  name: string
  filename: string | null
  content: Buffer
}

/** The parts of a multipart/form-data body; undefined if it has another type. */
export function multipart(contentType: string, body: Buffer): Part[] | undefined {
  const given = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType)
  const boundary = given?.[1] ?? given?.[2]
  if (!boundary) return undefined
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const opening = Buffer.from(`--${boundary}`)
  if (!body.subarray(0, opening.length).equals(opening)) return undefined
  const parts: Part[] = []
  let at = opening.length
  for (;;) {
    if (body.subarray(at, at + 2).toString() === '--') return parts
    if (body.subarray(at, at + 2).toString() !== '\r\n') return undefined
    const headEnd = body.indexOf('\r\n\r\n', at)
    if (headEnd < 0) return undefined
    const end = body.indexOf(delimiter, headEnd + 2)
    if (end < 0) return undefined
    const head = body.subarray(at + 2, headEnd).toString('utf8')
    const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(head)?.[1] ?? ''
    const name = /(?:^|;)\s*name="([^"]*)"/i.exec(disposition)?.[1]
    if (name === undefined) return undefined
    const filename = /;\s*filename="([^"]*)"/i.exec(disposition)?.[1] ?? null
    parts.push({ name, filename, content: body.subarray(headEnd + 4, Math.max(end, headEnd + 4)) })
    at = end + delimiter.length
  }
}

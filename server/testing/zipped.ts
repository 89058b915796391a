import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** An archive of these entries; null makes an empty directory. */
export async function zipped(entries: Record<string, string | Buffer | null>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(entries)) {
    if (content === null) zip.addEmptyDirectory(name)
    else zip.addBuffer(Buffer.from(content), name)
  }
  zip.end()
  return buffer(zip.outputStream)
}

import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { fromBuffer, type ZipFile } from 'yauzl'

/** The entries of a small archive, read with a different library than the one that writes archives. */
export async function unzip(bytes: Buffer): Promise<{ name: string; text: string }[]> {
  const zip = await promisify<Buffer, ZipFile>((buffer, done) =>
    fromBuffer(buffer, { lazyEntries: false, autoClose: false }, done),
  )(bytes)
  const entries: { name: string; text: Promise<string> }[] = []
  await new Promise<void>((done, fail) => {
    zip.on('error', fail)
    zip.on('end', done)
    zip.on('entry', (entry) => {
      const read = new Promise<string>((resolve, reject) => {
        zip.openReadStream(entry, (error, stream) => (error ? reject(error) : text(stream).then(resolve, reject)))
      })
      entries.push({ name: entry.fileName, text: read })
    })
  })
  const all = await Promise.all(entries.map(async ({ name, text: read }) => ({ name, text: await read })))
  zip.close()
  return all
}

import { promisify } from 'node:util'
import { type Entry, fromBuffer, type Options, type ZipFile } from 'yauzl'

const open = promisify(
  fromBuffer as (bytes: Buffer, options: Options, done: (error: Error | null, zip: ZipFile) => void) => void,
)
/** An entry's largest unpacked size. */
const ENTRY_BYTES = 512 * 2 ** 20

export class BrokenArchive extends Error {}

/** Yields the files of a zip one by one. */
export async function* entriesOf(bytes: Buffer): AsyncGenerator<{ name: string; content: Buffer }> {
  let zip: ZipFile
  try {
    zip = await open(bytes, { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true })
  } catch (error) {
    throw new BrokenArchive(String(error))
  }
  for (;;) {
    const entry = await next(zip)
    if (!entry) return
    if (entry.fileName.endsWith('/')) continue
    if (entry.uncompressedSize > ENTRY_BYTES) throw new BrokenArchive(`${entry.fileName} 过大`)
    yield { name: entry.fileName, content: await contentOf(zip, entry) }
  }
}

export const isZip = (bytes: Buffer) => bytes.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 0x03, 0x04]))

const next = (zip: ZipFile) =>
  new Promise<Entry | null>((resolve, reject) => {
    const end = () => {
      zip.removeAllListeners()
    }
    zip.once('entry', (entry: Entry) => {
      end()
      resolve(entry)
    })
    zip.once('end', () => {
      end()
      resolve(null)
    })
    zip.once('error', (error: Error) => {
      end()
      reject(new BrokenArchive(error.message))
    })
    zip.readEntry()
  })

const contentOf = (zip: ZipFile, entry: Entry) =>
  new Promise<Buffer>((resolve, reject) => {
    const failed = (error: Error) => reject(new BrokenArchive(error.message))
    zip.openReadStream(entry, (error, stream) => {
      if (error) return failed(error)
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', failed)
      stream.on('end', () => resolve(Buffer.concat(chunks)))
    })
  })

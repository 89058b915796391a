import { createHash } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { outcome } from '#contract/outcome.ts'
import { isDiskFull } from '../storage/disk-full.ts'
import { nullIfMissing } from '../storage/missing-file.ts'
import { PlatformFault } from './audience-platform.ts'

/** Hexadecimal text shrinks to half at any level; higher ones only cost time. */
const COMPRESSION_LEVEL = 1
/** The fixed time of the archive's entry, so that the same values make the same bytes. */
const ENTRY_TIME = new Date(2020, 0, 1)

/** Longer than any upload takes. */
const LEFT_OVER_MS = 86_400_000

export interface PartFile {
  name: string
  bytes: number
  md5: string
  /** Read from disk while it is sent. */
  blob: Blob
}

export type PartFiles = ReturnType<typeof partFiles>

/** Makes the files of parts under `dir`; the first call deletes files that a killed process left there. */
export function partFiles(dir: string) {
  let swept: Promise<void> | null = null
  return {
    /**
     * Makes a zip with one text entry in a directory of its own, and deletes it after `use`. A zip larger than `most`
     * bytes is refused before anything is sent.
     */
    async with<T>(part: PartText, use: (file: PartFile) => Promise<T>): Promise<T> {
      swept ??= sweep(dir).catch((error: unknown) => {
        swept = null
        orDiskFull(error)
      })
      await swept
      return withPartFile(dir, part, use)
    },
  }
}

interface PartText {
  key: string
  text: AsyncIterable<string | Uint8Array>
  /** Bytes. */
  most: number
  signal: AbortSignal
}

/** Other processes may share the directory, so only files that no upload can still be reading are deleted. */
async function sweep(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  for (const name of await readdir(dir)) {
    const path = join(dir, name)
    const made = await stat(path).catch(nullIfMissing)
    if (made && made.mtimeMs < Date.now() - LEFT_OVER_MS) await rm(path, { recursive: true, force: true })
  }
}

async function withPartFile<T>(
  dir: string,
  { key, text, most, signal }: PartText,
  use: (file: PartFile) => Promise<T>,
): Promise<T> {
  if (!/^[0-9A-Za-z_-]{1,64}$/.test(key))
    throw new PlatformFault('configuration', outcome('part_key_malformed', { key }))
  const own = await mkdtemp(join(dir, 'part-')).catch(orDiskFull)
  try {
    const name = `${key}.zip`
    const path = join(own, name)
    const md5 = createHash('md5')
    let bytes = 0
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length
        md5.update(chunk)
        if (bytes > most)
          done(new PlatformFault('refused', outcome('platform_file_over_limit', { mb: Math.floor(most / 2 ** 20) })))
        else done(null, chunk)
      },
    })
    const zip = new ZipFile()
    const lines = Readable.from(text, { objectMode: false })
    // The archive does not pass its entry's errors on.
    lines.on('error', (error) => measure.destroy(error))
    zip.addReadStream(lines, `${key}.txt`, { mtime: ENTRY_TIME, mode: 0o100600, compressionLevel: COMPRESSION_LEVEL })
    zip.end()
    try {
      await pipeline(zip.outputStream, measure, createWriteStream(path, { mode: 0o600 }), { signal })
    } catch (error) {
      lines.destroy()
      signal.throwIfAborted()
      orDiskFull(error)
    }
    return await use({ name, bytes, md5: md5.digest('hex'), blob: await openAsBlob(path, { type: 'application/zip' }) })
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

function orDiskFull(error: unknown): never {
  if (!isDiskFull(error)) throw error
  throw new PlatformFault('later', outcome('own_disk_full'), { cause: error })
}

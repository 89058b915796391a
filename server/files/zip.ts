import { extname } from 'node:path'
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, openPromise } from 'yauzl'
import { ZIP_RATIO_MAX } from '#contract/file-limits.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { outcome } from '#contract/outcomes/make.ts'
import type { TextEncoding } from '#contract/text-encoding.ts'
import { ZIP_ENTRIES_MAX, ZIP_UNPACKED_MAX } from '#contract/upload.ts'
import { FileFault } from './file-fault.ts'
import { textLooking, utf8From } from './text-encoding.ts'
import { unpackedSizeFault } from './unpacked.ts'

/** The bytes that may still be unpacked for a crowd. */
export interface UnpackBudget {
  left: number
}
/** One budget per crowd, shared by its archives. */
export const unpackBudget = (): UnpackBudget => ({ left: ZIP_UNPACKED_MAX })

/** A text of an archive, or why it cannot be read. The name is for display only. */
export type ArchivedText =
  | { name: string; fault: null; encoding: TextEncoding; bytes: AsyncIterable<Buffer> }
  | { name: string; fault: AnyOutcome }

const TEXTS = new Set(['.txt', '.text', '.csv'])
const ARCHIVES = new Set(['.zip', '.rar', '.7z', '.gz', '.tgz', '.tar', '.bz2', '.xz', '.zst', '.jar'])
const JUNK = /(^|[/\\])(__MACOSX([/\\]|$)|\.DS_Store$|\._[^/\\]*$|Thumbs\.db$|desktop\.ini$)/i
/** Below this size the compression ratio is not checked. */
const RATIO_FREE_BYTES = 1024 * 1024
/** Counts unpacked bytes; throws when they are too many. */
type Take = (bytes: number, entry: Entry, ofEntry: number) => void
const STORED = 0
const DEFLATED = 8

/**
 * The texts of an archive, one after the other; each must be read to its end before the next. A text is unpacked once to
 * verify it before its bytes are given, so that one that turns out to be damaged leaves nothing behind. No file is written
 * under a name from the archive. `chosen`: the encoding of all its texts, recognised for each where it is not given.
 */
export async function* textsOf(
  path: string,
  packed: number,
  budget: UnpackBudget,
  chosen: TextEncoding | null = null,
): AsyncGenerator<ArchivedText> {
  const zip = await openPromise(path, { decodeStrings: false }).catch(broken)
  let unpacked = 0
  const take: Take = (bytes, entry, ofEntry) => {
    unpacked += bytes
    budget.left -= bytes
    if (budget.left < 0) throw new FileFault(outcome('archive_unpacks_too_large', { gb: ZIP_UNPACKED_MAX / 1024 ** 3 }))
    const isOverRatio = (out: number, of: number) => out > RATIO_FREE_BYTES && out > of * ZIP_RATIO_MAX
    if (isOverRatio(ofEntry, entry.compressedSize) || isOverRatio(unpacked, packed)) {
      throw unpackedSizeFault()
    }
  }
  try {
    if (zip.entryCount > ZIP_ENTRIES_MAX) {
      throw new FileFault(outcome('archive_too_many_files', { files: zip.entryCount, max: ZIP_ENTRIES_MAX }))
    }
    let texts = 0
    const entries = zip.eachEntry()
    for (;;) {
      const next = await entries.next().catch(broken)
      if (next.done) break
      const entry = next.value
      const name = nameOf(entry)
      if (/[/\\]$/.test(name) || JUNK.test(name)) continue
      texts++
      const bytes = async function* (counted: typeof take = () => {}) {
        yield* inflated(await zip.openReadStreamPromise(entry).catch(broken), entry, counted)
      }
      let encoding: TextEncoding
      try {
        mustBeText(entry, name)
        encoding = await verified(name, bytes, take, chosen)
      } catch (error) {
        if (!(error instanceof FileFault) || OF_ARCHIVE.has(error.outcome.code)) throw error
        yield { name, fault: error.outcome }
        continue
      }
      yield { name, fault: null, encoding, bytes: bytes() }
    }
    if (texts === 0) throw new FileFault(outcome('archive_without_texts'))
  } finally {
    zip.close()
  }
}

/** Faults of a text that speak of the whole archive: what unpacks too large is not read further. */
const OF_ARCHIVE = new Set<string>(['archive_unpacks_too_large', 'file_too_dense'])

/** Reads a text to its end; answers its encoding, in which every byte can be read. */
async function verified(
  name: string,
  bytes: (counted?: Take) => AsyncIterable<Buffer>,
  take: Take,
  chosen: TextEncoding | null,
): Promise<TextEncoding> {
  const looking = textLooking()
  for await (const chunk of bytes(take)) looking.push(chunk)
  const { encoding: recognised, binary } = looking.look()
  if (binary) throw new FileFault(outcome('file_is_binary', { in_archive: name, format: binary }))
  const encoding = chosen ?? recognised
  if (looking.isAscii() && !encoding.startsWith('utf-16')) return encoding
  const converter = utf8From(encoding, name)
  for await (const chunk of bytes()) converter.push(chunk)
  converter.end()
  return encoding
}

function mustBeText(entry: Entry, name: string) {
  const shown = name.length > 100 ? `…${name.slice(-100).toWellFormed()}` : name
  const ending = extname(name).toLowerCase()
  if (entry.isEncrypted()) throw new FileFault(outcome('archive_encrypted'))
  if (ARCHIVES.has(ending)) throw new FileFault(outcome('archive_in_archive', { name: shown }))
  if (!TEXTS.has(ending)) throw new FileFault(outcome('archive_file_not_text', { name: shown }))
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw new FileFault(outcome('archive_file_packed_otherwise', { name: shown }))
  }
}

async function* inflated(stream: Readable, entry: Entry, take: Take): AsyncGenerator<Buffer> {
  let bytes = 0
  let sum = 0
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  try {
    for (;;) {
      const { done, value } = await chunks.next().catch(broken)
      if (done) break
      bytes += value.length
      take(value.length, entry, bytes)
      sum = crc32(value, sum)
      yield value
    }
  } finally {
    stream.destroy()
  }
  if (sum !== entry.crc32 >>> 0) broken()
}

function broken(error?: unknown): never {
  // An error of the disk is no fault of the archive.
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  if (code !== undefined && !code.startsWith('Z_') && code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  throw new FileFault(outcome('archive_broken'))
}

/** Archives made on Chinese Windows have names in GBK without a flag for it. Postgres cannot store U+0000. */
function nameOf(entry: Entry): string {
  const bytes = entry.fileNameRaw
  for (const encoding of ['utf-8', 'gbk']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes).replaceAll('\0', '')
    } catch {
      // Tries the next encoding.
    }
  }
  return bytes.toString('latin1').replaceAll('\0', '')
}

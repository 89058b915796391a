import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { TextEncoding } from '#contract/text-encoding.ts'
import { throwFileFault } from './file-fault.ts'
import { utf8Transform } from './text-encoding.ts'
import { unpackedSizeFault } from './unpacked.ts'

export const READ_BYTES = 1024 * 1024

export interface Reader {
  /** Reads until `buffer` holds `target` bytes or the file is over; answers how many it holds. */
  fill(buffer: Buffer, have: number, target: number): Promise<number>
  isOver(): boolean
  bytesRead(): number
  close(): void
}

/**
 * Reads a file as UTF-8. `gzip`: the bytes that the file may unpack to; null for a plain file. Without an encoding the
 * bytes are not converted.
 */
export const openReader = (
  path: string,
  gzip: { unpackedLimit: number | undefined } | null,
  encoding: TextEncoding = 'utf-8',
): Reader => (gzip || encoding !== 'utf-8' ? openStreamReader(path, gzip, encoding) : openPlainReader(path))

/** Reads straight into the buffer. */
function openPlainReader(path: string): Reader {
  const opened = open(path).catch(throwFileFault)
  // The error is thrown by the first read.
  opened.catch(() => {})
  let place = 0
  let isOver = false
  /** Holds the byte after those read; if there is none, the slice is the last. */
  const next = Buffer.alloc(1)
  let hasNext = false
  const read = async (buffer: Buffer, at: number, bytes: number) => {
    const file = await opened
    return (await file.read(buffer, at, Math.min(bytes, buffer.length - at), null).catch(throwFileFault)).bytesRead
  }
  return {
    async fill(buffer, have, target) {
      if (isOver) return have
      if (hasNext && have < target) {
        buffer[have++] = next[0] as number
        hasNext = false
      }
      while (have < target) {
        const bytes = await read(buffer, have, Math.max(READ_BYTES, target - have))
        if (bytes === 0) {
          isOver = true
          return have
        }
        have += bytes
        place += bytes
      }
      if (!hasNext) {
        const bytes = await read(next, 0, 1)
        hasNext = bytes === 1
        isOver = !hasNext
        place += bytes
      }
      return have
    },
    isOver: () => isOver,
    bytesRead: () => place,
    close: () => {
      // If the file could not be opened, the first read has already thrown the error.
      void opened.then(
        (file) => file.close(),
        () => {},
      )
    },
  }
}

function openStreamReader(
  path: string,
  gzip: { unpackedLimit: number | undefined } | null,
  encoding: TextEncoding,
): Reader {
  const unpackedLimit = gzip?.unpackedLimit ?? Number.POSITIVE_INFINITY
  const file = createReadStream(path, { highWaterMark: READ_BYTES })
  const plain: Readable = gzip ? file.pipe(createGunzip({ chunkSize: READ_BYTES })) : file
  const bytes = encoding === 'utf-8' ? plain : plain.pipe(utf8Transform(encoding))
  if (plain !== file) file.on('error', (error) => plain.destroy(error))
  if (bytes !== plain) plain.on('error', (error) => bytes.destroy(error))
  const chunks = bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let next: Promise<IteratorResult<Buffer>> | undefined
  let isOver = false
  let unpacked = 0
  const pull = () => chunks.next().catch(throwFileFault)
  return {
    async fill(buffer, have, target) {
      while (!isOver && have < target) {
        const chunk = await (next ?? pull())
        next = undefined
        if (chunk.done) {
          isOver = true
          break
        }
        chunk.value.copy(buffer, have)
        have += chunk.value.length
        unpacked += chunk.value.length
        if (unpacked > unpackedLimit) throw unpackedSizeFault()
      }
      if (!isOver) {
        // The end must be known before the last slice is cut.
        next ??= pull()
        isOver = (await next).done === true
      }
      return have
    },
    isOver: () => isOver,
    bytesRead: () => file.bytesRead,
    close: () => {
      file.destroy()
      plain.destroy()
      bytes.destroy()
    },
  }
}

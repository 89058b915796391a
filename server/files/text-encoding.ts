import { isAscii, isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { Transform, type TransformCallback } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { BINARY_LOOK_BYTES, type Binary, binaryFormat } from '#contract/binary-format.ts'
import { outcome } from '#contract/outcomes/make.ts'
import { recogniseEncoding, type TextEncoding } from '#contract/text-encoding.ts'
import { FileFault } from './file-fault.ts'

/** The encoding is decided by this many bytes, from the first one that is not ASCII. */
const DECIDING_BYTES = 256 * 1024
/** Of a file so many bytes are looked at. */
const FILE_BYTES_MAX = 64 * 1024 ** 2
const READ_BYTES = 256 * 1024
const NEWLINE = 0x0a

export interface TextLook {
  encoding: TextEncoding
  /** What it is if it is no text. */
  binary: Binary | null
}

/** Finds out the encoding of a text whose bytes are given in order, of which it needs no more than `bytesMax`. */
export function textLooking(bytesMax = Number.POSITIVE_INFINITY) {
  const deciding: Buffer[] = []
  let decidingBytes = 0
  let looked = 0
  let isDecided = false
  let found: TextLook | null = null
  return {
    /** True when no more bytes are needed. */
    push(chunk: Buffer): boolean {
      if (isDecided || chunk.length === 0) return isDecided
      if (looked === 0) {
        const head = chunk.subarray(0, BINARY_LOOK_BYTES)
        const binary = binaryFormat(head)
        const encoding = recogniseEncoding(head, false)
        if (binary || encoding.startsWith('utf-16')) found = { encoding, binary }
      }
      looked += chunk.length
      // What is left out ends with ASCII, so what is kept begins with a character.
      if (deciding.length > 0 || !isAscii(chunk)) {
        deciding.push(chunk)
        decidingBytes += chunk.length
      }
      isDecided = found !== null || decidingBytes >= DECIDING_BYTES || looked >= bytesMax
      return isDecided
    },
    look(): TextLook {
      found ??= { encoding: recogniseEncoding(Buffer.concat(deciding), !isDecided), binary: null }
      return found
    },
    /** Whether all bytes that were looked at are ASCII, which every encoding but UTF-16 reads alike. */
    isAscii: () => decidingBytes === 0 && !found?.encoding.startsWith('utf-16'),
  }
}

/** The encoding of a file, of which at most 64 MB are read; what a gzip holds is looked at unpacked, and damage to it is left to its reader. */
export async function lookAtFile(path: string, isGzip = false): Promise<TextLook> {
  const file = createReadStream(path, { highWaterMark: READ_BYTES })
  const bytes = isGzip ? file.pipe(createGunzip({ chunkSize: READ_BYTES })) : file
  file.on('error', (error) => bytes.destroy(error))
  try {
    const looking = textLooking(FILE_BYTES_MAX)
    for await (const chunk of bytes as AsyncIterable<Buffer>) if (looking.push(chunk)) break
    return looking.look()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) return { encoding: 'utf-8', binary: null }
    throw error
  } finally {
    file.destroy()
    bytes.destroy()
  }
}

/** A text of any encoding as UTF-8 without a byte-order mark, chunk by chunk. */
export interface Utf8Converter {
  push(chunk: Buffer): Buffer
  end(): Buffer
}

/** Throws a `FileFault` that names the line of the first bytes that the encoding does not have. */
export function utf8From(encoding: TextEncoding, in_archive: string | null = null): Utf8Converter {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let lines = 0
  const convert = (chunk: Buffer, stream: boolean): Buffer => {
    let text: string
    try {
      text = decoder.decode(chunk, { stream })
    } catch {
      const line = lines + linesBeforeFault(chunk, encoding) + 1
      throw new FileFault(outcome('file_not_in_encoding', { in_archive, line, encoding }))
    }
    const bytes = Buffer.from(text)
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++
    return bytes
  }
  return { push: (chunk) => convert(chunk, true), end: () => convert(Buffer.alloc(0), false) }
}

/** Decodes the chunk with replacement characters and counts the line ends before the first of them. */
function linesBeforeFault(chunk: Buffer, encoding: TextEncoding): number {
  if (encoding === 'utf-8' && isUtf8(chunk)) return 0
  const text = new TextDecoder(encoding).decode(chunk)
  const fault = text.indexOf('\ufffd')
  return text.slice(0, fault === -1 ? text.length : fault).split('\n').length - 1
}

/** The conversion as a stream. */
export function utf8Transform(encoding: TextEncoding): Transform {
  const converter = utf8From(encoding)
  const pass = (work: () => Buffer, done: TransformCallback) => {
    try {
      done(null, work())
    } catch (error) {
      done(error as Error)
    }
  }
  return new Transform({
    transform: (chunk: Buffer, _, done) => pass(() => converter.push(chunk), done),
    flush: (done) => pass(() => converter.end(), done),
    readableHighWaterMark: READ_BYTES,
    writableHighWaterMark: READ_BYTES,
  })
}

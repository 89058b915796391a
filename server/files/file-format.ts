import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import { constants, createGunzip } from 'node:zlib'
import { outcome } from '#contract/outcomes/make.ts'
import type { TextEncoding } from '#contract/text-encoding.ts'
import { FileFault, throwFileFault } from './file-fault.ts'
import { lookAtFile } from './text-encoding.ts'

export type FileFormat = 'csv' | 'ndjson' | 'parquet'
export interface FileKind {
  format: FileFormat
  isGzip: boolean
  /** As recognised from the bytes; of a Parquet file it means nothing. */
  encoding: TextEncoding
}

/** Names of the files in an Excel workbook, which is a zip. */
const WORKBOOK = /\[Content_Types\]\.xml|xl\/|_rels\//
const LOOK_BYTES = 64 * 1024

/** The format of a file by its first bytes; its name decides only if the bytes do not. */
export async function kindOf(path: string, name: string): Promise<FileKind> {
  const head = await headOf(path)
  if (head.length === 0) throw new FileFault(outcome('file_zero_bytes'))
  const isGzip = head[0] === 0x1f && head[1] === 0x8b
  const start = isGzip ? await unzipped(head) : head
  if (start.subarray(0, 4).toString('latin1') === 'PAR1') return { format: 'parquet', isGzip, encoding: 'utf-8' }
  const { encoding, binary } = await lookAtFile(path, isGzip).catch(throwFileFault)
  if (binary === 'zip' && !WORKBOOK.test(start.toString('latin1'))) throw new FileFault(outcome('file_is_zip'))
  if (binary) throw new FileFault(outcome('file_is_binary', { in_archive: null, format: binary }))
  const ending = extname(name.toLowerCase().replace(/\.gz$/, ''))
  if (ending === '.parquet') throw new FileFault(outcome('file_not_parquet'))
  const isJson = ['.ndjson', '.jsonl', '.json'].includes(ending)
  const isCsv = ['.csv', '.tsv', '.txt'].includes(ending)
  const first = new TextDecoder(encoding).decode(start).trimStart()[0]
  return { format: isJson || (!isCsv && first === '{') ? 'ndjson' : 'csv', isGzip, encoding }
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r').catch(throwFileFault)
  try {
    if (!(await file.stat()).isFile()) throw new FileFault(outcome('file_not_a_file'))
    const buffer = Buffer.alloc(LOOK_BYTES)
    const { bytesRead } = await file.read(buffer, 0, LOOK_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** The beginning of the unpacked bytes: 64 KB may unpack to 64 MB. */
async function unzipped(head: Buffer): Promise<Buffer> {
  // The input is only the beginning of the file, so a missing end is no error.
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
  gunzip.end(head)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= LOOK_BYTES) break
    }
  } catch {
    if (size === 0) throw new FileFault(outcome('file_gzip_unreadable'))
  } finally {
    gunzip.destroy()
  }
  return Buffer.concat(chunks)
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { outcome } from '#contract/outcomes/make.ts'
import type { TextEncoding } from '#contract/text-encoding.ts'
import type { FileEngine } from '../clickhouse/open.ts'
import { FileFault, receivedError } from './file-fault.ts'
import { type FileFormat, kindOf } from './file-format.ts'
import { parquetAt } from './parquet.ts'
import { parquetHead } from './parquet-head.ts'
import { PREVIEW_HEAP_MB } from './preview-limits.ts'
import type { Head, TextFile } from './text-head.ts'
import type { HeadAnswer } from './text-head-worker.ts'

export interface FileHead extends Head {
  format: FileFormat
  /** The encoding that it was read in; null for a Parquet file. */
  encoding: TextEncoding | null
}

/**
 * The columns of a file and its first rows, as an import would read them; rows that cannot be read are among them, and
 * long cells are cut. The engine or a worker thread reads the file; the main thread only gets what is shown. A text is
 * read in `chosen`, or else in the encoding that its bytes show.
 */
export async function headOf(
  fileEngine: FileEngine,
  path: string,
  name: string,
  lines: number,
  signal?: AbortSignal,
  chosen?: TextEncoding,
): Promise<FileHead> {
  const { format, isGzip, encoding: recognised } = await kindOf(path, name)
  if (format !== 'parquet') {
    const encoding = chosen ?? recognised
    return { format, encoding, ...(await headOfText({ path, format, isGzip, encoding, lines }, signal)) }
  }
  const directory = mkdtempSync(join(tmpdir(), 'renqun-head-'))
  try {
    const file = await parquetAt(path, isGzip, directory, signal)
    return { format, encoding: null, ...(await parquetHead(await fileEngine(), file, lines, signal)) }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The columns alone. For a Parquet file no row is read. */
export async function columnsOf(
  fileEngine: FileEngine,
  path: string,
  name: string,
  signal?: AbortSignal,
  chosen?: TextEncoding,
): Promise<Pick<FileHead, 'format' | 'columns' | 'encoding'>> {
  const { format } = await kindOf(path, name)
  return headOf(fileEngine, path, name, format === 'parquet' ? 0 : 1, signal, chosen)
}

async function headOfText(file: TextFile, signal?: AbortSignal): Promise<Head> {
  signal?.throwIfAborted()
  const worker = new Worker(new URL('./text-head-worker.ts', import.meta.url), {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: PREVIEW_HEAP_MB },
  })
  const answered = Promise.withResolvers<HeadAnswer>()
  const stop = () => answered.reject(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  worker.once('message', answered.resolve)
  worker.once('error', (error: NodeJS.ErrnoException) =>
    answered.reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new FileFault(outcome('preview_too_large')) : error),
  )
  try {
    const answer = await answered.promise
    if (answer.kind === 'head') return answer.head
    throw receivedError(answer.error)
  } finally {
    signal?.removeEventListener('abort', stop)
    await worker.terminate()
  }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { outcome } from '#contract/outcomes/make.ts'
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
}

/**
 * The columns of a file and its first rows, as an import would read them; unreadable rows are left out, and long cells
 * are cut. The engine or a worker thread reads the file; the main thread only gets what is shown.
 */
export async function headOf(
  fileEngine: FileEngine,
  path: string,
  name: string,
  lines: number,
  signal?: AbortSignal,
): Promise<FileHead> {
  const { format, isGzip } = await kindOf(path, name)
  if (format !== 'parquet') return { format, ...(await headOfText({ path, format, isGzip, lines }, signal)) }
  const directory = mkdtempSync(join(tmpdir(), 'renqun-head-'))
  try {
    const file = await parquetAt(path, isGzip, directory, signal)
    return { format, ...(await parquetHead(await fileEngine(), file, lines, signal)) }
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
): Promise<Pick<FileHead, 'format' | 'columns'>> {
  const { format } = await kindOf(path, name)
  return headOf(fileEngine, path, name, format === 'parquet' ? 0 : 1, signal)
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

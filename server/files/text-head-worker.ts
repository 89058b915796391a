import { parentPort, workerData } from 'node:worker_threads'
import { FileFault } from './file-fault.ts'
import { type Head, type TextFile, textHead } from './text-head.ts'

export type HeadAnswer =
  | { kind: 'head'; head: Head }
  | { kind: 'failed'; message: string; code: string | undefined; isFault: boolean }

async function answer(file: TextFile): Promise<HeadAnswer> {
  try {
    return { kind: 'head', head: await textHead(file) }
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    return { kind: 'failed', message, code, isFault: error instanceof FileFault }
  }
}

// Set by headOf.
parentPort?.postMessage(await answer(workerData as TextFile))

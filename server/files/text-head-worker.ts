import { parentPort, workerData } from 'node:worker_threads'
import { type PostedError, postedError } from './file-fault.ts'
import { type Head, type TextFile, textHead } from './text-head.ts'

export type HeadAnswer = { kind: 'head'; head: Head } | { kind: 'failed'; error: PostedError }

async function answer(file: TextFile): Promise<HeadAnswer> {
  try {
    return { kind: 'head', head: await textHead(file) }
  } catch (error) {
    return { kind: 'failed', error: postedError(error) }
  }
}

// Set by headOf.
parentPort?.postMessage(await answer(workerData as TextFile))

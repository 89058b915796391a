import { createReadStream } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { FileFault } from '../ingest/file-fault.ts'
import { textsOf, type UnpackBudget } from './archive.ts'
import { BadBytes, notUtf8, type TextPass, textPass } from './text-pass.ts'
import type { CheckedFile } from './types.ts'

/** A text of UTF-8 whose lines end with a newline, ready for the engine. */
export interface ReadyText {
  path: string
  size: number
  /** Within an archive; '' for a file that is none. */
  name: string
  /** Lines may end with a carriage return as well. */
  hasReturns: boolean
  /** Removes it, if it was written for this. */
  done(): Promise<void>
}

const READ_BYTES = 1024 * 1024

/** The texts that a file of an upload is or holds, one after the other; each is taken before the next is made. */
export async function* readyTexts(
  file: CheckedFile,
  directory: string,
  budget: UnpackBudget,
  signal?: AbortSignal,
): AsyncGenerator<ReadyText> {
  const packed = (await stat(file.path)).size
  if (!file.name.toLowerCase().endsWith('.zip')) {
    const own = join(directory, `${file.file_id}.txt`)
    const text = await plainText(file.path, own, signal)
    yield { ...text, size: packed, name: '' }
    return
  }
  let number = 0
  for await (const { name, bytes } of textsOf(file.path, packed, budget)) {
    const own = join(directory, `${file.file_id}-${number++}.txt`)
    const pass = textPass()
    const size = await write(own, bytes, pass, signal)
    yield { path: own, size, name, hasReturns: pass.hasReturns(), done: () => rm(own, { force: true }) }
  }
}

async function plainText(path: string, own: string, signal?: AbortSignal) {
  const read = () => createReadStream(path, { highWaterMark: READ_BYTES })
  const pass = textPass()
  try {
    for await (const chunk of read()) {
      signal?.throwIfAborted()
      pass.push(chunk as Buffer)
    }
    pass.end()
  } catch (error) {
    throw await inWords(error, path)
  }
  if (!pass.isChanged()) return { path, hasReturns: pass.hasReturns(), done: async () => {} }
  const again = textPass()
  await write(own, read(), again, signal)
  return { path: own, hasReturns: again.hasReturns(), done: () => rm(own, { force: true }) }
}

async function write(own: string, bytes: AsyncIterable<Buffer>, pass: TextPass, signal?: AbortSignal): Promise<number> {
  const file = await open(own, 'w', 0o600)
  let size = 0
  const put = async (chunk: Buffer) => {
    size += chunk.length
    if (chunk.length > 0) await file.write(chunk)
  }
  try {
    for await (const chunk of bytes) {
      signal?.throwIfAborted()
      await put(pass.push(chunk))
    }
    await put(pass.end())
  } catch (error) {
    if (!(error instanceof BadBytes)) throw error
    await put(error.before)
    throw notUtf8(await lineAt(own, size), 'GBK')
  } finally {
    await file.close()
  }
  return size
}

async function inWords(error: unknown, path: string): Promise<unknown> {
  if (error instanceof BadBytes) return notUtf8(await lineAt(path, error.at), 'GBK')
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' ? new FileFault('文件已不在服务器上，请重新上传') : error
}

/** The number of the line that a byte is on. */
async function lineAt(path: string, at: number): Promise<number> {
  if (at === 0) return 1
  let line = 1
  let wasReturn = false
  for await (const chunk of createReadStream(path, { end: at - 1 })) {
    for (const byte of chunk as Buffer) {
      if (byte === 0x0d || (byte === 0x0a && !wasReturn)) line++
      wasReturn = byte === 0x0d
    }
  }
  return line
}

import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { FileFault } from './file-fault.ts'

export const READ_BYTES = 1024 * 1024

export interface Reader {
  /** Reads until `buffer` holds `target` bytes or the file is over; answers how many it holds. */
  fill(buffer: Buffer, have: number, target: number): Promise<number>
  isOver(): boolean
  bytesRead(): number
  close(): void
}

export function openReader(path: string, isGzip: boolean): Reader {
  const file = createReadStream(path, { highWaterMark: READ_BYTES })
  const bytes: Readable = isGzip ? file.pipe(createGunzip({ chunkSize: READ_BYTES })) : file
  if (isGzip) file.on('error', (error) => bytes.destroy(error))
  const chunks = bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let next: Promise<IteratorResult<Buffer>> | undefined
  let isOver = false
  const pull = () => chunks.next().catch(asFileFault)
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
      }
      if (!isOver) {
        // Whether this was the last of it must be known before it is cut.
        next ??= pull()
        isOver = (await next).done === true
      }
      return have
    },
    isOver: () => isOver,
    bytesRead: () => file.bytesRead,
    close: () => {
      file.destroy()
      bytes.destroy()
    },
  }
}

function asFileFault(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOENT') throw new FileFault('文件不存在或已被移走')
  if (error.code === 'EACCES') throw new FileFault('没有权限读取该文件')
  if (error.code?.startsWith('Z_')) throw new FileFault('压缩文件不完整或已损坏')
  if (error.code === 'EIO' || error.code === 'ESTALE') throw new FileFault('读取文件时磁盘出错')
  throw error
}

import { isEngineError } from '../clickhouse/engine-error.ts'

/** The message when a file cannot be received because the disk is full. */
export const UPLOAD_DISK_FULL = '磁盘空间不足，无法接收文件；请清理磁盘后再上传'

export function isDiskFull(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return (
    code === 'ENOSPC' ||
    code === 'EDQUOT' ||
    code === '53100' ||
    isEngineError(error, 'disk_full') ||
    // Postgres passes on the system's message where it has no code for it.
    (!isEngineError(error) && error instanceof Error && error.message.includes('No space left on device'))
  )
}

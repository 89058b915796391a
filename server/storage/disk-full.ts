/** Said wherever a file cannot be taken in for want of room. */
export const UPLOAD_DISK_FULL = '磁盘空间不足，无法接收文件；请清理磁盘后再上传'

export function isDiskFull(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  // Node's, Postgres' and the warehouse's own, or the system's words that they pass on.
  return (
    code === 'ENOSPC' ||
    code === 'EDQUOT' ||
    code === '53100' ||
    /NOT_ENOUGH_SPACE|No space left on device|errno: 28\b/.test(wordsOf(error))
  )
}

/** With the name that the warehouse's client takes out of its message. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'type' in error ? `${error.type} ${error.message}` : error.message
}

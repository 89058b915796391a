import { isEngineError } from '../clickhouse/engine-error.ts'

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

import { type Outcome, outcome } from '#contract/outcome.ts'
import { isEngineError } from '../../clickhouse/engine-error.ts'
import { AppError } from '../../errors.ts'
import { FileFault } from '../../files/file-fault.ts'
import { isDiskFull } from '../../storage/disk-full.ts'

const OUTAGE_RETRIES = 6
const RETRIES = 1

/** Faults of a file as an AppError with the reason; other errors unchanged. */
export function inWords(error: unknown): unknown {
  if (error instanceof FileFault) return new AppError('importUnreadable', { reason: error.message })
  const reason = UNREADABLE[codeOf(error) ?? '']
  return reason === undefined ? error : new AppError('importUnreadable', { reason })
}

const UNREADABLE: Record<string, string> = {
  ENOENT: '文件不存在或已被移走',
  EACCES: '没有读取它的权限',
  EISDIR: '它是一个目录',
}

/** Unreachable stores come back, so retries go on for longer; other errors would repeat. All jobs wait for Postgres and the warehouse. */
export const retriesOf = (error: unknown): number =>
  isDiskFull(error) ? 0 : isOutage(error) ? OUTAGE_RETRIES : RETRIES

const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])

const isOutage = (error: unknown): boolean => NETWORK.has(codeOf(error) ?? '') || isEngineError(error, 'busy', 'away')

/** The reason shown for an unexpected failure: what the viewer can do about it, else where to look. */
export function outcomeOf(error: unknown): Outcome {
  if (isDiskFull(error)) return outcome('import_disk_full')
  if (isOutage(error)) return outcome('import_database_away')
  if (isEngineError(error, 'memory', 'server_memory')) return outcome('import_out_of_memory')
  return outcome('import_unexpected')
}

const codeOf = (error: unknown): string | undefined => {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

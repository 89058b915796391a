import { type Outcome, outcome } from '#contract/outcome.ts'
import { isEngineError } from '../../clickhouse/engine-error.ts'
import { AppError } from '../../errors.ts'
import { asFileFault, FileFault } from '../../files/file-fault.ts'
import { isDatabaseAway } from '../../postgres/away.ts'
import { isDiskFull } from '../../storage/disk-full.ts'
import { ObjectStoreAway } from '../../storage/object-store-away.ts'

const OUTAGE_RETRIES = 6
const RETRIES = 1

/** Faults of a file as an AppError with the reason; other errors unchanged. */
export function asAppError(error: unknown): unknown {
  const fault = asFileFault(error)
  return fault instanceof FileFault ? new AppError('importUnreadable', { reason: fault.outcome }) : error
}

/** Unreachable stores come back, so retries go on for longer; other errors would repeat. All jobs wait for Postgres and the warehouse. */
export const retriesOf = (error: unknown): number =>
  isDiskFull(error)
    ? 0
    : isDatabaseAway(error) || isObjectStoreOutage(error) || isWarehouseOutage(error)
      ? OUTAGE_RETRIES
      : RETRIES

const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])

/** The database and the warehouse have errors of their own, so any other broken connection is the object store's. */
const isObjectStoreOutage = (error: unknown): boolean =>
  error instanceof ObjectStoreAway || NETWORK.has(codeOf(error) ?? '')
const isWarehouseOutage = (error: unknown): boolean => isEngineError(error, 'busy', 'away')

/** The reason shown for an unexpected failure: what the viewer can do about it, else where to look. */
export function outcomeOf(error: unknown): Outcome {
  if (isDiskFull(error)) return outcome('import_disk_full')
  if (isWarehouseOutage(error)) return outcome('import_warehouse_away')
  if (isDatabaseAway(error)) return outcome('import_database_away')
  if (isObjectStoreOutage(error)) return outcome('import_object_store_away')
  if (isEngineError(error, 'memory', 'server_memory')) return outcome('import_out_of_memory')
  return outcome('import_unexpected')
}

const codeOf = (error: unknown): string | undefined => {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

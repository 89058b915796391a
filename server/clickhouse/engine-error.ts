/** The codes by which callers handle a failed statement. */
export type EngineErrorCode =
  | 'timeout'
  /** The statement reached its own memory limit. */
  | 'memory'
  /** The engine as a whole is short of memory. */
  | 'server_memory'
  | 'disk_full'
  /** The server is overloaded, or lost a connection of its own. */
  | 'busy'
  /** Someone stopped the statement, or a TRUNCATE its deletion of rows; its job may run again. */
  | 'cancelled'
  /** The statement reached a limit of rows or bytes. */
  | 'too_many_rows'
  | 'duplicate_column'
  | 'incompatible_columns'
  | 'different_projections'
  | 'unknown_table'
  | 'unknown_database'
  | 'access_denied'
  | 'read_only'
  | 'sign_in_refused'
  /** The server cannot be reached, or the connection broke: whether the statement took effect is unknown. */
  | 'away'
  | 'other'

/** By the engine's error number. */
const CODES: Record<string, EngineErrorCode> = {
  60: 'unknown_table',
  81: 'unknown_database',
  122: 'incompatible_columns',
  159: 'timeout',
  164: 'read_only',
  192: 'sign_in_refused', // UNKNOWN_USER
  193: 'sign_in_refused', // WRONG_PASSWORD
  194: 'sign_in_refused', // REQUIRED_PASSWORD
  202: 'busy', // TOO_MANY_SIMULTANEOUS_QUERIES
  209: 'busy', // SOCKET_TIMEOUT
  210: 'busy', // NETWORK_ERROR
  236: 'busy', // ABORTED
  241: 'memory',
  243: 'disk_full',
  341: 'cancelled', // UNFINISHED: the mutation was stopped
  394: 'cancelled', // QUERY_WAS_CANCELLED
  396: 'too_many_rows',
  497: 'access_denied',
  516: 'sign_in_refused', // AUTHENTICATION_FAILED
}

/** What an `Engine` throws when a statement fails. Its message is the engine's own text, for the log only. */
export class EngineError extends Error {
  override name = 'EngineError'
  readonly code: EngineErrorCode

  constructor(code: EngineErrorCode, detail: string, cause?: unknown) {
    super(detail, { cause })
    this.code = code
  }
}

export const isEngineError = (error: unknown, ...codes: readonly EngineErrorCode[]): error is EngineError =>
  error instanceof EngineError && (codes.length === 0 || codes.includes(error.code))

/** Calls answer that the warehouse is away, and jobs wait for it. */
export const isWarehouseAway = (error: unknown): error is EngineError => isEngineError(error, 'away')

/** Makes an EngineError of what the client threw. An error that is not the server's own means that it did not answer. */
export function engineError(error: unknown, from: 'server' | 'embedded'): EngineError {
  if (isAnswered(error)) {
    const { code, type, message } = error
    return new EngineError(codeOf(code, message), `${type} (${code}): ${message}`, error)
  }
  const text = error instanceof Error ? error.message : String(error)
  if (from === 'embedded') return new EngineError('other', text, error)
  // The client's own limit for an idle connection: the statement may still be running.
  return new EngineError(/^timeout error/i.test(text) ? 'timeout' : 'away', text, error)
}

/** By its shape: the client and chDB each have their own class ClickHouseError. */
const isAnswered = (error: unknown): error is Error & { code: string; type: string } =>
  error instanceof Error && 'type' in error && 'code' in error && /^\d+$/.test(String(error.code))

/** Some errors share a number; only their text tells them apart. */
function codeOf(number: string, text: string): EngineErrorCode {
  const code = CODES[number] ?? 'other'
  if (code === 'memory' && text.includes('(total)')) return 'server_memory'
  if (code !== 'other') return code
  if (/No space left on device|errno: 28\b/.test(text)) return 'disk_full'
  if (/Tables have different projections/.test(text)) return 'different_projections'
  return /column with this name already exists/.test(text) ? 'duplicate_column' : 'other'
}

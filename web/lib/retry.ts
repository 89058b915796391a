import { type CallError, isFault, UNREACHED } from './call.ts'

/** Pauses between retries, ms; together longer than most restarts. */
const PAUSES = [600, 1200, 2400]

/** The server or one of its stores cannot be reached; any other failure is final. */
export const isOutage = (error: CallError): boolean =>
  (error.code === UNREACHED && (error.status === 0 || error.status >= 502)) ||
  isFault(error, 'databaseAway') ||
  isFault(error, 'warehouseAway')

/** Retries of queries. Only a GET that changes nothing is retried: another call may have been carried out without an answer. */
export const retrying = {
  retry: (failures: number, error: CallError) => failures < PAUSES.length && error.isRead && isOutage(error),
  retryDelay: (failures: number) => PAUSES[failures] ?? 0,
}

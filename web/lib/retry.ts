import { type CallError, isFault, UNREACHED } from './call.ts'

/** Pauses before a call is made again, ms: together longer than most restarts. */
const PAUSES = [600, 1200, 2400]

/** The server or one of its stores cannot be reached just now; any other answer is final. */
export const isOutage = (error: CallError): boolean =>
  (error.code === UNREACHED && (error.status === 0 || error.status >= 502)) ||
  isFault(error, 'databaseAway') ||
  isFault(error, 'warehouseAway')

/** When a query's call is made again. Only a GET that changes nothing: other calls may have been kept unanswered. */
export const retrying = {
  retry: (failures: number, error: CallError) => failures < PAUSES.length && error.isRead && isOutage(error),
  retryDelay: (failures: number) => PAUSES[failures] ?? 0,
}

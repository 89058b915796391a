import { isNetworkCode, type NetworkError, networkSentence } from '#contract/outcomes/network.ts'

/** Longer messages, such as a page of HTML, are cut. */
const LENGTH_MAX = 200

/** Why a connection failed, as the params of an outcome. */
export function networkErrors(error: unknown): NetworkError[] {
  // A name with several addresses gives one error per address and no message of its own.
  if (error instanceof AggregateError) return error.errors.flatMap(networkErrors)
  if (!(error instanceof Error)) return [{ code: null, text: String(error) }]
  const { code } = error as NodeJS.ErrnoException
  const text = (error.message || code || error.name).replace(/\s+/g, ' ').trim().slice(0, LENGTH_MAX)
  if (isNetworkCode(code)) return [{ code, text }]
  if ((error as NodeJS.ErrnoException).syscall === 'getaddrinfo') return [{ code: 'ENOTFOUND', text }]
  // Drivers of databases end their own waiting without a code.
  const isTimeout = typeof code !== 'string' && /timeout|timed out/i.test(text)
  return [{ code: isTimeout ? 'ETIMEDOUT' : null, text }]
}

/** Why a connection failed, in a sentence with the error's own message. */
export const networkReason = (error: unknown): string => networkSentence(networkErrors(error))

import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { outcome } from '#contract/outcomes/make.ts'
import { BATCH_BYTES_MAX } from '#contract/tracking-message.ts'
import { AppError } from '../../errors.ts'

/** What Fastify says of a body that is longer than its limit. */
const BODY_TOO_LARGE = 'FST_ERR_CTP_BODY_TOO_LARGE'
/** Reasons that concern a whole call. Others are of one message, which is listed where it is read. */
const OF_CALLS: readonly string[] = [
  'track_not_an_object',
  'track_batch_not_a_list',
  'track_batch_too_many',
  'track_too_fast',
]

/** Why a whole call was refused, for the list of refusals; null for other errors. */
export function refusedCall(error: Error & { code?: unknown }): AnyOutcome | null {
  if (error.code === BODY_TOO_LARGE) return tooLarge()
  if (!(error instanceof AppError)) return null
  if (error.fault === 'tooLarge') return tooLarge()
  if (error.fault === 'unreadable') return outcome('track_call_unreadable')
  const own = error.outcome
  const { cause } = own.params as { cause?: AnyOutcome }
  const reason = cause ?? own
  return OF_CALLS.includes(reason.code) ? reason : null
}

const tooLarge = () => outcome('track_call_too_large', { kb: BATCH_BYTES_MAX / 1024 })

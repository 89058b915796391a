import { waitsUntil } from './outcome.ts'
import type { AnyOutcome } from './outcomes/entry.ts'
import { OPEN_PUSH, type PushState, type PushStatus } from './push-status.ts'

interface Given {
  status: PushStatus
  /** Why it is paused, failed, or waits for its next attempt. */
  reason: AnyOutcome | null
}

/** A running push with a reason that asks to wait has failed an attempt, and waits for the next one. */
export const pushStateOf = ({ status, reason }: Given): PushState =>
  status === 'running' && reason !== null && waitsUntil(reason) !== null ? 'retrying' : status

/** When the push goes on by itself, in epoch seconds; null where that is not known, or nothing is waited for. */
export const nextAttemptOf = ({ status, reason }: Given): number | null =>
  reason !== null && (status === 'running' || status === 'paused') ? waitsUntil(reason) : null

const isOpen = (status: PushStatus) => OPEN_PUSH.some((one) => one === status)

/** Whether a viewer may cancel it. */
export const isCancellable = ({ state }: { state: PushState }): boolean => state === 'retrying' || isOpen(state)

/** Whether a viewer may have it tried again at once, from where it stopped. */
export const isRetryable = ({ state }: { state: PushState }): boolean =>
  state === 'retrying' || state === 'paused' || state === 'failed' || state === 'cancelled'

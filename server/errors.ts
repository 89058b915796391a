import { FAULTS, type Fault, type FaultWords } from '#contract/errors.ts'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'

/** The words of a fault. Its `reason` is given as an outcome, whose sentence is then the word. */
type GivenWords<F extends Fault> = {
  [W in keyof FaultWords<F>]: W extends 'reason' ? AnyOutcome : string | number
}
type Given<F extends Fault> =
  FaultWords<F> extends undefined ? [words?: undefined, data?: unknown] : [words: GivenWords<F>, data?: unknown]

/** The one error whose message reaches the user; FAULTS has its code, status and message. `data` is sent with the answer. */
export class AppError<F extends Fault = Fault> extends Error {
  fault: F
  status: number
  code: number
  data: unknown
  /** Sent with the answer, and stored as the failure of a job. Its sentence is the message. */
  outcome: AnyOutcome

  constructor(fault: F, ...[words, data]: Given<F>) {
    const own = outcomeOf(fault, words)
    super(sentenceOf(own))
    this.name = 'AppError'
    this.fault = fault
    this.code = FAULTS[fault].code
    this.status = FAULTS[fault].status
    this.data = data ?? null
    this.outcome = own
  }
}

/** A fault whose whole sentence is its reason has the outcome of the reason. */
function outcomeOf(fault: Fault, given: Record<string, string | number | AnyOutcome> = {}): AnyOutcome {
  const { reason, ...others } = given as { reason?: AnyOutcome }
  const words = others as Record<string, string | number>
  if (!reason) return outcome('fault', { fault, words })
  return FAULTS[fault].msg === '{reason}' ? reason : outcome('fault', { fault, words, cause: reason })
}

/** Ends a job with an outcome that viewers read. */
export class OutcomeError extends Error {
  readonly outcome: AnyOutcome
  constructor(outcome: AnyOutcome, more: { cause?: unknown } = {}) {
    super(sentenceOf(outcome), more)
    this.name = 'OutcomeError'
    this.outcome = outcome
  }
}

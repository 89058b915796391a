import { FAULTS, type Fault, type FaultWords, faultSentence } from '#contract/errors.ts'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'

type Given<F extends Fault> =
  FaultWords<F> extends undefined ? [words?: undefined, data?: unknown] : [words: FaultWords<F>, data?: unknown]

/** The one error whose message reaches the user; FAULTS has its code, status and message. `data` is sent with the answer. */
export class AppError<F extends Fault = Fault> extends Error {
  fault: F
  status: number
  code: number
  data: unknown
  /** The same as a job's failure is stored. */
  outcome: AnyOutcome

  constructor(fault: F, ...[words, data]: Given<F>) {
    super(faultSentence(fault, words))
    this.name = 'AppError'
    this.fault = fault
    this.code = FAULTS[fault].code
    this.status = FAULTS[fault].status
    this.data = data ?? null
    this.outcome = outcome('fault', { fault, words: words ?? {} })
  }
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

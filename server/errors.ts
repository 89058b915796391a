import { FAULTS, type Fault, type FaultWords } from '#contract/errors.ts'

type Given<F extends Fault> =
  FaultWords<F> extends undefined ? [words?: undefined, data?: unknown] : [words: FaultWords<F>, data?: unknown]

/** The one error that reaches the user: its code, status and words stand in FAULTS. `data` goes with the answer. */
export class AppError<F extends Fault = Fault> extends Error {
  fault: F
  status: number
  code: number
  data: unknown

  constructor(fault: F, ...[words, data]: Given<F>) {
    const { msg, code, status } = FAULTS[fault]
    super(
      msg.replace(/\{(\w+)\}/g, (_, word: string) => String((words as Record<string, unknown> | undefined)?.[word])),
    )
    this.name = 'AppError'
    this.fault = fault
    this.code = code
    this.status = status
    this.data = data ?? null
  }
}

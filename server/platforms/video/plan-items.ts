import { outcome } from '#contract/outcome.ts'
import { PlatformFault } from '../audience-platform.ts'
import { BUSINESS, verdictOf } from './codes.ts'

interface Changed {
  errors?: { error_message?: string | null | undefined }[] | null | undefined
}

/** The vendor writes money in yuan. */
export const yuanOf = (fen: number): number => Math.round(fen) / 100

/** Throws the fault of an item that failed in a batch that succeeded as a whole. A batch of ours has one item. */
export function mustSucceed({ errors }: Changed): void {
  const [failed] = errors ?? []
  if (!failed) return
  const said = failed.error_message || null
  const verdict = verdictOf({ code: BUSINESS, message: said }, { now: 0, asked: null })
  if (!('fault' in verdict)) return
  throw verdict.fault.kind === 'gone' ? new PlatformFault('gone', outcome('plan_gone_there')) : verdict.fault
}

/**
 * The last second of a day of the platform. Calls that move a plan's end take a number, in contrast to those that create
 * it; that its unit is the second is unconfirmed.
 */
export const lastSecondThere = (day: string): number => Date.parse(`${day}T23:59:59+08:00`) / 1000

/**
 * A refusal that names something missing is about what the plan uses: a plan is read before it is changed, and one that is
 * being created cannot be missing.
 */
export async function goneMeansRefused<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof PlatformFault) || error.kind !== 'gone') throw error
    throw new PlatformFault('refused', error.outcome, { code: error.code, cause: error })
  }
}

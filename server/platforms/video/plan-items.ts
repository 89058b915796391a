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

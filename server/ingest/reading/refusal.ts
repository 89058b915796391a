import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { outcome } from '#contract/outcomes/make.ts'
import { raggedRow } from '../../files/csv-slices.ts'
import type { Refusal } from '../../files/slice.ts'

export const ID_LENGTH_MAX = 512
export const EVENT_LENGTH_MAX = 200

/** The numbers of the reasons in the engine's answer. The first reason that applies counts. */
export const REFUSED = {
  ragged: 1,
  noId: 2,
  longId: 3,
  noEvent: 4,
  longEvent: 5,
  noTime: 6,
  badTime: 7,
  earlyTime: 8,
  lateTime: 9,
  longRow: 10,
  forgotten: 11,
} as const

const OUTCOMES: Record<Exclude<keyof typeof REFUSED, 'ragged'>, AnyOutcome> = {
  longRow: outcome('row_too_long'),
  forgotten: outcome('row_forgotten'),
  noId: outcome('row_without_id'),
  longId: outcome('row_id_too_long', { bytes: ID_LENGTH_MAX }),
  noEvent: outcome('row_without_event'),
  longEvent: outcome('row_event_too_long', { max: EVENT_LENGTH_MAX }),
  noTime: outcome('row_without_time'),
  badTime: outcome('row_time_unreadable'),
  earlyTime: outcome('row_time_too_early'),
  lateTime: outcome('row_time_too_late'),
}
const BY_NUMBER = new Map(Object.entries(OUTCOMES).map(([name, one]) => [REFUSED[name as keyof typeof REFUSED], one]))

/** Why the engine refused a row that has `has` of `wants` columns. */
export function refusalOf(reason: number, has: number, wants: number): Pick<Refusal, 'outcome' | 'countedAs'> {
  if (reason === REFUSED.ragged) return raggedRow(has, wants)
  const refused = BY_NUMBER.get(reason as (typeof REFUSED)[keyof typeof REFUSED])
  if (!refused) throw new Error(`no row is refused for reason ${reason}`)
  return { outcome: refused }
}

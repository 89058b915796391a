import { SECONDS_MAX } from '#contract/common.ts'
import type { LinkUserFilter } from '#contract/link-user.ts'
import type { SqlParams } from '../../clickhouse/bind.ts'

/** Which events count: those of a time, and of some names. */
export interface EventFilter {
  adv_id: number
  /** Epoch seconds, both included; null for no end. */
  from: number | null
  to: number | null
  /** Names of events, any of them; null for all. */
  names: readonly string[] | null
  /** Imports whose rows are left out, because they came after the first page was read. */
  later?: readonly number[]
}

/** Whether everyone is listed, also people without events. */
export const isUnfiltered = ({ from, to, names }: EventFilter): boolean =>
  from === null && to === null && names === null

/** The last days of the year 9999 are in the year 10000 east of Greenwich, which no date here can say. */
const LATEST = SECONDS_MAX - 2 * 86_400

const datable = (seconds: number | undefined) => (seconds === undefined ? null : Math.min(seconds, LATEST))

export const eventFilter = (
  adv_id: number,
  { startTime, endTime }: Pick<LinkUserFilter, 'startTime' | 'endTime'>,
  names: readonly string[] | null,
): EventFilter => ({ adv_id, from: datable(startTime), to: datable(endTime), names })

/** The rows of `event` that count, with the parameters that the condition needs. */
export function eventsWhere({ adv_id, from, to, names, later = [] }: EventFilter): { sql: string; params: SqlParams } {
  const conditions = [
    'adv_id = {adv_id:UInt32}',
    ...(from === null ? [] : [`ts >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')`]),
    // Whole seconds: the last one is included.
    ...(to === null ? [] : [`ts < fromUnixTimestamp64Milli({before:Int64}, 'UTC')`]),
    ...(names === null ? [] : ['name IN {names:Array(String)}']),
    ...(later.length === 0 ? [] : ['NOT has({later:Array(UInt32)}, import_id)']),
  ]
  return {
    sql: conditions.join(' AND '),
    params: {
      adv_id,
      ...(from === null ? {} : { from: from * 1000 }),
      ...(to === null ? {} : { before: (to + 1) * 1000 }),
      ...(names === null ? {} : { names }),
      ...(later.length === 0 ? {} : { later }),
    },
  }
}

import { quote } from '../../clickhouse/bind.ts'
import type { Forgotten } from '../../identifiers/tombstones.ts'
import { firstReason, idReasons, type SliceSql } from './chunk-sql.ts'
import { type EventsPlan, type HashKey, hash128 } from './plan.ts'
import { EVENT_LENGTH_MAX, REFUSED } from './refusal.ts'
import { AHEAD_MS, millisSql } from './time-sql.ts'

/** The columns of a chunk of events besides the common ones. */
export const EVENT_COLUMNS = {
  ts: 'Int64',
  name: 'LowCardinality(String)',
  title: 'String',
  properties: 'Map(String, String)',
}

/** Reads a slice of events into columns: one pass over the lines. */
export function eventChunkSql(
  slice: SliceSql,
  plan: EventsPlan,
  at: {
    timezone: string
    nowMs: number
    messages: HashKey
    known: (id: string) => string
    forgotten?: Forgotten | null
  },
): string {
  const zone = quote(at.timezone)
  const message = plan.messageId === null ? null : slice.cell(plan.messageId)
  const properties = plan.rest.map(({ at, name }) => `${quote(name)}, ${slice.cell(at)}`)
  const earliest = `toUnixTimestamp64Milli(toDateTime64('2000-01-01 00:00:00', 3, ${zone}))`
  const reason = firstReason([
    ...idReasons(slice),
    ...(at.forgotten?.oneId ? [[at.forgotten.oneId('one_id'), REFUSED.forgotten] as const] : []),
    [`name = ''`, REFUSED.noEvent],
    [`lengthUTF8(name) > ${EVENT_LENGTH_MAX}`, REFUSED.longEvent],
    [`time = ''`, REFUSED.noTime],
    ['isNull(ms)', REFUSED.badTime],
    [`ms < ${earliest}`, REFUSED.earlyTime],
    [`ms > ${at.nowMs + AHEAD_MS}`, REFUSED.lateTime],
  ])
  return `
    SELECT r, ${slice.row} AS row, ${slice.cell(plan.id)} AS one_id, ${at.known('one_id')} AS u1,
      ${message ? `if(${message} = '', ${slice.hash}, ${hash128(at.messages, message)})` : slice.hash} AS h,
      ${message ? `${message} != ''` : '0'} AS fixed, ${reason} AS reason, ifNull(ms, 0) AS ts, name,
      ${plan.title === null ? `''` : slice.cell(plan.title)} AS title,
      ${properties.length ? `mapFilter((k, v) -> v != '', map(${properties.join(', ')}))` : `CAST(map(), 'Map(String, String)')`} AS properties
    FROM (SELECT *, ${slice.cell(plan.event)} AS name, ${slice.cell(plan.time)} AS time,
            ${millisSql('time', at.timezone)} AS ms
          FROM ${slice.from})`
}

import { ANONYMOUS_PREFIX } from '#contract/tracking-message.ts'
import { quote } from '../../clickhouse/bind.ts'

/** Batches of an advertiser's tracked messages that are counted together. */
export interface Taken {
  adv_id: number
  batches: readonly number[]
}

/** A condition on track_message for these messages. */
export const takenSql = ({ adv_id, batches }: Taken) =>
  `adv_id = ${adv_id} AND batch IN (${batches.length > 0 ? batches.join(', ') : '0'})`

/** How many of some rows each write key sent. */
export type Senders = readonly (readonly [key_id: number, rows: number])[]

/** The stored form of an anonymous id. */
export const anonymousSql = (id: string) => `concat(${quote(ANONYMOUS_PREFIX)}, ${id})`

/** The person whom a message names: by userId where it has one. */
export const namedSql = `if(user_id != '', user_id, ${anonymousSql('anonymous_id')})`

/** The links of an advertiser's people from these ids on. */
export const linksSql = (adv_id: number, from: string) =>
  `SELECT from_id, since, to_id, by_page FROM person_link FINAL WHERE adv_id = ${adv_id} AND from_id IN (${from})`

/**
 * A select of `rows`, which have an `id` and a time `ts` (epoch milliseconds), with `one_id`: the person to whom the id
 * belonged at that time. `ids` selects the ids of the rows.
 */
export const resolvedSql = (adv_id: number, rows: string, ids: string) =>
  `SELECT m.*, multiIf(l.to_id != '', l.to_id, f.to_id != '', f.to_id, m.id) AS one_id
   FROM (${rows}) AS m
   ASOF LEFT JOIN (${linksSql(adv_id, ids)}) AS l ON l.from_id = m.id AND m.ts >= l.since
   LEFT ANY JOIN (SELECT from_id, argMin(to_id, since) AS to_id FROM (${linksSql(adv_id, ids)}) GROUP BY from_id) AS f
     ON f.from_id = m.id`

import { outcome } from '#contract/outcome.ts'
import { ANONYMOUS_PREFIX } from '#contract/tracking-message.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { type CountedRows, rowCounter } from '../counted-rows.ts'
import { type Claim, DEVICE_LINKS_MAX, newLinks, type PersonLink } from './new-links.ts'
import { anonymousSql, linksSql, type Taken, takenSql } from './taken.ts'

/** How many links one insert stores. */
const LINKS_AT_ONCE = 50_000

/**
 * Stores the links that the identify and alias messages make; returns how many messages of each key made none, since their
 * device had too many. May be repeated. `version` grows with each call.
 */
export async function storeLinks(
  load: AcrossShards,
  taken: Taken,
  version: number,
  signal?: AbortSignal,
): Promise<CountedRows[]> {
  const { adv_id } = taken
  const ask = <T>(sql: string) => load.query<T>(sql, {}, { signal })
  const claims = await ask<Claim & { key_id: number }>(
    `SELECT kind, user_id, anonymous_id, previous_id, ts, is_page AS by_page, key_id FROM track_message
     WHERE ${takenSql(taken)} AND (kind = 'alias' OR kind = 'identify' AND user_id != '' AND anonymous_id != '')
     ORDER BY ts, batch`,
  )
  if (claims.length === 0) return []
  const known = await ask<PersonLink>(linksSql(adv_id, claimedIds(taken)))
  const aliases = claims.filter(({ kind }) => kind === 'alias')
  const people = new Set<string>()
  if (aliases.length > 0) {
    const previous = aliases.flatMap(({ previous_id }) => [previous_id, ANONYMOUS_PREFIX + previous_id])
    const found = await load.query<{ one_id: string }>(
      `SELECT one_id FROM person_key WHERE adv_id = ${adv_id} AND one_id IN ({previous:Array(String)})`,
      { previous },
      { signal },
    )
    for (const { one_id } of found) people.add(one_id)
    const named = new Set(previous)
    const become = [...previous, ...known.flatMap(({ from_id, to_id }) => (named.has(from_id) ? [to_id] : []))]
    const leading = await load.query<PersonLink>(
      `SELECT from_id, since, to_id, by_page FROM person_link FINAL WHERE adv_id = ${adv_id} AND to_id IN ({become:Array(String)})`,
      { become },
      { signal },
    )
    const has = new Set(known.map(keyOf))
    known.push(...leading.filter((link) => !has.has(keyOf(link))))
  }
  const { links, refused } = newLinks(claims, known, (id) => people.has(id))
  for (let from = 0; from < links.length; from += LINKS_AT_ONCE) {
    const rows = links.slice(from, from + LINKS_AT_ONCE).map((link) => ({ adv_id, ...link, version }))
    await load.insert('person_link', rows)
  }
  const notes = rowCounter()
  const full = outcome('track_device_links_full', { max: DEVICE_LINKS_MAX })
  const senders = new Map<number, number>()
  for (const { key_id } of refused) senders.set(key_id, (senders.get(key_id) ?? 0) + 1)
  for (const [part, rows] of senders) notes.add(full, rows, { part })
  return notes.counts()
}

const keyOf = ({ from_id, since }: PersonLink) => JSON.stringify([from_id, since])

/** A select of every id that an identify or alias message names, in its stored form. */
const claimedIds = (taken: Taken) =>
  `SELECT arrayJoin(if(kind = 'alias', [user_id, previous_id, ${anonymousSql('previous_id')}], [user_id, ${anonymousSql('anonymous_id')}]))
   FROM track_message WHERE ${takenSql(taken)} AND (kind = 'alias' OR kind = 'identify' AND user_id != '')`

/**
 * A select of the ids that these messages may have made another person: those they name, and those that became the person
 * of an alias.
 */
export const touchedIds = (taken: Taken) => {
  const aliased = `SELECT user_id FROM track_message WHERE ${takenSql(taken)} AND kind = 'alias'`
  return `${claimedIds(taken)} UNION ALL SELECT from_id FROM person_link FINAL
    WHERE adv_id = ${taken.adv_id} AND (to_id IN (${aliased})
      OR to_id IN (SELECT to_id FROM person_link FINAL WHERE adv_id = ${taken.adv_id} AND from_id IN (${aliased})))`
}

import { outcome } from '#contract/outcome.ts'
import { ANONYMOUS_PREFIX } from '#contract/tracking-message.ts'
import { quote } from '../../clickhouse/bind.ts'
import { type Handles, sumOf } from '../../clickhouse/handles.ts'
import { forgottenCell } from '../../identifiers/forms-sql.ts'
import type { Forgotten } from '../../identifiers/tombstones.ts'
import { rowCounter } from '../counted-rows.ts'
import type { LoadedData } from '../load-types.ts'
import { anonymousSql, namedSql, resolvedSql, type Taken, takenSql } from './taken.ts'

/**
 * The kind of a message whose texts are gone: refused when it was to be counted, or removed when its person was forgotten.
 * Its row stays, since a batch is whole only with all of its rows.
 */
type Emptied = 'refused' | 'removed'
const NOT_EMPTIED = `kind NOT IN ('refused', 'removed')`
const KEYS_AT_ONCE = 1000

/** A condition on messages: they are of a forgotten person, by whom they name or by the phone that they bring. */
function theirsSql(forgotten: Forgotten): string {
  const { oneId } = forgotten
  const phone = forgottenCell('MOBILE_PHONE', `trimBoth(properties['phone'])`, forgotten)
  const any = [
    ...(oneId
      ? [
          oneId(namedSql),
          `kind = 'alias' AND (${oneId('previous_id')} OR ${oneId(`concat(${quote(ANONYMOUS_PREFIX)}, previous_id)`)})`,
        ]
      : []),
    ...(phone === null ? [] : [`kind = 'identify' AND ${phone}`]),
  ]
  return any.length === 0 ? '0' : `(${any.map((one) => `(${one})`).join(' OR ')})`
}

const emptied = (column: string, isTheirs: string) => `${column} = if(${isTheirs}, '', ${column})`

/**
 * Takes the texts out of the messages of forgotten people, and their device out of messages of others; answers how many
 * messages were theirs. May be repeated. `where`: a condition on track_message.
 */
export async function emptyMessages(
  { everyShard }: Pick<Handles, 'everyShard'>,
  where: string,
  forgotten: Forgotten,
  as: Emptied,
): Promise<number> {
  if (forgotten.count === 0) return 0
  const isTheirs = theirsSql(forgotten)
  const device = forgotten.oneId ? `(user_id != '' AND ${forgotten.oneId(anonymousSql('anonymous_id'))})` : '0'
  const found = await everyShard.query<{ theirs: number; devices: number }>(
    `SELECT countIf(${isTheirs}) AS theirs, countIf(${device}) AS devices FROM track_message WHERE ${where} AND ${NOT_EMPTIED}`,
  )
  if (sumOf(found, 'theirs') + sumOf(found, 'devices') > 0) {
    await everyShard.command(
      `ALTER TABLE track_message UPDATE kind = if(${isTheirs}, '${as}', kind), anonymous_id = '',
         ${['message_id', 'user_id', 'previous_id', 'event', 'title'].map((column) => emptied(column, isTheirs)).join(', ')},
         properties = if(${isTheirs}, CAST(map(), 'Map(String, String)'), properties)
       WHERE ${where} AND ${NOT_EMPTIED} AND (${isTheirs} OR ${device}) SETTINGS mutations_sync = 2`,
    )
  }
  return sumOf(found, 'theirs')
}

/** How many messages of forgotten people there are. */
export async function countMessages(
  { everyShard }: Pick<Handles, 'everyShard'>,
  where: string,
  forgotten: Forgotten,
): Promise<number> {
  if (forgotten.count === 0) return 0
  return sumOf(
    await everyShard.query<{ n: number }>(
      `SELECT count() AS n FROM track_message WHERE ${where} AND ${NOT_EMPTIED} AND ${theirsSql(forgotten)}`,
    ),
    'n',
  )
}

/**
 * Takes the texts out of messages without a userId that a person sent from a device that somebody else used too: as long as
 * the links of the person are there.
 */
export async function emptyShared(
  { acrossShards, everyShard }: Pick<Handles, 'acrossShards' | 'everyShard'>,
  adv_id: number,
  one_ids: readonly string[],
): Promise<number> {
  if (one_ids.length === 0) return 0
  const names = one_ids.map(quote).join(', ')
  const devices = `SELECT from_id FROM person_link WHERE adv_id = ${Number(adv_id)} AND to_id IN (${names})`
  const sent = `adv_id = ${Number(adv_id)} AND ${NOT_EMPTIED} AND user_id = '' AND ${anonymousSql('anonymous_id')} IN (${devices})`
  const messages = `SELECT batch, message_id, ${anonymousSql('anonymous_id')} AS id, ts FROM track_message WHERE ${sent}`
  const rows = await acrossShards.query<{ batch: number; message_id: string }>(
    `SELECT DISTINCT batch, message_id FROM (${resolvedSql(Number(adv_id), messages, devices)}) WHERE one_id IN (${names})`,
  )
  for (let at = 0; at < rows.length; at += KEYS_AT_ONCE) {
    const keys = rows.slice(at, at + KEYS_AT_ONCE).map((row) => `(${Number(row.batch)}, ${quote(row.message_id)})`)
    await everyShard.command(
      `ALTER TABLE track_message UPDATE kind = 'removed', message_id = '', anonymous_id = '', previous_id = '', event = '',
         title = '', properties = CAST(map(), 'Map(String, String)')
       WHERE adv_id = ${Number(adv_id)} AND user_id = '' AND (batch, message_id) IN (${keys.join(', ')}) SETTINGS mutations_sync = 2`,
    )
  }
  return rows.length
}

/** The messages that were refused because their person was forgotten, as an import of the others counts them. */
export async function withRefused(
  { everyShard }: Pick<Handles, 'everyShard'>,
  taken: Taken,
  loaded: LoadedData,
): Promise<LoadedData> {
  const refused = await everyShard.query<{ key_id: number; n: number }>(
    `SELECT key_id, count() AS n FROM track_message WHERE ${takenSql(taken)} AND kind = 'refused' GROUP BY key_id`,
  )
  const rows = sumOf(refused, 'n')
  if (rows === 0) return loaded
  const reasons = rowCounter()
  for (const { key_id, n } of refused.flat()) reasons.add(outcome('row_forgotten'), n, { part: key_id })
  return {
    ...loaded,
    rows: loaded.rows + rows,
    refused: loaded.refused + rows,
    reasons: [...loaded.reasons, ...reasons.counts()],
  }
}

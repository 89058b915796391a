import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { sentenceOf } from '#contract/outcome.ts'
import { LATELY_SECONDS, type listLately } from '#contract/tracking.ts'
import { MESSAGE_KINDS, type MessageKind } from '#contract/tracking-message.ts'
import { quote } from '../../clickhouse/bind.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import type { Viewer } from '../../http/viewer.ts'
import { hash128, messageKey } from '../../ingest/reading/plan.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'

interface Deps {
  db: Kysely<Database>
  live: AcrossShards
}

interface Stored {
  batch: number
  key_id: number
  received: number
  kind: MessageKind
  message_id: string
  anonymous_id: string
  user_id: string
  previous_id: string
  event: string
  title: string
  ts: number
  properties: Record<string, string>
  /** The id of its event, by its message id. */
  row: string
}

/** Messages of forgotten people are of no kind, and nothing is left of them. */
const SHOWN = `kind IN (${MESSAGE_KINDS.map(quote).join(', ')})`
const MINUTE = 60

const rowOf = (adv_id: number) => hash128(messageKey(adv_id), 'message_id')

/** What tracking calls brought lately, from the messages that are not removed yet. */
export function latelyService({ db, live }: Deps) {
  type Query = z.output<typeof listLately.query>

  async function messages({ adv_id, key_id, most }: Query) {
    const of = `adv_id = {adv_id:UInt32} AND ${SHOWN}${key_id === undefined ? '' : ' AND key_id = {key_id:UInt32}'}`
    const params = { adv_id, key_id: key_id ?? 0, most }
    const rows = await live.query<Stored>(
      `SELECT batch, key_id, received, kind, message_id, anonymous_id, user_id, previous_id, event, title, ts, properties,
         toString(${rowOf(adv_id)}) AS row
       FROM track_message WHERE ${of}
         AND batch IN (SELECT DISTINCT batch FROM track_message WHERE ${of} ORDER BY batch DESC LIMIT {most:UInt32})
       ORDER BY received DESC, batch DESC, ts DESC, message_id LIMIT {most:UInt32}`,
      params,
    )
    const counted = await importsOf(adv_id, [...new Set(rows.map(({ batch }) => batch))])
    const [repeats, shownNames] = await Promise.all([
      repeatsAmong(adv_id, [...new Set(counted.values())], [...new Set(rows.map(({ message_id }) => message_id))]),
      displayNames(adv_id, [...new Set(rows.map(({ event }) => event))]),
    ])
    return rows.map(({ batch, received, ts, properties, row, ...message }) => ({
      ...message,
      display_name: shownNames.get(message.event) ?? message.event,
      received_at: Math.floor(received / 1000),
      happened_at: Math.max(0, Math.floor(ts / 1000)),
      properties: Object.entries(properties).map(([name, text]) => ({ name, text })),
      is_counted: counted.has(batch),
      is_repeat: message.kind !== 'identify' && message.kind !== 'alias' && repeats.has(`${counted.get(batch)} ${row}`),
    }))
  }

  async function displayNames(adv_id: number, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (names.length === 0) return new Map()
    const rows = await db
      .selectFrom('event_name')
      .select(['name', 'display_name'])
      .where('adv_id', '=', adv_id)
      .where('name', 'in', names)
      .execute()
    return new Map(rows.map(({ name, display_name }) => [name, display_name]))
  }

  /** The imports that counted the events of these batches. */
  async function importsOf(adv_id: number, batches: readonly number[]): Promise<ReadonlyMap<number, number>> {
    if (batches.length === 0) return new Map()
    const rows = await db
      .selectFrom('tracking_batch')
      .innerJoin('import as events', 'events.id', 'tracking_batch.events_import')
      .leftJoin('import as users', 'users.id', 'tracking_batch.users_import')
      .select(['batch', 'events.id as import_id'])
      .where('tracking_batch.adv_id', '=', adv_id)
      .where('batch', 'in', batches)
      .where('events.status', '=', 'done')
      .where((eb) => eb.or([eb('users.id', 'is', null), eb('users.status', '=', 'done')]))
      .execute()
    return new Map(rows.map(({ batch, import_id }) => [batch, import_id]))
  }

  /** Imports with the events that they left out, because their message id was used before or twice. */
  async function repeatsAmong(adv_id: number, imports: readonly number[], ids: readonly string[]) {
    if (imports.length === 0) return new Set<string>()
    const rows = await live.query<{ import_id: number; row: string }>(
      `SELECT DISTINCT import_id, toString(row_id) AS row FROM event_repeat
       WHERE adv_id = {adv_id:UInt32} AND import_id IN {imports:Array(UInt32)}
         AND row_id IN (SELECT ${rowOf(adv_id)} FROM (SELECT arrayJoin({ids:Array(String)}) AS message_id))`,
      { adv_id, imports, ids },
    )
    return new Set(rows.map(({ import_id, row }) => `${import_id} ${row}`))
  }

  async function minutes({ adv_id, key_id }: Query) {
    const last = Math.floor(now() / MINUTE) * MINUTE
    const first = last - LATELY_SECONDS + MINUTE
    const rows = await live.query<{ at: number; messages: number }>(
      `SELECT intDiv(received, ${MINUTE * 1000}) * ${MINUTE} AS at, count() AS messages FROM track_message
       WHERE adv_id = {adv_id:UInt32}${key_id === undefined ? '' : ' AND key_id = {key_id:UInt32}'}
         AND received >= {first:Int64} GROUP BY at`,
      { adv_id, key_id: key_id ?? 0, first: first * 1000 },
    )
    const found = new Map(rows.map((row) => [row.at, row.messages]))
    return Array.from({ length: LATELY_SECONDS / MINUTE }, (_, no) => {
      const at = first + no * MINUTE
      return { at, messages: found.get(at) ?? 0 }
    })
  }

  async function refusals({ adv_id, key_id, most }: Query) {
    const all = db
      .selectFrom('tracking_refusal')
      .selectAll()
      .where('adv_id', '=', adv_id)
      .orderBy('id', 'desc')
      .limit(most)
    const rows = await (key_id === undefined ? all : all.where('key_id', '=', key_id)).execute()
    return rows.map((row) => ({ ...row, reason: sentenceOf(row.outcome) }))
  }

  return {
    async list(viewer: Viewer, query: Query): Promise<z.input<typeof listLately.data>> {
      viewer.mustBeMember(query.adv_id)
      const [shown, refused, perMinute] = await Promise.all([messages(query), refusals(query), minutes(query)])
      return { messages: shown, refusals: refused, minutes: perMinute }
    },
  }
}
export type LatelyService = ReturnType<typeof latelyService>

import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { Handles } from '../../clickhouse/handles.ts'
import { type CountedRows, rowCounter } from '../counted-rows.ts'
import type { LoadedData, LoadRun } from '../load-types.ts'
import { openNumbering } from '../numbering.ts'
import { COMMON } from '../reading/chunk-reader.ts'
import { EVENT_COLUMNS } from '../reading/events.ts'
import { type EventsPlan, hash128, messageKey } from '../reading/plan.ts'
import { dropParts, stageOf, stages } from '../stage.ts'
import { chunkStore } from '../storing/chunk-store.ts'
import { storeDaysSql } from '../storing/events.ts'
import { storedRows } from '../storing/load-report.ts'
import { storeLinks, touchedIds } from './links.ts'
import { noteMoves } from './merge-people.ts'
import { namedSql, resolvedSql, type Senders, type Taken, takenSql } from './taken.ts'

/** Names of events of an advertiser that lists and tags offer, and of the properties of all of them together. */
const EVENTS_MAX = 10_000
const PROPERTIES_MAX = 1000
/** Everybody can read the key of a page, so it brings new names only while there are fewer. Each event makes a tag. */
const PAGE_EVENTS_MAX = 1000
const PAGE_PROPERTIES_MAX = 500

export interface MessageJob extends Taken {
  import_id: number
  nowMs: number
  lastUid: number
  /** The advertiser's events with the properties that are offered. */
  events: readonly { name: string; properties: readonly string[] }[]
}

/** Brings tracked messages into the stages of an import, as the rows of a file. May be repeated after a kill. */
export async function loadMessages(
  { load, timezone, personKey }: { load: Handles; timezone: string; personKey: Buffer },
  job: MessageJob,
  { signal, progress }: LoadRun = {},
): Promise<LoadedData> {
  const { import_id, adv_id } = job
  const { acrossShards, oneNode, everyShard } = load
  progress?.(0, '读取消息')
  // The traits' import stores the same links before; what is refused is told once, here, where all messages come by.
  const refusedLinks = await storeLinks(acrossShards, job, import_id, signal)
  const stage = stages(everyShard, 'events', import_id)
  await stage.create()
  const numbering = await openNumbering({
    load,
    import_id,
    adv_id,
    kind: 'events',
    keys: stage.stage('person_key'),
    fileBytes: 1,
    lastUid: job.lastUid,
    signal,
  })
  const { store } = await chunkStore({
    load,
    job: { import_id, adv_id, nowMs: job.nowMs, mapping: { kind: 'events' } },
    stage,
    key: messageKey(adv_id),
    numbering,
    slots: NO_SLOTS,
    personKey,
    signal,
  })
  const chunk = await readChunk()
  const duplicate = chunk.facts.good === 0 ? 0 : (await store(chunk)).duplicates
  const rows = stage.stage('event')
  const total = { rows: chunk.facts.good, refused: 0, duplicate }
  const stored = await storedRows(acrossShards, rows, { ...total, lastPerson: numbering.last() })
  const found = stored === 0 ? NOTHING : await eventsFound(rows, stage.stage('event_day'))
  await noteMoves(load, job, touchedIds(job))
  await dropParts(oneNode, import_id)
  return {
    ...total,
    stored,
    new_people: numbering.newPeople(),
    reasons: [],
    attributes: [],
    ...found,
    warnings: [...refusedLinks, ...found.warnings],
    brought: { attributes: [], events: found.events },
  }

  /** All messages that are events as one chunk: a message id counts once, and links say whose they are. */
  async function readChunk() {
    const name = stageOf(import_id, 'chunk0')
    const columns = { ...COMMON, ...EVENT_COLUMNS }
    const where = `${takenSql(job)} AND event != ''`
    const [size] = await acrossShards.query<{ n: number }>(`SELECT count() AS n FROM track_message WHERE ${where}`)
    const isKnown = await numbering.keepIds({ rows: size?.n ?? 0, bytesRead: 1 })
    const definitions = Object.entries(columns).map((column) => column.join(' '))
    await oneNode.command(`CREATE TABLE ${name} (${definitions.join(', ')}) ENGINE = Memory`)
    const ids = `SELECT ${namedSql} FROM track_message WHERE ${where}`
    const messages = `SELECT ${namedSql} AS id, message_id, ts, event, title, properties, batch FROM track_message WHERE ${where}`
    await acrossShards.command(
      `INSERT INTO ${name} (${Object.keys(columns).join(', ')})
       SELECT rowNumberInAllBlocks() AS r, r AS row, one_id, ${isKnown ? numbering.numberOf('one_id') : 'toUInt32(0)'} AS u1,
         ${hash128(messageKey(adv_id), 'message_id')} AS h, 1 AS fixed, 0 AS reason, ts, event, title, properties
       FROM (SELECT * FROM (${resolvedSql(adv_id, messages, ids)}) ORDER BY batch)`,
      {},
      { signal },
    )
    const [facts] = await oneNode.query<{
      good: number
      last: number
      unknownIds: number
      messages: number
      lo: string
      hi: string
    }>(
      `SELECT count() AS good, max(r) AS last, countIf(u1 = 0) AS unknownIds, good AS messages, toString(min(ts)) AS lo,
         toString(max(ts)) AS hi FROM ${name}`,
      {},
      { signal },
    )
    if (!facts) throw new Error('a count answers one row')
    return { name, plan: PLAN, isKnown, facts, firstNumber: null, slice: { rows: facts.good } }
  }

  async function namedByServers(): Promise<ServerNames> {
    const [row] = await acrossShards.query<{ events: string[]; properties: string[] }>(
      `SELECT groupUniqArray(event) AS events, groupUniqArrayArray(mapKeys(properties)) AS properties FROM track_message
       WHERE ${takenSql(job)} AND event != '' AND is_page = 0`,
      {},
      { signal },
    )
    return { events: new Set(row?.events), properties: new Set(row?.properties) }
  }

  /** Who sent the stored messages of each event. */
  async function withSenders<Found extends { name: string }>(from: string, found: readonly Found[]) {
    const rows = await acrossShards.query<{ name: string; senders: Senders }>(
      `SELECT name, groupArray((key_id, n)) AS senders FROM (
         SELECT event AS name, key_id, count() AS n FROM (
           SELECT event, key_id, message_id FROM track_message WHERE ${takenSql(job)} AND event != ''
           ORDER BY batch, key_id LIMIT 1 BY message_id)
         WHERE ${hash128(messageKey(adv_id), 'message_id')} IN (SELECT row_id FROM ${from}) GROUP BY name, key_id)
       GROUP BY name`,
      {},
      { signal },
    )
    const senders = new Map(rows.map((row) => [row.name, row.senders]))
    return found.map((one) => ({ ...one, senders: senders.get(one.name) ?? [] }))
  }

  /** The events with the properties that each has, and their days. What exceeds the bounds is kept and not offered. */
  async function eventsFound(from: string, days: string): Promise<Pick<LoadedData, 'events' | 'days' | 'warnings'>> {
    await acrossShards.command(storeDaysSql(days, from, timezone), {}, { signal, settings: { optimize_on_insert: 0 } })
    const found = await acrossShards.query<{ name: string; rows: number; keys: string[] }>(
      `SELECT name, count() AS rows, arraySort(groupUniqArrayArray(mapKeys(properties))) AS keys FROM ${from} GROUP BY name
       ORDER BY name`,
      {},
      { signal },
    )
    const ofDays = await acrossShards.query<{ day: string }>(
      `SELECT DISTINCT toString(day) AS day FROM ${days} ORDER BY day`,
    )
    // Whose names they are matters only near the bounds.
    const strict = offered(job.events, found, NOBODY)
    const kept =
      strict.warnings.length === 0
        ? strict
        : offered(job.events, await withSenders(from, found), await namedByServers())
    return { ...kept, days: ofDays.map(({ day }) => day) }
  }
}

/** The names of events and properties that keys of servers sent. */
interface ServerNames {
  events: ReadonlySet<string>
  properties: ReadonlySet<string>
}

/** An advertiser's events and properties are offered up to a bound; known ones always. */
export function offered(
  known: MessageJob['events'],
  found: readonly { name: string; rows: number; keys: readonly string[]; senders?: Senders }[],
  byServers: ServerNames,
): { events: LoadedData['events']; warnings: CountedRows[] } {
  const names = new Set(known.map(({ name }) => name))
  const properties = new Set(known.flatMap((event) => event.properties))
  const warnings = rowCounter()
  const events = found.flatMap(({ name, rows: all, keys, senders = [[0, all]] }) => {
    const warn = (full: AnyOutcome) => {
      for (const [part, rows] of senders) warnings.add(full, rows, { part })
    }
    const eventsMax = byServers.events.has(name) ? EVENTS_MAX : PAGE_EVENTS_MAX
    if (!names.has(name) && names.size >= eventsMax) {
      warn(outcome('track_events_full', { max: eventsMax }))
      return []
    }
    names.add(name)
    let full = 0
    const own = keys.filter((key) => {
      const max = byServers.properties.has(key) ? PROPERTIES_MAX : PAGE_PROPERTIES_MAX
      if (!properties.has(key) && properties.size >= max) {
        full = Math.max(full, max)
        return false
      }
      properties.add(key)
      return true
    })
    if (full > 0) warn(outcome('track_properties_full', { max: full }))
    return [{ name, properties: own }]
  })
  return { events, warnings: warnings.counts() }
}

const NOBODY: ServerNames = { events: new Set(), properties: new Set() }

/** The chunk is made without a file, so no column has a place. */
const PLAN: EventsPlan = { kind: 'events', id: 0, event: 0, time: 0, title: null, messageId: 0, rest: [] }
const NOTHING = { events: [], days: [], warnings: [] }
/** Events have no attributes. */
const NO_SLOTS = { columns: () => [] }

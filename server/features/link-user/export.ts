import { downloadHead, downloadLine } from '#contract/download-csv.ts'
import type { LinkUser } from '#contract/link-user.ts'
import type { AcrossShards } from '../../clickhouse/handles.ts'
import { phonesFor } from '../../files/mask-phones.ts'
import type { Viewer } from '../../http/viewer.ts'
import { timeText } from '../../time/day.ts'
import { countEvents, eventsAfter, type OwnEvents, type Stored, timelineRow } from './behaviour.ts'
import type { KnownEvents } from './events.ts'
import { type EventFilter, eventsWhere, isUnfiltered } from './filter.ts'
import { describePeople, type Person, visitsOf } from './people.ts'

/** Rows of one part: few enough for the memory of the process, many enough for the engine. */
const EXPORTED_AT_ONCE = 5000

const PEOPLE_HEAD = ['One ID', '姓名', '手机号', '最近访问时间', '事件数']

interface Asked {
  filter: EventFilter
  timezone: string
  personKey: Buffer
}

/** What the list says of people, as lines of a csv. */
function peopleLines(engine: AcrossShards, viewer: Viewer, { filter, timezone, personKey }: Asked) {
  const say = phonesFor(viewer)
  return async (people: readonly Person[]): Promise<string> => {
    const visits = visitsOf(engine, filter, people)
    const rows = await describePeople(engine, viewer, people, { adv_id: filter.adv_id, visits, personKey })
    return rows
      .filter(({ total }) => total > 0 || isUnfiltered(filter))
      .map((row) => downloadLine(cellsOf(row, say, timezone)))
      .join('')
  }
}

/** The list of people who are named, as a file. */
export async function* exportNamed(
  engine: AcrossShards,
  viewer: Viewer,
  asked: Asked,
  people: readonly Person[],
): AsyncGenerator<string> {
  yield downloadHead(PEOPLE_HEAD)
  yield await peopleLines(engine, viewer, asked)(people)
}

/**
 * People in the order in which they became known, by ranges of their numbers: a file of any size takes the same memory,
 * and each range reads only its own people's events.
 */
export async function* exportPeople(engine: AcrossShards, viewer: Viewer, asked: Asked): AsyncGenerator<string> {
  const { filter } = asked
  const linesOf = peopleLines(engine, viewer, asked)
  yield downloadHead(PEOPLE_HEAD)
  const { sql, params } = eventsWhere(filter)
  const range = 'uid >= {first:UInt32} AND uid < {end:UInt64}'
  const visited = isUnfiltered(filter) ? '' : `AND uid IN (SELECT uid FROM event WHERE ${sql} AND ${range})`
  const [known] = await engine.query<{ end: number }>(
    'SELECT toFloat64(max(uid)) + 1 AS end FROM person_key WHERE adv_id = {adv_id:UInt32}',
    { adv_id: filter.adv_id },
  )
  for (let first = 0; first < (known?.end ?? 0); first += EXPORTED_AT_ONCE) {
    const people = await engine.query<Person>(
      `SELECT uid, one_id FROM person_key WHERE adv_id = {adv_id:UInt32} AND ${range} ${visited} ORDER BY uid`,
      { ...params, first, end: first + EXPORTED_AT_ONCE },
    )
    yield await linesOf(people)
  }
}

const cellsOf = (row: LinkUser, say: (text: string) => string, timezone: string) => [
  say(row.oneID),
  say(row.name),
  row.phone ?? '',
  row.enter_time === null ? '' : timeText(row.enter_time, timezone),
  String(row.total),
]

/**
 * One person's events, the newest first. The file breaks off if the person's events became others meanwhile, as by a
 * merge or because the person was forgotten: it would lack some, or have them twice.
 */
export async function* exportEvents(
  engine: AcrossShards,
  viewer: Viewer,
  own: OwnEvents,
  { events, timezone }: { events: KnownEvents; timezone: string },
): AsyncGenerator<string> {
  const say = phonesFor(viewer)
  yield downloadHead(['时间', '事件', '内容'])
  const expected = await countEvents(engine, own)
  let written = 0
  let last: Stored | undefined
  do {
    const rows = await eventsAfter(engine, own, last, EXPORTED_AT_ONCE)
    if (rows.length > 0) {
      yield rows
        .map((row) => timelineRow(row, events, timezone))
        .map(({ date, title, info }) => downloadLine([date, say(title), say(info)]))
        .join('')
    }
    written += rows.length
    last = rows.length < EXPORTED_AT_ONCE ? undefined : rows.at(-1)
  } while (last)
  const now = await countEvents(engine, own)
  if (written !== expected || now !== expected) {
    throw new Error(
      `events of a person changed while they were written: ${expected} first, ${written} written, ${now} now`,
    )
  }
}

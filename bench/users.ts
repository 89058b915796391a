// What somebody waits for at the list of people and a person's page, one after the other and ten at once, beside the
// plain query over raw events that gives the same page and number.
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type { AcrossShards } from '../server/clickhouse/handles.ts'
import { storeDaysSql } from '../server/ingest/storing/events.ts'
import { openConsole } from './console.ts'
import { answeredBy } from './http.ts'
import { percentile, randomBelow, timed } from './measure.ts'

const { values: given } = parseArgs({
  options: {
    people: { type: 'string', default: '5000000' },
    events: { type: 'string', default: '50000000' },
    rounds: { type: 'string', default: '40' },
  },
})
const people = Number(given.people)
const events = Number(given.events)
const rounds = Number(given.rounds)
const CLIENTS = 10
const PLAIN_ROUNDS = 3
const ADV_DAYS = 90
const DAY = 86_400
const NAMES = ['曝光', '浏览', '访问', '加购', '下单', '支付', '分享', '领券']
const TAGS = 200
/** Rows of one insert; each is of one month. */
const AT_ONCE = 5_000_000

const { postgres, warehouse, settings, services, origin, cookie, close } = await openConsole()
const { acrossShards: load } = warehouse.load
const { acrossShards: live } = warehouse.live
const zone = settings.timezone
const yesterday = Math.floor(Date.now() / 1000 / DAY) * DAY - 1
const first = yesterday - ADV_DAYS * DAY

/** Some people come often, most of them seldom; the first event is the most frequent one. */
async function insert(adv_id: number) {
  await load.command(
    `INSERT INTO person_key (adv_id, one_id, uid) SELECT ${adv_id}, concat('U', leftPad(toString(number), 9, '0')), number FROM numbers(1, ${people})`,
  )
  await load.command(
    `INSERT INTO person_row (adv_id, uid, bucket, ts, line, row_id, name, phone)
     SELECT ${adv_id}, number, bitShiftRight(number, 20), '2026-01-01 00:00:00', number, number, concat('用户', toString(number)), '' FROM numbers(1, ${people})`,
  )
  const months = await load.query<{ from: number; to: number }>(
    `SELECT toFloat64(min(at)) AS from, toFloat64(max(at)) AS to FROM
       (SELECT ${first} + number * 3600 AS at FROM numbers(${ADV_DAYS * 24}))
     GROUP BY toYYYYMM(toDateTime(at, 'UTC')) ORDER BY from`,
  )
  let seed = 1
  for (const { from, to } of months) {
    const share = Math.round((events * (to + 3600 - from)) / (ADV_DAYS * DAY))
    for (let done = 0; done < share; done += AT_ONCE) {
      const many = Math.min(AT_ONCE, share - done)
      await load.command(
        `INSERT INTO event (adv_id, bucket, uid, ts, name, title, properties, row_id)
         SELECT ${adv_id}, bitShiftRight(uid, 20), uid, fromUnixTimestamp64Milli(toInt64(${from} * 1000 + intHash64(number + ${seed}) % ${(to + 3600 - from) * 1000}), 'UTC'),
           ['${NAMES.join("','")}'][least(8, 1 + toUInt8(floor(-log(1 - (intHash32(number * 3 + ${seed}) / 4294967296)) * 1.6)))], '',
           map('媒体', toString(number % 7)), number + ${seed}
         FROM (SELECT number, toUInt32(1 + floor(pow(intHash32(number + ${seed}) / 4294967296, 2) * ${people - 1})) AS uid FROM numbers(${many}))`,
      )
      seed += AT_ONCE
    }
  }
  await load.command(storeDaysSql('event_day', `(SELECT * FROM event WHERE adv_id = ${adv_id})`, zone))
  await postgres.db
    .insertInto('event_name')
    .values(NAMES.map((name) => ({ adv_id, name, display_name: name, properties: '["媒体"]' })))
    .execute()
  await insertProfiles(adv_id)
  const tables = ['person_key', 'person_row', 'identifier', 'tag_member', 'event', 'event_day']
  for (const table of tables) await settled(load, table)
}

/** A device of each person, and tags that each hold a twentieth of them. */
async function insertProfiles(adv_id: number) {
  await load.command(
    `INSERT INTO identifier (adv_id, id_type, value_hash, uid)
     SELECT ${adv_id}, 'HASH_IMEI', lower(hex(MD5(toString(number)))), number FROM numbers(1, ${people})`,
  )
  const { id: category_id } = await postgres.db
    .insertInto('tag_category')
    .values({ adv_id, name: '标签', icon: 'other', tag_type: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const own = { adv_id, category_id, tag_type: 1 as const, is_automatic: false, is_built_in: false, is_dirty: false }
  const definition = JSON.stringify({ kind: 'attribute', attribute: '属性', condition: { is: 'exists' } })
  const tags = await postgres.db
    .insertInto('tag')
    .values(
      Array.from({ length: TAGS }, (_, no) => ({
        ...own,
        definition,
        name: `标签${no}`,
        version: 1,
        count: 0,
        counted_at: yesterday,
        created_at: yesterday,
      })),
    )
    .returning('id')
    .execute()
  for (const { id } of tags) {
    await load.command(
      `INSERT INTO tag_member (adv_id, tag_id, version, bucket, bitmap)
       SELECT ${adv_id}, ${id}, 1, bitShiftRight(number, 20) AS bucket, groupBitmapState(toUInt32(number))
       FROM numbers(1, ${people}) WHERE intHash32(number * ${TAGS} + ${id}) % 20 = 0 GROUP BY bucket`,
    )
  }
}

/** Waits until the engine merges nothing more, as it would have by the time somebody looks. */
async function settled(engine: AcrossShards, table: string) {
  for (;;) {
    const [row] = await engine.query<{ n: number }>(
      `SELECT count() AS n FROM system.merges WHERE database = currentDatabase() AND table = '${table}'`,
    )
    if (!row?.n) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

interface Listed {
  data: { oneID: string; total: number; enter_time: number }[]
  total: number
  event: { id: number }[]
}

const answered = answeredBy(origin, cookie)

/** Page 1 and the number of people, from the rows themselves. */
async function plain(adv_id: number, where: string): Promise<{ ids: string[]; total: number }> {
  const [rows, [count]] = await Promise.all([
    live.query<{ one_id: string }>(
      `SELECT one_id FROM
         (SELECT uid, max(ts) AS last, count() AS n FROM event WHERE adv_id = ${adv_id} AND ${where} GROUP BY uid ORDER BY last DESC LIMIT 10 WITH TIES) AS e
       INNER JOIN (SELECT uid, one_id FROM person_key WHERE adv_id = ${adv_id}) AS k USING uid ORDER BY last DESC, one_id LIMIT 10`,
      {},
      { settings: { optimize_use_projections: 0 } },
    ),
    live.query<{ n: number }>(
      `SELECT uniqExact(uid) AS n FROM event WHERE adv_id = ${adv_id} AND ${where}`,
      {},
      { settings: { optimize_use_projections: 0 } },
    ),
  ])
  return { ids: rows.map(({ one_id }) => one_id), total: count?.n ?? 0 }
}

const random = randomBelow(7)

try {
  const adv_id = await services.advertisers.create(null, '用户')
  const [made] = await timed(() => insert(adv_id))
  const { event } = await answered<Listed>(`/api/linkuser/list?adv_id=${adv_id}`)
  const oneID = () => `U${String(1 + random(people)).padStart(9, '0')}`
  const someDays = () => {
    const from = first + random(ADV_DAYS - 14) * DAY + random(DAY)
    return { from, to: from + 7 * DAY + random(7 * DAY) }
  }
  const list = `/api/linkuser/list?adv_id=${adv_id}`
  const calls = {
    'list, page 1': () => list,
    'list, by event and time': () => {
      const { from, to } = someDays()
      return `${list}&event=${event[random(event.length)]?.id}&startTime=${from}&endTime=${to}`
    },
    'list, by One ID': () => `${list}&oneID=${oneID()}`,
    'a person’s profile': () => `/api/linkuser/profile?adv_id=${adv_id}&oneID=${oneID()}`,
    'a person’s page': () => `/api/linkuser/info?adv_id=${adv_id}&oneID=${oneID()}`,
  }
  const names = Object.keys(calls) as (keyof typeof calls)[]

  // The same page and the same number as the plain query, before anything is measured.
  const checks = [
    { query: '', where: '1', isAll: true },
    ...Array.from({ length: 3 }, () => {
      const { from, to } = someDays()
      return {
        query: `&event=${event[2]?.id}&startTime=${from}&endTime=${to}`,
        where: `name = '${NAMES[2]}' AND ts >= toDateTime64(${from}, 3, 'UTC') AND ts < toDateTime64(${to + 1}, 3, 'UTC')`,
        isAll: false,
      }
    }),
  ]
  for (const { query, where, isAll } of checks) {
    const [ours, theirs] = [await answered<Listed>(`${list}${query}`), await plain(adv_id, where)]
    const ids = ours.data.map((row) => row.oneID)
    if (ids.join() !== theirs.ids.join()) throw new Error(`another page: ${ids} and ${theirs.ids}`)
    if (ours.total !== (isAll ? people : theirs.total)) throw new Error(`${ours.total} and ${theirs.total} people`)
  }

  const alone = new Map<string, number[]>()
  for (const name of names) {
    const times: number[] = []
    for (let round = 0; round < rounds + 3; round++) {
      const [ms] = await timed(() => answered(calls[name]()))
      // The first rounds compile code and fill caches.
      if (round >= 3) times.push(ms)
    }
    alone.set(name, times)
  }
  const together: number[] = []
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let round = 0; round < rounds; round++) {
        const [ms] = await timed(() => answered(calls[names[(client + round) % names.length] ?? 'list, page 1']()))
        together.push(ms)
      }
    }),
  )
  const plainList: number[] = []
  const plainFiltered: number[] = []
  for (let round = 0; round < PLAIN_ROUNDS; round++) {
    plainList.push((await timed(() => plain(adv_id, '1')))[0])
    plainFiltered.push((await timed(() => plain(adv_id, checks[1]?.where ?? '1')))[0])
  }

  const shown = (times: readonly number[]) =>
    `p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms`
  console.log(
    `${people} people, ${events} events made in ${(made / 1000).toFixed(0)} s; ${rounds} rounds, load ${loadavg()[0]?.toFixed(1)}`,
  )
  for (const [name, times] of alone) console.log(`${name}: ${shown(times)}`)
  console.log(`all of these, ${CLIENTS} clients at once: ${shown(together)}`)
  console.log(`plain query for page 1: ${shown(plainList)}; by event and time: ${shown(plainFiltered)}`)
  const ours = percentile(alone.get('list, page 1') ?? [], 0.5)
  const filtered = percentile(alone.get('list, by event and time') ?? [], 0.5)
  const rounded = (value: number) => Math.round(value * 10) / 10
  console.log(
    `RESULT ${JSON.stringify({
      // Of the slowest call: the quick ones would hide it.
      p95_ms: rounded(Math.max(...[...alone.values()].map((times) => percentile(times, 0.95)))),
      times_faster_than_plain: rounded(percentile(plainList, 0.5) / ours),
      ten_clients_p95_ms: rounded(percentile(together, 0.95)),
      filtered_times_faster: rounded(percentile(plainFiltered, 0.5) / filtered),
    })}`,
  )
} finally {
  await close()
}
process.exit(0)

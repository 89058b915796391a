// The speed of imports until the tags count the new rows, compared with the engine's own INSERT … SELECT FROM file of the
// same file in the same store. Rules are counted over HTTP during both imports of events.
import { statSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import type { ImportMapping } from '#contract/import.ts'
import { openConsole } from './console.ts'
import type { WatchData, Watched } from './import-watch.ts'
import { percentile, timed } from './measure.ts'

const { values: given } = parseArgs({
  options: {
    users: { type: 'string', default: '10000000' },
    events: { type: 'string', default: '10000000' },
    /** How often each file is imported, ours and the peer's in turn; the median counts. */
    rounds: { type: 'string', default: '3' },
  },
})
const users = Number(given.users)
const events = Number(given.events)
const rounds = Number(given.rounds)
const DAYS = 90
/** Milliseconds between questions whether tags are counted, which take processor time too. */
const POLL_MS = 50

const { warehouse, postgres, services, origin, cookie, dataDir, close } = await openConsole()

/** Writes a file with cells without quotes, as in most files. */
async function writeFile(path: string, header: string, columns: string[], rows: number) {
  const names = columns.map((_, at) => `c${at} String`).join(', ')
  await warehouse.load.acrossShards.command(
    `INSERT INTO FUNCTION file('${path}', 'CustomSeparated', '${names}')
     SELECT * FROM (SELECT ${header
       .split(',')
       .map((name) => `'${name}'`)
       .join(', ')}
       UNION ALL SELECT ${columns.map((column) => `toString(${column})`).join(', ')} FROM numbers(${rows}))
     SETTINGS format_custom_field_delimiter = ',', format_custom_escaping_rule = 'Raw', max_threads = 1`,
  )
}

const pick = (salt: number, values: string[]) =>
  `[${values.map((value) => `'${value}'`).join(', ')}][1 + cityHash64(number, ${salt}) % ${values.length}]`
const below = (salt: number, bound: number) => `cityHash64(number, ${salt}) % ${bound}`

const USERS = {
  path: join(dataDir, 'users.csv'),
  header: 'user_id,gender,city_level,age,channel,member_level,last_order,spend',
  columns: [
    `concat('u', leftPad(toString(number), 9, '0'))`,
    pick(1, ['男', '女', '']),
    pick(2, ['一线', '新一线', '二线', '三线', '四线', '五线']),
    `18 + ${below(3, 50)}`,
    pick(4, ['应用商店', '搜索', '信息流', '线下', '朋友推荐', '直播']),
    pick(5, ['普通', '银卡', '金卡', '黑金']),
    `toDate('2026-01-01') + ${below(6, 300)}`,
    `${below(7, 5000)} / 10`,
  ],
  peer: `user_id String, gender LowCardinality(String), city_level LowCardinality(String), age UInt8,
    channel LowCardinality(String), member_level LowCardinality(String), last_order Date, spend Float64`,
  order: 'ORDER BY user_id',
  mapping: { kind: 'users', id: 'user_id', identifiers: [], skip: [] } satisfies ImportMapping,
}
const lastDay = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
const EVENTS = {
  path: join(dataDir, 'events.csv'),
  header: 'user_id,event,time,title,amount,source',
  columns: [
    `concat('u', leftPad(toString(${below(11, users)}), 9, '0'))`,
    pick(12, ['浏览', '浏览', '浏览', '浏览', '浏览', '收藏', '加购', '下单', '支付', '分享']),
    `toDateTime('${lastDay} 00:00:00') - ${DAYS * 86_400} + intDiv(number * ${DAYS * 86_400}, ${events})`,
    `concat('页面 ', toString(${below(13, 2000)}))`,
    `${below(14, 100000)} / 100`,
    pick(15, ['app', '小程序', 'H5', '网页']),
  ],
  peer: 'user_id String, event LowCardinality(String), time DateTime, title String, amount Float64, source LowCardinality(String)',
  order: 'PARTITION BY toYYYYMM(time) ORDER BY (user_id, time)',
  mapping: {
    kind: 'events',
    id: 'user_id',
    event: 'event',
    time: 'time',
    title: 'title',
    skip: [],
  } satisfies ImportMapping,
}
type Data = typeof USERS | typeof EVENTS

async function runPeer(name: string, data: Data) {
  await warehouse.load.acrossShards.command(`CREATE TABLE ${name} (${data.peer}) ENGINE = MergeTree ${data.order}`)
  const [took] = await timed(() =>
    warehouse.load.acrossShards.command(
      `INSERT INTO ${name} SELECT * FROM file('${data.path}', 'CSVWithNames', '${data.peer}')`,
    ),
  )
  return took
}

/** Imports the file and waits until every tag of the advertiser counts its rows. */
async function runOurs(adv_id: number, data: Data, rows: number) {
  const [took, report] = await timed(async () => {
    const id = await services.imports.startFile(adv_id, data.path, data.mapping)
    const row = await services.imports.wait(id, new AbortController().signal, () => {})
    if (!row.report) throw new Error(row.error ?? 'the import failed')
    await tagsCounted(adv_id)
    return row.report
  })
  if (report.stored !== rows) throw new Error(`${rows} rows, but ${JSON.stringify(report)}`)
  return { took, imported: report.took_ms }
}

async function tagsCounted(adv_id: number) {
  for (;;) {
    const waiting = await postgres.db
      .selectFrom('tag')
      .select('id')
      .where('adv_id', '=', adv_id)
      .where((eb) => eb.or([eb('is_dirty', '=', true), eb('count', 'is', null)]))
      .limit(1)
      .execute()
    if (waiting.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

async function mustAgree(adv_id: number, meaning: object, peerSql: string) {
  const row = await postgres.db
    .selectFrom('tag')
    .select('count')
    .where('adv_id', '=', adv_id)
    .where(sql<boolean>`definition @> ${JSON.stringify(meaning)}::jsonb`)
    .executeTakeFirst()
  const [peer] = await warehouse.load.acrossShards.query<{ n: number }>(peerSql)
  if (row?.count !== peer?.n)
    throw new Error(`${JSON.stringify(meaning)}: ${row?.count} people by tag, ${peer?.n} by SQL`)
}

function watch(data: WatchData) {
  const worker = new Worker(new URL('./import-watch.ts', import.meta.url), { workerData: data })
  const watched = new Promise<Watched>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  watched.catch(() => {})
  return () => {
    worker.postMessage('stop')
    return watched
  }
}

let cpuBefore = process.cpuUsage()
/** This process's processor time since the last call; other work of the machine hardly changes it. */
function cpuSeconds(): string {
  const { user, system } = process.cpuUsage(cpuBefore)
  cpuBefore = process.cpuUsage()
  return `${((user + system) / 1e6).toFixed(1).padStart(6)} s of processor`
}

const median = (values: readonly number[]) => percentile(values, 0.5)
const say = (what: string, rows: number, took: number, note = '') =>
  console.log(
    `${what.padEnd(34)} ${(took / 1000).toFixed(1).padStart(7)} s  ${Math.round(rows / (took / 1000))
      .toLocaleString('en')
      .padStart(11)} rows/s  ${cpuSeconds()}  ${note}`,
  )
const rate = (rows: number, took: number) => Math.round(rows / (took / 1000))

try {
  console.log(
    `${users.toLocaleString('en')} users, ${events.toLocaleString('en')} events, load ${loadavg()[0]?.toFixed(1)}`,
  )
  await writeFile(USERS.path, USERS.header, USERS.columns, users)
  await writeFile(EVENTS.path, EVENTS.header, EVENTS.columns, events)
  const size = (path: string) => `${Math.round(statSync(path).size / 2 ** 20)} MB`
  console.log(`users.csv ${size(USERS.path)}, events.csv ${size(EVENTS.path)}\n`)

  const took = { usersPeer: [] as number[], users: [] as number[], eventsPeer: [] as number[], events: [] as number[] }
  const during: Watched = { counts: [], healthz: [] }
  for (let round = 1; round <= rounds; round++) {
    const adv_id = await services.advertisers.create(null, `广告主 ${round}`)
    await tagsCounted(adv_id)
    cpuSeconds()
    took.usersPeer.push(await runPeer(`peer_users_${round}`, USERS))
    say('users: the engine alone', users, took.usersPeer.at(-1) ?? 0)
    cpuSeconds()
    const ofUsers = await runOurs(adv_id, USERS, users)
    took.users.push(ofUsers.took)
    say('users: ours, tags counted', users, ofUsers.took, `imported after ${(ofUsers.imported / 1000).toFixed(1)} s`)
    await mustAgree(
      adv_id,
      { attribute: 'city_level', condition: { value: '一线' } },
      `SELECT count() AS n FROM peer_users_${round} WHERE city_level = '一线'`,
    )

    cpuSeconds()
    const stop = watch({ origin, cookie, adv_id })
    took.eventsPeer.push(await runPeer(`peer_events_${round}`, EVENTS))
    say('events: the engine alone', events, took.eventsPeer.at(-1) ?? 0, 'rules counted all the while')
    await stop()
    cpuSeconds()
    const stopOurs = watch({ origin, cookie, adv_id })
    const ofEvents = await runOurs(adv_id, EVENTS, events)
    const { counts, healthz } = await stopOurs()
    during.counts.push(...counts)
    during.healthz.push(...healthz)
    took.events.push(ofEvents.took)
    say(
      'events: ours, tags counted',
      events,
      ofEvents.took,
      `imported after ${(ofEvents.imported / 1000).toFixed(1)} s, rules counted all the while`,
    )
    await mustAgree(
      adv_id,
      { event: '支付', window_days: null },
      `SELECT uniqExact(user_id) AS n FROM peer_events_${round} WHERE event = '支付'`,
    )
    for (const name of [`peer_users_${round}`, `peer_events_${round}`])
      await warehouse.load.acrossShards.command(`DROP TABLE ${name} SYNC`)
  }
  const ms = (value: number) => Math.round(value * 10) / 10
  const count_p95_ms_during = ms(percentile(during.counts, 0.95))
  const healthz_p95_ms_during = ms(percentile(during.healthz, 0.95))
  console.log(
    `\nwhile events came in: ${during.counts.length} counts, p50 ${ms(percentile(during.counts, 0.5))} ms, p95 ${count_p95_ms_during} ms, ` +
      `slowest ${ms(Math.max(...during.counts))} ms; /healthz p95 ${healthz_p95_ms_during} ms, slowest ${ms(Math.max(...during.healthz))} ms\n`,
  )
  console.log(
    `RESULT ${JSON.stringify({
      users_rows_s: rate(users, median(took.users)),
      users_ratio: Number((median(took.usersPeer) / median(took.users)).toFixed(2)),
      events_rows_s: rate(events, median(took.events)),
      events_ratio: Number((median(took.eventsPeer) / median(took.events)).toFixed(2)),
      count_p95_ms_during,
      healthz_p95_ms_during,
    })}`,
  )
} finally {
  await close()
}
process.exit(0)

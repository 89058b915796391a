// What somebody waits for at the list of activities, its totals, marks, comparisons and exports, with 10,000 activities and
// 90 days of every metric, beside the plain query over bare rows that gives the same sums.
import { request } from 'node:http'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { metricValue } from '#contract/activity/formulas.ts'
import { REPORTED, type ReportedKey } from '#contract/activity/metrics.ts'
import { ACTIVITY_EXPORT_PATH } from '#contract/activity-export.ts'
import { analyzeChangedTables } from '../server/postgres/tidy-tables.ts'
import { makeActivities } from './activities-data.ts'
import { openConsole } from './console.ts'
import { answeredBy } from './http.ts'
import { percentile, randomBelow, timed } from './measure.ts'

const { values: given } = parseArgs({
  options: {
    activities: { type: 'string', default: '10000' },
    days: { type: 'string', default: '90' },
    rounds: { type: 'string', default: '40' },
  },
})
const rounds = Number(given.rounds)
const PLAIN_ROUNDS = 5
/** Filters that nobody has asked for, each of a tenth of the activities. */
const TENTHS = 9
const GOAL_MS = 300
const DAY = 86_400

const opened = await openConsole()
const { warehouse, origin, cookie, close } = opened
const answered = answeredBy(origin, cookie)
const random = randomBelow(5)

interface Listed {
  list: ({ id: number; children: Record<string, number | null>[] } & Record<string, unknown>)[]
  total: number
}
interface Total {
  total: number
  plans: number
  sums: Record<string, number | null>
}

/** How long a download takes until its first byte, and until its end. */
const downloaded = (path: string) =>
  new Promise<{ first: number; whole: number }>((resolve, reject) => {
    const started = performance.now()
    let first = 0
    const call = request(`${origin}${path}`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } }, (answer) => {
      answer.on('data', () => {
        first ||= performance.now() - started
      })
      answer.on('end', () =>
        answer.statusCode === 200
          ? resolve({ first, whole: performance.now() - started })
          : reject(new Error(`${path}: ${answer.statusCode}`)),
      )
    })
    call.on('error', reject)
    call.end()
  })

/** Rows of numbers and nothing else: what counts, of plans that activities have. */
async function makeBareRows(adv_id: number) {
  const { acrossShards } = warehouse.load
  await acrossShards.command(
    `CREATE TABLE bare (account_id String, plan_id String, date Date, ${REPORTED.map((key) => `${key} Int64`).join(', ')})
     ENGINE = MergeTree ORDER BY (date, account_id, plan_id)`,
  )
  await acrossShards.command(
    `INSERT INTO bare SELECT account_id, plan_id, date, ${REPORTED.map((key) => `metrics['${key}']`).join(', ')}
     FROM report_day WHERE adv_id = ${adv_id}
       AND (date, account_id, source, version) IN (
         SELECT date, account_id, source, max(version) FROM report_day WHERE adv_id = ${adv_id} GROUP BY date, account_id, source)`,
  )
}

async function plainSums(from: string, to: string): Promise<Record<ReportedKey, bigint>> {
  const [row] = await warehouse.live.acrossShards.query<{ sums: string[] }>(
    `SELECT [${REPORTED.map((key) => `toString(sum(toInt128(${key})))`).join(', ')}] AS sums FROM bare
     WHERE date BETWEEN '${from}' AND '${to}'`,
  )
  return Object.fromEntries(REPORTED.map((key, at) => [key, BigInt(row?.sums[at] ?? 0)])) as Record<ReportedKey, bigint>
}

const shown = (times: readonly number[]) =>
  `p50 ${percentile(times, 0.5).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms`
const rounded = (value: number) => Math.round(value)

try {
  const [made, data] = await timed(() =>
    makeActivities(opened, { activities: Number(given.activities), days: Number(given.days) }),
  )
  const { adv_id, ids, accounts, days, plans, correct, addPlan } = data
  const adv = `adv_id=${adv_id}`
  const first = Date.parse(`${days[0]}T00:00:00+08:00`) / 1000
  const rangeOf = (from: number, length: number) =>
    `time_range=${first + from * DAY},${first + (from + length) * DAY - 1}`
  const all = rangeOf(0, days.length)
  const someDays = () => {
    const length = 1 + random(days.length)
    return rangeOf(random(days.length - length + 1), length)
  }
  const pages = (size: number) => Math.ceil(ids.length / size)
  const somePage = (size: number) => `per_page=${size}&page=${1 + random(pages(size))}`
  const someIds = (many: number) => {
    const from = random(ids.length - many)
    return ids.slice(from, from + many).join(',')
  }

  console.log(`${ids.length} activities with ${plans} plans made in ${(made / 1000).toFixed(0)} s`)
  // As every ten minutes.
  await analyzeChangedTables(opened.postgres.db, new AbortController().signal)
  // As after every start.
  const [warming] = await timed(() => opened.services.activities.warm(new AbortController().signal))
  const [firstTotal, total] = await timed(() => answered<Total>(`/api/campaign/total?${adv}&${all}`))
  // The most activities that a filter leaves: those that run, two in three.
  const [firstStatus] = await timed(() => answered<Total>(`/api/campaign/total?${adv}&${all}&status=1`))
  await makeBareRows(adv_id)
  const from = days[0] ?? ''
  const to = days.at(-1) ?? ''
  const plain = await plainSums(from, to)
  if (total.total !== ids.length || total.plans !== plans) throw new Error(`${total.total} activities`)
  for (const key of REPORTED) {
    const expected = metricValue(key, plain)
    if (total.sums[key] !== expected) throw new Error(`${key}: ${total.sums[key]} and ${expected} by plain SQL`)
  }

  const calls = {
    'list, 20 of a page': () => `/api/campaign/list?${adv}&${all}&${somePage(20)}`,
    'list, 100 of a page': () => `/api/campaign/list?${adv}&${all}&${somePage(100)}`,
    'list, by status and name': () =>
      `/api/campaign/list?${adv}&${all}&per_page=20&status=${random(3)}&name=${encodeURIComponent(`${random(99)} 春`)}`,
    'totals, all days': () => `/api/campaign/total?${adv}&${all}`,
    'totals, some days': () => `/api/campaign/total?${adv}&${someDays()}`,
    'totals, by status': () => `/api/campaign/total?${adv}&${someDays()}&status=${random(3)}`,
    'marks of 20': () => `/api/report/marks?campaign_id=${someIds(20)}&${all}`,
    'marks of 100': () => `/api/report/marks?campaign_id=${someIds(100)}&${all}`,
    'plans that no activity shows': () => `/api/report/unlinked?${adv}&page_size=10`,
    'trends of 20': () => `/api/campaign/trends?campaign_id=${someIds(20)}&${all}`,
    'trends of 100': () => `/api/campaign/trends?campaign_id=${someIds(100)}&${all}`,
    'comparison of 11': () => `/api/campaign/compare?id=${someIds(11)}&${all}`,
    'day report': () => `/api/campaign/day_report?campaign_id=${someIds(1)}&${all}`,
  }
  const measured = new Map<string, number[]>()
  for (const [name, path] of Object.entries(calls)) {
    const times: number[] = []
    for (let round = 0; round < rounds + 3; round++) {
      const [ms] = await timed(() => answered<Listed>(path()))
      // The first rounds compile code and fill caches.
      if (round >= 3) times.push(ms)
    }
    measured.set(name, times)
  }
  const exported: { first: number; whole: number }[] = []
  for (let round = 0; round < PLAIN_ROUNDS; round++) {
    exported.push(await downloaded(`${ACTIVITY_EXPORT_PATH}?${adv}&${all}&columns=all`))
  }
  measured.set(
    'export, first byte',
    exported.map((one) => one.first),
  )

  // What is not in memory: a filter that nobody has asked for, days that were corrected since, and other plans.
  const newFilter: number[] = []
  const corrected: number[] = []
  const changed: number[] = []
  for (let round = 1; round <= TENTHS; round++) {
    const name = encodeURIComponent(`动${round}`)
    newFilter.push((await timed(() => answered(`/api/campaign/total?${adv}&${all}&name=${name}`)))[0])
    for (const date of days.slice(-8)) for (const account of accounts.slice(0, 1)) await correct(account, date)
    corrected.push((await timed(() => answered(`/api/campaign/total?${adv}&${all}`)))[0])
    await addPlan()
    changed.push((await timed(() => answered(`/api/campaign/total?${adv}&${all}`)))[0])
  }
  const plainTimes: number[] = []
  for (let round = 0; round < PLAIN_ROUNDS; round++) plainTimes.push((await timed(() => plainSums(from, to)))[0])

  console.log(
    `${days.length} days of ${REPORTED.length} metrics; ${rounds} rounds, load ${loadavg()[0]?.toFixed(1)}; goal p95 ${GOAL_MS} ms`,
  )
  for (const [name, times] of measured) console.log(`${name}: ${shown(times)}`)
  console.log(`export, whole: ${shown(exported.map(({ whole }) => whole))}`)
  console.log(
    `totals read ahead in ${warming.toFixed(0)} ms; for the first time then: ${firstTotal.toFixed(0)} ms; of a new filter: ${shown(newFilter)}`,
  )
  console.log(`totals of the activities that run, for the first time: ${firstStatus.toFixed(0)} ms`)
  console.log(`totals after eight days of an account were corrected: ${shown(corrected)}`)
  console.log(`totals after a plan was linked: ${shown(changed)}`)
  console.log(`plain query over bare rows: ${shown(plainTimes)}`)
  const p95 = (names: readonly string[]) =>
    rounded(Math.max(...names.map((name) => percentile(measured.get(name) ?? [], 0.95))))
  const named = (word: string) => [...measured.keys()].filter((name) => name.startsWith(word))
  console.log(
    `RESULT ${JSON.stringify({
      goal_ms: GOAL_MS,
      list_p95_ms: p95(named('list')),
      totals_p95_ms: p95(named('totals')),
      marks_p95_ms: p95(named('marks')),
      unlinked_p95_ms: p95(named('plans')),
      trends_p95_ms: p95(named('trends')),
      compare_p95_ms: p95(named('comparison')),
      day_report_p95_ms: p95(named('day report')),
      export_first_byte_p95_ms: p95(named('export')),
      export_ms: rounded(
        percentile(
          exported.map(({ whole }) => whole),
          0.5,
        ),
      ),
      warming_ms: rounded(warming),
      first_total_ms: rounded(firstTotal),
      first_status_ms: rounded(firstStatus),
      new_filter_p95_ms: rounded(percentile(newFilter, 0.95)),
      corrected_p95_ms: rounded(percentile(corrected, 0.95)),
      changed_p95_ms: rounded(percentile(changed, 0.95)),
      plain_p50_ms: rounded(percentile(plainTimes, 0.5)),
    })}`,
  )
} finally {
  await close()
}
process.exit(0)

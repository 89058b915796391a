// A team at work: people who look at every list and chart of the console, with pauses as people make them, on the demo data
// in the embedded stores, then fewer of them while a file is imported. The server is a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createActivity } from '#contract/activity.ts'
import { listAdvertiserData } from '#contract/advertiser.ts'
import { startAuthorisation } from '#contract/authorisation.ts'
import { compareControlGroups, setControlGroup } from '#contract/control-group.ts'
import { PLATFORMS } from '#contract/platform.ts'
import { startPush } from '#contract/push.ts'
import { listRuleCrowds } from '#contract/rule-crowd.ts'
import { updateEvent } from '#contract/tag-field.ts'
import { consentOn } from '../server/testing/consent-page.ts'
import { answeredBy } from './http.ts'
import { type Call, calling, looksAt, thingsOf } from './load-calls.ts'
import { percentile, randomBelow, timed } from './measure.ts'

const { values: given } = parseArgs({
  options: {
    clients: { type: 'string', default: '50' },
    'clients-importing': { type: 'string', default: '20' },
    seconds: { type: 'string', default: '120' },
    rows: { type: 'string', default: '2000000' },
    activities: { type: 'string', default: '200' },
  },
})
const seconds = Number(given.seconds)
const ROOT = new URL('..', import.meta.url).pathname
const PASSWORD = 'a-password-for-the-bench'
/** A person looks at what has come before asking for more. */
const PAUSE_MS = { least: 500, most: 1500 }
const DAY = 86_400
const MEMORY_SAMPLES = 12
/** The platform whose account has a pushed crowd. */
const AUDIENCES = PLATFORMS.social.code

const dataDir = mkdtempSync(join(tmpdir(), 'renqun-load-'))
const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', ADMIN_PASSWORD: PASSWORD, DEMO: '1', WEB_BUILD: '0' }

interface Served {
  child: ChildProcess
  origin: string
}

async function serve(): Promise<Served> {
  const child = spawn(process.execPath, ['server/main.ts'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  for await (const text of child.stdout ?? []) {
    printed += String(text)
    const origin = /人群已启动：(\S+)/.exec(printed)?.[1]
    if (origin) {
      child.stdout?.resume()
      return { child, origin }
    }
  }
  throw new Error(`the server ended: ${printed}`)
}

const residentMb = ({ pid }: ChildProcess) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)

async function signIn(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  })
  if (answer.status !== 200) throw new Error(await answer.text())
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

type Answered = ReturnType<typeof answeredBy>

/** Waits until the demo, and whatever it began, is done. */
async function rest(answered: Answered) {
  for (let quiet = 0; quiet < 3; ) {
    const { running } = await answered<{ running: number }>('/api/task/list')
    quiet = running === 0 ? quiet + 1 : 0
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

/** A command of the command line, which the running server carries out. */
const renqun = (...words: string[]) =>
  spawn(process.execPath, ['cli/renqun.ts', ...words], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] })

const DATES = Array.from({ length: 30 }, (_, ago) => new Date(Date.now() - ago * DAY * 1000).toISOString().slice(0, 10))

/** Activities whose plans have reports of 30 days. */
async function addActivities(answered: Answered, adv_id: number, adv_name: string) {
  const { list } = await calling(answered)(listAdvertiserData, {})
  const account = list.find(({ id }) => id === adv_id)?.accounts[0]
  if (!account) throw new Error('the demo has no account')
  const lines = ['日期,活动,计划,消耗,曝光,点击']
  for (let no = 0; no < Number(given.activities); no++) {
    const plans = [0, 1].map((at) => ({
      ...{ name: `计划${at}`, platform: account.platform, account_id: account.id },
      ...{ plan_id: String(50_000 + no * 2 + at), budget: 50_000 },
    }))
    await calling(answered)(createActivity, { body: { advertiser_id: adv_id, name: `压测活动${no}`, plans } })
    for (const { plan_id } of plans) {
      for (const date of DATES) lines.push(`${date},压测,${plan_id},${(no % 97) + 10}.25,${no * 10 + 1000},${no + 20}`)
    }
  }
  // Plans that no activity names.
  for (const date of DATES) lines.push(`${date},压测,49999,8.25,900,20`)
  const path = await written('reports.csv', lines)
  const child = renqun(
    ...['import', 'reports', path, '--advertiser', adv_name, '--date', '日期', '--campaign', '活动', '--plan', '计划'],
    ...['--metric', '消耗=cost', '--metric', '曝光=imp_pv', '--metric', '点击=click_pv'],
  )
  await once(child, 'exit')
}

/** A crowd with a control group, pushed to an account of the sandbox, and an activity that delivers to it. */
async function addPushed(answered: Answered, { origin, cookie }: { origin: string; cookie: string }, adv_id: number) {
  const call = calling(answered)
  const { url } = await call(startAuthorisation, { body: { adv_id, platform: AUDIENCES } })
  const back = await consentOn(url, {}, cookie)
  await fetch(origin + back.pathname + back.search, { headers: { cookie }, redirect: 'manual' })
  const { list } = await call(listAdvertiserData, {})
  const accounts = list.find(({ id }) => id === adv_id)?.accounts ?? []
  const account = accounts.find(({ platform, state }) => platform === AUDIENCES && state === 'authorised')
  const { res } = await call(listRuleCrowds, { query: { adv_id, status: 'completed' } })
  const [crowd] = res
  if (!account || !crowd) throw new Error('the demo has no account or no crowd')
  const meaning = { standard: 'pay' as const, amount: '金额', goods: null }
  await call(updateEvent, { body: { adv_id, name: '支付', meaning } })
  await call(setControlGroup, { body: { kind: 'rule', id: crowd.id, share: 10 } })
  const { child_id } = await call(startPush, {
    params: { cnt_type: AUDIENCES },
    body: { kind: 'rule', id: crowd.id, advertiser_id: account.id, types: ['HASH_MOBILE_PHONE'] },
  })
  await rest(answered)
  const plan = {
    name: '计划',
    platform: AUDIENCES,
    account_id: account.id,
    crowds: [{ id: child_id, role: 'include' as const }],
  }
  const { id } = await call(createActivity, { body: { advertiser_id: adv_id, name: '有对照组', plans: [plan] } })
  const { list: compared } = await call(compareControlGroups, { query: { campaign_id: id } })
  if (compared[0]?.problem !== null) throw new Error(`the groups are not compared: ${compared[0]?.problem}`)
}

async function written(name: string, lines: Iterable<string>): Promise<string> {
  const path = join(dataDir, name)
  const file = createWriteStream(path)
  for (const line of lines) if (!file.write(`${line}\n`)) await once(file, 'drain')
  file.end()
  await once(file, 'close')
  return path
}

function* userLines(rows: number) {
  yield '编号,性别,城市,消费'
  for (let no = 0; no < rows; no++) yield `L${no},${no % 2 ? '男' : '女'},城市${no % 300},${no % 9000}`
}

interface Measured {
  times: { name: string; ms: number }[]
  errors: string[]
}

/** So many people at work until the time is over. */
async function work(
  answered: Answered,
  calls: readonly Call[],
  clients: number,
  until: () => boolean,
): Promise<Measured> {
  const measured: Measured = { times: [], errors: [] }
  await Promise.all(
    Array.from({ length: clients }, async (_, no) => {
      const random = randomBelow(no + 1)
      const pause = () =>
        new Promise((resolve) => setTimeout(resolve, PAUSE_MS.least + random(PAUSE_MS.most - PAUSE_MS.least)))
      await pause()
      while (!until()) {
        const call = calls[random(calls.length)]
        if (!call) return
        try {
          const [ms] = await timed(() => answered(call.path, call.body))
          measured.times.push({ name: call.name, ms })
        } catch (error) {
          measured.errors.push(`${call.name}: ${String(error).slice(0, 300)}`)
        }
        await pause()
      }
    }),
  )
  return measured
}

function show(title: string, { times, errors }: Measured, took: number) {
  const all = times.map(({ ms }) => ms)
  console.log(
    `${title}: ${(times.length / took).toFixed(0)} calls a second, p50 ${percentile(all, 0.5).toFixed(0)} ms, p95 ${percentile(all, 0.95).toFixed(0)} ms, most ${Math.max(...all).toFixed(0)} ms, errors ${errors.length}`,
  )
  const slow = [...Map.groupBy(times, ({ name }) => name)]
    .map(([name, of]) => ({
      name,
      p95: percentile(
        of.map(({ ms }) => ms),
        0.95,
      ),
    }))
    .toSorted((one, other) => other.p95 - one.p95)
  console.log(
    `  slowest, p95: ${slow
      .slice(0, 8)
      .map(({ name, p95 }) => `${name} ${p95.toFixed(0)} ms`)
      .join(', ')}`,
  )
  for (const error of errors.slice(0, 5)) console.log(`  ${error}`)
}

const after = (ms: number) => {
  const end = performance.now() + ms
  return () => performance.now() >= end
}

const { child, origin } = await serve()
try {
  const cookie = await signIn(origin)
  const answered = answeredBy(origin, cookie)
  await rest(answered)
  const [advertiser] = (await answered<{ list: { id: number; name: string }[] }>('/api/advertiser/data')).list
  if (!advertiser) throw new Error('the demo has no advertiser')
  await addActivities(answered, advertiser.id, advertiser.name)
  await addPushed(answered, { origin, cookie }, advertiser.id)
  await rest(answered)
  const looks = looksAt(await thingsOf(answered, advertiser.id))
  const missing = looks.filter((look) => look.calls.length === 0).map(({ name }) => name)
  if (missing.length > 0) throw new Error(`there is nothing to look at of ${missing}`)
  const calls = looks.flatMap((look) => look.calls)
  // Each is answered; people take them by chance.
  for (const { path, body } of calls) await answered(path, body)
  console.log(`${calls.length} calls of ${looks.length} lists, charts and pages; load ${loadavg()[0]?.toFixed(1)}`)
  // What is read for the first time stays in memory.
  await work(answered, calls, Number(given.clients), after(20_000))
  const rss_start_mb = residentMb(child)
  const clients = Number(given.clients)
  const residents: number[] = []
  const sampling = setInterval(() => residents.push(residentMb(child)), (seconds * 1000) / MEMORY_SAMPLES)
  const [took, looking] = await timed(() => work(answered, calls, clients, after(seconds * 1000)))
  clearInterval(sampling)
  const rss_end_mb = residentMb(child)
  show(`${clients} people`, looking, took / 1000)
  console.log(`  resident memory, evenly over the time: ${residents.join(', ')} MB`)

  const file = await written('users.csv', userLines(Number(given.rows)))
  const importing = renqun('import', 'users', file, '--advertiser', '压测导入', '--create-advertiser', '--id', '编号')
  let isOver = false
  importing.once('exit', () => {
    isOver = true
  })
  const few = Number(given['clients-importing'])
  const [importTook, beside] = await timed(() => work(answered, calls, few, () => isOver))
  show(
    `${few} people beside an import of ${given.rows} rows (${(importTook / 1000).toFixed(0)} s)`,
    beside,
    importTook / 1000,
  )
  const all = looking.times.map(({ ms }) => ms)
  const result = {
    clients,
    calls_s: Math.round(looking.times.length / (took / 1000)),
    p95_ms: Math.round(percentile(all, 0.95)),
    errors: looking.errors.length + beside.errors.length,
    ...{ rss_start_mb, rss_end_mb },
    importing_p95_ms: Math.round(
      percentile(
        beside.times.map(({ ms }) => ms),
        0.95,
      ),
    ),
  }
  console.log(`RESULT ${JSON.stringify(result)}`)
} finally {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  rmSync(dataDir, { recursive: true, force: true })
}

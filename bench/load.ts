// A team at work: people who look at every list and chart of the console, with pauses as people make them, on the demo data
// in the embedded stores, then fewer of them while a file is imported. The server is a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { answeredBy } from './http.ts'
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
interface Call {
  name: string
  path: string
  body?: object
}

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
  const { list } = await answered<{ list: { id: number; accounts: { id: number; auth_type: number }[] }[] }>(
    '/api/advertiser/data',
  )
  const account = list.find(({ id }) => id === adv_id)?.accounts[0]
  const lines = ['日期,活动,计划,消耗,曝光,点击']
  for (let no = 0; no < Number(given.activities); no++) {
    const plans = [0, 1].map((at) => ({
      ...{ name: `计划${at}`, platform: account?.auth_type ?? 1, account_id: account?.id ?? null },
      ...{ plan_id: String(50_000 + no * 2 + at), budget_mode: 'day', budget: 50_000 },
    }))
    await answered('/api/campaign', { advertiser_id: adv_id, name: `压测活动${no}`, plans })
    for (const { plan_id } of plans) {
      for (const date of DATES) lines.push(`${date},压测,${plan_id},${(no % 97) + 10}.25,${no * 10 + 1000},${no + 20}`)
    }
  }
  const path = await written('reports.csv', lines)
  const child = renqun(
    ...['import', 'reports', path, '--advertiser', adv_name, '--date', '日期', '--campaign', '活动', '--plan', '计划'],
    ...['--metric', '消耗=cost', '--metric', '曝光=imp_pv', '--metric', '点击=click_pv'],
  )
  await once(child, 'exit')
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

/** The calls of every list and chart, of things that there are. */
async function callsOf(answered: Answered, adv_id: number): Promise<Call[]> {
  const adv = `adv_id=${adv_id}`
  const people = await answered<{ res: { id: number; rId: number }[] }>(`/api/people?${adv}&page_size=20`)
  const linked = await answered<{ data: { oneID: string }[] }>(`/api/linkuser/list?${adv}`)
  const campaigns = await answered<{ list: { id: number }[] }>(`/api/campaign/list?${adv}&per_page=20`)
  const imports = await answered<{ list: { id: number }[] }>(`/api/import/list?${adv}`)
  const { list: advertisers } = await answered<{ list: { id: number; accounts: { id: number }[] }[] }>(
    '/api/advertiser/data',
  )
  const accounts = advertisers.find(({ id }) => id === adv_id)?.accounts ?? []
  const shown = campaigns.list.map(({ id }) => id)
  const get = (name: string, path: string): Call => ({ name, path })
  const crowds = people.res.slice(0, 8)
  return [
    get('组合定向包', `/api/people?${adv}&page_size=20`),
    get('组合定向包，按名称', `/api/people?${adv}&name=${encodeURIComponent('女')}`),
    ...crowds.flatMap(({ id, rId }) => [
      get('组合定向包详情', `/api/people/${id}`),
      get('规则', `/api/peoplerule/${rId}`),
      get('人群画像', `/api/people/${id}/profile?page_size=50`),
      get('人群人数的变化', `/api/people/${id}/sizes`),
      get('推送记录', `/api/push/list?kind=rule&id=${id}`),
    ]),
    { name: '人群重叠', path: '/api/people/overlap', body: { ids: crowds.slice(0, 5).map(({ id }) => id) } },
    get('标签树', `/api/tree?${adv}`),
    get('标签', `/api/tag/list?${adv}&page_size=20`),
    get('标签分类', `/api/tag/category?${adv}`),
    get('自定义人群', `/api/v1/gdtcrowd/crowd/custom/list?${adv}`),
    get('文件夹', '/api/peopledir'),
    ...[1, 2, 3].map((platform) => ({
      ...{ name: '定向包', path: '/api/v1/gdtcrowd/custom/targetings/list' },
      body: { platform, adv_id },
    })),
    get('用户列表', `/api/linkuser/list?${adv}`),
    ...linked.data
      .slice(0, 8)
      .flatMap(({ oneID }) => [
        get('用户行为', `/api/linkuser/info?${adv}&oneID=${encodeURIComponent(oneID)}`),
        get('个人档案', `/api/linkuser/profile?${adv}&oneID=${encodeURIComponent(oneID)}`),
      ]),
    get('活动列表', `/api/campaign/list?${adv}&per_page=20`),
    get('活动合计', `/api/campaign/total?${adv}`),
    get('活动的列', '/api/campaign/columns'),
    get('活动的标记', `/api/report/marks?campaign_id=${shown}`),
    get('报表同步', `/api/report/sync?${adv}`),
    get('活动资产', `/api/campaign/asset/list?${adv}`),
    get('产品', `/api/campaign/product/list?${adv}`),
    ...accounts.slice(0, 3).map(({ id }) => get('计划可用的人群', `/api/campaign/plan/crowd_list?account_id=${id}`)),
    ...campaigns.list
      .slice(0, 8)
      .flatMap(({ id }) => [
        get('分日数据', `/api/campaign/day_report?campaign_id=${id}`),
        get('每天的标记', `/api/report/day_marks?campaign_id=${id}`),
        get('报表的链接', `/api/campaign/report_link/list?campaign_id=${id}`),
        get('活动', `/api/campaign?campaign_id=${id}`),
        get('活动日志', `/api/campaign/log?campaign_id=${id}`),
      ]),
    get('活动趋势', `/api/campaign/trends?campaign_id=${shown}`),
    get('对比活动', `/api/campaign/compare?id=${shown.slice(0, 5)}`),
    get('广告主授权', '/api/advertiser/data'),
    get('导入记录', `/api/import/list?${adv}`),
    ...imports.list.slice(0, 3).map(({ id }) => get('导入报告', `/api/import/${id}`)),
    get('属性与事件', `/api/tag/fields?${adv}&tag_type=1`),
    get('实时上报', `/api/tracking/lately?${adv}`),
    get('屏蔽名单', `/api/suppression/list?${adv}`),
    get('任务', '/api/task/list'),
    get('搜索', `/api/search?q=${encodeURIComponent('女')}`),
    get('成员', '/api/viewer/list'),
    get('推送通知', `/api/webhook/list?${adv}`),
  ]
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
  const answered = answeredBy(origin, await signIn(origin))
  await rest(answered)
  const [advertiser] = (await answered<{ list: { id: number; name: string }[] }>('/api/advertiser/data')).list
  if (!advertiser) throw new Error('the demo has no advertiser')
  await addActivities(answered, advertiser.id, advertiser.name)
  await rest(answered)
  const calls = await callsOf(answered, advertiser.id)
  console.log(
    `${calls.length} calls of ${new Set(calls.map(({ name }) => name)).size} lists and charts; load ${loadavg()[0]?.toFixed(1)}`,
  )
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

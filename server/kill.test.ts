import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { createAdvertiser } from '#contract/advertiser.ts'
import { type DataOf, type Endpoint, type InputOf, urlOf } from '#contract/endpoint.ts'
import { getImport, listImports, startImport, UPLOAD_PATH } from '#contract/import.ts'
import { computePeople, createPeople, getPeople, listPeople, openRule, storeRule } from '#contract/rule-crowd.ts'
import { getTagTree } from '#contract/tag.ts'
import { listTasks } from '#contract/task.ts'
import { createToken, login } from '#contract/viewer.ts'
import { now } from './clock.ts'
import { leaf, tagged } from './testing/builders.ts'
import { type Launched, launch, MAIN } from './testing/launch.ts'

const KILLS = 10
const ROWS = 4000
const CITIES = ['北京', '上海', '广州', '成都']
const PASSWORD = 'right-password'
const SETTLE_MS = 120_000

const dataDir = mkdtempSync(join(tmpdir(), 'renqun-kill-'))
let server: Launched | undefined
let base = ''
let token = ''
afterAll(() => {
  server?.child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

async function start() {
  server = launch(MAIN, [], { DATA_DIR: dataDir, PORT: '0', ADMIN_PASSWORD: PASSWORD })
  const printed = server.printed
  await vi.waitFor(() => expect(printed()).toMatch(/人群已启动/), { timeout: 60_000, interval: 50 })
  base = /人群已启动：(\S+)/.exec(printed())?.[1] ?? ''
}

async function kill() {
  server?.child.kill('SIGKILL')
  await server?.ended
}

const headers = (more: Record<string, string> = {}) => ({ authorization: `Bearer ${token}`, ...more })

async function call<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<DataOf<E>> {
  const given = input as { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }
  const answer = await fetch(base + urlOf(endpoint, given), {
    method: endpoint.method,
    headers: headers(given.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
  })
  const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: DataOf<E> }
  if (code !== 0) throw new Error(`${endpoint.path}: ${code} ${msg}`)
  return data
}

/** Half of the people are new, half were in the file before it. */
const idsOf = (round: number) => Array.from({ length: ROWS }, (_, i) => round * (ROWS / 2) + i)
const cityOf = (id: number) => CITIES[id % CITIES.length]
const fileOf = (round: number) =>
  `id,city\n${idsOf(round)
    .map((id) => `u${id},${cityOf(id)}`)
    .join('\n')}\n`

async function upload(round: number): Promise<string> {
  const body = Buffer.from(fileOf(round))
  const tus = { 'tus-resumable': '1.0.0' }
  const made = await fetch(base + UPLOAD_PATH, {
    method: 'POST',
    headers: headers({
      ...tus,
      'upload-length': String(body.length),
      'upload-metadata': `filename ${Buffer.from(`round-${round}.csv`).toString('base64')}`,
    }),
  })
  const location = new URL(made.headers.get('location') ?? '', base)
  const sent = await fetch(location, {
    method: 'PATCH',
    headers: headers({ ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }),
    body,
  })
  expect(sent.status).toBe(204)
  return location.pathname.split('/').at(-1) ?? ''
}

const mapping = { kind: 'users' as const, id: 'id' }

async function cityTags(adv_id: number) {
  const { data } = await call(getTagTree, { query: { adv_id, tag_type: 1 } })
  const all = data.flatMap((category) => category.group ?? [])
  return new Map(all.map((tag) => [tag.tag, tag]))
}

const settled = () =>
  vi.waitFor(
    async () => {
      expect((await call(listTasks, {})).running).toBe(0)
    },
    { timeout: SETTLE_MS, interval: 200 },
  )

test('ten kills during imports, rule saves and computing lose and double nothing acknowledged', {
  timeout: 400_000,
}, async () => {
  await start()
  const signedIn = await fetch(base + login.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: base },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const made = await fetch(base + createToken.path, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', origin: base },
    body: JSON.stringify({ name: '测试' }),
  })
  token = ((await made.json()) as { data: DataOf<typeof createToken> }).data.token
  const { id: adv_id } = await call(createAdvertiser, { body: { name: '断电测试' } })
  await call(startImport, { body: { adv_id, upload_id: await upload(0), mapping } })
  await settled()
  const tags = await cityTags(adv_id)
  const beijing = tags.get('北京')?.id ?? 0

  const imports: number[] = []
  const crowds = new Map<string, number>()

  async function importLoop(round: number) {
    const { id } = await call(startImport, { body: { adv_id, upload_id: await upload(round), mapping } })
    imports.push(id)
  }
  async function saveLoop(round: number) {
    for (let n = 0; ; n++) {
      const { rId } = await call(openRule, { body: { advId: adv_id } })
      await call(storeRule, { params: { rId }, body: { advId: adv_id, rule: leaf('a', 'n', tagged(beijing)) } })
      const name = `人群-${round}-${n}`
      const body = { rId, name, invalidTime: now() + 86_400, dirId: 1 }
      crowds.set(name, (await call(createPeople, { body })).id)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  async function computeLoop() {
    for (;;) {
      for (const id of crowds.values()) await call(computePeople, { params: { id } })
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  for (let round = 1; round <= KILLS; round++) {
    const work = [importLoop(round), saveLoop(round), computeLoop()]
    // What the kill cut off was not acknowledged; anything else that goes wrong shows in what is checked at the end.
    const over = Promise.allSettled(work)
    // Not before something was acknowledged, and then at another moment each time.
    const before = crowds.size
    await vi.waitFor(() => expect(crowds.size).toBeGreaterThan(before), { timeout: 30_000, interval: 10 })
    await new Promise((resolve) => setTimeout(resolve, (round * 577) % 1000))
    await kill()
    await over
    await start()
  }
  await settled()

  expect(crowds.size).toBeGreaterThanOrEqual(KILLS)
  const list = await call(listImports, { query: { adv_id, page_size: 100 } })
  const recorded = new Map(list.list.map((row) => [row.id, row]))
  for (const id of imports) expect(recorded.has(id)).toBe(true)
  for (const row of list.list) {
    const { status, report, error } = await call(getImport, { params: { id: row.id } })
    expect({ status, error }).toEqual({ status: 'done', error: null })
    expect(report?.rows).toBe(ROWS)
    expect((report?.stored ?? 0) + (report?.duplicate ?? 0) + (report?.refused ?? 0)).toBe(ROWS)
  }
  const rounds = list.list.map((row) => Number(/round-(\d+)/.exec(row.file_name)?.[1]))
  const people = new Set(rounds.flatMap(idsOf))
  expect(list.list.reduce((sum, row) => sum + (row.report?.new_people ?? 0), 0)).toBe(people.size)
  const counted = await cityTags(adv_id)
  expect(counted.get('全部用户')?.count).toBe(people.size)
  for (const city of CITIES) {
    expect(counted.get(city)?.count).toBe([...people].filter((id) => cityOf(id) === city).length)
  }

  const saved = await call(listPeople, { query: { adv_id, page_size: 500 } })
  const names = saved.res.map((crowd) => crowd.name)
  expect(new Set(names).size).toBe(names.length)
  for (const [name, id] of crowds) expect(saved.res.find((crowd) => crowd.id === id)?.name).toBe(name)
  for (const crowd of saved.res) await call(computePeople, { params: { id: crowd.id } })
  await settled()
  for (const { id } of saved.res) {
    const crowd = await call(getPeople, { params: { id } })
    expect(crowd).toMatchObject({ status: 'completed', magnitude: counted.get('北京')?.count, failReason: null })
  }
  const tasks = await call(listTasks, {})
  expect(tasks).toMatchObject({ running: 0, failed: 0 })
})

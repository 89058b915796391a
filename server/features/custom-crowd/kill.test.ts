import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { createAdvertiser } from '#contract/advertiser.ts'
import {
  addCustomCrowd,
  getCustomCrowd,
  listCrowdFiles,
  listCrowdLogs,
  updateCustomCrowd,
} from '#contract/custom-crowd.ts'
import { type DataOf, type Endpoint, type InputOf, urlOf } from '#contract/endpoint.ts'
import { listTasks } from '#contract/task.ts'
import { CROWD_UPLOAD_PATH, getUploadCredentials, UPLOAD_TOKEN_HEADER } from '#contract/upload.ts'
import { createToken, login } from '#contract/viewer.ts'
import { type Launched, launch, MAIN } from '../../testing/launch.ts'

const PASSWORD = 'right-password'
const LINES = 100_000
const SETTLE_MS = 120_000

const dataDir = mkdtempSync(join(tmpdir(), 'renqun-custom-kill-'))
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
  await vi.waitFor(() => expect(printed()).toMatch(/人群已启动/), { timeout: 90_000, interval: 50 })
  base = /人群已启动：(\S+)/.exec(printed())?.[1] ?? ''
}

async function kill() {
  server?.child.kill('SIGKILL')
  await server?.ended
}

async function call<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<DataOf<E>> {
  const given = input as { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }
  const answer = await fetch(base + urlOf(endpoint, given), {
    method: endpoint.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
  })
  const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: DataOf<E> }
  if (code !== 0) throw new Error(`${endpoint.path}: ${code} ${msg}`)
  return data
}

async function signIn() {
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
}

async function upload(name: string, lines: readonly string[]) {
  const body = Buffer.from(`${lines.join('\n')}\n`)
  const given = await call(getUploadCredentials, {})
  if (given.kind !== 'tus') throw new Error('the store is not the embedded one')
  const tus = { 'tus-resumable': '1.0.0', [UPLOAD_TOKEN_HEADER]: given.token }
  const made = await fetch(base + CROWD_UPLOAD_PATH, {
    method: 'POST',
    headers: {
      ...tus,
      'upload-length': String(body.length),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
  })
  const location = new URL(made.headers.get('location') ?? '', base)
  const sent = await fetch(location, {
    method: 'PATCH',
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body,
  })
  expect(sent.status).toBe(204)
  return { name, size: body.length, uri: location.pathname.split('/').at(-1) ?? '' }
}

const settled = () =>
  vi.waitFor(
    async () => {
      expect((await call(listTasks, {})).running).toBe(0)
    },
    { timeout: SETTLE_MS, interval: 200 },
  )

/** Waits until the check stands at this share of its way; false when it was over before that was seen. */
async function isAt(share: number): Promise<boolean> {
  for (;;) {
    const { list } = await call(listTasks, {})
    const task = list.find(({ status }) => status === 'running' || status === 'waiting')
    if (!task) return false
    if (task.status === 'running' && task.progress >= share) return true
    await pause(5)
  }
}

const hash = (n: number) => createHash('md5').update(`kill ${n}`).digest('hex')
/** Values `from` to `from + LINES`, one in a hundred malformed, the first hundred twice. */
const linesFrom = (from: number) => [
  ...Array.from({ length: LINES }, (_, i) => (i % 100 === 99 ? `bad ${i}` : hash(from + i))),
  ...Array.from({ length: 99 }, (_, i) => hash(from + i)),
]
const valuesFrom = (from: number) => Array.from({ length: LINES }, (_, i) => from + i).filter((_, i) => i % 100 !== 99)

test('killed at any moment of a check, a crowd ends as if nothing had happened', { timeout: 500_000 }, async () => {
  await start()
  await signIn()
  const { id: adv_id } = await call(createAdvertiser, { body: { name: '断电测试' } })
  const { id } = await call(addCustomCrowd, {
    body: { user_id_type: 'HASH_IMEI', name: '断电', dir_id: 1, adv_id, files: [await upload('0.txt', linesFrom(0))] },
  })
  await settled()
  const values = new Set(valuesFrom(0))

  const rounds = [
    { operation_type: 1 as const, from: LINES / 2, shares: [0, 0.02] },
    { operation_type: 2 as const, from: LINES, shares: [0.5] },
    { operation_type: 1 as const, from: 2 * LINES, shares: [0.3, 0.7] },
  ]
  let killed = 0
  for (const [at, { operation_type, from, shares }] of rounds.entries()) {
    const files = [await upload(`${at + 1}.txt`, linesFrom(from))]
    await call(updateCustomCrowd, { body: { id, operation_type, files } })
    for (const share of shares) {
      if (await isAt(share)) killed++
      await kill()
      await start()
    }
    await settled()
    for (const value of valuesFrom(from)) {
      if (operation_type === 1) values.add(value)
      else values.delete(value)
    }
    const { crowd, funnel } = await call(getCustomCrowd, { query: { id } })
    expect(crowd).toMatchObject({ status: 'available', user_count: values.size, reason: null })
    expect(funnel.valid).toBe(funnel.repeated + funnel.removed + funnel.unique)
    const { files: kept } = await call(listCrowdFiles, { query: { id } })
    expect(kept[0]).toMatchObject({
      status: 'done',
      line_count: LINES + 99,
      malformed: LINES / 100,
      duplicate: 99,
      valid_count: (LINES * 99) / 100,
    })
  }
  expect(killed).toBeGreaterThanOrEqual(3)
  const { list } = await call(listCrowdLogs, { query: { id } })
  expect(list.map((log) => log.version?.no)).toEqual([4, 3, 2, 1])
})

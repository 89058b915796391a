import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { createAdvertiser, listAdvertiserData } from '#contract/advertiser.ts'
import { getCustomCrowd } from '#contract/custom-crowd.ts'
import { getImport, startImport } from '#contract/import.ts'
import { actionOf } from '#contract/outcome.ts'
import { listPushes, startPush } from '#contract/push.ts'
import { listTasks } from '#contract/task.ts'
import { consentTo } from '../testing/consent.ts'
import { aCustomCrowd } from '../testing/custom-crowds.ts'
import { hashes } from '../testing/push.ts'
import { type RealServer, realServer } from '../testing/real-server.ts'
import { testSandbox } from '../testing/sandbox.ts'
import { beginUpload, receivedBytes, sendPart, uploadIdOf, uploadTo } from '../testing/upload.ts'

/** The server of an older commit's checkout; `npm run test:upgrade -- COMMIT` makes one and names it. */
const OLD_MAIN = join(process.env.RENQUN_OLD_CODE ?? '', 'server', 'main.ts')
const isGiven = process.env.RENQUN_OLD_CODE !== undefined
const TIMEOUT_MS = 600_000
/** Enough that a kill meets each part of the way. */
const IMPORT_ROWS = 2_000_000
const CHECK_LINES = 1_500_000
const PUSH_VALUES = 120
/** Of a task's way, where it is killed. */
const SHARES = [0, 0.05, 0.3, 0.7]
/** An uploaded file does nothing until a call names it, so that sending it again changes nothing. */
const EFFECTLESS = /file\/upload/
const SOCIAL = { cnt_type: 1 as const, name: 'social', external_id: '9007199254750003' }
const VIDEO = { cnt_type: 2 as const, name: 'video', external_id: '9107199254750003' }

const made: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const one of made.reverse()) await one.close()
})
function aServer(...given: Parameters<typeof realServer>): RealServer {
  const server = realServer(...given)
  made.push(server)
  return server
}

/** Waits until a task has come this far; false when all ended before that was seen. */
async function isAt(server: RealServer, share: number): Promise<boolean> {
  for (;;) {
    const { list } = await server.admin.get(listTasks)
    const task = list.find(({ status }) => status === 'running' || status === 'waiting')
    if (!task) return false
    if (task.status === 'running' && task.progress >= share) return true
    await pause(2)
  }
}

const importFile = (rows: number) =>
  `id,city\n${Array.from({ length: rows }, (_, i) => `u${i},${i % 2 ? '北京' : '上海'}`).join('\n')}\n`
const checkFile = () => [{ name: 'ids.txt', content: [...hashes(0, CHECK_LINES), 'malformed'].join('\n') }]

/** An old server with an advertiser, killed: what each case begins with. */
async function oldBase(env: Record<string, string> = {}) {
  const base = aServer(env, { makesAll: true })
  await base.start(OLD_MAIN)
  const { id: adv_id } = await base.admin.get(createAdvertiser, { body: { name: '升级' } })
  await base.settled()
  return { base, adv_id }
}

describe.skipIf(!isGiven)('a DATA_DIR that an older server was killed over', () => {
  test('finishes its import', { timeout: TIMEOUT_MS }, async () => {
    const { base, adv_id } = await oldBase()
    await base.kill()
    const file = importFile(IMPORT_ROWS)
    const killed: number[] = []
    for (const share of SHARES) {
      const server = aServer({}, { copyOf: base })
      await server.start(OLD_MAIN)
      const upload_id = await uploadTo(server, server.admin, file, 'people.csv')
      const mapping = { kind: 'users' as const, id: 'id' }
      const { id } = await server.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
      if (await isAt(server, share)) killed.push(share)
      await server.kill()
      await server.start()
      await server.settled()
      const { status, report } = await server.admin.get(getImport, { params: { id } })
      expect({ share, status, report }).toMatchObject({
        status: 'done',
        report: { rows: IMPORT_ROWS, stored: IMPORT_ROWS, duplicate: 0, refused: 0, new_people: IMPORT_ROWS },
      })
      await server.close()
    }
    // On a quick machine the work may be over before its end was seen; a kill in the middle must have been.
    expect(killed.length).toBeGreaterThanOrEqual(2)
  })

  test('takes the rest of an upload, and imports it', { timeout: TIMEOUT_MS }, async () => {
    const { base: server, adv_id } = await oldBase()
    const rows = 20_000
    const bytes = Buffer.from(importFile(rows))
    const half = Math.floor(bytes.length / 2)
    const upload_id = uploadIdOf(await beginUpload(server, server.admin, bytes.length))
    await sendPart(server, server.admin, upload_id, 0, bytes.subarray(0, half))
    await server.kill()
    await server.start()
    expect(await receivedBytes(server, server.admin, upload_id)).toBe(half)
    expect((await sendPart(server, server.admin, upload_id, half, bytes.subarray(half))).status).toBe(204)
    const mapping = { kind: 'users' as const, id: 'id' }
    const { id } = await server.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
    await server.settled()
    const { status, report } = await server.admin.get(getImport, { params: { id } })
    expect({ status, report }).toMatchObject({ status: 'done', report: { stored: rows } })
  })

  test('finishes the check of a crowd', { timeout: TIMEOUT_MS }, async () => {
    const { base, adv_id } = await oldBase()
    await base.kill()
    const files = checkFile()
    const killed: number[] = []
    for (const share of SHARES) {
      const server = aServer({}, { copyOf: base })
      await server.start(OLD_MAIN)
      const id = await aCustomCrowd(server, adv_id, files)
      if (await isAt(server, share)) killed.push(share)
      await server.kill()
      await server.start()
      await server.settled()
      const { crowd, funnel } = await server.admin.get(getCustomCrowd, { query: { id } })
      expect({ share, crowd }).toMatchObject({ crowd: { status: 'available', user_count: CHECK_LINES } })
      expect(funnel).toMatchObject({ valid: CHECK_LINES, unique: CHECK_LINES })
      await server.close()
    }
    // On a quick machine the work may be over before its end was seen; a kill in the middle must have been.
    expect(killed.length).toBeGreaterThanOrEqual(2)
  })

  test.each([SOCIAL, VIDEO])(
    'finishes a push killed at each of its calls ($name)',
    { timeout: 2 * TIMEOUT_MS },
    async (at) => {
      const sandbox = await testSandbox()
      made.push(sandbox)
      await sandbox.control('switches', { processing_seconds: 0.3, video_advertiser_qps: 0, video_application_qps: 0 })
      const env = {
        PLATFORM_SOCIAL_URL: sandbox.socialUrl,
        PLATFORM_VIDEO_URL: sandbox.videoUrl,
        PUSH_PACE: '0.05',
      }
      const { base, adv_id } = await oldBase(env)
      await consentTo(base, sandbox, { adv_id, platform: at.cnt_type, accounts: [at.external_id] })
      const { list } = await base.admin.get(listAdvertiserData)
      const account_id = list.find(({ id }) => id === adv_id)?.accounts[0]?.id ?? 0
      const values = hashes(0, PUSH_VALUES)
      const crowd_id = await aCustomCrowd(base, adv_id, [{ name: 'ids.txt', content: values.join('\n') }])
      await base.settled()
      await base.kill()

      type LoggedCall = {
        no: number
        method: string
        path: string
        request_id: string | null
        is_carried: number
        code: number | null
      }
      const callsSince = (no: number) => sandbox.control<LoggedCall[]>(`calls?since=${no}`)
      const lastCall = async () => (await callsSince(0)).at(-1)?.no ?? 0
      /** What was changed there, in order: refused calls left out, repeats under one request id folded. */
      const changes = (calls: readonly LoggedCall[]) => {
        const seen = new Set<string>()
        return calls
          .filter(({ method, path, is_carried }) => method === 'POST' && is_carried === 1 && !EFFECTLESS.test(path))
          .filter(({ code }) => code === 0 || code === null)
          .filter(({ request_id }) => request_id === null || (!seen.has(request_id) && seen.add(request_id)))
          .map(({ path }) => path)
      }
      const push = (server: RealServer) =>
        server.admin.get(startPush, {
          params: { cnt_type: at.cnt_type },
          body: { id: crowd_id, advertiser_id: account_id },
        })
      async function finished(server: RealServer) {
        await vi.waitFor(
          async () => {
            const { list } = await server.admin.get(listPushes, { query: { id: crowd_id } })
            expect(list.map(({ status, reason }) => ({ status, reason }))).toEqual([{ status: 'done', reason: null }])
          },
          { timeout: 120_000, interval: 100 },
        )
        const { crowd } = await server.admin.get(getCustomCrowd, { query: { id: crowd_id } })
        expect(crowd.audiences).toHaveLength(1)
        const audience_id = crowd.audiences[0]?.tag_id
        const held = await sandbox.control<{ values: string[] }>(
          `values?platform=${at.name}&audience_id=${audience_id}`,
        )
        expect(held.values.toSorted()).toEqual(values.toSorted())
      }
      const countEverMade = async () => {
        const { accounts } = await sandbox.control<{ accounts: { id: string; ever_made: number }[] }>('state')
        return accounts.find(({ id }) => id === at.external_id)?.ever_made ?? 0
      }

      // Uninterrupted, by the new code alone.
      const undisturbed = aServer(env, { copyOf: base })
      await undisturbed.start()
      const before = await lastCall()
      await push(undisturbed)
      await finished(undisturbed)
      await undisturbed.close()
      const usual = await callsSince(before)
      expect(changes(usual).length).toBeGreaterThan(1)

      for (let step = 0; step < usual.length; step++) {
        const [since, madeBefore] = [await lastCall(), await countEverMade()]
        const server = aServer(env, { copyOf: base })
        await server.start(OLD_MAIN)
        // The platform does what this call asks for, and does not answer before the server is killed.
        const silent = { platform: at.name, after: step, kind: 'timeout_after', seconds: 600 }
        await sandbox.control('faults', silent)
        await push(server)
        await vi.waitFor(async () => expect((await callsSince(since)).length).toBeGreaterThan(step), {
          timeout: 60_000,
          interval: 20,
        })
        await server.kill()
        await sandbox.control('faults/forget', {})
        await server.start()
        await finished(server)
        expect({ step, made: (await countEverMade()) - madeBefore }).toEqual({ step, made: 1 })
        expect({ step, changes: changes(await callsSince(since)) }).toEqual({ step, changes: changes(usual) })
        await server.close()
      }
    },
  )

  test('offers to authorise again where a push waits for it', { timeout: TIMEOUT_MS }, async () => {
    const sandbox = await testSandbox()
    made.push(sandbox)
    const env = { PLATFORM_SOCIAL_URL: sandbox.socialUrl, PLATFORM_VIDEO_URL: sandbox.videoUrl, PUSH_PACE: '0.05' }
    const { base: server, adv_id } = await oldBase(env)
    const { cnt_type, external_id } = SOCIAL
    await consentTo(server, sandbox, { adv_id, platform: cnt_type, accounts: [external_id] })
    const { list } = await server.admin.get(listAdvertiserData)
    const account_id = list.find(({ id }) => id === adv_id)?.accounts[0]?.id ?? 0
    const crowd_id = await aCustomCrowd(server, adv_id, [{ name: 'ids.txt', content: hashes(0, 50).join('\n') }])
    await server.settled()
    await sandbox.control('tokens/revoke', { platform: 'social', account_id: external_id })
    await server.admin.get(startPush, { params: { cnt_type }, body: { id: crowd_id, advertiser_id: account_id } })
    const row = async () => (await server.admin.get(listPushes, { query: { id: crowd_id } })).list[0]
    await vi.waitFor(async () => expect((await row())?.status).toBe('paused'), { timeout: 60_000, interval: 100 })
    await server.kill()
    await server.start()
    // The old rows say it in a sentence alone.
    const paused = await row()
    expect(paused?.status).toBe('paused')
    expect(paused?.reason_outcome && actionOf(paused.reason_outcome)).toBe('reauthorise')
  })
})

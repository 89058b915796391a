import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createAdvertiser, listAdvertiserData } from '#contract/advertiser.ts'
import { startAuthorisation } from '#contract/authorisation.ts'
import { getCustomCrowd } from '#contract/custom-crowd.ts'
import { FAULTS } from '#contract/errors.ts'
import { type AssetFolder, createAssetFolder, listAssetFolders } from '#contract/folder.ts'
import { getImport, listImports, startImport } from '#contract/import.ts'
import { AUDIENCE_CODES, type AudienceCode, platformOfCode } from '#contract/platform.ts'
import { listPushes, startPush } from '#contract/push.ts'
import { createRuleCrowd, getRuleCrowd, listRuleCrowds, openRule, storeRule } from '#contract/rule-crowd.ts'
import { ATTRIBUTE_TAG, getTagTree } from '#contract/tag.ts'
import { listTasks } from '#contract/task.ts'
import { leaf, tagged } from '../testing/builders.ts'
import { aCustomCrowd } from '../testing/custom-crowds.ts'
import { findPostgres, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { hashes } from '../testing/push.ts'
import { type RealServer, realServer } from '../testing/real-server.ts'
import { type TestSandbox, testSandbox } from '../testing/sandbox.ts'
import { uploadTo } from '../testing/upload.ts'
import { now } from '../time/clock.ts'

const RESTARTS = 10
/** Enough for a busy machine. */
const PATIENCE_MS = 120_000
const ROWS = 3000
const CITIES = ['北京', '上海', '广州', '成都']
const ACCOUNTS = { 1: '9007199254750003', 2: '9107199254750003' } as const

const bin = process.env.RENQUN_TEST_POSTGRES ? findPostgres() : undefined
let postgres: PostgresServer
let sandbox: TestSandbox
let server: RealServer
beforeAll(async () => {
  if (bin) postgres = await startPostgres(bin)
})
afterAll(async () => {
  await server?.close()
  await sandbox?.close()
  await postgres?.stop()
})
const call: RealServer['admin']['get'] = (...given) => server.admin.get(...given)

const AWAY = new RegExp(`: (${FAULTS.databaseAway.code} |503 )`)

/** False if the database was away, so that the call may or may not have taken effect. Other errors fail the test. */
async function acknowledged(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!AWAY.test(String(error))) throw error
    return false
  }
}

/** Repeats calls that are safe to repeat until the database answers. */
async function untilAnswered<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!AWAY.test(String(error))) throw error
      await pause(200)
    }
  }
}

const idsOf = (round: number) => Array.from({ length: ROWS }, (_, i) => round * (ROWS / 2) + i)
const cityOf = (id: number) => CITIES[id % CITIES.length]
const fileOf = (round: number) =>
  `id,city\n${idsOf(round)
    .map((id) => `u${id},${cityOf(id)}`)
    .join('\n')}\n`
const linesOf = (crowd: number) => hashes(crowd * 1000, crowd * 1000 + 120 + crowd)
const namesIn = (folders: readonly AssetFolder[]): string[] =>
  folders.flatMap((folder) => [folder.name, ...namesIn(folder.subDirs)])

async function anAdvertiser() {
  const { id: adv_id } = await call(createAdvertiser, { body: { name: '重启' } })
  for (const platform of AUDIENCE_CODES) {
    const { url } = await call(startAuthorisation, { body: { adv_id, platform } })
    const back = await sandbox.consent(url, { accounts: [ACCOUNTS[platform]] })
    await fetch((await server.origin()) + back.pathname + back.search, {
      headers: { cookie: server.admin.cookie },
      redirect: 'manual',
    })
  }
  const { list } = await call(listAdvertiserData)
  return { adv_id, accounts: list.find((one) => one.id === adv_id)?.accounts ?? [] }
}

async function tagCounts(adv_id: number) {
  const { data } = await call(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
  return new Map(data.flatMap((category) => category.group ?? []).map((tag) => [tag.tag, tag]))
}

async function asAdministrator(statement: string) {
  const client = new pg.Client(postgres.url)
  await client.connect()
  await client.query(statement)
  await client.end()
}
const terminateAll = () =>
  asAdministrator(`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'renqun %'`)

test.skipIf(!bin)(
  'ten restarts of Postgres under writes, imports and pushes: the same process, nothing lost',
  {
    timeout: 4 * PATIENCE_MS,
  },
  async () => {
    sandbox = await testSandbox()
    server = realServer({
      DATABASE_URL: postgres.url,
      PLATFORM_SOCIAL_URL: sandbox.socialUrl,
      PLATFORM_VIDEO_URL: sandbox.videoUrl,
      PUSH_PACE: '0.05',
    })
    await server.start()
    await sandbox.control('switches', { processing_seconds: 0.2 })
    const { adv_id, accounts } = await anAdvertiser()
    expect(accounts).toHaveLength(2)
    const mapping = { kind: 'users' as const, id: 'id' }
    const importRound = async (round: number) => {
      const upload_id = await untilAnswered(() => uploadTo(server, server.admin, fileOf(round), `round-${round}.csv`))
      return (await untilAnswered(() => call(startImport, { body: { adv_id, upload_id, mapping } }))).id
    }
    await importRound(0)
    await server.settled()
    const beijing = (await tagCounts(adv_id)).get('北京')?.id ?? 0

    let isOver = false
    const folders = new Set<string>()
    const crowds = new Set<string>()
    const imports = new Set<number>()
    const custom = new Map<number, number>()
    const sent = new Set<string>()
    async function folderLoop(writer: number) {
      for (let n = 0; !isOver; n++) {
        const name = `文件夹${writer}-${n}`
        if (await acknowledged(() => call(createAssetFolder, { body: { name } }))) folders.add(name)
        await pause(30)
      }
    }
    async function ruleLoop() {
      for (let n = 0; !isOver; n++) {
        const name = `人群${n}`
        const isKept = await acknowledged(async () => {
          const { rId } = await call(openRule, { body: { advId: adv_id } })
          await call(storeRule, { params: { rId }, body: { advId: adv_id, rule: leaf('a', 'n', tagged(beijing)) } })
          await call(createRuleCrowd, { body: { rId, name, invalidTime: now() + 86_400, dirId: 1 } })
        })
        if (isKept) crowds.add(name)
        await pause(150)
      }
    }
    async function importLoop() {
      for (let round = 1; !isOver; round++) {
        const id = await importRound(round)
        imports.add(id)
        await vi.waitFor(
          async () => {
            const { status } = await untilAnswered(() => call(getImport, { params: { id } }))
            expect(['waiting', 'running']).not.toContain(status)
          },
          { timeout: PATIENCE_MS, interval: 100 },
        )
      }
    }
    async function pushLoop() {
      for (let crowd = 1; !isOver; crowd++) {
        const files = [{ name: 'ids.txt', content: linesOf(crowd).join('\n') }]
        let id: number | undefined
        const make = async () => {
          id = await aCustomCrowd(server, adv_id, files, { name: `上传${crowd}` })
        }
        if (!(await acknowledged(make)) || id === undefined) continue
        const crowd_id = id
        custom.set(crowd, crowd_id)
        await vi.waitFor(
          async () => {
            const { crowd } = await untilAnswered(() => call(getCustomCrowd, { query: { id: crowd_id } }))
            expect(crowd.status).toBe('available')
          },
          { timeout: PATIENCE_MS, interval: 100 },
        )
        for (const { id: advertiser_id, platform } of accounts) {
          const params = { cnt_type: platform as AudienceCode }
          await untilAnswered(() => call(startPush, { params, body: { id: crowd_id, advertiser_id } }))
          sent.add(`${crowd_id} ${advertiser_id}`)
        }
      }
    }
    const work = Promise.all([folderLoop(1), folderLoop(2), ruleLoop(), importLoop(), pushLoop()])
    // A failure there must end the restarts too.
    let isBroken = false
    work.catch(() => {
      isBroken = true
    })

    for (let round = 0; round < RESTARTS && !isBroken; round++) {
      const before = folders.size
      await vi.waitFor(() => expect(isBroken || folders.size > before).toBe(true), {
        timeout: PATIENCE_MS,
        interval: 10,
      })
      await pause((round * 577) % 1500)
      if (round % 3 === 2) {
        await terminateAll()
        await pause(500)
      }
      await postgres.restart(round % 2 ? 'immediate' : 'fast', round === 5 ? 3000 : 0)
    }
    isOver = true
    await work
    await untilAnswered(() => server.settled())

    const { child, printed } = server.launched() ?? {}
    expect(child?.exitCode).toBe(null)
    expect((await fetch(`${await server.origin()}/readyz`)).status).toBe(200)
    expect(await call(listTasks)).toMatchObject({ running: 0, failed: 0 })
    const said = printed?.() ?? ''
    expect(said.match(/数据库暂时不可用/g)?.length).toBeLessThan(3 * RESTARTS)
    expect(said).not.toMatch(/任务队列出错|次出错|a call failed/)

    const named = namesIn(await call(listAssetFolders))
    expect(new Set(named).size).toBe(named.length)
    expect([...folders].filter((name) => !named.includes(name))).toEqual([])

    const { list } = await call(listImports, { query: { adv_id, page_size: 100 } })
    const listed = list.map((row) => row.id)
    expect([...imports].filter((id) => !listed.includes(id))).toEqual([])
    for (const { id } of list) {
      const { status, error, report } = await call(getImport, { params: { id } })
      expect({ status, error, rows: report?.rows }).toEqual({ status: 'done', error: null, rows: ROWS })
      expect((report?.stored ?? 0) + (report?.duplicate ?? 0) + (report?.refused ?? 0)).toBe(ROWS)
    }
    const people = new Set(list.map((row) => Number(/round-(\d+)/.exec(row.file_name)?.[1])).flatMap(idsOf))
    const counted = await tagCounts(adv_id)
    expect(counted.get('全部用户')?.count).toBe(people.size)
    for (const city of CITIES) {
      expect(counted.get(city)?.count).toBe([...people].filter((id) => cityOf(id) === city).length)
    }

    const saved = (await call(listRuleCrowds, { query: { adv_id, page_size: 500 } })).res
    const names = saved.map((crowd) => crowd.name)
    expect(new Set(names).size).toBe(names.length)
    expect([...crowds].filter((name) => !names.includes(name))).toEqual([])
    for (const { id } of saved) {
      expect(await call(getRuleCrowd, { params: { id } })).toMatchObject({ status: 'completed', failReason: null })
    }

    expect(sent.size).toBeGreaterThan(0)
    await vi.waitFor(
      async () => {
        for (const id of custom.values()) {
          const pushes = (await call(listPushes, { query: { id, page_size: 100 } })).list
          expect(pushes.filter((push) => push.status !== 'done').map((push) => [push.status, push.reason])).toEqual([])
        }
      },
      { timeout: PATIENCE_MS, interval: 300 },
    )
    for (const account of accounts) {
      const platform = platformOfCode(account.platform as AudienceCode)
      const there = await sandbox.control<{ id: string | null }[]>(
        `audiences?platform=${platform}&account_id=${account.external_id}`,
      )
      const mine = [...custom].filter(([, id]) => sent.has(`${id} ${account.id}`))
      // All that were ever made, not only those that exist now.
      expect(there).toHaveLength(mine.length)
      for (const [crowd, id] of mine) {
        const { audiences } = (await call(getCustomCrowd, { query: { id } })).crowd
        const tag_id = audiences.find((one) => one.adv_id === account.id)?.tag_id
        const held = await sandbox.control<{ values: string[] }>(`values?platform=${platform}&audience_id=${tag_id}`)
        expect(held.values.toSorted()).toEqual(linesOf(crowd).toSorted())
      }
    }
  },
)

test.skipIf(!bin)('a server stops normally while Postgres is away', async () => {
  await asAdministrator('create database stopped')
  const stopped = realServer({ DATABASE_URL: postgres.url.replace(/postgres$/, 'stopped') })
  onTestFinished(() => stopped.close())
  await stopped.start()
  const restarting = postgres.restart('fast', 4000)
  await pause(2000)
  const { child, ended } = stopped.launched() ?? {}
  child?.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, out: expect.stringMatching(/已停止\n$/) })
  await restarting
})

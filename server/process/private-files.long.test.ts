import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { createAdvertiser, listAdvertiserData } from '#contract/advertiser.ts'
import { getCustomCrowd } from '#contract/custom-crowd.ts'
import { startImport } from '#contract/import.ts'
import { listPushes, startPush } from '#contract/push.ts'
import { consentTo } from '../testing/consent.ts'
import { aCustomCrowd } from '../testing/custom-crowds.ts'
import { MAIN } from '../testing/launch.ts'
import { SOCIAL } from '../testing/platforms.ts'
import { hashes, SANDBOX_ACCOUNTS } from '../testing/push.ts'
import { realServer } from '../testing/real-server.ts'
import { testSandbox } from '../testing/sandbox.ts'
import { uploadTo } from '../testing/upload.ts'
import { zipped } from '../testing/zipped.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })
const MOST_MS = 60_000

const sandbox = await testSandbox()
const server = realServer(
  {
    PLATFORM_SOCIAL_URL: sandbox.socialUrl,
    PLATFORM_VIDEO_URL: sandbox.videoUrl,
    PUSH_PACE: '0.05',
  },
  { makesAll: true },
)
afterAll(async () => {
  await server.close()
  await sandbox.close()
})

const NOT_OWNER = 0o077

/** The stores have more than a thousand permanent files; other files may exist only for milliseconds. */
const STORES = ['postgres', 'warehouse']

/** The directory and everything in it; files that vanish meanwhile are left out. */
function filesBelow(directory: string, leftOut: readonly string[] = []): { path: string; isOpen: boolean }[] {
  const found = lstatSync(directory, { throwIfNoEntry: false })
  if (!found || found.isSymbolicLink()) return []
  const inside = found.isDirectory() ? namesIn(directory).filter((name) => !leftOut.includes(name)) : []
  return [
    { path: directory, isOpen: (found.mode & NOT_OWNER) !== 0 },
    ...inside.flatMap((name) => filesBelow(join(directory, name))),
  ]
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Checks the directory repeatedly until `end`, which returns the files seen and those open to others. */
function watch(directory: string) {
  const seen = new Set<string>()
  const open = new Set<string>()
  const scan = (leftOut?: readonly string[]) => {
    for (const { path, isOpen } of filesBelow(directory, leftOut)) {
      seen.add(relative(directory, path))
      if (isOpen) open.add(relative(directory, path))
    }
  }
  const timer = setInterval(() => scan(STORES), 1)
  return {
    scan,
    end() {
      clearInterval(timer)
      scan()
      return { seen: [...seen], open: [...open] }
    },
  }
}

test('other users can open no file of DATA_DIR during an import, a check and a push', async () => {
  const watched = watch(server.dataDir)
  await server.start()
  const { admin } = server
  const { id: adv_id } = await admin.get(createAdvertiser, { body: { name: '品牌' } })

  const rows = Array.from(
    { length: 40_000 },
    (_, i) => `u${i},1380000${String(i % 10_000).padStart(4, '0')},城市${i % 50}`,
  )
  const upload_id = await uploadTo(server, admin, `id,phone,city\n${rows.join('\n')}\n`)
  const mapping = { kind: 'users' as const, id: 'id', phone: 'phone' }
  await admin.get(startImport, { body: { adv_id, upload_id, mapping } })
  await server.settled()
  watched.scan()

  const accounts = [SANDBOX_ACCOUNTS[1][0]]
  await consentTo(server, sandbox, { adv_id, platform: SOCIAL, accounts })
  const { list } = await admin.get(listAdvertiserData)
  const account = list.find((one) => one.id === adv_id)?.accounts[0]?.id ?? 0
  const content = await zipped({ 'ids.txt': `${hashes(0, 10_000).join('\n')}\nmalformed` })
  const id = await aCustomCrowd(server, adv_id, [{ name: 'ids.zip', content }])
  await server.settled()
  expect((await admin.get(getCustomCrowd, { query: { id } })).crowd.status).toBe('available')
  watched.scan()
  await admin.get(startPush, { params: { cnt_type: SOCIAL }, body: { id, advertiser_id: account } })
  await vi.waitFor(
    async () => {
      const { list: pushes } = await admin.get(listPushes, { query: { id } })
      expect(pushes[0]?.status).toBe('done')
    },
    { timeout: MOST_MS, interval: 200 },
  )

  const { seen, open } = watched.end()
  // Files of all three were seen.
  expect(seen.some((path) => /^import\/\d+\/./.test(path))).toBe(true)
  expect(seen.some((path) => /^crowd-check\/.+\/./.test(path))).toBe(true)
  expect(seen.some((path) => /part-\w+\/.+\.zip$/.test(path))).toBe(true)
  expect(open).toEqual([])
})

test('a start removes other users’ access to DATA_DIR and everything in it', async () => {
  await server.kill()
  for (const { path } of filesBelow(server.dataDir)) chmodSync(path, statSync(path).mode | 0o055)
  // Other users could put links there that lead elsewhere.
  const elsewhere = mkdtempSync(join(tmpdir(), 'renqun-elsewhere-'))
  mkdirSync(join(elsewhere, 'inside'))
  chmodSync(join(elsewhere, 'inside'), 0o755)
  symlinkSync(elsewhere, join(server.dataDir, 'link'))
  await server.start()
  expect(filesBelow(server.dataDir).filter(({ isOpen }) => isOpen)).toEqual([])
  expect(statSync(join(elsewhere, 'inside')).mode & 0o777).toBe(0o755)
  rmSync(elsewhere, { recursive: true })
})

test.runIf(process.getuid?.() === 0)(
  'a start fails if DATA_DIR belongs to another user and cannot be made private',
  async () => {
    // In a place that another user can reach; temporary directories of this run are closed to others.
    const root = mkdtempSync(join(process.env.RENQUN_TEST_KEPT || tmpdir(), 'renqun-open-'))
    try {
      chmodSync(root, 0o755)
      const dataDir = join(root, 'data')
      mkdirSync(dataDir)
      chmodSync(dataDir, 0o777)
      const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', DEMO: '0', WEB_BUILD: '0' }
      const nobody = { uid: 65_534, gid: 65_534 }
      const child = spawn(process.execPath, [MAIN], { ...nobody, env, stdio: ['ignore', 'ignore', 'pipe'] })
      let said = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
      const [code] = await once(child, 'close')
      expect(code).toBe(1)
      expect(said).toContain(`DATA_DIR ${dataDir} 对本机其他用户开放，并且无法关闭`)
      expect(said.trim().split('\n')).toHaveLength(1)
      expect(readdirSync(dataDir)).toEqual([])
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  },
)

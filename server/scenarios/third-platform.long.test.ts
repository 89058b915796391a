import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test, vi } from 'vitest'
import { createAdvertiser, listAdvertisers } from '#contract/advertiser.ts'
import { getAuthorisationOutcome, listPlatforms, startAuthorisation } from '#contract/authorisation.ts'
import { deleteCustomCrowd, getCustomCrowd } from '#contract/custom-crowd.ts'
import type { AudienceCode, PlatformCode } from '#contract/platform.ts'
import { checkPush, listPushes, startPush } from '#contract/push.ts'
import { aCustomCrowd } from '../testing/custom-crowds.ts'
import { ACCOUNT, APP, startVendor } from '../testing/invented-platform/vendor.ts'
import { hashes } from '../testing/push.ts'
import { realServer } from '../testing/real-server.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** The folders and files that the server and the compiler need. */
const COPIED = ['contract', 'server', 'sandbox', 'cli', 'web', 'package.json', 'tsconfig.base.json']

/** Not the number of a real platform, so the types of this process do not include it. */
const CODE = 9
const platform = CODE as PlatformCode
const cnt_type = CODE as AudienceCode

const ENTRY = `
  invented: {
    code: ${CODE},
    name: '样例平台',
    mark: '样',
    tab: 10,
    nameShown: { max: 20, unit: 'characters' },
    scopes: [SCOPE_ALL],
    scopeNames: {},
    codeParameter: 'grant',
    oldLinkNumbers: [],
    oldLinkProducts: [],
    audiences: {
      identifiers: ['HASH_IMEI'],
      withdrawn: [],
      listScopes: [],
      canRename: false,
      quotaFull: '的样例平台人群配额已达上限。',
      limits: {
        name: { max: 20, unit: 'characters' },
        description: 100,
        partValues: 50,
        partBytes: 1_000_000,
        leastValues: 1,
        children: 30,
        audiences: 100,
        publishEvery: 0,
        receiptLife: null,
      },
    },
  },
`

const copy = mkdtempSync(join(tmpdir(), 'renqun-third-platform-'))
const vendor = await startVendor()
const server = realServer({
  PLATFORM_INVENTED_URL: vendor.url,
  PLATFORM_INVENTED_APP_ID: APP.app,
  PLATFORM_INVENTED_SECRET: APP.secret,
  // Explicit addresses, so that no sandbox is started.
  PLATFORM_SOCIAL_URL: 'http://127.0.0.1:9/social',
  PLATFORM_VIDEO_URL: 'http://127.0.0.1:9/video',
  PUSH_PACE: '0.05',
})
afterAll(async () => {
  await server.close()
  await vendor.close()
  rmSync(copy, { recursive: true, force: true })
})

function insert(path: string, before: string, text: string): void {
  const file = join(copy, path)
  const content = readFileSync(file, 'utf8')
  expect(content.split(before)).toHaveLength(2)
  writeFileSync(
    file,
    content.replace(before, () => `${text}${before}`),
  )
}

/** A copy of the program with one more platform: a table entry, a line in the list of adapters, and the adapter. */
function copyWithThirdPlatform(): void {
  const isProgram = (path: string) => !/\.test\.tsx?$/.test(path)
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: isProgram })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  insert('contract/platform.ts', '} as const satisfies Record<string, PlatformEntry>', ENTRY)
  insert(
    'server/platforms/adapters.ts',
    'import { socialAdapter }',
    "import { inventedAdapter } from '../testing/invented-platform/adapter.ts'\n",
  )
  insert('server/platforms/adapters.ts', '  social: socialAdapter,', '  invented: inventedAdapter,\n')
}

test('a table entry and an adapter make a third platform to push to', { timeout: 480_000 }, async () => {
  copyWithThirdPlatform()
  // Nothing else in the contract, the server or the web must change. Runs in parallel, since it takes half of the time.
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc')
  const types = promisify(execFile)(process.execPath, [tsc, '-b', 'contract', 'server', 'web'], { cwd: copy }).then(
    () => 'no error',
    (error: { stdout: string }) => error.stdout,
  )

  await server.start(join(copy, 'server', 'main.ts'))
  const call: typeof server.admin.get = (...given) => server.admin.get(...given)
  const { id: adv_id } = await call(createAdvertiser, { body: { name: '云杉' } })
  const { list } = await call(listPlatforms)
  expect(list).toContainEqual({ platform, is_sandbox: false, refusal: null, refusal_outcome: null })

  // Authorise: the vendor's page consents at once.
  const { url } = await call(startAuthorisation, { body: { adv_id, platform } })
  expect(url).toMatch(vendor.url)
  const asBrowser = (at: string) =>
    fetch(at, { headers: { cookie: server.admin.cookie }, redirect: 'manual' }).then(
      (answer) => answer.headers.get('location') ?? '',
    )
  const callback = new URL(await asBrowser(url))
  expect(callback.pathname).toBe('/api/oauth/callback/invented')
  const back = new URL(await asBrowser((await server.origin()) + callback.pathname + callback.search), 'http://console')
  const outcome = await call(getAuthorisationOutcome, { params: { id: Number(back.searchParams.get('oauth')) } })
  expect(outcome).toMatchObject({ platform, error: null, accounts: [{ external_id: ACCOUNT.id, name: ACCOUNT.name }] })
  const { data: accounts } = await call(listAdvertisers, { query: { auth_type: platform } })
  expect(accounts).toMatchObject([{ external_id: ACCOUNT.id, is_authorised: true }])
  const account_id = accounts[0]?.id ?? 0

  // Push: the uploaded values arrive, in parts within the table's limits.
  const values = hashes(0, 120)
  const id = await aCustomCrowd(server, adv_id, [{ name: 'ids.txt', content: values.join('\n') }], { name: '老客户' })
  const crowd = async () => (await call(getCustomCrowd, { query: { id } })).crowd
  await vi.waitFor(async () => expect((await crowd()).status).toBe('available'), { timeout: 60_000, interval: 100 })
  expect((await crowd()).cnt_type).toEqual(expect.arrayContaining([1, 2, CODE]))
  const check = await call(checkPush, { body: { source: { kind: 'custom', id }, cnt_type, account_id } })
  expect(check).toMatchObject({ ok: true, platform_name: '老客户', types: [{ total: 120, sendable: 120 }] })
  const { child_id } = await call(startPush, { params: { cnt_type }, body: { id, advertiser_id: account_id } })
  const push = async () => (await call(listPushes, { query: { kind: 'custom', id } })).list[0]
  await vi.waitFor(async () => expect((await push())?.status).toBe('done'), { timeout: 60_000, interval: 100 })
  const there = [...vendor.crowds.values()]
  expect(there.map(({ name }) => name)).toEqual(['老客户'])
  expect([...(there[0]?.values ?? [])].toSorted()).toEqual(values.toSorted())
  expect(there[0]?.parts.size).toBe(3)
  expect(await push()).toMatchObject({ cnt_type: CODE, sent: 120, accepted: 120 })

  // Delete: the audience is removed here and on the platform.
  await call(deleteCustomCrowd, { query: { id: child_id, advertiser_id: account_id, cnt_type } })
  await vi.waitFor(async () => expect((await crowd()).audiences).toEqual([]), { timeout: 30_000, interval: 100 })
  expect(vendor.crowds.size).toBe(0)
  expect(vendor.refusals).toEqual([])
  expect(await types).toBe('no error')
})

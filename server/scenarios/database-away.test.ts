import { sql } from 'kysely'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { startAuthorisation } from '#contract/authorisation.ts'
import { FAULTS } from '#contract/errors.ts'
import { createAssetFolder, listAssetFolders } from '#contract/folder.ts'
import { ATTRIBUTE_TAG, getTagTree } from '#contract/tag.ts'
import { loginTokens } from '../features/authorisation/login-tokens.ts'
import { anAdvertiser } from '../testing/builders.ts'
import { cutPostgres } from '../testing/cut-postgres.ts'
import { VIDEO } from '../testing/platforms.ts'
import { testSandbox } from '../testing/sandbox.ts'
import { testApp } from '../testing/test-app.ts'

const [database, sandbox] = await Promise.all([cutPostgres(), testSandbox()])
const app = await testApp({ PLATFORM_VIDEO_URL: sandbox.videoUrl }, async () => database)
afterAll(async () => {
  await app.close()
  await sandbox.close()
})
afterEach(() => vi.restoreAllMocks())

const away = { code: FAULTS.databaseAway.code, status: 503, msg: FAULTS.databaseAway.msg }
const folder = (name: string) => app.admin.call(createAssetFolder, { body: { name } })
const foldersNamed = async (name: string) => {
  const { rows } = await sql`select 1 from asset_folder where name = ${name}`.execute(database.direct.db)
  return rows.length
}
const readyz = async () => (await app.app.inject({ url: '/readyz' })).statusCode

test('a statement in flight when its connection breaks answers 503, and the next call is served', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const blocker = await database.direct.pool.connect()
  await blocker.query('begin')
  await blocker.query('lock table asset_folder in access exclusive mode')
  const calls = Promise.all([folder('一'), folder('二'), app.admin.call(listAssetFolders)])
  await new Promise((resolve) => setTimeout(resolve, 300))
  database.cut()
  for (const answer of await calls) expect(answer).toMatchObject(away)
  await blocker.query('rollback')
  blocker.release()
  expect(await folder('三')).toMatchObject({ code: 0 })
  expect(await foldersNamed('三')).toBe(1)
})

test('while the database is away, calls answer 503 and the server is not ready; the outage and its end are logged once', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const lines = vi.spyOn(console, 'log').mockImplementation(() => {})
  await database.goAway()
  expect(await folder('四')).toMatchObject(away)
  expect(await app.admin.call(listAssetFolders)).toMatchObject(away)
  expect(await app.admin.call(getTagTree, { query: { adv_id: 1, tag_type: ATTRIBUTE_TAG } })).toMatchObject(away)
  expect(await readyz()).toBe(503)
  // Long enough for each of the queue's loops to run again.
  await new Promise((resolve) => setTimeout(resolve, 1200))
  await database.back()
  await vi.waitFor(async () => expect(await readyz()).toBe(200))
  expect(await folder('四')).toMatchObject({ code: 0 })
  expect(errors.mock.calls.map(([said]) => said)).toEqual([expect.stringMatching(/^数据库暂时不可用：/)])
  expect(lines.mock.calls.map(([said]) => said)).toEqual(['数据库已恢复'])
})

test('a call whose COMMIT was not answered returns 503, though it may have taken effect', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  database.loseCommitOf('五')
  expect(await folder('五')).toMatchObject(away)
  expect(await foldersNamed('五')).toBe(1)
})

test('waiting for an import at the command line goes on during an outage', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const adv_id = await anAdvertiser(app)
  const { id } = await database.db
    .insertInto('import')
    .values({ adv_id, kind: 'users', mapping: '{}', file_name: 'a.csv', size: 1, status: 'running', created_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const waiting = app.services.imports.wait(id, AbortSignal.timeout(10_000), () => {})
  await database.goAway()
  await new Promise((resolve) => setTimeout(resolve, 400))
  await database.back()
  await database.direct.db.updateTable('import').set({ status: 'failed' }).where('id', '=', id).execute()
  expect(await waiting).toMatchObject({ id, status: 'failed' })
})

// This takes more than five seconds to show.
test.skipIf(!process.env.RENQUN_TEST_POSTGRES)(
  'refreshed tokens are stored however long the database is away, since the platform no longer accepts the old ones',
  async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const adv_id = await anAdvertiser(app)
    const { url } = await app.admin.get(startAuthorisation, { body: { adv_id, platform: VIDEO } })
    const at = await sandbox.consent(url)
    await app.app.inject({ url: `${at.pathname}${at.search}`, headers: { cookie: app.admin.cookie } })
    const { db } = database
    const login = () => db.selectFrom('platform_login').selectAll().executeTakeFirstOrThrow()
    const { id, tokens } = await login()
    const client = app.services.platforms.oauthOf(VIDEO)
    const { refreshNow } = loginTokens({
      db,
      secrets: app.stores.secrets,
      oauthOf: () => ({
        ...client,
        async refresh(...given) {
          const fresh = await client.refresh(...given)
          await database.goAway()
          setTimeout(() => void database.back(), 6000)
          return fresh
        },
      }),
    })
    await refreshNow(id)
    const kept = await login()
    expect(kept).toMatchObject({ error: null, hold: null })
    expect(kept.tokens).not.toBe(tokens)
    const fresh = JSON.parse(app.stores.secrets.open(kept.tokens ?? ''))
    expect(await client.accounts(fresh)).not.toHaveLength(0)
  },
)

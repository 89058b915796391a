import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { getTargeting, listTargetings, updateTargeting } from '#contract/targeting-package.ts'
import { listTargetingCrowds } from '#contract/targeting-tags.ts'
import { accountId } from '../../../sandbox/platforms.ts'
import { transaction } from '../../postgres/transaction.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { silent, until } from '../../testing/jobs.ts'
import { COMMERCE } from '../../testing/platforms.ts'
import { anAuthorisedAccount } from '../../testing/push.ts'
import { aPackage, checkCrowds } from '../../testing/targeting.ts'
import { now } from '../../time/clock.ts'

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres
/** Shops of the stand-in. */
const [SHOP, OTHER] = [accountId('video', 6), accountId('video', 18)]
/** The vendor's numbers: effective, expired, deleted, depending on a withdrawn tag. */
const [FINE, EXPIRED, DELETED, FROZEN] = [2, 11, 22, 24]

let account: number
let adv_id: number
/** Two of the account's own crowds. */
let crowds: string[] = []
let using: number
let excluding: number
let plain: number
beforeEach(async () => {
  await app.reset()
  await db.deleteFrom('dictionary_copy').execute()
  await sandbox.control('faults/forget', {})
  await sandbox.control('switches', { video_advertiser_qps: 0, video_application_qps: 0 })
  adv_id = await anAdvertiser(app)
  account = await anAuthorisedAccount(app, sandbox, adv_id, COMMERCE, SHOP)
  for (const id of crowds) await set(id, FINE)
  const { list } = await app.admin.get(listTargetingCrowds, { query: { advertiser_id: account, type: '1' } })
  crowds = list.slice(0, 2).map((row) => row.retargeting_tags_id)
  using = await aUser('定向', { auto_crowd_mode: [1], retargeting_tags_include: crowds })
  excluding = await aUser('排除', { auto_crowd_mode: [2], retargeting_tags_exclude: [crowds[1]] })
  plain = await aUser('不用人群', {})
  await saved(-60)
})

const aUser = (targeting_name: string, targeting: object, at = account) =>
  aPackage(app, at, { targeting_name, targeting: { landing_type: 'LIVE', ...targeting } })
/** Moves the time of saving, which the age of a list is compared with. */
const saved = (seconds: number) =>
  db
    .updateTable('targeting_package')
    .set({ saved_at: now() + seconds })
    .execute()
const set = (id: string, status: number) => sandbox.control('commerce-crowds/set', { id, status })
const lost = async () => {
  const { list } = await app.admin.get(listTargetings, { body: { platform: COMMERCE, status: '-1' } as never })
  return list.map(({ name }) => name).toSorted()
}
const hourly = () => checkCrowds(app)
const fault = (kind: string, more: object = {}) =>
  sandbox.control('faults', { platform: 'video', path: 'dmp/audiences', kind, times: 50, ...more })
const open = (id: number) => app.admin.get(getTargeting, { query: { id } })
const audited = async () => {
  const rows = await db
    .selectFrom('audit')
    .select(['action', 'detail'])
    .where('action', 'like', 'targeting.crowds%')
    .execute()
  return rows.map(({ action, detail }) => [action, (detail as { id: number }).id])
}

test.each([
  ['expired', EXPIRED],
  ['was deleted', DELETED],
  ['depends on a withdrawn tag', FROZEN],
])('packages whose crowd %s are 人群失效, and no longer once it is back', async (_, state) => {
  await hourly()
  expect(await lost()).toEqual([])
  await set(crowds[0] as string, state)
  await hourly()
  expect(await lost()).toEqual(['定向'])
  await set(crowds[1] as string, state)
  await hourly()
  expect(await lost()).toEqual(['定向', '排除'].toSorted())
  await set(crowds[0] as string, FINE)
  await hourly()
  expect(await lost()).toEqual(['定向', '排除'].toSorted())
  await set(crowds[1] as string, FINE)
  await hourly()
  expect(await lost()).toEqual([])
  expect(await audited()).toEqual([
    ['targeting.crowds_lost', using],
    ['targeting.crowds_lost', excluding],
    ['targeting.crowds_back', using],
    ['targeting.crowds_back', excluding],
  ])
})

test('opening a package checks it, and so does opening it in its editor', async () => {
  await set(crowds[1] as string, EXPIRED)
  await db.deleteFrom('dictionary_copy').execute()
  expect((await open(plain)).status).toBe(1)
  expect(await lost()).toEqual([])
  expect(await open(excluding)).toMatchObject({ status: -1, lost_crowds: [crowds[1]] })
  expect(await open(using)).toMatchObject({ status: -1, lost_crowds: [crowds[1]] })
  expect(await open(plain)).toMatchObject({ lost_crowds: [] })
  expect(await lost()).toEqual(['定向', '排除'].toSorted())
})

test('choosing other crowds makes it 正常 at once', async () => {
  await set(crowds[0] as string, EXPIRED)
  await hourly()
  const targeting = { landing_type: 'LIVE', auto_crowd_mode: [1], retargeting_tags_include: [crowds[1]] }
  await app.admin.get(updateTargeting, { body: { id: using, targeting } as never })
  expect(await lost()).toEqual([])
})

test.each<[string, () => Promise<unknown>]>([
  ['throttles', () => fault('throttle')],
  ['is gone', () => fault('error', { status: 503 })],
  ['gives no second page', () => fault('drop_before', { after: 1 })],
  [
    'no longer authorises the account',
    () => db.updateTable('platform_account').set({ login_id: null }).where('id', '=', account).execute(),
  ],
])('a platform that %s changes nothing', async (_, breaks) => {
  await db.updateTable('targeting_package').set({ is_crowd_lost: true }).where('id', '=', excluding).execute()
  await set(crowds[0] as string, DELETED)
  await breaks()
  await hourly()
  expect(await lost()).toEqual(['排除'])
  await db.deleteFrom('dictionary_copy').execute()
  await open(using)
  expect(await lost()).toEqual(['排除'])
})

test('a slow platform keeps nobody from opening a package, nor another account from its check', async () => {
  const other = await anAuthorisedAccount(app, sandbox, adv_id, COMMERCE, OTHER)
  await aUser('别的账户', { auto_crowd_mode: [1], retargeting_tags_include: ['5'] }, other)
  await saved(-60)
  await db.deleteFrom('dictionary_copy').execute()
  await fault('timeout', { account_id: SHOP, seconds: 8, times: 1 })
  await set(crowds[0] as string, EXPIRED)
  const before = performance.now()
  expect((await open(using)).status).toBe(1)
  expect(performance.now() - before).toBeLessThan(7500)
  await transaction(db, (tx) => app.stores.jobs.send(tx, 'targeting.crowds', {}))
  await until(async () => (await lost()).includes('别的账户'))
  expect(await lost()).toEqual(['别的账户'])
})

test('a check that ends half-way marks none, and the next one marks all', async () => {
  silent()
  await set(crowds[1] as string, DELETED)
  await sql
    .raw(`create function stop_check() returns trigger language plpgsql as $$
      begin if new.is_crowd_lost and new.id = ${excluding} then raise exception 'stopped'; end if; return new; end $$;
      create trigger stop_check before update on targeting_package for each row execute function stop_check()`)
    .execute(db)
  await hourly()
  expect([await lost(), await audited()]).toEqual([[], []])
  await sql.raw('drop function stop_check cascade').execute(db)
  await hourly()
  expect(await lost()).toEqual(['定向', '排除'].toSorted())
})

test('two checks at once mark each package once', async () => {
  await set(crowds[1] as string, EXPIRED)
  await db.deleteFrom('dictionary_copy').execute()
  await Promise.all([hourly(), open(using), open(excluding), hourly()])
  expect(await lost()).toEqual(['定向', '排除'].toSorted())
  expect(await audited()).toHaveLength(2)
})

test('a package saved after the list was read is left to the next check', async () => {
  await open(using)
  await set(crowds[0] as string, DELETED)
  await saved(60)
  await hourly()
  expect(await lost()).toEqual([])
  await saved(-60)
  await hourly()
  expect(await lost()).toEqual(['定向'])
})

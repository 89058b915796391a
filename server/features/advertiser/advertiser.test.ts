import type { Insertable } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import {
  createAdvertiser,
  listAdvertiserData,
  listAdvertisers,
  mayOpenTab,
  remarkAccount,
  renameAdvertiser,
  scopeHolders,
} from '#contract/advertiser.ts'
import { FAULTS } from '#contract/errors.ts'
import { outcome } from '#contract/outcome.ts'
import { PLATFORMS } from '#contract/platform.ts'
import { getConsole } from '#contract/viewer.ts'
import type { PlatformAccountTable, PlatformLoginTable } from '../../postgres/schema.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { COMMERCE, SOCIAL, VIDEO } from '../../testing/platforms.ts'
import { testApp } from '../../testing/test-app.ts'
import { now } from '../../time/clock.ts'

const app = await testApp({ DEPLOYMENT: 'rps' })
afterAll(() => app.close())
beforeEach(() => app.reset())

type Account = Partial<Omit<Insertable<PlatformAccountTable>, 'scope_list'>> & { name: string; scopes?: string[] }

async function anAccount(adv_id: number, { name, scopes = [], ...given }: Account): Promise<number> {
  const row = await app.stores.postgres.db
    .insertInto('platform_account')
    .values({ adv_id, platform: SOCIAL, external_id: name, name, scope_list: JSON.stringify(scopes), ...given })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

async function aLogin(given: Partial<Insertable<PlatformLoginTable>> = {}): Promise<number> {
  const row = await app.stores.postgres.db
    .insertInto('platform_login')
    .values({
      platform: SOCIAL,
      external_id: `登录${++logins}`,
      name: '登录',
      tokens: 'sealed',
      authorised_at: 1,
      ...given,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
let logins = 0

const named = async (query: object) =>
  (await app.admin.get(listAdvertisers, { query: { auth_type: SOCIAL, ...query } })).data.map((row) => row.name)

test('one account with the scope opens the tab, also behind a hundred without it', async () => {
  const adv_id = await anAdvertiser(app)
  for (let n = 0; n < 101; n++) await anAccount(adv_id, { name: `账户${n}`, platform: VIDEO })
  const holders = () => app.admin.get(listAdvertisers, { query: scopeHolders(VIDEO, PLATFORMS.video.scopes) })
  const isOpen = async () => mayOpenTab('rps', PLATFORMS.video.tab, [{}], (await holders()).data)
  expect(await isOpen()).toBe(false)
  await anAccount(adv_id, { name: '有权限', platform: VIDEO, scopes: ['all'] })
  expect(await isOpen()).toBe(true)
})

test('the list holds advertisers, or the accounts of one platform that have the scope asked for', async () => {
  const adv_id = await anAdvertiser(app, '甲')
  await anAdvertiser(app, '乙')
  await anAccount(adv_id, { name: '全部', scopes: ['all'] })
  await anAccount(adv_id, { name: '人群', scopes: ['audience_management', 'ads_management'] })
  await anAccount(adv_id, { name: '空' })
  await anAccount(adv_id, { name: '巨量', platform: VIDEO, scopes: ['all'] })

  expect(await app.admin.get(listAdvertisers)).toMatchObject({
    data: [
      { name: '甲', scope_list: ['all'] },
      { name: '乙', scope_list: ['all'] },
    ],
    total: 2,
  })
  expect(await named({})).toEqual(['全部', '人群', '空'])
  expect(await named({ scope: 'audience_management' })).toEqual(['全部', '人群'])
  expect(await named({ scope: 'all' })).toEqual(['全部'])
  expect(await named({ auth_type: VIDEO })).toEqual(['巨量'])
  expect(await named({ auth_type: COMMERCE })).toEqual([])
  expect(await named({ auth_type: -1, name: '乙' })).toEqual(['乙'])
  expect(await app.admin.get(listAdvertisers, { query: { auth_type: SOCIAL, page: 2, per_page: 2 } })).toMatchObject({
    data: [{ name: '空' }],
    total: 3,
  })
})

test('an account’s remark is stored for all who see it; accounts are found by name, id and remark', async () => {
  const adv_id = await anAdvertiser(app, '甲')
  const id = await anAccount(adv_id, { name: '云杉', external_id: '9001234' })
  await anAccount(adv_id, { name: '海棠', external_id: '9005678' })
  const member = await app.viewer('remarks', [adv_id])
  const remark = (text: string, caller = member) =>
    caller.call(remarkAccount, { params: { id }, body: { remark: text } })
  expect((await remark(' 双11 拉新 ')).code).toBe(0)
  const { data } = await app.admin.get(listAdvertisers, { query: { auth_type: SOCIAL } })
  expect(data.map((row) => row.remark)).toEqual(['双11 拉新', ''])
  const [own] = (await app.admin.get(listAdvertiserData)).list
  expect(own?.accounts[0]).toMatchObject({ remark: '双11 拉新' })
  expect(await named({ name: '拉新' })).toEqual(['云杉'])
  expect(await named({ name: '005678' })).toEqual(['海棠'])
  expect(await named({ name: '900' })).toEqual(['云杉', '海棠'])

  expect((await remark('字'.repeat(50))).code).toBe(0)
  expect(await remark('字'.repeat(51))).toMatchObject({ status: 400, msg: '备注最多 50 个字符' })
  expect((await remark('', await app.viewer('elsewhere', []))).status).toBe(404)
})

test('advertisers and accounts draw their ids from one sequence', async () => {
  const first = await anAdvertiser(app)
  const account = await anAccount(first, { name: '账户' })
  const second = await anAdvertiser(app)
  expect(new Set([first, account, second]).size).toBe(3)
  expect(second).toBeGreaterThan(account)
})

test('an account is authorised while its login is, and then says why it no longer is', async () => {
  const adv_id = await anAdvertiser(app)
  const live = await aLogin({ refresh_expires_at: now() + 60 })
  const over = await aLogin({ refresh_expires_at: now() - 1 })
  const dead = await aLogin({
    tokens: null,
    error: outcome('platform_refused', { text: '平台不再接受' }),
    refresh_expires_at: now() + 60,
  })
  const scopes = ['all']
  await anAccount(adv_id, { name: '未授权' })
  await anAccount(adv_id, { name: '已撤销', authorised_at: 1 })
  await anAccount(adv_id, { name: '有效', scopes, login_id: live, authorised_at: 1 })
  await anAccount(adv_id, {
    name: '拒绝',
    scopes,
    login_id: live,
    authorised_at: 1,
    auth_error: outcome('account_not_in_login'),
  })
  await anAccount(adv_id, { name: '到期', scopes, login_id: over, authorised_at: 1 })
  await anAccount(adv_id, { name: '失效', scopes, login_id: dead, authorised_at: 1 })
  const { list } = await app.admin.get(listAdvertiserData)
  expect(list[0]?.accounts.map(({ name, state, reason }) => [name, state, reason])).toEqual([
    ['未授权', 'none', null],
    ['已撤销', 'revoked', null],
    ['有效', 'authorised', null],
    ['拒绝', 'invalid', '最近一次授权没有包含此账户，或者登录已不再管理它'],
    ['到期', 'expired', '授权已到期'],
    ['失效', 'invalid', '平台不再接受'],
  ])
  expect(list[0]?.accounts.map(({ reason_outcome }) => reason_outcome?.code ?? null)).toEqual([
    null,
    null,
    null,
    'account_not_in_login',
    'authorisation_expired',
    'platform_refused',
  ])
  expect(list[0]?.accounts[2]).toMatchObject({ login: { name: '登录', accounts: 2 }, audiences: 0, pushes: 0 })
  expect(JSON.stringify(list)).not.toContain('sealed')
  expect(await named({ scope: 'all' })).toEqual(['有效'])
})

test('names are unique, and only an admin can set them', async () => {
  const { id } = await app.admin.get(createAdvertiser, { body: { name: ' 甲 ' } })
  const taken = { code: FAULTS.advertiserNameTaken.code }
  expect(await app.admin.call(createAdvertiser, { body: { name: '甲' } })).toMatchObject(taken)
  const other = await anAdvertiser(app, '乙')
  expect(await app.admin.call(renameAdvertiser, { params: { id: other }, body: { name: '甲' } })).toMatchObject(taken)
  await app.admin.get(renameAdvertiser, { params: { id }, body: { name: '甲' } })
  await app.admin.get(renameAdvertiser, { params: { id }, body: { name: '丙' } })
  expect(await named({ auth_type: -1 })).toEqual(['丙', '乙'])
  const member = await app.viewer('member', [id])
  expect((await member.call(renameAdvertiser, { params: { id }, body: { name: '丁' } })).status).toBe(403)
})

test('the web app gets the deployment before anyone signs in', async () => {
  expect(await app.nobody.get(getConsole)).toMatchObject({ deployment: 'rps', timezone: 'Asia/Shanghai' })
})

import { afterAll, beforeEach, expect, test } from 'vitest'
import {
  createAdvertiser,
  listAdvertiserData,
  listAdvertisers,
  type PlatformAccount,
  renameAdvertiser,
} from '#contract/advertiser.ts'
import { FAULTS } from '#contract/errors.ts'
import { getConsole } from '#contract/viewer.ts'
import { now } from '../../clock.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'

const app = await testApp({ DEPLOYMENT: 'rps' })
afterAll(() => app.close())
beforeEach(() => app.reset())

async function anAccount(
  adv_id: number,
  account: { name: string; platform?: number; scopes?: string[]; tokens?: string; expires_at?: number },
): Promise<number> {
  const { name, platform = 1, scopes = [], tokens = null, expires_at = null } = account
  const row = await app.stores.postgres.db
    .insertInto('platform_account')
    .values({ adv_id, platform, external_id: name, name, scope_list: JSON.stringify(scopes), tokens, expires_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

const named = async (query: object) =>
  (await app.admin.get(listAdvertisers, { query: { auth_type: 1, ...query } })).data.map((row) => row.name)

test('the list holds advertisers, or the accounts of one platform whose scopes cover what is asked', async () => {
  const adv_id = await anAdvertiser(app, '甲')
  await anAdvertiser(app, '乙')
  await anAccount(adv_id, { name: '全部', scopes: ['all'] })
  await anAccount(adv_id, { name: '人群', scopes: ['audience_management', 'ads_management'] })
  await anAccount(adv_id, { name: '空' })
  await anAccount(adv_id, { name: '巨量', platform: 2, scopes: ['all'] })

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
  expect(await named({ auth_type: 2 })).toEqual(['巨量'])
  expect(await named({ auth_type: 3 })).toEqual([])
  expect(await named({ auth_type: -1, name: '乙' })).toEqual(['乙'])
  expect(await app.admin.get(listAdvertisers, { query: { auth_type: 1, page: 2, per_page: 2 } })).toMatchObject({
    data: [{ name: '空' }],
    total: 3,
  })
})

test('advertisers and accounts draw their ids from one sequence', async () => {
  const first = await anAdvertiser(app)
  const account = await anAccount(first, { name: '账户' })
  const second = await anAdvertiser(app)
  expect(new Set([first, account, second]).size).toBe(3)
  expect(second).toBeGreaterThan(account)
})

test('an account is authorised while its token lasts', async () => {
  const adv_id = await anAdvertiser(app)
  await anAccount(adv_id, { name: '未授权' })
  await anAccount(adv_id, { name: '有效', tokens: 'sealed', expires_at: now() + 60 })
  await anAccount(adv_id, { name: '过期', tokens: 'sealed', expires_at: now() - 1 })
  const { list } = await app.admin.get(listAdvertiserData)
  const states = list[0]?.accounts.map(({ name, state }) => [name, state] satisfies [string, PlatformAccount['state']])
  expect(states).toEqual([
    ['未授权', 'none'],
    ['有效', 'authorised'],
    ['过期', 'expired'],
  ])
  expect(JSON.stringify(list)).not.toContain('sealed')
})

test('a name is given once, by an admin', async () => {
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

test('the web app is told the deployment before anybody signs in', async () => {
  expect(await app.nobody.get(getConsole)).toMatchObject({ deployment: 'rps', timezone: 'Asia/Shanghai' })
})

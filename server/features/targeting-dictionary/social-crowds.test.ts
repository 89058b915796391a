import { beforeEach, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { sentenceOf } from '#contract/outcome.ts'
import { listTargetingCrowds } from '#contract/targeting-tags.ts'
import { accountId } from '../../../sandbox/platforms.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { SOCIAL } from '../../testing/platforms.ts'
import { anAuthorisedAccount } from '../../testing/push.ts'
import { socialAudiences } from '../../testing/social-audiences.ts'

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres
const audiences = socialAudiences(sandbox)
/** More than the platform gives in one page. */
const MANY = 205
const [OWN, OTHER, THIRD] = [accountId('social', 1), accountId('social', 2), accountId('social', 3)]

let adv_id: number
let account: number
beforeEach(async () => {
  await app.reset()
  await db.deleteFrom('dictionary_copy').execute()
  await sandbox.control('switches/reset', {})
  await sandbox.control('faults/forget', {})
  adv_id = await anAdvertiser(app)
  account = await anAuthorisedAccount(app, sandbox, adv_id, SOCIAL, OWN)
})

const query = (asked: object) => ({ query: { advertiser_id: account, ...asked } })
const crowds = (asked: object = {}) => app.admin.get(listTargetingCrowds, query(asked))
const refused = () => app.admin.call(listTargetingCrowds, query({ refresh: 1 }))
const pages = async () =>
  (await sandbox.control<{ path: string }[]>('calls')).filter(({ path }) => path.includes('custom_audiences/get'))
    .length

test('the audiences of an account and those granted to it are listed over all pages of both', async () => {
  for (let no = 0; no < MANY; no++) await audiences.add(OWN, `自有${no}`)
  const granted = await audiences.usable(OTHER, '他人授权')
  await audiences.grant(OTHER, granted, OWN)
  const seen = await audiences.usable(OTHER, '仅可洞察')
  await audiences.grant(OTHER, seen, OWN, 'INSIGHT')
  const foreign = await audiences.usable(THIRD, '未授权')

  const before = await pages()
  const first = await crowds()
  expect(await pages()).toBe(before + 3)
  expect(first).toMatchObject({ total_num: MANY + 1, recommend_num: 0, fail_outcome: null })
  expect(first.list).toHaveLength(10)
  expect(first.list[0]).toMatchObject({
    ...{ retargeting_tags_id: granted, audience_id: granted, name: '他人授权', source: 'GRANTED' },
    ...{ is_common: 1, retargeting_tags_op: 'ALL', status: 'SUCCESS' },
  })
  expect(first.list[1]).toMatchObject({ name: `自有${MANY - 1}`, source: 'OWN', is_common: 0, cover_num: null })

  const all: string[] = []
  for (let page = 1; page <= Math.ceil((MANY + 1) / 10); page++) {
    all.push(...(await crowds({ page })).list.map(({ retargeting_tags_id: id }) => id))
  }
  expect(new Set(all).size).toBe(MANY + 1)
  expect(all).not.toContain(seen)
  expect(all).not.toContain(foreign)
  expect((await crowds({ page: 22 })).list).toEqual([])
  // One copy served all of them.
  expect(await pages()).toBe(before + 3)

  expect((await crowds({ name: '授权' })).list.map(({ name }) => name)).toEqual(['他人授权'])
  expect(await crowds({ type: 1, page_size: 500 })).toMatchObject({ total_num: MANY + 1 })
  // The platform curates none.
  expect(await crowds({ type: 0 })).toMatchObject({ list: [], total_num: 0 })
})

test('what is new on the platform is listed on request', async () => {
  const before = await crowds()
  const id = await audiences.usable(OWN, '刚刚上传')
  expect((await crowds()).total_num).toBe(before.total_num)
  const { list, total_num } = await crowds({ refresh: 1 })
  expect(total_num).toBe(before.total_num + 1)
  expect(list[0]).toMatchObject({ retargeting_tags_id: id, name: '刚刚上传', is_common: 1 })
  await audiences.remove(OWN, id)
})

const name = `账户${OWN.slice(-3)}`
const authError = async () =>
  (await db.selectFrom('platform_account').select('auth_error').executeTakeFirstOrThrow()).auth_error
const asksAgain = (msg: string) => ({ status: 409, code: FAULTS.platformClosed.code, msg })

test('an account whose authorisation the platform took back is refused with its name, now and later', async () => {
  await sandbox.control('tokens/revoke', { platform: 'social', account_id: OWN })
  const first = await refused()
  expect(first).toMatchObject(asksAgain(`账户「${name}」的授权已失效：access_token 不正确（11002）`))
  expect((await refused()).msg).toContain(`账户「${name}」的授权已失效：`)
})

test('an account that was never authorised, or revoked here, is refused', async () => {
  await db.updateTable('platform_account').set({ login_id: null }).execute()
  expect(await refused()).toMatchObject(asksAgain(`账户「${name}」没有授权，请到「广告主授权」授权`))
})

test('an account without the scope of audiences is not asked about, and stays authorised', async () => {
  await db.updateTable('platform_account').set({ scope_list: '["ads_insights"]' }).execute()
  const before = await pages()
  expect(await refused()).toMatchObject(
    asksAgain(`账户「${name}」没有定向包所需的权限（人群管理），请到「广告主授权」重新授权`),
  )
  expect(await pages()).toBe(before)
  expect(await authError()).toBeNull()
})

test('while the platform is gone, the last list is served with the reason', async () => {
  const before = await crowds()
  await sandbox.control('faults', { platform: 'social', path: 'custom_audiences/get', kind: 'error', status: 503 })
  await db.updateTable('dictionary_copy').set({ read_at: 0 }).execute()
  const last = await crowds()
  expect(last.list).toEqual(before.list)
  expect(last.fail_outcome && sentenceOf(last.fail_outcome)).toBe('平台暂时不可用（HTTP 503）')
})

test('the crowds of another advertiser’s account are not found', async () => {
  const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
  expect(await stranger.call(listTargetingCrowds, query({}))).toMatchObject({ status: 404 })
})

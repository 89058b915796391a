import { beforeEach, expect, test } from 'vitest'
import { FAULTS } from '#contract/errors.ts'
import { sentenceOf } from '#contract/outcome.ts'
import { crowdsOf } from '#contract/targeting/crowds-of.ts'
import { previewTargetingCopy } from '#contract/targeting-copy.ts'
import { copyTargeting, getTargeting } from '#contract/targeting-package.ts'
import { listTargetingCrowds } from '#contract/targeting-tags.ts'
import { accountId } from '../../../sandbox/platforms.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { COMMERCE } from '../../testing/platforms.ts'
import { anAuthorisedAccount } from '../../testing/push.ts'
import { aPackage } from '../../testing/targeting.ts'

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres
/** Shops of the stand-in. */
const [SHOP, OTHER] = [accountId('video', 6), accountId('video', 18)]

let adv_id: number
let account: number
let other: number
let source: number
/** A crowd that the platform curates, which every account has, and one of the account's own. */
let curated: string
let own: string
beforeEach(async () => {
  await app.reset()
  await db.deleteFrom('dictionary_copy').execute()
  await sandbox.control('faults/forget', {})
  adv_id = await anAdvertiser(app)
  account = await anAuthorisedAccount(app, sandbox, adv_id, COMMERCE, SHOP)
  other = await anAuthorisedAccount(app, sandbox, adv_id, COMMERCE, OTHER)
  const crowdOf = async (type: '0' | '1') => {
    const { list } = await app.admin.get(listTargetingCrowds, { query: { advertiser_id: account, type } })
    return list[0]?.retargeting_tags_id ?? ''
  }
  ;[curated, own] = [await crowdOf('0'), await crowdOf('1')]
  source = await aPackage(app, account, {
    targeting_name: '老客',
    targeting: {
      landing_type: 'LIVE',
      gender: ['GENDER_FEMALE'],
      auto_crowd_mode: [1],
      retargeting_tags_include: [curated, own],
    },
  })
})

const preview = (advertiser_id: number, more: object = {}) =>
  app.admin.get(previewTargetingCopy, { body: { id: source, advertiser_id, ...more } })
const copy = (advertiser_id: number, more: object = {}) =>
  app.admin.call(copyTargeting, { body: { id: source, advertiser_id, ...more } })
const detail = (id: number) => app.admin.get(getTargeting, { query: { id } })
const said = ({ changes }: Awaited<ReturnType<typeof preview>>) =>
  changes.map(({ label, words, reason_outcome }) => [label, words, sentenceOf(reason_outcome)])

test('a copy to its own account is the same', async () => {
  const { targeting, changes, platform } = await preview(account)
  expect({ targeting, changes, platform }).toEqual({
    targeting: (await detail(source)).targeting,
    changes: [],
    platform: COMMERCE,
  })
})

test('another account keeps the crowds that it has too, and what it has not is listed before saving', async () => {
  const before = await preview(other)
  expect(crowdsOf(before.targeting).include).toEqual([curated])
  expect(said(before)).toEqual([['定向人群', [own], '人群属于原账户，目标账户没有']])
  const saved = await copy(other)
  expect(saved).toMatchObject({ code: 0, data: { name: '老客_副本' } })
  expect(saved.data.changes).toEqual(before.changes)
  expect(await detail(saved.data.id)).toMatchObject({ advertiser_id: other, targeting: before.targeting })
  expect(crowdsOf((await detail(source)).targeting).include).toEqual([curated, own])
})

test('an account whose crowds cannot be read gets none, and it is said why', async () => {
  await sandbox.control('faults', { platform: 'video', path: 'dmp/audiences', kind: 'error', status: 503, times: 100 })
  const before = await preview(other)
  expect(said(before)).toEqual([['定向人群', [curated, own], '目标账户的人群列表读取失败，不带人群']])
  expect(before.targeting).not.toHaveProperty('auto_crowd_mode')
  // Without its crowds the copy is for more people, which somebody has to want.
  expect(await copy(other)).toMatchObject({
    code: FAULTS.badInput.code,
    msg: '目标账户的人群列表读取失败，请稍后再复制',
  })
  const saved = await copy(other, { without_crowds: true })
  expect(saved.data.changes).toEqual(before.changes)
  expect((await detail(saved.data.id)).targeting).toEqual(before.targeting)
})

test('the package type may be another one, and one that the platform has not is refused', async () => {
  expect((await preview(other, { landing_type: 'VIDEO' })).targeting.landing_type).toBe('VIDEO')
  const wrong = await app.admin.call(previewTargetingCopy, {
    body: { id: source, advertiser_id: other, landing_type: 'DPA' },
  })
  expect(wrong.msg).toContain('请选择定向包类型')
})

test('nothing of others is copied or copied to', async () => {
  const stranger = await app.viewer('stranger', [await anAdvertiser(app)])
  const ask = (body: { id: number; advertiser_id: number }) => stranger.call(previewTargetingCopy, { body })
  expect(await ask({ id: source, advertiser_id: other })).toMatchObject({ code: FAULTS.notFound.code })
  const elsewhere = await anAuthorisedAccount(app, sandbox, await anAdvertiser(app), COMMERCE, accountId('video', 7))
  const member = await app.viewer('member', [adv_id])
  expect(await member.call(previewTargetingCopy, { body: { id: source, advertiser_id: elsewhere } })).toMatchObject({
    code: FAULTS.notFound.code,
  })
  expect(await member.call(copyTargeting, { body: { id: source, advertiser_id: elsewhere } })).toMatchObject({
    code: FAULTS.notFound.code,
  })
})

test('a copy is refused where the account is no longer authorised', async () => {
  await db.updateTable('platform_account').set({ login_id: null }).where('id', '=', other).execute()
  expect(await copy(other)).toMatchObject({ status: 409 })
})

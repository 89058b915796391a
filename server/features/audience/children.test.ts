import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { listAdvertisers } from '#contract/advertiser.ts'
import { deleteCustomCrowd, getCustomCrowd, listCustomCrowds, updateCustomCrowd } from '#contract/custom-crowd.ts'
import { FAULTS } from '#contract/errors.ts'
import { outcome } from '#contract/outcome.ts'
import { AUDIENCE_CODES, type AudienceCode, platformOfCode } from '#contract/platform.ts'
import { checkPush, getPush, listPushes, startPush } from '#contract/push.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { aCustomCrowd } from '../../testing/custom-crowds.ts'
import { SOCIAL, VIDEO } from '../../testing/platforms.ts'
import { anAuthorisedAccount, hashes, SANDBOX_ACCOUNTS, sandboxValues } from '../../testing/push.ts'
import { now } from '../../time/clock.ts'

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres

const external = { 1: SANDBOX_ACCOUNTS[1][0], 2: SANDBOX_ACCOUNTS[2][0] }
const account = { 1: 0, 2: 0 }
let adv_id: number
beforeAll(async () => {
  adv_id = await anAdvertiser(app)
  for (const code of AUDIENCE_CODES) {
    account[code] = await anAuthorisedAccount(app, sandbox, adv_id, code, external[code])
  }
})
beforeEach(async () => {
  await sandbox.control('switches/reset', {})
  await sandbox.control('switches', { processing_seconds: 0.1, video_publish_every_seconds: 0 })
})

async function aCrowd(name: string, values: readonly string[]) {
  const id = await aCustomCrowd(app, adv_id, [{ name: 'a.txt', content: `${values.join('\n')}\n` }], { name })
  await app.settled()
  return id
}
const push = (id: number, cnt_type: AudienceCode) =>
  app.admin.get(startPush, { params: { cnt_type }, body: { id, advertiser_id: account[cnt_type] } })
const child = (id: number) => db.selectFrom('audience').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const there = (cnt_type: AudienceCode) =>
  sandbox.control<{ id: string; name: string; is_deleted: boolean }[]>(
    `audiences?platform=${platformOfCode(cnt_type)}&account_id=${external[cnt_type]}`,
  )
const removal = (id: number, cnt_type: AudienceCode) => ({ id, advertiser_id: account[cnt_type], cnt_type })

test('push records show the numbers of the funnel, and can be listed for one child', async () => {
  const id = await aCrowd('两处一致', hashes(0, 400))
  const [social, video] = [await push(id, SOCIAL), await push(id, VIDEO)]
  await app.settled()
  const { funnel } = await app.admin.get(getCustomCrowd, { query: { id } })
  const { list, total } = await app.admin.get(listPushes, { query: { id } })
  expect(total).toBe(2)
  for (const { child_id, cnt_type } of list) {
    const column = funnel.accounts.find((one) => one.child_id === child_id)
    const own = await app.admin.get(listPushes, { query: { id, child_id } })
    expect(own).toMatchObject({ total: 1, list: [{ child_id, accepted: 400, external_id: external[cnt_type] }] })
    expect(column).toMatchObject({ accepted: 400, external_id: external[cnt_type] })
  }
  // A number that the platform reports later is shown in the push too.
  await db.updateTable('audience').set({ accepted: 399 }).where('id', '=', video.child_id).execute()
  const again = await app.admin.get(listPushes, { query: { id, child_id: video.child_id } })
  expect(again.list[0]?.accepted).toBe(399)
  expect((await app.admin.get(listPushes, { query: { id, child_id: social.child_id } })).list[0]?.accepted).toBe(400)
})

test('renaming a crowd renames its children at once and its audiences with the next push', async () => {
  const id = await aCrowd('旧名', hashes(400, 450))
  const [social, video] = [await push(id, SOCIAL), await push(id, VIDEO)]
  await app.settled()
  await app.admin.get(updateCustomCrowd, { body: { id, name: '新名' } })
  const { list } = await app.admin.get(listCustomCrowds, { query: { name: '新名' } })
  expect(list[0]?.audiences.map((one) => [one.name, one.platform_name])).toEqual([
    ['新名', '旧名'],
    ['新名', '旧名'],
  ])
  const before = await Promise.all([child(social.child_id), child(video.child_id)])
  await Promise.all([push(id, SOCIAL), push(id, VIDEO)])
  await app.settled()
  const names = async (cnt_type: AudienceCode) => (await there(cnt_type)).map((one) => [one.id, one.name])
  expect(await names(SOCIAL)).toContainEqual([before[0].audience_id, '新名'])
  expect(await names(VIDEO)).toContainEqual([before[1].audience_id, '旧名'])
  expect(await child(social.child_id)).toMatchObject({ name: '新名', platform_name: '新名', status: 'available' })
  expect(await child(video.child_id)).toMatchObject({ name: '新名', platform_name: '旧名', status: 'available' })
})

test('an audience that an ad uses stays; a free one is deleted here and on the platform', async () => {
  const id = await aCrowd('被广告占用', hashes(500, 540))
  const { child_id } = await push(id, SOCIAL)
  await app.settled()
  const { audience_id } = await child(child_id)
  await sandbox.control('audiences/set', { platform: 'social', audience_id, used_by: 'ad' })
  const query = { id: child_id, advertiser_id: account[SOCIAL], cnt_type: SOCIAL }
  expect(await app.admin.call(deleteCustomCrowd, { query })).toMatchObject({
    code: FAULTS.audienceInUse.code,
    msg: `人群包 ${audience_id} 正在被计划使用中，不可删除`,
  })
  await sandbox.control('audiences/set', { platform: 'social', audience_id, used_by: null })
  await app.admin.get(deleteCustomCrowd, { query })
  await app.settled()
  expect((await child(child_id)).deleted_at).not.toBeNull()
  expect((await there(SOCIAL)).find((one) => one.id === audience_id)?.is_deleted).toBe(true)
  const [left] = await app.stores.warehouse.load.acrossShards.query<{ n: number }>(
    `SELECT toFloat64(count()) AS n FROM push_value WHERE child_id = ${child_id}`,
  )
  expect(left?.n).toBe(0)
})

test('files are sent again when the platform no longer keeps them', async () => {
  await sandbox.control('faults', { platform: 'video', path: 'data_source/create', kind: 'error', times: 50 })
  const id = await aCrowd('久置', hashes(450, 500))
  const { push_id, child_id } = await push(id, VIDEO)
  await vi.waitFor(async () => {
    const row = await db.selectFrom('push').select(['step', 'attempts']).where('id', '=', push_id).executeTakeFirst()
    expect(row?.step === 'create' && row.attempts > 0).toBe(true)
  }, 10_000)
  const { receiptLife } = app.services.platforms.audiencesOf(VIDEO).limits
  await db
    .updateTable('push_part')
    .set({ sent_at: now() - (receiptLife ?? 0) - 1 })
    .where('push_id', '=', push_id)
    .execute()
  const partsNow = async () => (await app.admin.get(getPush, { params: { id: push_id } })).parts
  await vi.waitFor(async () => expect(await partsNow()).toMatchObject([{ attempts: 2 }]), 10_000)
  await sandbox.control('faults/forget', {})
  await app.settled()
  const { push: done, parts } = await app.admin.get(getPush, { params: { id: push_id } })
  expect(done.status).toBe('done')
  expect(parts).toMatchObject([{ attempts: 2, status: 'done' }])
  expect(await sandboxValues(sandbox, 2, (await child(child_id)).audience_id ?? '')).toHaveLength(50)
})

test('an audience that appears on the platform after its child was deleted is deleted too', async () => {
  await sandbox.control('switches', { processing_seconds: 100 })
  await sandbox.control('faults', { platform: 'video', path: 'data_source/create', kind: 'drop_after' })
  const id = await aCrowd('无回音', hashes(500, 550))
  const { push_id, child_id } = await push(id, VIDEO)
  await vi.waitFor(async () => {
    const row = await db.selectFrom('push').select(['step', 'attempts']).where('id', '=', push_id).executeTakeFirst()
    expect(row?.step === 'create' && row.attempts > 0).toBe(true)
  }, 10_000)
  // The push ends while the platform still parses the files, so it does not list the audience yet.
  await sql`delete from pgboss.job where name = 'push.run'`.execute(db)
  await db.updateTable('push').set({ status: 'failed' }).where('id', '=', push_id).execute()
  await app.admin.get(deleteCustomCrowd, { query: removal(child_id, VIDEO) })
  // Its crowd is purged meanwhile.
  await sql`delete from push_part where push_id in (select id from push where child_id = ${child_id})`.execute(db)
  await db.deleteFrom('push').where('child_id', '=', child_id).execute()
  await db.deleteFrom('audience').where('id', '=', child_id).execute()
  const named = async () => (await there(VIDEO)).filter((one) => one.name === '无回音')
  expect((await named()).filter((one) => one.is_deleted)).toEqual([])
  await sandbox.control('clock', { advance: 200 })
  await sandbox.control('settle', {})
  expect(await named()).toMatchObject([{ is_deleted: false }])
  await sql`update pgboss.job set start_after = now() where name = 'push.unheard'`.execute(db)
  await app.settled()
  expect(await named()).toMatchObject([{ is_deleted: true }])
})

test.each([
  ['that still runs', false],
  ['that has ended', true],
])(
  'a push %s, begun while its platform deleted the audience, keeps the child: nothing is left there unknown',
  async (_what, isOver) => {
    const id = await aCrowd(`删除之间${isOver}`, hashes(600, 650))
    const { child_id } = await push(id, SOCIAL)
    await app.settled()
    const platform = app.services.platforms.audiencesOf(SOCIAL)
    const remove = platform.remove.bind(platform)
    vi.spyOn(platform, 'remove').mockImplementationOnce(async (...given) => {
      await remove(...given)
      if (!isOver)
        await sandbox.control('faults', { platform: 'social', path: 'custom_audiences/add', kind: 'busy', times: 6 })
      await push(id, SOCIAL)
      if (isOver) return app.settled()
      const isRemade = async () => expect((await child(child_id)).audience_id).toBeNull()
      await vi.waitFor(isRemade, 10_000)
    })
    const query = removal(child_id, SOCIAL)
    expect(await app.admin.call(deleteCustomCrowd, { query })).toMatchObject({ code: FAULTS.pushBusy.code })
    await app.settled()
    const { audience_id } = await child(child_id)
    const own = async () => (await there(SOCIAL)).filter((one) => one.name === `删除之间${isOver}` && !one.is_deleted)
    expect((await own()).map((one) => one.id)).toEqual([audience_id])
    expect(await sandboxValues(sandbox, 1, audience_id ?? '')).toHaveLength(50)
    await app.admin.get(deleteCustomCrowd, { query })
    expect(await own()).toEqual([])
  },
)

test('a child of an account that is no longer authorised can be deleted here only', async () => {
  const id = await aCrowd('授权没了', hashes(550, 600))
  const { child_id } = await push(id, SOCIAL)
  await app.settled()
  const query = removal(child_id, SOCIAL)
  const ask = (more: { check?: '1'; local?: '1' }) =>
    app.admin.call(deleteCustomCrowd, { query: { ...query, ...more } })
  expect((await ask({ check: '1' })).data).toEqual({
    msg: 'OK',
    refusal_outcome: null,
    only_here: null,
    only_here_outcome: null,
    users: [],
  })
  expect(await ask({ local: '1' })).toMatchObject({ code: FAULTS.childAuthorised.code })

  const auth_error = outcome('platform_refused', { text: '账户已被停用' })
  await db.updateTable('platform_account').set({ auth_error }).where('id', '=', account[SOCIAL]).execute()
  const accounts = await app.admin.get(listAdvertisers, { query: { auth_type: SOCIAL, adv_id } })
  expect(accounts.data).toMatchObject([{ external_id: external[1], is_authorised: false }])
  await sandbox.control('tokens/revoke', { platform: 'social', account_id: external[1] })
  await db.updateTable('platform_login').set({ tokens: null, expires_at: 0 }).execute()
  const body = { source: { kind: 'custom' as const, id }, cnt_type: SOCIAL, account_id: account[SOCIAL] }
  const { problems, problem_outcomes } = await app.admin.get(checkPush, { body })
  expect(problems[0]).toContain('账户已被停用，请重新授权')
  expect(problem_outcomes[0]).toMatchObject({
    code: 'reauthorise_first',
    params: { cause: { code: 'account_closed' } },
  })
  expect((await ask({ check: '1' })).data).toMatchObject({
    msg: 'OK',
    only_here: expect.stringContaining('账户已被停用'),
    only_here_outcome: { code: 'account_closed', params: { cause: auth_error } },
  })
  expect(await ask({})).toMatchObject({ code: FAULTS.platformRefused.code })
  const { audience_id } = await child(child_id)
  expect(await ask({ local: '1' })).toMatchObject({ code: 0 })
  expect((await there(SOCIAL)).find((one) => one.id === audience_id)).toMatchObject({ is_deleted: false })
  const { crowd } = await app.admin.get(getCustomCrowd, { query: { id } })
  expect(crowd.audiences).toEqual([])
  const row = await db.selectFrom('audit').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
  expect(row).toMatchObject({ action: 'push.remove_child_here', detail: { child_id, left_there: audience_id } })
})

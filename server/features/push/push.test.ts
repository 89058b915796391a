import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import { deleteCustomCrowd, getCustomCrowd, restoreCrowdVersion, updateCustomCrowd } from '#contract/custom-crowd.ts'
import { FAULTS } from '#contract/errors.ts'
import { AUDIENCE_CODES, type AudienceCode } from '#contract/platform.ts'
import { checkPush, getPush, listPushes, retryPush, startPush } from '#contract/push.ts'
import { listTasks } from '#contract/task.ts'
import { transaction } from '../../postgres/transaction.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { aCustomCrowd, uploaded } from '../../testing/custom-crowds.ts'
import { SOCIAL, VIDEO } from '../../testing/platforms.ts'
import { anAuthorisedAccount, authorise, hashes, md5, SANDBOX_ACCOUNTS, sandboxValues } from '../../testing/push.ts'
import { now } from '../../time/clock.ts'

const { app, sandbox } = await testAppWithSandbox()

let adv_id: number
let social: number
let video: number
beforeEach(async () => {
  await app.reset()
  await sandbox.control('switches/reset', {})
  await sandbox.control('switches', { processing_seconds: 0.1, video_publish_every_seconds: 0 })
  adv_id = await anAdvertiser(app)
  social = await anAuthorisedAccount(app, sandbox, adv_id, 1, SANDBOX_ACCOUNTS[1][0])
  video = await anAuthorisedAccount(app, sandbox, adv_id, 2, SANDBOX_ACCOUNTS[2][0])
})

let named = 0
const aCrowd = async (lines: readonly string[], type = 'HASH_IMEI' as const) => {
  const id = await aCustomCrowd(app, adv_id, [{ name: 'a.txt', content: `${lines.join('\n')}\n` }], {
    user_id_type: type,
    name: `推送测试${++named}_${Date.now() % 1e6}`,
  })
  await app.settled()
  return id
}
const push = (id: number, cnt_type: AudienceCode) =>
  app.admin.get(startPush, {
    params: { cnt_type },
    body: { id, advertiser_id: cnt_type === SOCIAL ? social : video },
  })
const update = async (id: number, operation_type: 1 | 2, lines: readonly string[]) => {
  const files = await uploaded(app, app.admin, [{ name: 'b.txt', content: lines.join('\n') }])
  await app.admin.get(updateCustomCrowd, { body: { id, operation_type, files } })
  await app.settled()
  await app.settled()
}
const child = async (id: number) =>
  app.stores.postgres.db.selectFrom('audience').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
/** Compares two sets of thousands; a failure prints a line. */
function expectSame(actual: readonly string[], wanted: readonly string[]) {
  const [has, wants] = [new Set(actual), new Set(wanted)]
  expect({
    size: actual.length,
    missing: wanted.filter((value) => !has.has(value)).slice(0, 3),
    extra: actual.filter((value) => !wants.has(value)).slice(0, 3),
  }).toEqual({ size: wanted.length, missing: [], extra: [] })
}
const held = async (id: number) => {
  const row = await child(id)
  return sandboxValues(sandbox, row.cnt_type, row.audience_id ?? row.source_id ?? '')
}

test.each(AUDIENCE_CODES)(
  'platform %s holds exactly the values of the crowd, also after some are added and removed',
  async (cnt_type) => {
    const first = hashes(0, 3000)
    const id = await aCrowd(first)
    const { push_id, child_id } = await push(id, cnt_type)
    await app.settled()
    const { push: done, parts } = await app.admin.get(getPush, { params: { id: push_id } })
    expect(done).toMatchObject({
      status: 'done',
      adds: 3000,
      removes: 0,
      total: 3000,
      sent: 3000,
      waiting: 0,
      reason: null,
    })
    expect(parts[0]?.samples.length).toBeGreaterThan(0)
    expect(JSON.stringify(parts)).not.toContain('access_token=' + 'rq')
    expectSame(await held(child_id), first)
    expect(await child(child_id)).toMatchObject({ status: 'available', pushed_version: 1 })

    await update(id, 1, hashes(2500, 4000))
    expectSame(await held(child_id), hashes(0, 4000))

    await update(id, 2, hashes(0, 100))
    expectSame(await held(child_id), hashes(100, 4000))
    const { list } = await app.admin.get(listPushes, { query: { id } })
    expect(list.map(({ adds, removes, status }) => ({ adds, removes, status }))).toEqual([
      { adds: 0, removes: 100, status: cnt_type === VIDEO ? 'paused' : 'done' },
      { adds: 1000, removes: 0, status: 'done' },
      { adds: 3000, removes: 0, status: 'done' },
    ])
    if (cnt_type === VIDEO) {
      expect(list[0]?.reason).toContain('自动发布')
      return
    }
    const { push_id: again } = await push(id, cnt_type)
    await app.settled()
    expect((await app.admin.get(getPush, { params: { id: again } })).push).toMatchObject({
      status: 'done',
      adds: 0,
      removes: 0,
    })
  },
)

test('types that a platform does not take are named before anything is sent', async () => {
  const id = await aCrowd([md5('1')], 'HASH_IMEI')
  await app.stores.postgres.db
    .updateTable('custom_crowd')
    .set({ user_id_type: 'HASH_MAC' })
    .where('id', '=', id)
    .execute()
  const body = { source: { kind: 'custom' as const, id }, cnt_type: VIDEO, account_id: video }
  const check = await app.admin.get(checkPush, { body })
  expect(check).toMatchObject({ ok: false, types: [{ type: 'HASH_MAC', total: 1, sendable: 0, not_sendable: 1 }] })
  expect(check.problems.join()).toContain('MAC')
  const refused = await app.admin.call(startPush, { params: { cnt_type: VIDEO }, body: { id, advertiser_id: video } })
  expect(refused).toMatchObject({ code: FAULTS.pushRefused.code })
  const otherPlatform = { id, advertiser_id: video, selectPt: SOCIAL }
  expect(await app.admin.call(startPush, { params: { cnt_type: VIDEO }, body: otherPlatform })).toMatchObject({
    code: FAULTS.badInput.code,
    msg: '所选平台与请求路径中的平台不一致',
  })
})

test('a file is sent again when the platform took half of it', async () => {
  await sandbox.control('switches', { half_accept_rate: 0.5, seed: 5 })
  const id = await aCrowd(hashes(0, 500))
  const { push_id, child_id } = await push(id, SOCIAL)
  await app.settled()
  const { push: ended } = await app.admin.get(getPush, { params: { id: push_id } })
  if (ended.status === 'failed') {
    expect(ended.reason).toContain('未被平台接收')
    await sandbox.control('switches', { half_accept_rate: 0 })
    await app.admin.get(retryPush, { params: { id: push_id } })
    await app.settled()
  }
  expect((await app.admin.get(getPush, { params: { id: push_id } })).push.status).toBe('done')
  expectSame(await held(child_id), hashes(0, 500))
})

test.each([
  ['once', 0.5, 500, null],
  ['each time', 1, 250, '平台只接收了 250 个标识，共 500 个'],
])('a file that is taken as good, but %s only by half, is sent once more', async (_when, rate, accepted, reason) => {
  await sandbox.control('switches', { half_accept_rate: rate, half_accept_as: 'short', seed: 8 })
  const id = await aCrowd(hashes(0, 500))
  const { push_id, child_id } = await push(id, SOCIAL)
  await app.settled()
  const { push: ended, parts } = await app.admin.get(getPush, { params: { id: push_id } })
  expect(ended).toMatchObject({ status: 'done', sent: 500, accepted })
  expect(parts).toMatchObject([{ attempts: 2, accepted, reason }])
  expect(await held(child_id)).toHaveLength(accepted)
})

test('a push whose authorisation ended waits and resumes by itself after a new one', async () => {
  await app.stores.postgres.db
    .updateTable('platform_login')
    .set({ expires_at: now() - 1 })
    .execute()
  await sandbox.control('tokens/revoke', { platform: 'social', account_id: SANDBOX_ACCOUNTS[1][0] })
  const id = await aCrowd(hashes(0, 50))
  const { push_id, child_id } = await push(id, SOCIAL)
  await app.settled()
  const paused = (await app.admin.get(getPush, { params: { id: push_id } })).push
  expect(paused.status).toBe('paused')
  expect(paused.reason).toContain('重新授权后自动继续')
  const tasks = await app.admin.get(listTasks)
  expect([tasks.list[0]?.status, tasks.running]).toEqual(['paused', 0])
  await authorise(app, sandbox, social)
  await transaction(app.stores.postgres.db, (tx) => app.services.accounts.authorised(tx, social))
  await app.settled()
  expect((await app.admin.get(getPush, { params: { id: push_id } })).push.status).toBe('done')
  expect((await app.admin.get(listTasks)).list[0]?.status).toBe('done')
  expectSame(await held(child_id), hashes(0, 50))
})

test('a push that is refused during a new authorisation does not stay paused', async () => {
  const { db } = app.stores.postgres
  await db
    .updateTable('platform_login')
    .set({ expires_at: now() - 1 })
    .execute()
  await sandbox.control('tokens/revoke', { platform: 'social', account_id: SANDBOX_ACCOUNTS[1][0] })
  await db
    .updateTable('platform_account')
    .set({ authorised_at: now() + 1000 })
    .where('id', '=', social)
    .execute()
  const id = await aCrowd(hashes(0, 50))
  const { push_id, child_id } = await push(id, SOCIAL)
  const state = async () => (await app.admin.get(getPush, { params: { id: push_id } })).push
  await vi.waitFor(async () => expect((await app.admin.get(listTasks)).list[0]?.stage).toContain('重新授权'))
  expect((await state()).status).toBe('running')
  // Nothing resumes it: the authorisation came before it paused.
  await authorise(app, sandbox, social)
  await app.settled()
  expect((await state()).status).toBe('done')
  expectSame(await held(child_id), hashes(0, 50))
})

test('an audience that was deleted on its platform is created again with all values', async () => {
  const id = await aCrowd(hashes(0, 300))
  const { child_id } = await push(id, SOCIAL)
  await app.settled()
  const before = await child(child_id)
  const session = await app.services.accounts.session(social)
  const on = { signal: AbortSignal.timeout(5000), sample: () => {} }
  await app.services.platforms.audiencesOf(SOCIAL).remove(session, before, on)
  await update(id, 1, hashes(300, 301))
  expect((await child(child_id)).audience_id).not.toBe(before.audience_id)
  expectSame(await held(child_id), hashes(0, 301))
})

test('of two pushes for the last place of an account’s quota one is refused', async () => {
  const { db } = app.stores.postgres
  const [one, other] = [await aCrowd(hashes(0, 10)), await aCrowd(hashes(0, 10))]
  const admin = await db.selectFrom('viewer').select('id').executeTakeFirstOrThrow()
  const filler = await aCrowd(hashes(0, 5))
  await db
    .insertInto('audience')
    .values(
      Array.from({ length: 499 }, (_, index) => ({
        custom_id: filler,
        people_id: null,
        account_id: social,
        cnt_type: SOCIAL,
        types: '["HASH_IMEI"]',
        name: '占位',
        platform_name: `占位${index}`,
        key: `filler${index}`,
        status: 'available' as const,
        creator_id: admin.id,
        created_at: 0,
        // The one live child of a crowd on an account is unique; these stand for 499 crowds.
        deleted_at: index === 0 ? null : 1,
      })),
    )
    .execute()
  await sql`drop index audience_custom`.execute(db)
  await db.updateTable('audience').set({ deleted_at: null }).execute()
  const answers = await Promise.all(
    [one, other].map((id) =>
      app.admin.call(startPush, { params: { cnt_type: SOCIAL }, body: { id, advertiser_id: social } }),
    ),
  )
  await sql`delete from audience where key like 'filler%'`.execute(db)
  await sql`create unique index audience_custom on audience (custom_id, account_id) where deleted_at is null and custom_id is not null`.execute(
    db,
  )
  expect(answers.map((answer) => answer.code).toSorted((a, b) => a - b)).toEqual([0, FAULTS.pushRefused.code])
  expect(answers.find((answer) => answer.code !== 0)?.msg).toContain('已达上限')
  await app.settled()
})

test('a slow account does not delay others', async () => {
  await sandbox.control('faults', {
    platform: 'social',
    account_id: SANDBOX_ACCOUNTS[1][0],
    kind: 'timeout',
    seconds: 4,
    times: 3,
    after: 2,
  })
  const ids = [await aCrowd(hashes(0, 20)), await aCrowd(hashes(20, 40)), await aCrowd(hashes(40, 60))]
  for (const id of ids) await push(id, SOCIAL)
  const { push_id } = await push(ids[0] ?? 0, VIDEO)
  await vi.waitFor(
    async () => expect((await app.admin.get(getPush, { params: { id: push_id } })).push.status).toBe('done'),
    { timeout: 20_000, interval: 50 },
  )
  const statuses = await Promise.all(
    ids.map(async (id) =>
      (await app.admin.get(listPushes, { query: { id } })).list.find((one) => one.cnt_type === SOCIAL),
    ),
  )
  expect(statuses.map((one) => one?.status)).not.toContain('done')
  await sandbox.control('faults/forget', {})
  await app.settled()
  for (const id of ids) {
    const { list } = await app.admin.get(listPushes, { query: { id } })
    expect(list.map((one) => one.status)).not.toContain('failed')
  }
})

test('polling shows what became of an audience on its platform', async () => {
  const { db } = app.stores.postgres
  const id = await aCrowd(hashes(0, 40))
  const { child_id } = await push(id, SOCIAL)
  await app.settled()
  const { audience_id, next_look_at, covered } = await child(child_id)
  expect(covered).toBeGreaterThan(0)
  expect(next_look_at).toBeGreaterThan(now())
  await sandbox.control('audiences/set', { platform: 'social', audience_id, status: 'FROZEN' })
  await db.updateTable('audience').set({ next_look_at: 0 }).execute()
  await app.services.audiences.pollNow()
  await app.settled()
  expect((await child(child_id)).status).toBe('frozen')
  // The platform tells no coverage of it now; the number of identifiers is none.
  const { crowd } = await app.admin.get(getCustomCrowd, { query: { id } })
  expect(crowd.audiences[0]).toMatchObject({ status: 'frozen', user_count: null })
  // Planned before the clock was set back by hours.
  await sandbox.control('audiences/set', { platform: 'social', audience_id, status: 'SUCCESS' })
  await db
    .updateTable('audience')
    .set((eb) => ({ next_look_at: eb('next_look_at', '+', 10_800) }))
    .execute()
  await app.services.audiences.pollNow()
  await app.settled()
  expect((await child(child_id)).status).toBe('available')
})

test('keeps the failure reason until the next successful push', async () => {
  const { db } = app.stores.postgres
  const poll = async () => {
    await db.updateTable('audience').set({ next_look_at: 0 }).execute()
    await app.services.audiences.pollNow()
    await app.settled()
  }
  const id = await aCrowd(hashes(0, 300))
  await sandbox.control('switches', { half_accept_rate: 1, half_accept_as: 'error' })
  const { child_id, push_id } = await push(id, SOCIAL)
  await app.settled()
  const failed = await child(child_id)
  expect(failed.status).toBe('failed')
  expect(failed.audience_id).not.toBeNull()
  await sandbox.control('switches', { half_accept_rate: 0 })
  await poll()
  expect(await child(child_id)).toMatchObject({ status: 'failed', reason: failed.reason })

  await app.admin.get(retryPush, { params: { id: push_id } })
  await app.settled()
  await poll()
  expect(await child(child_id)).toMatchObject({ status: 'available', reason: null })
})

test('an audience whose creation was never answered is deleted with its child', async () => {
  const { db } = app.stores.postgres
  const id = await aCrowd(hashes(0, 30))
  const { child_id, push_id } = await push(id, SOCIAL)
  await app.settled()
  const { audience_id } = await child(child_id)
  // The answer was lost, and the push failed.
  await db.updateTable('audience').set({ audience_id: null, status: 'failed' }).where('id', '=', child_id).execute()
  await db.updateTable('push').set({ status: 'failed', step: 'create' }).where('id', '=', push_id).execute()
  await app.admin.get(deleteCustomCrowd, { query: { id: child_id, advertiser_id: social, cnt_type: SOCIAL } })
  const all = await sandbox.control<{ id: string; is_deleted: boolean }[]>(
    `audiences?platform=social&account_id=${SANDBOX_ACCOUNTS[1][0]}`,
  )
  expect(all.find((one) => one.id === audience_id)?.is_deleted).toBe(true)
  await app.settled()
})

test.each(AUDIENCE_CODES)(
  'values removed from a crowd are removed on platform %s, even all of them',
  async (cnt_type) => {
    const id = await aCrowd(hashes(0, 20))
    const { child_id } = await push(id, cnt_type)
    await app.settled()
    await update(id, 2, hashes(0, 20))
    expect(await held(child_id)).toEqual([])
    const { list } = await app.admin.get(listPushes, { query: { id } })
    expect(list[0]).toMatchObject({ adds: 0, removes: 20, total: 0, sent: 0, waiting: 0 })
    // An audience that is empty already gets nothing, and the push succeeds.
    await update(id, 2, hashes(0, 5))
    const after = await app.admin.get(listPushes, { query: { id } })
    expect(after.list.filter((one) => one.status === 'failed')).toEqual([])
    expect(await child(child_id)).toMatchObject({ status: 'available' })
    const refused = await app.admin.call(startPush, {
      params: { cnt_type },
      body: { id, advertiser_id: cnt_type === SOCIAL ? social : video },
    })
    expect(refused).toMatchObject({ code: FAULTS.pushRefused.code, msg: '不能推送：人群里没有标识' })
    await update(id, 1, hashes(10, 30))
    expectSame(await held(child_id), hashes(10, 30))
  },
)

test('a failed push cannot be retried after a newer version’s push that had nothing to do', async () => {
  const { db } = app.stores.postgres
  const id = await aCrowd(hashes(0, 20))
  const { child_id } = await push(id, SOCIAL)
  await app.settled()
  await sandbox.control('faults', { platform: 'social', path: 'custom_audiences/update', kind: 'busy', times: 50 })
  await app.admin.get(updateCustomCrowd, { body: { id, name: `改名${++named}_${Date.now() % 1e6}` } })
  const files = await uploaded(app, app.admin, [{ name: 'b.txt', content: hashes(20, 40).join('\n') }])
  await app.admin.get(updateCustomCrowd, { body: { id, operation_type: 1, files } })
  const newest = () =>
    db.selectFrom('push').selectAll().where('child_id', '=', child_id).orderBy('id', 'desc').executeTakeFirstOrThrow()
  await vi.waitFor(async () => expect((await newest()).attempts).toBeGreaterThan(0), 10_000)
  const failed = await newest()
  expect(failed).toMatchObject({ step: 'create', adds: 20 })
  // It failed before anything was sent.
  await sql`delete from pgboss.job where name = 'push.run'`.execute(db)
  await db.updateTable('push').set({ status: 'failed' }).where('id', '=', failed.id).execute()
  await db.updateTable('audience').set({ status: 'available' }).where('id', '=', child_id).execute()
  await sandbox.control('faults/forget', {})
  await app.admin.get(restoreCrowdVersion, { body: { id, version: 1 } })
  await app.settled()
  expect(await newest()).toMatchObject({ status: 'done', adds: 0, removes: 0, total: 20 })
  const again = await app.admin.call(retryPush, { params: { id: failed.id } })
  expect(again).toMatchObject({ code: FAULTS.pushSuperseded.code })
  await app.settled()
  expectSame(await held(child_id), hashes(0, 20))
})

test('pushes beyond the platform’s limit of the day wait with its reason and can be retried, later ones too', async () => {
  const limited = await anAuthorisedAccount(app, sandbox, adv_id, SOCIAL, SANDBOX_ACCOUNTS[SOCIAL][1])
  await sandbox.control('switches', { social_files_per_day: 1 })
  const pushes: number[] = []
  for (const first of [0, 1000, 2000]) {
    const id = await aCrowd(hashes(first, first + 200))
    const body = { id, advertiser_id: limited }
    pushes.push((await app.admin.get(startPush, { params: { cnt_type: SOCIAL }, body })).push_id)
    await app.settled()
  }
  const [done, ...paused] = await Promise.all(
    pushes.map(async (id) => (await app.admin.get(getPush, { params: { id } })).push),
  )
  expect(done).toMatchObject({ status: 'done', sent: 200 })
  for (const { status, reason, reason_outcome } of paused) {
    expect({ status, code: reason_outcome?.code }).toEqual({ status: 'paused', code: 'push_waits_until' })
    expect(reason).toContain('11018')
  }
  const last = pushes[2] ?? 0
  await app.admin.get(retryPush, { params: { id: last } })
  await app.settled()
  expect((await app.admin.get(getPush, { params: { id: last } })).push).toMatchObject({ status: 'paused' })
})

test('nothing is counted as sent before Ocean Engine made the audience of the files', async () => {
  const id = await aCrowd(hashes(0, 80))
  await sandbox.control('faults', { platform: 'video', path: 'data_source/create', kind: 'busy', times: 90 })
  const { push_id } = await push(id, VIDEO)
  await vi.waitFor(async () => {
    const { push: waits, parts } = await app.admin.get(getPush, { params: { id: push_id } })
    expect(waits.state).toBe('retrying')
    expect(parts).toMatchObject([{ status: 'sent', count: 80 }])
    expect(waits).toMatchObject({ sent: 0, waiting: 80 })
  }, 60_000)
  const { funnel } = await app.admin.get(getCustomCrowd, { query: { id } })
  expect(funnel.accounts).toMatchObject([{ sent: 0, waiting: 80 }])
  await sandbox.control('faults/forget', {})
  await app.admin.get(retryPush, { params: { id: push_id } })
  await app.settled()
  expect((await app.admin.get(getPush, { params: { id: push_id } })).push).toMatchObject({ sent: 80, waiting: 0 })
})

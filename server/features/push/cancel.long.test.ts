import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { deleteCustomCrowd, listCustomCrowds } from '#contract/custom-crowd.ts'
import { FAULTS } from '#contract/errors.ts'
import { AUDIENCE_CODES, type AudienceCode, platformOfCode } from '#contract/platform.ts'
import { cancelPush, getPush, listPushes, retryPush, startPush, startPushes } from '#contract/push.ts'
import { listTasks, retryTask } from '#contract/task.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { aCustomCrowd } from '../../testing/custom-crowds.ts'
import { SOCIAL, VIDEO } from '../../testing/platforms.ts'
import { anAuthorisedAccount, hashes, SANDBOX_ACCOUNTS, sandboxValues } from '../../testing/push.ts'
import { suppressFor } from '../../testing/suppression.ts'

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres

const account = { 1: 0, 2: 0 }
let adv_id: number
beforeAll(async () => {
  adv_id = await anAdvertiser(app)
  for (const code of AUDIENCE_CODES) {
    account[code] = await anAuthorisedAccount(app, sandbox, adv_id, code, SANDBOX_ACCOUNTS[code][0])
  }
})
beforeEach(async () => {
  await sandbox.control('faults/forget', {})
  await sandbox.control('switches/reset', {})
  await sandbox.control('switches', { processing_seconds: 0.1, video_publish_every_seconds: 0 })
})

let named = 0
async function aCrowd(values: readonly string[]) {
  const files = [{ name: 'a.txt', content: `${values.join('\n')}\n` }]
  const id = await aCustomCrowd(app, adv_id, files, { name: `取消${++named}` })
  await app.settled()
  return id
}
const push = (id: number, cnt_type: AudienceCode) =>
  app.admin.get(startPush, { params: { cnt_type }, body: { id, advertiser_id: account[cnt_type] } })
const cancel = (id: number) => app.admin.get(cancelPush, { params: { id } })
const read = (id: number) => app.admin.get(getPush, { params: { id } })
const childOf = (id: number) => db.selectFrom('audience').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const held = async (child_id: number) => {
  const { cnt_type, audience_id, source_id } = await childOf(child_id)
  return sandboxValues(sandbox, cnt_type, audience_id ?? source_id ?? '')
}
const listed = async (id: number) => {
  const { list } = await app.admin.get(listCustomCrowds, { query: { tag_id: String(id) } })
  return list[0]?.audiences ?? []
}

test.each(AUDIENCE_CODES)(
  'a push to platform %s is cancelled while it sends, told, and tried again',
  async (cnt_type) => {
    const id = await aCrowd(hashes(0, 300))
    const slow = { platform: platformOfCode(cnt_type), kind: 'timeout', seconds: 2, times: 1 }
    await sandbox.control('faults', { ...slow, path: cnt_type === SOCIAL ? 'custom_audience_files/add' : 'upload' })
    const { push_id, child_id } = await push(id, cnt_type)
    await vi.waitFor(async () => expect((await read(push_id)).parts).toMatchObject([{ attempts: 1 }]), 60_000)

    const { told, told_outcome } = await cancel(push_id)
    expect(told_outcome).toMatchObject({
      code: 'push_cancelled',
      params: { sent: 0, values: 300, files_sent: 0, files: 1, unknown: 300, is_there: cnt_type === SOCIAL },
    })
    expect(told).toContain('已发送 0 / 300 个标识')
    expect(await cancel(push_id)).toEqual({ told, told_outcome })
    await app.settled()
    expect((await read(push_id)).push).toMatchObject({ status: 'cancelled', state: 'cancelled', sent: 0, reason: told })
    expect((await app.admin.get(listTasks)).list[0]?.status).toBe('cancelled')
    expect(await listed(id)).toMatchObject([
      { push: null, last_push: { id: push_id, state: 'cancelled' }, reason: told },
    ])

    await app.admin.get(retryPush, { params: { id: push_id } })
    await app.settled()
    expect((await read(push_id)).push).toMatchObject({ status: 'done', sent: 300 })
    expect(await held(child_id)).toEqual(hashes(0, 300).toSorted())
    expect(await listed(id)).toMatchObject([{ last_push: { state: 'done' }, status: 'available' }])
    expect(await app.admin.call(cancelPush, { params: { id: push_id } })).toMatchObject({
      code: FAULTS.pushNotCancellable.code,
    })
  },
)

test.each(['push', 'task'] as const)(
  'people suppressed since a push was planned are not sent when its %s is tried again',
  async (tried) => {
    const values = hashes(tried === 'push' ? 1000 : 2000, tried === 'push' ? 1040 : 2040)
    const id = await aCrowd(values)
    await sandbox.control('faults', { platform: 'social', path: 'custom_audience_files/add', kind: 'busy', times: 90 })
    const { push_id, child_id } = await push(id, SOCIAL)
    await vi.waitFor(async () => expect((await read(push_id)).push.state).toBe('retrying'), 60_000)
    await cancel(push_id)
    await app.settled()
    await sandbox.control('faults/forget', {})
    await suppressFor(app, { adv_id, type: 'HASH_IMEI', lines: values.slice(0, 10) })
    if (tried === 'push') await app.admin.get(retryPush, { params: { id: push_id } })
    else {
      const { task_id } = await db
        .selectFrom('push')
        .select('task_id')
        .where('id', '=', push_id)
        .executeTakeFirstOrThrow()
      await db.updateTable('push').set({ status: 'failed' }).where('id', '=', push_id).execute()
      await db.updateTable('task').set({ status: 'failed' }).where('id', '=', task_id).execute()
      await app.admin.get(retryTask, { params: { id: task_id ?? 0 } })
    }
    await app.settled()
    expect(await held(child_id)).toEqual(values.slice(10).toSorted())
    const { list } = await app.admin.get(listPushes, { query: { id } })
    expect(list.map((one) => one.status)).toEqual(['done', tried === 'push' ? 'cancelled' : 'failed'])
    expect(await app.admin.call(retryPush, { params: { id: push_id } })).toMatchObject({
      code: FAULTS.pushSuperseded.code,
    })
  },
)

test('cancelling a push that waits leaves the audience to the push under way', async () => {
  const id = await aCrowd(hashes(0, 20))
  await sandbox.control('faults', { platform: 'social', path: 'custom_audience_files/add', kind: 'busy', times: 90 })
  const { push_id, child_id } = await push(id, SOCIAL)
  await vi.waitFor(async () => expect((await read(push_id)).push.state).toBe('retrying'), 60_000)
  const behind = await db
    .insertInto('push')
    .values({ child_id, version: 2, status: 'waiting', step: 'plan', state: '{}', created_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const before = await childOf(child_id)
  await cancel(behind.id)
  expect(before.status).toBe('computing')
  expect(await childOf(child_id)).toEqual(before)
  await sandbox.control('faults/forget', {})
  await app.settled()
  expect((await read(push_id)).push.status).toBe('done')
})

test.runIf(process.env.RENQUN_TEST_POSTGRES)(
  'a cancellation does not wait for a start that has the audience',
  async () => {
    const id = await aCrowd(hashes(0, 20))
    await sandbox.control('faults', { platform: 'social', path: 'custom_audience_files/add', kind: 'busy', times: 90 })
    const { push_id, child_id } = await push(id, SOCIAL)
    await vi.waitFor(async () => expect((await read(push_id)).push.state).toBe('retrying'), 60_000)
    const { task_id } = await db
      .selectFrom('push')
      .select('task_id')
      .where('id', '=', push_id)
      .executeTakeFirstOrThrow()
    const told = await app.stores.postgres.db.connection().execute(async (other) => {
      await sql`begin`.execute(other)
      await sql`select id from audience where id = ${child_id} for update`.execute(other)
      const cancelling = cancel(push_id)
      // Until the cancellation has the job.
      const free = sql`
        select id from pgboss.job where data->>'task' = ${String(task_id)} and state = 'retry' for update skip locked`
      for (let isFree = true; isFree; ) {
        await sql`savepoint looked`.execute(other)
        isFree = (await free.execute(other)).rows.length > 0
        // Lets go of the job.
        await sql`rollback to looked`.execute(other)
      }
      // As a retry does, which starts the job of the child that it has locked.
      await sql`update pgboss.job set start_after = now() where data->>'task' = ${String(task_id)}`.execute(other)
      await sql`commit`.execute(other)
      return cancelling
    })
    expect(told.told_outcome.code).toBe('push_cancelled')
    await sandbox.control('faults/forget', {})
    await app.settled()
  },
)

test('what a cancelled push left on the platform is pushed again as a new push, or deleted', async () => {
  const id = await aCrowd(hashes(0, 200))
  // The first one looks whether the file is there already.
  const asked = { platform: 'social', path: 'custom_audience_files/get' }
  await sandbox.control('faults', { ...asked, kind: 'busy', after: 1, times: 90 })
  const { push_id, child_id } = await push(id, SOCIAL)
  await vi.waitFor(async () => expect((await read(push_id)).push.state).toBe('retrying'), 60_000)
  expect((await listed(id))[0]?.last_push).toMatchObject({ state: 'retrying', next_at: expect.any(Number) })
  const { told } = await cancel(push_id)
  expect(told).toBe('推送已取消：已发送 200 / 200 个标识（1 / 1 个文件）；平台上的人群包仍在，可再次推送或删除')
  await sandbox.control('faults/forget', {})

  const again = await push(id, SOCIAL)
  expect(again.child_id).toBe(child_id)
  expect(again.push_id).not.toBe(push_id)
  await app.settled()
  expect(await held(child_id)).toEqual(hashes(0, 200).toSorted())
  const { audience_id } = await childOf(child_id)
  const removal = { id: child_id, advertiser_id: account[SOCIAL], cnt_type: SOCIAL }
  await app.admin.get(deleteCustomCrowd, { query: removal })
  const there = await sandbox.control<{ id: string; is_deleted: boolean }[]>(
    `audiences?platform=social&account_id=${SANDBOX_ACCOUNTS[1][0]}`,
  )
  expect(there.find((one) => one.id === audience_id)?.is_deleted).toBe(true)
})

test('a push that waits for its next attempt is tried again at once', async () => {
  const id = await aCrowd(hashes(0, 20))
  await sandbox.control('faults', { platform: 'social', path: 'custom_audience_files/add', kind: 'busy', times: 90 })
  const { push_id } = await push(id, SOCIAL)
  await vi.waitFor(async () => expect((await read(push_id)).push.state).toBe('retrying'), 60_000)
  await sandbox.control('faults/forget', {})
  await vi.waitFor(async () => {
    const { rows } = await sql`
      update pgboss.job set start_after = now() + interval '1 hour' where name = 'push.run' and state = 'retry'
      returning id`.execute(db)
    expect(rows).toHaveLength(1)
  })
  await app.admin.get(retryPush, { params: { id: push_id } })
  await app.settled()
  expect((await read(push_id)).push.status).toBe('done')
})

test('cancelling before anything was planned leaves nothing, and the pushes behind go with it', async () => {
  const id = await aCrowd(hashes(0, 20))
  await sandbox.control('faults', { platform: 'social', path: 'custom_audiences/add', kind: 'busy', times: 90 })
  const first = await push(id, SOCIAL)
  await vi.waitFor(async () => expect((await read(first.push_id)).push.state).toBe('retrying'), 60_000)
  const behind = await db
    .insertInto('push')
    .values({ child_id: first.child_id, version: 2, status: 'waiting', step: 'plan', state: '{}', created_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const [one, two] = await Promise.all([cancel(first.push_id), cancel(first.push_id)])
  expect(one).toEqual(two)
  expect((await read(behind.id)).push).toMatchObject({
    status: 'cancelled',
    reason: '推送已取消，还没有发送标识；平台上还没有人群包',
  })
  await sandbox.control('faults/forget', {})
  await app.settled()
  expect(await childOf(first.child_id)).toMatchObject({ audience_id: null, status: 'failed' })
})

test('one push to accounts of both platforms has an outcome for each; the same call again makes nothing twice', async () => {
  const id = await aCrowd(hashes(0, 40))
  const other = await anAuthorisedAccount(app, sandbox, adv_id, SOCIAL, SANDBOX_ACCOUNTS[1][1])
  const closed = await db
    .insertInto('platform_account')
    .values({ adv_id, platform: VIDEO, external_id: '910', name: '未授权的账户', scope_list: '["all"]' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const accounts = [
    { cnt_type: SOCIAL, account_id: account[SOCIAL] },
    { cnt_type: VIDEO, account_id: account[VIDEO] },
    { cnt_type: SOCIAL, account_id: other },
    { cnt_type: VIDEO, account_id: closed.id },
  ]
  await sandbox.control('faults', { platform: 'social', path: 'custom_audiences/add', kind: 'busy', times: 90 })
  const start = () => app.admin.get(startPushes, { body: { source: { kind: 'custom', id }, accounts } })
  const [first, second] = await Promise.all([start(), start()])
  expect(first.list.map(({ account_id, problem }) => [account_id, problem === null])).toEqual(
    accounts.map(({ account_id }) => [account_id, account_id !== closed.id]),
  )
  expect(first.list[3]?.problem).toContain('尚未授权')
  expect(second).toEqual(first)
  await vi.waitFor(async () => expect((await read(first.list[0]?.push_id ?? 0)).push.state).toBe('retrying'), 60_000)
  expect(await start()).toEqual(first)
  await sandbox.control('faults/forget', {})
  await app.settled()
  const { list, total } = await app.admin.get(listPushes, { query: { id } })
  expect([total, list.map((one) => one.status)]).toEqual([3, ['done', 'done', 'done']])

  // Once the pushes have ended, the same call sends nothing more; its pushes are recorded without changes.
  const children = first.list.flatMap(({ child_id }) => child_id ?? [])
  const holdings = () => Promise.all(children.map(held))
  const before = await holdings()
  const again = await start()
  await app.settled()
  expect(again.list.flatMap(({ child_id }) => child_id ?? [])).toEqual(children)
  expect(await holdings()).toEqual(before)
  const { list: records } = await app.admin.get(listPushes, { query: { id } })
  expect(records.slice(0, -3)).toEqual(
    children.map(() => expect.objectContaining({ status: 'done', adds: 0, removes: 0 })),
  )
})

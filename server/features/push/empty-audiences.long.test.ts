import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import { getPush, retryPush, startPush } from '#contract/push.ts'
import { transaction } from '../../postgres/transaction.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { aCustomCrowd } from '../../testing/custom-crowds.ts'
import { SOCIAL } from '../../testing/platforms.ts'
import { anAuthorisedAccount, hashes, SANDBOX_ACCOUNTS, sandboxValues } from '../../testing/push.ts'

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres
const EXTERNAL = SANDBOX_ACCOUNTS[1][0]
/** A refusal that no waiting helps. */
const REFUSED = 18001

let account: number
let crowd: number
beforeEach(async () => {
  await app.reset()
  await sandbox.control('switches/reset', {})
  await sandbox.control('faults/forget', {})
  await sandbox.control('switches', { processing_seconds: 0.1 })
  const adv_id = await anAdvertiser(app)
  account = await anAuthorisedAccount(app, sandbox, adv_id, 1, EXTERNAL)
  const files = [{ name: 'a.txt', content: hashes(0, 60).join('\n') }]
  crowd = await aCustomCrowd(app, adv_id, files, {
    user_id_type: 'HASH_IMEI',
    name: `空人群${Date.now() % 1e8}`,
  })
  await app.settled()
})

const push = () =>
  app.admin.get(startPush, { params: { cnt_type: SOCIAL }, body: { id: crowd, advertiser_id: account } })
const childOf = (id: number) => db.selectFrom('audience').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const refuse = (path: string) =>
  sandbox.control('faults', { platform: 'social', path, kind: 'busy', code: REFUSED, times: 1 })
const there = async () => {
  const all = await sandbox.control<{ id: string; is_deleted: boolean }[]>(
    `audiences?platform=social&account_id=${EXTERNAL}`,
  )
  return all.filter((one) => !one.is_deleted).map((one) => one.id)
}
/** As if the push had been refused a quarter of an hour ago. */
const later = () =>
  db
    .updateTable('push')
    .set((eb) => ({ finished_at: eb('finished_at', '-', 900) }))
    .execute()
async function look() {
  await transaction(db, (tx) => app.stores.jobs.send(tx, 'push.empty-audiences', {}))
  await vi.waitFor(async () => {
    const { rows } = await sql`select id from pgboss.job
      where name in ('push.empty-audiences', 'push.remove-empty') and state in ('created', 'active', 'retry')`.execute(
      db,
    )
    expect(rows).toEqual([])
  }, 20_000)
}
const removals = async () => {
  const rows = await db
    .selectFrom('audit')
    .select('detail')
    .where('action', '=', 'push.remove_empty_audience')
    .execute()
  return rows.map(({ detail }) => detail.tag_id)
}

test('an empty audience that a refused push left is removed once, and a retry makes a new one', async () => {
  const before = await there()
  await refuse('custom_audience_files/add')
  const { push_id, child_id } = await push()
  await app.settled()
  expect((await app.admin.get(getPush, { params: { id: push_id } })).push.status).toBe('failed')
  const { audience_id, reason } = await childOf(child_id)
  expect(await there()).toEqual([...before, audience_id])

  await look()
  // A retry within ten minutes would still use it.
  expect(await there()).toEqual([...before, audience_id])
  await later()
  await look()
  await look()
  expect(await there()).toEqual(before)
  expect(await removals()).toEqual([audience_id])
  expect(await childOf(child_id)).toMatchObject({ audience_id: null, status: 'failed', reason })

  await app.admin.get(retryPush, { params: { id: push_id } })
  await app.settled()
  expect((await app.admin.get(getPush, { params: { id: push_id } })).push).toMatchObject({ status: 'done', sent: 60 })
  const made = (await childOf(child_id)).audience_id ?? ''
  expect(made).not.toBe(audience_id)
  expect(await sandboxValues(sandbox, SOCIAL, made)).toEqual(hashes(0, 60).toSorted())
  await later()
  await look()
  expect(await there()).toEqual([...before, made])
})

test('a removal that was cut short after the platform did it is done only once', async () => {
  const before = await there()
  await refuse('custom_audience_files/add')
  const { child_id } = await push()
  await app.settled()
  await later()
  const { audience_id } = await childOf(child_id)
  // The answer is lost, as when the process is killed before it stores it: the job runs again.
  await sandbox.control('faults', { platform: 'social', path: 'custom_audiences/delete', kind: 'drop_after', times: 1 })
  await look()
  expect(await there()).toEqual(before)
  expect(await removals()).toEqual([audience_id])
})

test('an audience that may have received a file stays', async () => {
  const before = await there()
  await sandbox.control('switches', { half_accept_rate: 1, half_accept_as: 'error' })
  const { push_id, child_id } = await push()
  await app.settled()
  expect((await app.admin.get(getPush, { params: { id: push_id } })).push.status).toBe('failed')
  await later()
  await look()
  expect(await there()).toEqual([...before, (await childOf(child_id)).audience_id])
})

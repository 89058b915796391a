import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import {
  type ForgetWorld,
  forget,
  forgetWorld,
  onPlatforms,
  phoneOf,
  receiptOf,
  traces,
} from '../../testing/forget-world.ts'
import { SOCIAL } from '../../testing/platforms.ts'
import { md5 } from '../../testing/push.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const { app, sandbox } = await testAppWithSandbox()
const { db } = app.stores.postgres
let world: ForgetWorld

/** Of a call that the platform refuses for good. */
const REFUSED = 18001
const FILES = 'custom_audience_files/add'

beforeAll(async () => {
  await app.reset()
  world = await forgetWorld(app, sandbox)
})
beforeEach(() => sandbox.control('faults/forget', {}))

const social = async (id: number) => (await receiptOf(app, id)).platforms.filter(({ platform }) => platform === SOCIAL)
const statuses = async (id: number) => (await social(id)).map(({ status }) => status)
const sizes = async () => Object.values(await onPlatforms(app, sandbox)).map((values) => values.length)

/** The removals of which the values are still kept; the other platform's until it has published them, once a day. */
const kept = (id: number) =>
  db
    .selectFrom('forget_account')
    .innerJoin('audience', 'audience.id', 'forget_account.child_id')
    .select(['forget_account.id', 'sealed'])
    .where('forget_id', '=', id)
    .where('cnt_type', '=', SOCIAL)
    .where('sealed', 'is not', null)
    .execute()

async function checkTaken(id: number, no: number, left: number) {
  expect(await receiptOf(app, id)).toMatchObject({ status: 'done', accounts: 4, accepted: 4 })
  expect(await sizes()).toEqual(Array(4).fill(left))
  expect(await traces(app, world.adv_id, no, -1)).toEqual([])
  expect(await kept(id)).toEqual([])
}

test('a platform that is busy is asked again: until then the receipt says so, and everything of ours is gone', async () => {
  await sandbox.control('faults', { platform: 'social', path: FILES, kind: 'busy', times: 9 })
  const { id } = await forget(app, world.adv_id, 1)
  await vi.waitFor(async () => expect(await statuses(id)).toContain('retrying'), { timeout: 120_000, interval: 50 })
  const [retrying] = (await social(id)).filter(({ status }) => status === 'retrying')
  expect(retrying).toMatchObject({ at: null, reason_outcome: { code: 'push_tries_again' } })
  expect(await receiptOf(app, id)).toMatchObject({ status: 'done' })
  await app.settled()
  await checkTaken(id, 1, world.people - 1)
})

test('a platform that is slow and then cuts the connection gets the removal again, and takes it once', async () => {
  const slow = { platform: 'social', path: FILES, kind: 'timeout_after', seconds: 1, times: 2 }
  await sandbox.control('faults', slow)
  const { id } = await forget(app, world.adv_id, 2)
  await app.settled()
  await checkTaken(id, 2, world.people - 2)
})

test('a removal that a platform refuses has failed, keeps its values encrypted, and is sent again after six hours', async () => {
  await sandbox.control('faults', { platform: 'social', path: FILES, kind: 'busy', code: REFUSED, times: 2 })
  const { id } = await forget(app, world.adv_id, 3)
  await app.settled()
  expect(await statuses(id)).toEqual(['failed', 'failed'])
  expect((await social(id)).every(({ reason, at }) => reason !== null && at === null)).toBe(true)
  expect(await receiptOf(app, id)).toMatchObject({ status: 'done', accounts: 4, accepted: 2 })
  expect(await kept(id)).toHaveLength(2)
  for (const { sealed } of await kept(id)) expect(sealed).not.toContain(md5(phoneOf(3)))

  await app.services.forgetting.tidy()
  expect(await statuses(id)).toEqual(['failed', 'failed'])
  await db
    .updateTable('forget_account')
    .set((eb) => ({ tried_at: eb('tried_at', '-', 6 * 3600 + 1) }))
    .where('status', '=', 'failed')
    .execute()
  await app.services.forgetting.tidy()
  await app.settled()
  await checkTaken(id, 3, world.people - 3)
})

test('what no platform took within 30 days is erased, and the receipt says so', async () => {
  await sandbox.control('faults', { platform: 'social', path: FILES, kind: 'busy', code: REFUSED, times: 2 })
  const { id } = await forget(app, world.adv_id, 4)
  await app.settled()
  const failed = db.updateTable('forget_account').where('status', '=', 'failed')
  await failed.set((eb) => ({ asked_at: eb('asked_at', '-', 30 * 86_400 + 1) })).execute()
  await app.services.forgetting.tidy()
  expect(await statuses(id)).toEqual(['expired', 'expired'])
  expect(await kept(id)).toEqual([])
})

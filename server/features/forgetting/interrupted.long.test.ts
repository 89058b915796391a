import { beforeAll, expect, test, vi } from 'vitest'

import { getRuleCrowd } from '#contract/rule-crowd.ts'
import { EngineError } from '../../clickhouse/engine-error.ts'
import { testAppWithSandbox } from '../../testing/app-with-sandbox.ts'
import {
  type ForgetWorld,
  forget,
  forgetWorld,
  oneIdOf,
  onPlatforms,
  receiptOf,
  traces,
} from '../../testing/forget-world.ts'
import { SOCIAL, VIDEO } from '../../testing/platforms.ts'
import { authorise } from '../../testing/push.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 })

const { app, sandbox } = await testAppWithSandbox()
let world: ForgetWorld

beforeAll(async () => {
  await app.reset()
  world = await forgetWorld(app, sandbox, 20)
})

/** The same person's receipt whatever happened on the way. */
const EXPECTED = { people: 3, identifiers: 10, events: 3, uploaded: 2 }

const personOf = async (no: number) => {
  const [row] = await app.stores.warehouse.load.acrossShards.query<{ uid: number }>(
    `SELECT uid FROM person_key WHERE one_id = '${oneIdOf(no)}'`,
  )
  return row?.uid ?? 0
}

async function checkGone(id: number, no: number, uid: number) {
  const receipt = await receiptOf(app, id)
  expect(receipt).toMatchObject({ status: 'done', accounts: 4, accepted: 4 })
  expect(Object.fromEntries(receipt.stores.map(({ store, found }) => [store, found]))).toMatchObject(EXPECTED)
  expect(receipt.stores.filter(({ status }) => status !== 'done')).toEqual([])
  expect(await traces(app, world.adv_id, no, uid)).toEqual([])
}

/** Lets the n-th change of the warehouse end the run: before it is made, or after it. */
function endRunAt(nth: number, isAfter: boolean) {
  const { everyShard } = app.stores.warehouse.load
  const real = everyShard.command
  let seen = 0
  const spy = vi.spyOn(everyShard, 'command').mockImplementation(async (...given) => {
    if (!/^ALTER TABLE \w+ (DELETE|UPDATE)/.test(given[0]) || ++seen !== nth) return real(...given)
    if (isAfter) await real(...given)
    throw new Error('the run ends here')
  })
  return { end: () => spy.mockRestore(), seen: () => seen }
}

test('a run that ends at any change of the warehouse is finished by the next one, with the same receipt', async () => {
  const moments = [1, 3, 5, 6, 7, 8, 9, 10, 11, 12]
  for (const [at, moment] of moments.entries()) {
    const no = at + 1
    const uid = await personOf(no)
    const ended = endRunAt(moment, at % 2 === 1)
    const { id } = await forget(app, world.adv_id, no)
    await app.settled()
    ended.end()
    await app.settled()
    expect(ended.seen()).toBeGreaterThanOrEqual(moment)
    await checkGone(id, no, uid)
  }
  const left = world.people - moments.length
  expect(Object.values(await onPlatforms(app, sandbox)).map((values) => values.length)).toEqual(Array(4).fill(left))
  expect((await app.admin.get(getRuleCrowd, { params: { id: world.rule } })).magnitude).toBe(left)
})

test('on a full disk the request fails with the reason, and goes on by itself when there is room', async () => {
  const uid = await personOf(11)
  const { everyShard } = app.stores.warehouse.load
  const real = everyShard.command
  const spy = vi.spyOn(everyShard, 'command').mockImplementation(async (...given) => {
    if (given[0].startsWith('ALTER TABLE event DELETE')) throw new EngineError('disk_full', 'no room')
    return real(...given)
  })
  const { id } = await forget(app, world.adv_id, 11)
  // Every five minutes it is tried again by itself, which may be just now.
  await vi.waitFor(
    async () =>
      expect(await receiptOf(app, id)).toMatchObject({
        status: 'failed',
        error_outcome: { code: 'forget_disk_full' },
      }),
    { timeout: 120_000, interval: 100 },
  )
  spy.mockRestore()
  await app.services.forgetting.tidy()
  await app.settled()
  await checkGone(id, 11, uid)
})

test('an account without authorisation keeps its receipt open until it is authorised again', async () => {
  const uid = await personOf(12)
  const { db } = app.stores.postgres
  await db
    .updateTable('platform_login')
    .set({ tokens: null })
    .where('external_id', '=', `login-${world.accounts.social}`)
    .execute()
  const { id } = await forget(app, world.adv_id, 12)
  await vi.waitFor(
    async () => {
      const { platforms } = await receiptOf(app, id)
      const of = (which: number) => platforms.filter(({ platform }) => platform === which).map(({ status }) => status)
      expect(of(VIDEO)).toEqual(['accepted', 'accepted'])
      // The second of the account pauses too when it comes to its turn.
      expect(of(SOCIAL)).toContain('paused')
      expect(of(SOCIAL)).not.toContain('accepted')
    },
    { timeout: 120_000, interval: 200 },
  )
  const { platforms } = await receiptOf(app, id)
  expect(platforms.find(({ status }) => status === 'paused')?.reason).toContain('重新授权')
  await authorise(app, sandbox, world.accounts.social)
  await db.transaction().execute((tx) => app.services.pushes.onAuthorised(tx, world.accounts.social))
  await app.settled()
  await checkGone(id, 12, uid)
})

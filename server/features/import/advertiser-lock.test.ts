import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { cutPostgres } from '../../testing/cut-postgres.ts'
import { silent, until } from '../../testing/jobs.ts'
import { advertiserLocks } from './advertiser-lock.ts'

/** PGlite has a single session, so its lock keeps nobody out. */
const isServer = Boolean(process.env.RENQUN_TEST_POSTGRES)
const database = isServer ? await cutPostgres() : undefined
afterAll(() => database?.close())
afterEach(() => vi.restoreAllMocks())

test.skipIf(!database)('a lock whose connection broke is taken again and keeps other processes out', async () => {
  if (!database) return
  silent()
  const ours = advertiserLocks(database)
  const theirs = advertiserLocks(database.direct)
  const order: string[] = []
  let other: Promise<void> = Promise.resolve()
  await ours.withLock(1, async (lock) => {
    database.cut()
    await lock.takeAgainIfLost()
    other = theirs.withLock(1, async () => void order.push('theirs'))
    await pause(300)
    order.push('ours')
  })
  await other
  expect(order).toEqual(['ours', 'theirs'])
})

test.skipIf(!database)(
  'a lock that cannot be taken again because the database is away fails with that error',
  async () => {
    if (!database) return
    silent()
    const ended = advertiserLocks(database).withLock(2, async (lock) => {
      await database.goAway()
      await lock.takeAgainIfLost()
    })
    await expect(ended).rejects.toMatchObject({ isDatabaseAway: true })
    await database.back()
    await until(async () => (await database.pool.query('select 1')).rowCount === 1)
  },
)

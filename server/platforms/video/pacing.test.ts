import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountId } from '../../../sandbox/platforms.ts'
import { type PlatformWorld, platformWorld, type TestAccount } from '../../testing/platform-world.ts'
import { VIDEO } from '../../testing/platforms.ts'
import type { TargetingDictionaries } from '../targeting-platform.ts'

/** As many calls of an account in a second as the stand-in allows each advertiser here. */
const PER_SECOND = 8
const WINDOW = { days: 30, scenes: [] }

let world: PlatformWorld
let dictionaries: Required<Pick<TargetingDictionaries, 'reach' | 'keywords'>>
let one: TestAccount
let other: TestAccount
beforeAll(async () => {
  world = await platformWorld()
  dictionaries = world.open({ callsPerSecond: PER_SECOND }).dictionariesOf(VIDEO) as never
  one = await world.session('video', accountId('video', 1))
  other = await world.session('video', accountId('video', 2))
})
afterAll(() => world.close())

/** Estimates and searches of an account together, as two editors ask for them. */
const burst = (account: TestAccount, count: number) =>
  Array.from({ length: count }, (_, no) =>
    no % 2 === 0
      ? dictionaries.reach.of(account, { landing_type: 'LIVE', ac: ['WIFI'] }, null, world.on)
      : dictionaries.keywords(account, 'interest', WINDOW, { by: 'query_word', word: '手机' }, world.on),
  )

test('estimates and look-ups of an account stay within its limit, and are answered', async () => {
  await world.control('switches', { video_advertiser_qps: PER_SECOND, video_application_qps: 0 })
  const began = performance.now()
  const answers = await Promise.allSettled(burst(one, 12))
  expect(answers.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(performance.now() - began).toBeGreaterThan((11 / PER_SECOND) * 1000 - 20)
  const calls = await world.control<{ code: number }[]>('calls')
  expect(calls.filter(({ code }) => code === 40130)).toEqual([])
})

test('an account that is slow, or is told to wait, delays no other', async () => {
  await world.control('faults', {
    ...{ platform: 'video', path: 'estimate_audience', account_id: one.external_id, kind: 'timeout', seconds: 2 },
    times: 2,
  })
  await world.control('faults', {
    ...{ platform: 'video', path: 'keyword', account_id: one.external_id, kind: 'throttle', code: 40130, times: 1 },
  })
  const late = Promise.allSettled(burst(one, 4))
  const began = performance.now()
  await Promise.all(burst(other, 4))
  expect(performance.now() - began).toBeLessThan(1500)
  expect((await late).some(({ status }) => status === 'rejected')).toBe(true)
})

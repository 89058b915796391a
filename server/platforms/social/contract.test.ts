import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  aPart,
  faultOf,
  type PlatformWorld,
  platformWorld,
  shapeOf,
  type TestAccount,
} from '../../testing/platform-world.ts'
import { SOCIAL } from '../../testing/platforms.ts'
import { audienceName } from '../audience-name.ts'
import type { AudiencePlatform, AudienceRef } from '../audience-platform.ts'

const ACCOUNTS = ['9007199254750003', '9007199254750005', '9007199254750007', '9007199254750009']
const md5s = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) =>
    createHash('md5')
      .update(String(from + at))
      .digest('hex'),
  )

let world: PlatformWorld
let social: AudiencePlatform
/** Waits for no answer longer than a second. */
let impatient: AudiencePlatform
let account: TestAccount
let made = 0
beforeAll(async () => {
  // Shifts the clock so that no minute ends while these tests run.
  const shift = 5000 - (Date.now() % 60_000)
  world = await platformWorld({ nowMs: () => Date.now() + shift })
  social = world.platforms.audiencesOf(SOCIAL)
  impatient = world.open({ timeoutMs: 1000, uploadTimeoutMs: 1000 }).audiencesOf(SOCIAL)
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.control('switches/reset', {})
  await world.control('switches', { processing_seconds: 0.05 })
  // Throttling caused by another test must not affect this one.
  account = await world.session('social', ACCOUNTS[made % ACCOUNTS.length] ?? '')
  world.takeCalls()
  world.samples.length = 0
})

/** An audience to create, with a unique key and name. */
const wanted = (more = {}) => {
  const no = ++made
  const base = { key: `crowd_${no}`, name: `人群${no}`, description: '说明', type: 'HASH_IMEI' as const, receipts: [] }
  return { ...base, ...more }
}
const ensure = (more = {}) => social.ensureAudience(account, wanted(more), world.on)
const send = (ref: AudienceRef, key: string, op: 'add' | 'remove', values: readonly string[], by = social) =>
  by.sendPart(account, ref, 'HASH_IMEI', aPart(key, op, values), world.on)
const pathsOf = () => world.takeCalls().map(({ method, path }) => `${method} ${path.replace('/social/v3.0/', '')}`)

describe('the requests of the social adapter', () => {
  test('match the reviewed snapshot', async () => {
    const ref = await ensure({ key: 'crowd_7f', name: '新客', description: '九月 "新客" <一>' })
    const receipt = await send(ref, 'push-9-1', 'add', md5s(0, 3))
    await world.settle()
    await social.partState(account, ref, receipt, world.on)
    await send(ref, 'push-9-2', 'remove', md5s(0, 1))
    await world.settle()
    await social.readAudience(account, ref, world.on)
    await social.rename?.(account, ref, '老客', world.on)
    await social.countAudiences(account, world.on)
    await social.remove(account, ref, world.on)
    const names = { [account.current]: 'token', [ref.audience_id ?? '']: 'audience', [receipt]: 'file' }
    const shapes = await Promise.all(world.takeCalls().map((call) => shapeOf(call, names)))
    await expect(`${shapes.join('\n\n')}\n`).toMatchFileSnapshot('./requests.snapshot.txt')
    const seen = await world.control<{ unknown?: string[] }[]>('calls')
    expect(seen.filter(({ unknown }) => unknown?.length)).toEqual([])
  })

  test('leave no secrets and no identifiers in their samples', async () => {
    const ref = await ensure()
    await send(ref, `part-${made}`, 'add', md5s(0, 3))
    const text = JSON.stringify(world.samples)
    expect(world.samples.length).toBeGreaterThan(2)
    expect(text).not.toContain(account.current)
    expect(text).not.toContain('nonce')
    expect(text).not.toContain(md5s(0, 1)[0])
    expect(world.samples.at(-1)).toMatchObject({
      method: 'POST',
      path: '/v3.0/custom_audience_files/add',
      status: 200,
      request: expect.stringContaining('"values":3'),
    })
  })
})

describe('an audience of the social platform', () => {
  test('holds exactly the values added and not removed, and reports accepted and covered counts', async () => {
    const ref = await ensure()
    expect((await social.readAudience(account, ref, world.on)).state).toMatchObject({
      status: 'computing',
      covered: null,
    })
    const first = await send(ref, `a-${made}`, 'add', md5s(0, 2000))
    expect(await social.partState(account, ref, first, world.on)).toMatchObject({ state: 'waiting', accepted: null })
    await world.settle()
    expect(await social.partState(account, ref, first, world.on)).toEqual({
      state: 'done',
      accepted: 2000,
      reason: null,
    })
    await send(ref, `b-${made}`, 'remove', md5s(500, 1000))
    await world.settle()
    expect(await world.values('social', ref.audience_id ?? '')).toEqual(
      [...md5s(0, 500), ...md5s(1000, 2000)].toSorted(),
    )
    const { state } = await social.readAudience(account, ref, world.on)
    expect(state).toMatchObject({ status: 'available', covered: 1050, pending: null, not_before: null })
  })

  test('is created once per key, even by simultaneous calls', async () => {
    const ask = wanted()
    const refs = await Promise.all([1, 2, 3].map(() => social.ensureAudience(account, ask, world.on)))
    expect(new Set(refs.map(({ audience_id }) => audience_id)).size).toBe(1)
    const there = await world.audiences('social', account.external_id)
    expect(there.filter(({ outer_id }) => outer_id === ask.key)).toHaveLength(1)
  })

  test('is refused with the name of another one, and created with a mark after the name', async () => {
    const { name } = wanted()
    await ensure({ name })
    expect(await faultOf(ensure({ name }))).toMatchObject({ kind: 'nameTaken', code: 50007 })
    const marked = audienceName(name, 'k7x', social.limits.name, true)
    await ensure({ name: marked })
    const names = (await world.audiences('social', account.external_id)).map((one) => one.name)
    expect(names.filter((one) => one === name || one === marked)).toHaveLength(2)
  })

  test('named with 30 Chinese characters is accepted by the platform', async () => {
    const name = audienceName('一二三四五六七八九十'.repeat(3), (++made).toString(36), social.limits.name, false)
    expect(await ensure({ name })).toMatchObject({ source_id: null })
  })

  test('has one file processed at a time', async () => {
    await world.control('switches', { processing_seconds: 60 })
    const ref = await ensure()
    const first = await send(ref, `a-${made}`, 'add', md5s(0, 10))
    expect(await faultOf(send(ref, `b-${made}`, 'add', md5s(10, 20)))).toMatchObject({ kind: 'later', code: 54307 })
    expect(await send(ref, `a-${made}`, 'add', md5s(0, 10))).toBe(first)
    expect(pathsOf().filter((path) => path.endsWith('files/add'))).toHaveLength(1)
  })

  test('reports a file of which half was accepted as failed, and accepts it again', async () => {
    await world.control('switches', { half_accept_rate: 1, half_accept_as: 'error' })
    const ref = await ensure()
    const receipt = await send(ref, `a-${made}`, 'add', md5s(0, 10))
    await world.settle()
    const state = await social.partState(account, ref, receipt, world.on)
    expect(state).toMatchObject({ state: 'failed' })
    expect(state.reason).toBeTruthy()
    await world.control('switches', { half_accept_rate: 0 })
    const again = await send(ref, `a-${made}`, 'add', md5s(0, 10))
    expect(again).not.toBe(receipt)
    await world.settle()
    expect(await world.values('social', ref.audience_id ?? '')).toEqual(md5s(0, 10).toSorted())
  })

  test('in use is not removed; a missing one counts as removed', async () => {
    const ref = await ensure()
    await world.control('audiences/set', { platform: 'social', audience_id: ref.audience_id, used_by: 'ad' })
    expect(await faultOf(social.remove(account, ref, world.on))).toMatchObject({ kind: 'inUse', code: 50023 })
    await world.control('audiences/set', { platform: 'social', audience_id: ref.audience_id, used_by: null })
    await social.remove(account, ref, world.on)
    await social.remove(account, ref, world.on)
    expect(await faultOf(social.readAudience(account, ref, world.on))).toMatchObject({ kind: 'gone' })
  })

  test('beyond the quota is refused with a quota fault', async () => {
    const used = await social.countAudiences(account, world.on)
    await world.control('switches', { social_audiences: used })
    expect(await faultOf(ensure())).toMatchObject({ kind: 'quota', code: 50008 })
  })
})

describe('the social platform with faults', () => {
  const fault = (kind: string, path: string, more = {}) =>
    world.control('faults', { platform: 'social', path, kind, ...more })
  const madeOnce = async (key: string) =>
    (await world.audiences('social', account.external_id)).filter(({ outer_id }) => outer_id === key)

  test('an expired token is renewed once and the call repeated', async () => {
    await world.control('tokens/expire', { platform: 'social', account_id: account.external_id })
    expect(await ensure()).toMatchObject({ source_id: null })
    expect(account.renewals).toBe(1)
  })

  test('a token that stays expired needs a new authorisation', async () => {
    account.renews = false
    await world.control('tokens/expire', { platform: 'social', account_id: account.external_id })
    expect(await faultOf(ensure())).toMatchObject({ kind: 'unauthorised', code: 11000 })
    expect(pathsOf()).toHaveLength(2)
  })

  test('a token without the scope needs a new authorisation too', async () => {
    account = await world.session('social', account.external_id, ['ads_insights'])
    expect(await faultOf(ensure())).toMatchObject({ kind: 'unauthorised', code: 11014 })
  })

  test('a throttled account waits at that interface without calling, and at no other interface', async () => {
    account = await world.session('social', '9007199254750025')
    await fault('throttle', 'custom_audiences/add', { times: 3 })
    const ask = wanted()
    const first = await faultOf(social.ensureAudience(account, ask, world.on))
    expect(first).toMatchObject({ kind: 'later', code: 11017, retryAfter: 2 })
    await faultOf(social.ensureAudience(account, ask, world.on))
    world.takeCalls()
    expect(await faultOf(social.ensureAudience(account, ask, world.on))).toMatchObject({ kind: 'later', retryAfter: 4 })
    expect(world.takeCalls()).toEqual([])
    await social.countAudiences(account, world.on)
    await world.control('faults/forget', {})
    const neighbour = await world.session('social', '9007199254750023')
    await social.ensureAudience(neighbour, wanted(), world.on)
  })

  test('calls wait for the next minute when none are left in this one', async () => {
    account = await world.session('social', '9007199254750027')
    await world.control('switches', { social_calls_per_minute: 200 })
    const spent = async () => {
      for (let calls = 0; calls < 200; calls++) await ensure()
    }
    const held = await faultOf(spent())
    expect(held).toMatchObject({ kind: 'later', code: null })
    expect(held.retryAfter).toBeLessThanOrEqual(60)
    world.takeCalls()
    await faultOf(ensure())
    expect(world.takeCalls()).toEqual([])
  })

  test.each(['drop_after', 'error_after'] as const)(
    'an audience whose creation ended in %s is found again',
    async (kind) => {
      await fault(kind, 'custom_audiences/add')
      const ask = wanted()
      expect(await faultOf(social.ensureAudience(account, ask, world.on))).toMatchObject({
        kind: 'later',
        isUncertain: true,
      })
      const ref = await social.ensureAudience(account, ask, world.on)
      const there = await madeOnce(ask.key)
      expect(there.map(({ id }) => id)).toEqual([ref.audience_id])
    },
  )

  test('an audience that was renamed meanwhile is found again', async () => {
    await fault('drop_after', 'custom_audiences/add')
    const ask = wanted()
    await faultOf(social.ensureAudience(account, ask, world.on))
    const ref = await social.ensureAudience(account, { ...ask, name: `${ask.name}改` }, world.on)
    expect((await madeOnce(ask.key)).map(({ id }) => id)).toEqual([ref.audience_id])
  })

  test.each(['drop_after', 'error_after', 'timeout_after'] as const)(
    'a file whose sending ended in %s is not sent twice',
    async (kind) => {
      const ref = await ensure()
      const key = `part-${made}`
      await fault(kind, 'custom_audience_files/add', { seconds: 3 })
      expect(
        await faultOf(send(ref, key, 'add', md5s(0, 100), kind === 'timeout_after' ? impatient : social)),
      ).toMatchObject({ kind: 'later', isUncertain: true })
      await send(ref, key, 'add', md5s(0, 100))
      const parts = await world.control<unknown[]>(`parts?platform=social&audience_id=${ref.audience_id}`)
      expect(parts).toHaveLength(1)
      await world.settle()
      expect(await world.values('social', ref.audience_id ?? '')).toEqual(md5s(0, 100).toSorted())
    },
  )

  test('a missing answer, a gateway error and a busy platform are retried', async () => {
    await fault('timeout', 'custom_audiences/get', { seconds: 3 })
    expect(await faultOf(impatient.countAudiences(account, world.on))).toMatchObject({
      kind: 'later',
      isUncertain: true,
    })
    await fault('error', 'custom_audiences/get', { status: 502 })
    expect(await faultOf(social.countAudiences(account, world.on))).toMatchObject({ kind: 'later', code: 'HTTP 502' })
    await fault('busy', 'custom_audiences/get')
    expect(await faultOf(social.countAudiences(account, world.on))).toMatchObject({ kind: 'later' })
    expect(world.samples.at(0)).toMatchObject({ status: null, answer: expect.stringContaining('没有应答') })
  })

  test('an aborted call ends with the reason of the abort', async () => {
    await fault('timeout', 'custom_audiences/get', { seconds: 3 })
    const stop = new AbortController()
    const reason = new Error('stopped')
    setTimeout(() => stop.abort(reason), 50)
    await expect(social.countAudiences(account, { ...world.on, signal: stop.signal })).rejects.toBe(reason)
  })
})

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { IdentifierType } from '#contract/identifier.ts'
import {
  aPart,
  faultOf,
  type PlatformWorld,
  platformWorld,
  shapeOf,
  type TestAccount,
} from '../../testing/platform-world.ts'
import { VIDEO } from '../../testing/platforms.ts'
import type { AudiencePlatform, AudienceRef } from '../audience-platform.ts'

const ACCOUNTS = ['9107199254750003', '9107199254750005', '9107199254750007', '9107199254750009']
const hashes = (from: number, to: number, algorithm = 'md5') =>
  Array.from({ length: to - from }, (_, at) =>
    createHash(algorithm)
      .update(String(from + at))
      .digest('hex'),
  )

let world: PlatformWorld
let video: AudiencePlatform
/** Waits for no answer longer than a second. */
let impatient: AudiencePlatform
let account: TestAccount
let made = 0
beforeAll(async () => {
  world = await platformWorld({ nowMs: () => Date.now() + advanced * 1000 })
  video = world.platforms.audiencesOf(VIDEO)
  impatient = world.open({ timeoutMs: 1000 }).audiencesOf(VIDEO)
})
afterAll(() => world.close())
/** Seconds by which the sandbox's clock and ours are ahead. */
let advanced = 0
const advance = async (seconds: number) => {
  await world.control('clock', { advance: seconds })
  await world.control('settle', {})
  advanced += seconds
}
const settle = () => advance(60)

beforeEach(async () => {
  await world.control('switches/reset', {})
  await world.control('switches', { processing_seconds: 0.05, video_advertiser_qps: 0, video_application_qps: 0 })
  account = await world.session('video', ACCOUNTS[made % ACCOUNTS.length] ?? '')
  world.takeCalls()
  world.samples.length = 0
})

const NONE: AudienceRef = { audience_id: null, source_id: null }
const wanted = (receipts: readonly string[], more = {}) => {
  const no = ++made
  const name = `人群${no}`
  return { key: `crowd_${no}`, name, description: '', type: 'HASH_IMEI' as const, receipts, ...more }
}
const send = (op: 'add' | 'remove', values: readonly string[], type: IdentifierType = 'HASH_IMEI') =>
  video.sendPart(account, NONE, type, aPart(`part-${++made}`, op, values), world.on)
const ensure = async (values: readonly string[]) =>
  video.ensureAudience(account, wanted([await send('add', values)]), world.on)
const readAudience = (ref: AudienceRef) => video.readAudience(account, ref, world.on)
/** Advances the audience until no step is pending. */
async function untilUsable(ref: AudienceRef): Promise<AudienceRef> {
  let at = ref
  for (let step = 0; step < 8; step++) {
    const seen = await readAudience(at)
    at = seen.ref
    if (seen.state.status === 'available' && !seen.state.pending) return at
    if (seen.state.pending) await video.advance(account, at, world.on)
    await settle()
  }
  throw new Error('never usable')
}

describe('the requests of the video adapter', () => {
  test('match the reviewed snapshot', async () => {
    const first = await send('add', hashes(0, 3))
    const source = await video.ensureAudience(
      account,
      { ...wanted([first]), key: 'rq_7f', name: '新客', description: '九月新客' },
      world.on,
    )
    const ref = await untilUsable(source)
    const second = await send('remove', hashes(0, 1))
    await video.applyParts(account, ref, { key: 'c1', op: 'remove', receipts: [second] }, world.on)
    await video.partState(account, ref, second, world.on)
    await video.countAudiences(account, world.on)
    await video.remove(account, ref, world.on)
    await video.remove(account, ref, world.on)
    const names = {
      [account.current]: 'token',
      [ref.audience_id ?? '']: 'audience',
      [ref.source_id ?? '']: 'source',
      [first]: 'file 1',
      [second]: 'file 2',
    }
    const shapes = await Promise.all(world.takeCalls().map((call) => shapeOf(call, names)))
    const each = shapes.filter((shape, at) => shape !== shapes[at - 1])
    const text = `${each.join('\n\n')}\n`
      .replace(/part-\d+/g, 'part')
      .replace(/(file_signature: )[0-9a-f]{32}/g, '$1<md5 of the file>')
    await expect(text).toMatchFileSnapshot('./requests.snapshot.txt')
    const seen = await world.control<{ unknown?: string[] }[]>('calls')
    expect(seen.filter(({ unknown }) => unknown?.length)).toEqual([])
  })

  test('leave no secrets and no identifiers in their samples', async () => {
    await ensure(hashes(0, 3))
    const text = JSON.stringify(world.samples)
    expect(world.samples.length).toBeGreaterThan(2)
    expect(text).not.toContain(account.current)
    expect(text).not.toContain(hashes(0, 1)[0])
    expect(world.samples[0]).toMatchObject({
      path: '/open_api/2/dmp/data_source/file/upload/',
      request: expect.stringContaining('"values":3'),
    })
  })
})

describe('an audience of the video engine', () => {
  test('is parsed, published, pushed and then available, with exactly the values sent', async () => {
    const values = [...hashes(0, 25_000)]
    const phones = hashes(0, 100, 'sha256')
    const receipts = [await send('add', values), await send('add', phones, 'SHA256_MOBILE_PHONE')]
    const source = await video.ensureAudience(account, wanted(receipts), world.on)
    expect((await readAudience(source)).state).toMatchObject({ status: 'computing', pending: null })
    expect(await video.partState(account, source, receipts[0] ?? '', world.on)).toMatchObject({ state: 'waiting' })
    await settle()
    expect(await video.partState(account, source, receipts[1] ?? '', world.on)).toMatchObject({ state: 'done' })
    expect((await readAudience(source)).state).toMatchObject({
      status: 'computing',
      pending: 'publish',
      accepted: 25_100,
    })
    const ref = await untilUsable(source)
    expect((await readAudience(ref)).state).toMatchObject({ status: 'available', covered: 17_570, pending: null })
    expect(await world.values('video', ref.audience_id ?? '')).toEqual([...values, ...phones].toSorted())
    const [there] = (await world.audiences('video', account.external_id)).filter(({ id }) => id === ref.audience_id)
    expect(there).toMatchObject({ pushed_to: [account.external_id], push_status: 2 })
    world.takeCalls()
    await video.advance(account, ref, world.on)
    expect(world.takeCalls().map(({ method }) => method)).toEqual(['GET'])
  })

  test('applies changes once, and publishes them after a day at the earliest', async () => {
    const ref = await untilUsable(await ensure(hashes(0, 1000)))
    const added = await send('add', hashes(1000, 1500))
    const removed = await send('remove', hashes(0, 200))
    for (const _again of [1, 2]) {
      await video.applyParts(account, ref, { key: 'a', op: 'add', receipts: [added] }, world.on)
      await video.applyParts(account, ref, { key: 'r', op: 'remove', receipts: [removed] }, world.on)
    }
    expect(await world.control<unknown[]>(`parts?platform=video&audience_id=${ref.audience_id}`)).toHaveLength(3)
    expect((await readAudience(ref)).state).toMatchObject({ status: 'computing', pending: null })
    await settle()
    expect(await video.partState(account, ref, removed, world.on)).toMatchObject({ state: 'done' })
    expect(await world.values('video', ref.audience_id ?? '')).toEqual(hashes(200, 1500).toSorted())
    const { state } = await readAudience(ref)
    expect(state).toMatchObject({ status: 'available', pending: 'publish' })
    expect(state.not_before).toBeGreaterThan(0)
    world.takeCalls()
    const early = await faultOf(video.advance(account, ref, world.on))
    expect(early).toMatchObject({ kind: 'notYet' })
    expect(early.retryAfter).toBeGreaterThan(86_000)
    expect(world.takeCalls().map(({ method }) => method)).toEqual(['GET'])
    await advance(86_401)
    account = await world.session('video', account.external_id)
    await video.advance(account, ref, world.on)
    // A repeated call: the publication is already running.
    await video.advance(account, ref, world.on)
    await settle()
    expect((await readAudience(ref)).state).toMatchObject({ status: 'available', pending: null })
  })

  test('is not mistaken for another of the same name', async () => {
    const theirs = wanted([await send('add', hashes(0, 10))])
    const there = await video.ensureAudience(account, theirs, world.on)
    const ask = wanted([await send('add', hashes(10, 20))], { name: theirs.name })
    // Nothing lists it until it is parsed.
    await world.control('switches', { processing_seconds: 20 })
    expect((await faultOf(video.ensureAudience(account, ask, world.on))).kind).toMatch(/later|nameTaken/)
    await settle()
    expect(await faultOf(video.ensureAudience(account, ask, world.on))).toMatchObject({ kind: 'nameTaken' })
    expect(await video.ensureAudience(account, theirs, world.on)).toEqual((await readAudience(there)).ref)
    await world.control('switches', { video_unique_names: false })
    const other = await video.ensureAudience(account, { ...ask, name: `${ask.name}_x` }, world.on)
    expect(other.source_id).not.toBe(there.source_id)
  })

  test('whose files cannot be parsed fails with the platform’s message', async () => {
    const bad = await send('add', ['not a hash'])
    const source = await video.ensureAudience(account, wanted([bad]), world.on)
    await settle()
    const { state } = await readAudience(source)
    expect(state).toMatchObject({ status: 'failed' })
    expect(state.reason).toBeTruthy()
    expect(await video.partState(account, source, bad, world.on)).toMatchObject({
      state: 'failed',
      reason: state.reason,
    })
  })

  test('in use is not removed; a missing one counts as removed', async () => {
    const source = await ensure(hashes(0, 10))
    expect(await faultOf(video.remove(account, source, world.on))).toMatchObject({ kind: 'later' })
    await settle()
    const { ref } = await readAudience(source)
    await world.control('audiences/set', { platform: 'video', audience_id: ref.audience_id, used_by: 'ad' })
    expect(await faultOf(video.remove(account, source, world.on))).toMatchObject({ kind: 'inUse' })
    await world.control('audiences/set', { platform: 'video', audience_id: ref.audience_id, used_by: null })
    await video.remove(account, source, world.on)
    await video.remove(account, ref, world.on)
    expect(await faultOf(readAudience(ref))).toMatchObject({ kind: 'gone' })
  })

  test('beyond the quota is refused with a quota fault, beyond the daily quota until tomorrow', async () => {
    const receipt = await send('add', hashes(0, 10))
    await world.control('switches', { video_audiences: 0 })
    expect(await faultOf(video.ensureAudience(account, wanted([receipt]), world.on))).toMatchObject({ kind: 'quota' })
    await world.control('switches', { video_audiences: 400, video_sources_per_day: 0 })
    const tomorrow = await faultOf(video.ensureAudience(account, wanted([receipt]), world.on))
    expect(tomorrow).toMatchObject({ kind: 'notYet' })
    expect(tomorrow.retryAfter).toBeLessThanOrEqual(86_400)
  })

  test('is counted by the platform', async () => {
    const before = await video.countAudiences(account, world.on)
    await ensure(hashes(0, 10))
    await settle()
    expect(await video.countAudiences(account, world.on)).toBe(before + 1)
  })
})

describe('the video engine with faults', () => {
  const fault = (kind: string, path: string, more = {}) =>
    world.control('faults', { platform: 'video', path, kind, ...more })

  test.each(['drop_after', 'error_after', 'timeout_after'] as const)(
    'an audience whose creation ended in %s is found again',
    async (kind) => {
      await world.control('switches', { processing_seconds: 20 })
      const ask = wanted([await send('add', hashes(0, 50))])
      await fault(kind, 'data_source/create', { seconds: 3 })
      const first = kind === 'timeout_after' ? impatient : video
      expect(await faultOf(first.ensureAudience(account, ask, world.on))).toMatchObject({
        kind: 'later',
        isUncertain: true,
      })
      // Nothing lists it until it is parsed.
      expect(await faultOf(video.ensureAudience(account, ask, world.on))).toMatchObject({
        kind: 'later',
        retryAfter: 60,
      })
      await settle()
      const ref = await video.ensureAudience(account, ask, world.on)
      expect(ref).toMatchObject({ audience_id: expect.any(String), source_id: expect.any(String) })
      const there = (await world.audiences('video', account.external_id)).filter(({ name }) => name === ask.name)
      expect(there.map(({ id }) => id)).toEqual([ref.audience_id])
      await untilUsable(ref)
    },
  )

  test('a change whose answer was lost is not repeated', async () => {
    const ref = await untilUsable(await ensure(hashes(0, 50)))
    const added = await send('add', hashes(50, 60))
    await fault('drop_after', 'data_source/update')
    const change = { key: 'a', op: 'add', receipts: [added] } as const
    expect(await faultOf(video.applyParts(account, ref, change, world.on))).toMatchObject({ isUncertain: true })
    await video.applyParts(account, ref, change, world.on)
    expect(await world.control<unknown[]>(`parts?platform=video&audience_id=${ref.audience_id}`)).toHaveLength(2)
  })

  test('an expired token is renewed once and the call repeated', async () => {
    await world.control('tokens/expire', { platform: 'video', account_id: account.external_id })
    await video.countAudiences(account, world.on)
    expect(account.renewals).toBe(1)
    account.renews = false
    await world.control('tokens/expire', { platform: 'video', account_id: account.external_id })
    expect(await faultOf(video.countAudiences(account, world.on))).toMatchObject({ kind: 'unauthorised', code: 40102 })
  })

  test('when throttled, calls wait as long as the platform asks', async () => {
    await fault('throttle', 'custom_audience/select')
    expect(await faultOf(video.countAudiences(account, world.on))).toMatchObject({ code: 40110, retryAfter: 1 })
    const began = performance.now()
    await send('add', hashes(0, 3))
    world.takeCalls()
    await video.countAudiences(account, world.on)
    expect(performance.now() - began).toBeGreaterThan(900)
    expect(world.takeCalls()).toHaveLength(1)
  })
})

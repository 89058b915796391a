import { describe, expect, test, vi } from 'vitest'
import { outcome } from '#contract/outcome.ts'
import { PlatformFault } from './audience-platform.ts'
import { openPace } from './pace.ts'

describe('pace', () => {
  test('calls of one key are spaced out, those of another key do not wait', async () => {
    const pace = openPace({ perSecond: 20 })
    const began = performance.now()
    const ends = await Promise.all(
      ['a', 'a', 'a', 'b'].map(async (key) => {
        await pace.enter(key, [])
        return performance.now() - began
      }),
    )
    expect(ends[2]).toBeGreaterThanOrEqual(95)
    expect(ends[3]).toBeLessThan(ends[2] ?? 0)
  })

  test("a held key fails at once with 'later' while another key continues", async () => {
    let now = 0
    const pace = openPace({ perSecond: 1000, nowMs: () => now })
    pace.hold('account 1 /x', 300)
    await expect(pace.enter('account 1', ['account 1 /x'])).rejects.toMatchObject({ kind: 'later', retryAfter: 300 })
    await pace.enter('account 1', ['account 1 /y'])
    await pace.enter('account 2', ['account 2 /x'])
    now = 301_000
    await pace.enter('account 1', ['account 1 /x'])
  })

  test('calls held by a limit of the day fail as the first one did, and after a minute one asks again', async () => {
    let now = 0
    const pace = openPace({ perSecond: 1000, nowMs: () => now })
    const reason = outcome('platform_refused', { text: '接口调用次数超过每天的限制（11018）' })
    const limit = new PlatformFault('notYet', reason, { code: 11018, retryAfter: 3600 })
    const enter = () => pace.enter('account 1', ['account 1 /x'])
    pace.holdForLimit('account 1 /x', 3600, limit)
    now = 50_000
    await expect(enter()).rejects.toMatchObject({ kind: 'notYet', outcome: reason, code: 11018, retryAfter: 3550 })
    now = 61_000
    await enter()
    // Another wait of the same key is not taken for the limit once a call has succeeded.
    pace.taken(['account 1 /x'])
    pace.hold('account 1 /x', 300)
    await expect(enter()).rejects.toMatchObject({ kind: 'later', retryAfter: 300 })
  })

  test('setting the clock back makes no wait longer', async () => {
    const day = vi.spyOn(Date, 'now')
    try {
      const pace = openPace({ perSecond: 1000 })
      await pace.enter('a', [])
      day.mockReturnValue(Date.now() - 10_800_000)
      await pace.enter('a', [])
    } finally {
      day.mockRestore()
    }
  })

  test('waits that the platform does not name double up to a maximum, and start over after a successful call', () => {
    let now = 0
    const pace = openPace({ perSecond: 1000, nowMs: () => now })
    const refused = () => {
      const seconds = pace.backOff('a', 20)
      expect(pace.backOff('a', 20)).toBe(seconds)
      now += seconds * 1000
      return seconds
    }
    expect([1, 2, 3, 4, 5].map(refused)).toEqual([2, 4, 8, 16, 20])
    pace.taken(['a'])
    expect(pace.backOff('a', 20)).toBe(2)
  })

  test('an aborted call stops waiting', async () => {
    const pace = openPace({ perSecond: 1 })
    await pace.enter('a', [])
    const stop = new AbortController()
    const waiting = pace.enter('a', [], stop.signal)
    stop.abort(new Error('stopped'))
    await expect(waiting).rejects.toThrow('stopped')
  })
})

test('calls of an account queue behind one another, and only a very long queue is refused', async () => {
  const busy = openPace({ perSecond: 100 })
  await Promise.all(Array.from({ length: 230 }, () => busy.enter('account', [])))
  const slow = openPace({ perSecond: 1 })
  const stop = new AbortController()
  const entered = Array.from({ length: 13 }, () =>
    slow.enter('account', [], stop.signal).then(
      () => 'entered',
      (error) => error,
    ),
  )
  const refused = await entered.at(-1)
  expect(refused).toMatchObject({ kind: 'later' })
  stop.abort()
  await Promise.all(entered)
})

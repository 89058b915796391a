import { expect, test, vi } from 'vitest'
import { createAdvertiser, listAdvertiserData } from '#contract/advertiser.ts'
import { getCustomCrowd, updateCustomCrowd } from '#contract/custom-crowd.ts'
import type { DataOf } from '#contract/endpoint.ts'
import { FAULTS } from '#contract/errors.ts'
import { type AudienceCode, PLATFORMS, platformOfCode } from '#contract/platform.ts'
import { listPushes, type PushRow, retryPush, startPush } from '#contract/push.ts'
import { consentTo } from '../testing/consent.ts'
import { aCustomCrowd, uploaded } from '../testing/custom-crowds.ts'
import { hashes } from '../testing/push.ts'
import { serverWithSandbox } from '../testing/server-with-sandbox.ts'

const CROWDS = 25
/** Enough for a busy machine. */
const PATIENCE_MS = 240_000
const VALUES = 120
const SOCIAL = ['9007199254750003', '9007199254750005', '9007199254750007', '9007199254750009']
const VIDEO = ['9107199254750003', '9107199254750005', '9107199254750007', '9107199254750009']

const { server, sandbox, call } = await serverWithSandbox(0.05)

/** Runs a few at a time, like the tabs of a browser. */
async function each<T>(list: readonly T[], work: (one: T) => Promise<void>, atOnce = 6) {
  const waiting = [...list]
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one)
    }),
  )
}

/** A child is being computed. */
const BUSY = new RegExp(`: ${FAULTS.customNotEditable.code} `)

/** Repeats calls that were not answered because the server was killed. */
async function untilAnswered<T>(work: () => Promise<T>, also = /^$/): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const isRefusal = /: \d+ /.test(String(error)) && !also.test(String(error))
      if (tries > 2000 || isRefusal) throw error
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

const linesOf = (crowd: number) => hashes(crowd * 1000, crowd * 1000 + VALUES + crowd)
const MORE = (crowd: number) => hashes(crowd * 1000 + 500, crowd * 1000 + 540)
const fileOf = (lines: readonly string[]) => [{ name: 'ids.txt', content: lines.join('\n') }]
/** The video engine's status of a source change that it did not accept. */
const FAILED_FILE = 3
/** Crowds that get more lines during their push. */
const GROWING = [0, 1]

test('200 pushes under errors and kills: nothing is sent twice, nothing is lost', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  await server.start()
  const { id: adv_id } = await call(createAdvertiser, { body: { name: '风暴' } })
  // The social platform authorises one account at a time.
  const consents = [
    ...SOCIAL.map((id) => ({ platform: PLATFORMS.social.code, accounts: [id] })),
    { platform: PLATFORMS.video.code, accounts: VIDEO },
  ]
  for (const one of consents) await consentTo(server, sandbox, { adv_id, ...one })
  const { list } = await call(listAdvertiserData)
  const accounts = list.find((one) => one.id === adv_id)?.accounts ?? []
  expect(accounts.map((account) => account.external_id).toSorted()).toEqual([...SOCIAL, ...VIDEO].toSorted())

  const crowds = new Map<number, number>()
  await each(
    Array.from({ length: CROWDS }, (_, crowd) => crowd),
    async (crowd) => {
      crowds.set(crowd, await aCustomCrowd(server, adv_id, fileOf(linesOf(crowd)), { name: `风暴${crowd}` }))
    },
  )
  await vi.waitFor(
    async () => {
      for (const id of crowds.values()) {
        const { crowd } = await call(getCustomCrowd, { query: { id } })
        expect(crowd.status).toBe('available')
      }
    },
    { timeout: PATIENCE_MS, interval: 250 },
  )

  await sandbox.control('switches', {
    seed: 7,
    processing_seconds: 0.3,
    throttle_rate: 0.04,
    error_rate: 0.04,
    error_after_rate: 0.03,
    busy_rate: 0.02,
    drop_before_rate: 0.03,
    drop_after_rate: 0.03,
    slow_rate: 0.02,
    half_accept_rate: 0.02,
    video_advertiser_qps: 0,
    video_application_qps: 0,
  })
  const wanted = accounts.flatMap((account) => [...crowds].map(([crowd, id]) => ({ account, crowd, id })))
  expect(wanted.length).toBe(200)
  const starting = each(
    wanted.toSorted((one, other) => one.crowd - other.crowd),
    async ({ account, id }) => {
      await untilAnswered(() =>
        call(startPush, {
          params: { cnt_type: account.platform as AudienceCode },
          body: { id, advertiser_id: account.id },
        }),
      )
    },
  )

  // A change of an audience published today is published tomorrow; all of its values are sent by then.
  const isPublishing = (push: PushRow) => push.status === 'paused' && (push.reason ?? '').includes('自动发布')
  /** A file that was accepted in part twice fails its push, which a person then retries. */
  const isTakenInPart = (push: PushRow) => push.status === 'failed' && (push.reason ?? '').includes('未被平台接收')
  /** All pushes; fails while any is open. */
  const ended = async () => {
    const all: PushRow[] = []
    for (const id of crowds.values()) {
      const { list } = await untilAnswered(() => call(listPushes, { query: { id, page_size: 100 } }))
      for (const { id } of list.filter(isTakenInPart)) await untilAnswered(() => call(retryPush, { params: { id } }))
      const open = list.filter(
        (push) => isTakenInPart(push) || (!['done', 'failed'].includes(push.status) && !isPublishing(push)),
      )
      expect(open.map((push) => [push.status, push.stage, push.reason])).toEqual([])
      all.push(...list)
    }
    return all
  }
  // Refused while a child is computed; a person would try again as well.
  const growing = each(GROWING, async (crowd) => {
    const id = crowds.get(crowd) ?? 0
    const files = await untilAnswered(() => uploaded(server, server.admin, fileOf(MORE(crowd))))
    await untilAnswered(() => call(updateCustomCrowd, { body: { id, operation_type: 1, files } }), BUSY)
  })
  for (const share of [0.25, 0.7]) {
    await vi.waitFor(
      async () => {
        const state = await sandbox.control<{ accounts: { ever_made: number }[] }>('state')
        const made = state.accounts.reduce((sum, account) => sum + account.ever_made, 0)
        expect(made).toBeGreaterThan(share * 200)
      },
      { timeout: PATIENCE_MS, interval: 100 },
    )
    await server.kill()
    await server.start()
  }
  await starting
  await growing

  const pushes = await vi.waitFor(ended, { timeout: PATIENCE_MS, interval: 500 })
  expect(pushes.filter((push) => push.status === 'failed').map((push) => push.reason)).toEqual([])
  expect(pushes.length).toBeGreaterThanOrEqual(200)
  for (const push of pushes) {
    expect(push.sent + push.suppressed + push.no_consent + push.not_sendable + push.waiting).toBe(push.total)
    expect(push.waiting).toBe(0)
  }

  await sandbox.control('switches/reset', {})
  await sandbox.control('settle', {})
  const shown = new Map<number, DataOf<typeof getCustomCrowd>['crowd']>()
  for (const [crowd, id] of crowds) shown.set(crowd, (await call(getCustomCrowd, { query: { id } })).crowd)
  for (const account of accounts) {
    const platform = platformOfCode(account.platform as AudienceCode)
    const there = await sandbox.control<{ id: string | null; source_id?: string }[]>(
      `audiences?platform=${platform}&account_id=${account.external_id}`,
    )
    const children = [...shown].map(([crowd, { audiences }]) => {
      return { crowd, tag_id: audiences.find((one) => one.adv_id === account.id)?.tag_id }
    })
    // All that were ever made, not only those that exist now.
    expect(there.flatMap((one) => one.id ?? []).toSorted()).toEqual(children.map((child) => child.tag_id).toSorted())
    // A source has no audience if its creation was not answered and its file was accepted in part: it was made again.
    for (const { source_id } of there.filter((one) => one.id === null)) {
      const files = await sandbox.control<{ status: number }[]>(`parts?platform=video&audience_id=${source_id}`)
      expect(files.map((file) => file.status)).toEqual([FAILED_FILE])
    }
    for (const { crowd, tag_id } of children) {
      const held = await sandbox.control<{ values: string[] }>(`values?platform=${platform}&audience_id=${tag_id}`)
      const own = [...linesOf(crowd), ...(GROWING.includes(crowd) ? MORE(crowd) : [])]
      expect(held.values.toSorted()).toEqual(own.toSorted())
    }
  }
})

import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { createAdvertiser } from '#contract/advertiser.ts'
import { listLinkUsers } from '#contract/link-user.ts'
import { makeWriteKey } from '#contract/tracking.ts'
import { realServer } from '../testing/real-server.ts'

const server = realServer({ DEMO: '0' })
afterAll(() => server.close())

const CALLS = 60
const PER_CALL = 20
const COUNTED_MS = 60_000

test('every acknowledged event is counted once, though the server is killed again and again while they come in', {
  timeout: 300_000,
}, async () => {
  await server.start()
  const { id: adv_id } = await server.admin.get(createAdvertiser, { body: { name: '示例品牌' } })
  const { key } = await server.admin.get(makeWriteKey, { body: { adv_id, name: '测试' } })

  /** As an SDK does: the same call again until it is acknowledged. */
  async function send(no: number): Promise<void> {
    const batch = Array.from({ length: PER_CALL }, (_, at) => ({
      type: 'track',
      event: '支付',
      messageId: `m${no}-${at}`,
      ...(at % 2 ? { userId: `u${at}` } : { anonymousId: `d${at}` }),
    }))
    batch.push({ type: 'identify', event: '', messageId: `i${no}`, anonymousId: 'd0', userId: 'u1' } as never)
    const body = JSON.stringify({ writeKey: key, batch })
    for (;;) {
      const answer = await fetch(`${await server.origin()}/v1/b`, { method: 'POST', body }).catch(() => null)
      if (answer?.status === 200) return
      await pause(100)
    }
  }

  const calls = Array.from({ length: CALLS }, (_, no) => no)
  const sending = Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let no = calls.shift(); no !== undefined; no = calls.shift()) {
        await send(no)
        await pause(100)
      }
    }),
  )
  for (const after of [600, 2500, 1200]) {
    await pause(after)
    await server.kill()
    await server.start()
  }
  await sending
  const people = async () => (await server.admin.get(listLinkUsers, { query: { adv_id, per_page: 50 } as never })).data
  const events = async () => (await people()).reduce((sum, one) => sum + one.total, 0)
  await expect.poll(events, { timeout: COUNTED_MS, interval: 500 }).toBe(CALLS * PER_CALL)
  await server.settled()
  const found = await people()
  expect(found.reduce((sum, one) => sum + one.total, 0)).toBe(CALLS * PER_CALL)
  // Ten users and ten devices, one of which became a user's.
  expect(found.map(({ oneID }) => oneID).sort()).toHaveLength(PER_CALL - 1)
  expect(found.find(({ oneID }) => oneID === 'u1')?.total).toBe(CALLS * 2)
})

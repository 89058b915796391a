import RudderAnalytics from '@rudderstack/rudder-sdk-node'
import { Analytics } from '@segment/analytics-node'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { EngineError } from '../../clickhouse/engine-error.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { aWriteKey, countedEvents, people } from '../../testing/tracking.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())

test('what the client of Segment sends is counted: events, an anonymous visitor who signs in, and a merged user', async () => {
  const adv_id = await anAdvertiser(app)
  const analytics = new Analytics({ writeKey: await aWriteKey(app, adv_id), host: await app.origin(), flushAt: 3 })
  const failed: unknown[] = []
  analytics.on('error', (error) => failed.push(error))
  analytics.page({ anonymousId: 'd1', name: '首页' })
  analytics.track({ anonymousId: 'd1', event: '加购', properties: { price: 20 } })
  analytics.identify({ anonymousId: 'd1', userId: 'u1', traits: { city: '北京' } })
  analytics.track({ userId: 'u1', event: '支付', properties: { price: 20, campaign_id: 'c1' } })
  analytics.screen({ userId: 'u2', name: '主屏' })
  analytics.group({ userId: 'u2', groupId: 'g1', traits: { plan: 'pro' } })
  analytics.alias({ previousId: 'u2', userId: 'u1' })
  await analytics.closeAndFlush()
  expect(failed).toEqual([])
  await app.settled()
  expect(await people(app, adv_id)).toEqual({ u1: ['加入群组', '加购', '支付', '浏览屏幕', '浏览页面'] })
  expect(await countedEvents(app, adv_id)).toMatchObject({ 支付: [1, 1], 浏览页面: [1, 1] })
})

test('what the client of RudderStack sends, packed with gzip, is counted', async () => {
  const adv_id = await anAdvertiser(app)
  const rudder = new RudderAnalytics(await aWriteKey(app, adv_id), { dataPlaneUrl: await app.origin(), flushAt: 100 })
  rudder.identify({ userId: 'u1', traits: { city: '上海' } })
  for (let at = 0; at < 5; at++) rudder.track({ userId: `u${at}`, event: '支付', properties: { at } })
  rudder.page({ anonymousId: 'd1', name: '首页' })
  await rudder.flush()
  await app.settled()
  expect(await countedEvents(app, adv_id)).toEqual({ 支付: [5, 5], 浏览页面: [1, 1] })
})

test('while the warehouse is away calls answer 503, and the clients lose nothing by trying again', async () => {
  const adv_id = await anAdvertiser(app)
  const key = await aWriteKey(app, adv_id)
  const statuses: number[] = []
  const analytics = new Analytics({ writeKey: key, host: await app.origin(), flushAt: 5 })
  analytics.on('http_response', ({ status }: { status: number }) => statuses.push(status))
  const rudder = new RudderAnalytics(key, { dataPlaneUrl: await app.origin(), flushAt: 100, retryCount: 5 })
  const { insert } = app.stores.warehouse.intake.oneNode
  let away = 3
  const engine = vi.spyOn(app.stores.warehouse.intake.oneNode, 'insert')
  engine.mockImplementation(async (...given) => {
    // The second one takes effect, but its answer is lost.
    if (away === 2) await insert(...given)
    if (away-- > 0) throw new EngineError('away', 'connection refused')
    return insert(...given)
  })
  for (let at = 0; at < 20; at++) analytics.track({ userId: `u${at}`, event: '支付' })
  for (let at = 0; at < 20; at++) rudder.track({ userId: `u${at}`, event: '退款' })
  await Promise.all([analytics.closeAndFlush(), rudder.flush()])
  engine.mockRestore()
  expect(statuses).toContain(503)
  await app.settled()
  expect(await countedEvents(app, adv_id)).toEqual({ 支付: [20, 20], 退款: [20, 20] })
})

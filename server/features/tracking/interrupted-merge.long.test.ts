import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { silent } from '../../testing/jobs.ts'
import { testApp } from '../../testing/test-app.ts'
import { countedEvents, failOnce, people } from '../../testing/tracking.ts'
import { alias, attributeTags, did, identify, seen, trackedWorld } from '../../testing/tracking-story.ts'

const app = await testApp()
afterAll(() => app.close())
beforeEach(() => app.reset())

test.each<[RegExp, 'before' | 'after']>([
  [/INSERT INTO person_key \(adv_id, one_id, uid/, 'after'],
  [/INSERT INTO event \(uid/, 'after'],
  [/ALTER TABLE event DELETE/, 'after'],
  [/ALTER TABLE event_day DELETE/, 'after'],
  [/INSERT INTO person_row \(uid/, 'after'],
  [/INSERT INTO identifier \(/, 'after'],
  [/ALTER TABLE person_key DELETE/, 'before'],
  [/ALTER TABLE person_key DELETE/, 'after'],
])('a merge that is killed at %s, %s it, ends with exact counts', async (statement, when) => {
  const { adv_id, tell } = await trackedWorld(app)
  await tell(
    { type: 'identify', anonymousId: 'd', traits: { city: '北京', phone: '13800000000' } },
    seen('d', '浏览', 1),
    seen('d', '支付', 2),
    did('old', '支付', 3),
  )
  silent()
  const hasFailed = failOnce(app, statement, when)
  await tell(identify('d', 'u', 5), alias('old', 'u'), seen('d', '浏览', 6))
  expect(hasFailed()).toBe(true)
  vi.restoreAllMocks()
  expect(await people(app, adv_id)).toEqual({ u: ['支付', '支付', '浏览', '浏览'] })
  expect(await countedEvents(app, adv_id)).toEqual({ 支付: [1, 2], 浏览: [1, 2] })
  expect(await attributeTags(app, adv_id)).toMatchObject({ 全部用户: 1, 北京: 1 })
})

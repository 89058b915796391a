import { expect } from 'vitest'
import { ATTRIBUTE_TAG, getTagTree } from '#contract/tag.ts'
import { anAdvertiser } from './builders.ts'
import type { TestApp } from './test-app.ts'
import { aWriteKey, track } from './tracking.ts'

const NOON = Date.parse('2026-11-20T04:00:00Z')
/** Minutes after noon. */
export const time = (minute: number) => new Date(NOON + minute * 60_000).toISOString()
export const seen = (anonymousId: string, event: string, minute = 0) => ({
  type: 'track',
  anonymousId,
  event,
  timestamp: time(minute),
})
export const did = (userId: string, event: string, minute = 0) => ({
  type: 'track',
  userId,
  event,
  timestamp: time(minute),
})
export const identify = (anonymousId: string, userId: string, minute = 0, traits = {}) => ({
  type: 'identify',
  anonymousId,
  userId,
  timestamp: time(minute),
  traits,
})
export const alias = (previousId: string, userId: string) => ({ type: 'alias', previousId, userId })

/** An advertiser with a write key, to which messages are told. */
export async function trackedWorld(app: TestApp, kind: 'server' | 'page' = 'server') {
  const adv_id = await anAdvertiser(app)
  const key = await aWriteKey(app, adv_id, kind)
  return {
    adv_id,
    key,
    /** Sends messages and waits until they are counted. */
    async tell(...batch: object[]) {
      const answer = await track(app, '/v1/batch', key, { batch })
      expect(answer).toMatchObject({ status: 200, data: { refused: [] } })
      await app.settled()
    },
  }
}

/** How many people each attribute tag has, by its name. */
export async function attributeTags(app: TestApp, adv_id: number) {
  const { data } = await app.admin.get(getTagTree, { query: { adv_id, tag_type: ATTRIBUTE_TAG } })
  return Object.fromEntries(data.flatMap((category) => category.group ?? []).map(({ tag, count }) => [tag, count]))
}

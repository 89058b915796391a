import { afterAll, expect, test } from 'vitest'
import { updateAttribute } from '#contract/tag-field.ts'
import { listLately, makeWriteKey } from '#contract/tracking.ts'
import type { WriteKeyKind } from '#contract/tracking-message.ts'
import { DEVICE_LINKS_MAX } from '../../ingest/tracking/new-links.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { track } from '../../testing/tracking.ts'

const app = await testApp()
afterAll(() => app.close())

test('what is found wrong when messages are counted names the key that sent them', async () => {
  const adv_id = await anAdvertiser(app)
  const aKey = (kind: WriteKeyKind, name: string) => app.admin.get(makeWriteKey, { body: { adv_id, kind, name } })
  const [shop, tills, page] = [
    await aKey('server', '商城'),
    await aKey('server', '门店'),
    await aKey('page', '网页'),
  ] as const
  const identify = (userId: string, traits: object) => ({ type: 'identify', userId, traits })
  const send = ({ key }: { key: string }, batch: readonly object[]) => track(app, '/v1/batch', key, { batch })

  await send(shop, [identify('u1', { 金额: 3 }), identify('u2', { 金额: 4 })])
  await app.settled()
  await app.admin.get(updateAttribute, { body: { adv_id, name: '金额', type: 'number' } })

  // Waits for one import: the keys' messages are counted together.
  await Promise.all([
    send(shop, [
      identify('u1', { 金额: '三' }),
      identify('u3', { 金额: 5, phone: 'x' }),
      identify('u4', { 金额: '四' }),
    ]),
    send(page, [identify('u1', { 金额: 9 }), identify('u2', { 金额: 9 }), identify('d1', { phone: 'y' })]),
    send(tills, [identify('u5', { 金额: '五' }), identify('u6', { phone: 'z' }), identify('u7', { phone: '0' })]),
  ])
  await app.settled()
  const found = async (key_id?: number) =>
    (await app.admin.get(listLately, { query: { adv_id, ...(key_id && { key_id }) } })).refusals
      .map(({ key_id, outcome, times }) => `${key_id} ${outcome.code} ${times}`)
      .toSorted()
  expect(await found()).toEqual(
    [
      `${shop.id} identifier_not_stored 1`,
      `${shop.id} value_not_of_type 2`,
      `${tills.id} identifier_not_stored 2`,
      `${tills.id} value_not_of_type 1`,
      `${page.id} identifier_not_stored 1`,
      `${page.id} track_known_person 2`,
    ].toSorted(),
  )
  expect(await found(tills.id)).toEqual([`${tills.id} identifier_not_stored 2`, `${tills.id} value_not_of_type 1`])
})

test('identifies that give one device to more users than the bound are counted with their key, once', async () => {
  const adv_id = await anAdvertiser(app)
  const page = await app.admin.get(makeWriteKey, { body: { adv_id, kind: 'page', name: '网页' } })
  const from = Date.now() - 86_400_000
  const claims = Array.from({ length: DEVICE_LINKS_MAX + 4 }, (_, no) => ({
    ...{ type: 'identify', anonymousId: 'd', userId: no % 2 ? 'v' : 'u' },
    timestamp: new Date(from + no).toISOString(),
  }))
  await Promise.all(
    [claims.slice(0, 600), claims.slice(600)].map((batch) => track(app, '/v1/batch', page.key, { batch })),
  )
  await app.settled()
  const { refusals } = await app.admin.get(listLately, { query: { adv_id } })
  const full = { outcome: { code: 'track_device_links_full', params: { max: DEVICE_LINKS_MAX } }, key_id: page.id }
  // The device is the last user's, whom every other claim names.
  expect(refusals).toMatchObject([{ ...full, times: 2, is_kept: true }])
  const links = await app.stores.warehouse.live.acrossShards.query<{ n: number }>(
    'SELECT count() AS n FROM person_link FINAL WHERE adv_id = {adv_id:UInt32}',
    { adv_id },
  )
  expect(links).toEqual([{ n: DEVICE_LINKS_MAX }])
})

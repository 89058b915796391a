import { afterAll, expect, test } from 'vitest'
import { updateAttribute } from '#contract/tag-field.ts'
import { listLately, makeWriteKey } from '#contract/tracking.ts'
import type { WriteKeyKind } from '#contract/tracking-message.ts'
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

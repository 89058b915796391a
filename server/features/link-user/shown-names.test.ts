import { afterAll, beforeAll, expect, test } from 'vitest'
import { startImport } from '#contract/import.ts'
import { getLinkUser, listLinkUsers } from '#contract/link-user.ts'
import { updateEvent } from '#contract/tag-field.ts'
import { listLately } from '#contract/tracking.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { aWriteKey, track } from '../../testing/tracking.ts'
import { uploadTo } from '../../testing/upload.ts'

const app = await testApp()
afterAll(() => app.close())
let adv_id: number

/** 13800138000 as an address may have it. */
const ADDRESS = 'https://shop.example/?p=%31%33%38%30%30%31%33%38%30%30%30&q=138%200013%208000'
const MASKED = 'https://shop.example/?p=%31%33%38****%38%30%30%30&q=138****8000'

beforeAll(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app)
  const upload_id = await uploadTo(
    app,
    app.admin,
    'id,event,time,title,pay,price\nu1,order,2025-11-03T12:00:00+08:00,首页,1,12\nu1,view,2025-11-02T12:00:00+08:00,,,\n',
    'events.csv',
  )
  const mapping = { kind: 'events' as const, id: 'id', event: 'event', time: 'time', title: 'title', skip: [] }
  await app.admin.get(startImport, { body: { adv_id, upload_id, mapping } })
  await app.settled()
  await app.admin.get(updateEvent, {
    body: {
      ...{ adv_id, name: 'order', display_name: '下单' },
      properties: [
        { name: 'pay', display_name: '支付方式', dictionary: [{ value: '1', label: '微信' }] },
        { name: 'price', display_name: '金额' },
      ],
    },
  })
})

const timeline = async (oneID: string, caller = app.admin) =>
  (await caller.get(getLinkUser, { query: { adv_id, oneID } })).list
const download = async (oneID: string, caller = app.admin) => {
  const url = `/api/linkuser/download?adv_id=${adv_id}&oneID=${oneID}`
  return (await app.app.inject({ url, headers: { cookie: caller.cookie } })).body
}

test('the timeline says events, their properties and values by the names that people gave them', async () => {
  expect(await timeline('u1')).toEqual([
    { icon: 'order', title: '下单', info: '首页；支付方式：微信；金额：12', date: '2025-11-03 12:00:00' },
    { icon: 'browse', title: 'view', info: '', date: '2025-11-02 12:00:00' },
  ])
})

test('the csv of a person’s events says the same names', async () => {
  expect((await download('u1')).split('\n')).toEqual([
    '\uFEFF时间,事件,内容',
    '2025-11-03 12:00:00,下单,首页；支付方式：微信；金额：12',
    '2025-11-02 12:00:00,view,',
    '',
  ])
})

test('the events to choose from have their display names, and the names of others are not theirs', async () => {
  const { event } = await app.admin.get(listLinkUsers, { query: { adv_id } })
  expect(event.map(({ name }) => name).toSorted()).toEqual(['view', '下单'])
})

test('a phone that an address encodes is masked in the timeline, the csv and the messages that came lately', async () => {
  const key = await aWriteKey(app, adv_id)
  const context = { page: { url: ADDRESS, search: ADDRESS.slice(ADDRESS.indexOf('?')) } }
  await track(app, '/v1/page', key, { userId: 'u2', name: '首页', context })
  await app.settled()
  const blind = await app.viewer('blind', [adv_id])
  expect((await timeline('u2'))[0]?.info).toContain(ADDRESS)
  expect(await download('u2')).toContain(ADDRESS)
  const shown = [
    (await timeline('u2', blind))[0]?.info ?? '',
    await download('u2', blind),
    JSON.stringify(await blind.get(listLately, { query: { adv_id } })),
  ]
  for (const text of shown) {
    expect(text).toContain(MASKED)
    expect(text).not.toMatch(/0013|%30%30%31/)
  }
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { SECONDS_MAX } from '#contract/common.ts'
import { FAULTS } from '#contract/errors.ts'
import { startImport } from '#contract/import.ts'
import { getLinkUser, listLinkUsers } from '#contract/link-user.ts'
import { anAdvertiser } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'
import { uploadTo } from '../../testing/upload.ts'

const app = await testApp()
afterAll(() => app.close())

const PHONE = '13800138000'
/** Days of November 2025 in Shanghai, as the file writes them. */
const at = (day: number, time = '12:00:00') => `2025-11-${String(day).padStart(2, '0')}T${time}+08:00`
const seconds = (day: number, time?: string) => Date.parse(at(day, time)) / 1000

let adv_id: number
let other: number
const id: Record<string, number> = {}

async function imported(adv: number, kind: 'users' | 'events', text: string, mapping: object) {
  const upload_id = await uploadTo(app, app.admin, text)
  await app.admin.get(startImport, {
    body: { adv_id: adv, upload_id, mapping: { kind, skip: [], ...mapping } as never },
  })
  await app.settled()
}
const EVENTS = { id: 'id', event: 'event', time: 'time', title: 'title' }

beforeAll(async () => {
  await app.reset()
  adv_id = await anAdvertiser(app, '甲')
  other = await anAdvertiser(app, '乙')
  const users = ['id,name,phone', `u1,张三,${PHONE}`, 'u2,李四,', '=u3,"=1+1",', `${PHONE},,`, '007,王五,']
  await imported(adv_id, 'users', `${users.join('\n')}\n`, { id: 'id', name: 'name', phone: 'phone', identifiers: [] })
  const events = [
    'id,event,time,title,price',
    `u1,browse,${at(1)},首页,`,
    `u1,pay,${at(3)},订单,12`,
    `u1,browse,${at(3, '23:59:59')},首页,`,
    `u2,browse,${at(3)},联系 ${PHONE},`,
    `=u3,browse,${at(3)},首页,`,
    `${PHONE},browse,${at(2)},首页,`,
  ]
  await imported(adv_id, 'events', `${events.join('\n')}\n`, EVENTS)
  const { event } = await list()
  for (const one of event) id[one.name] = one.id
})

const list = (query: object = {}, caller = app.admin) => caller.get(listLinkUsers, { query: { adv_id, ...query } })
const info = (query: object = {}, caller = app.admin) => caller.get(getLinkUser, { query: { adv_id, ...query } })
const ids = async (query: object = {}) => (await list(query)).data.map(({ oneID }) => oneID)
const download = async (query: string, caller = app.admin) => {
  const answer = await app.app.inject({
    url: `/api/linkuser/download?adv_id=${adv_id}${query}`,
    headers: { cookie: caller.cookie },
  })
  return { status: answer.statusCode, body: answer.body, type: answer.headers['content-type'] }
}

test('everyone is listed: the newest visit first, equal moments by One ID, then people without events', async () => {
  const { data, total, event } = await list()
  expect(total).toBe(5)
  expect(data.map(({ oneID, total, enter_time }) => [oneID, total, enter_time])).toEqual([
    ['u1', 3, seconds(3, '23:59:59')],
    ['=u3', 1, seconds(3)],
    ['u2', 1, seconds(3)],
    [PHONE, 1, seconds(2)],
    ['007', 0, null],
  ])
  expect(data[0]).toMatchObject({ name: '张三', phone: PHONE })
  expect(event.map(({ name }) => name).toSorted()).toEqual(['browse', 'pay'])
})

test.each([
  ['the first second is included', { startTime: seconds(3) }, ['u1', '=u3', 'u2'], [2, 1, 1]],
  ['the last second is included', { end_time: seconds(2) }, [PHONE, 'u1'], [1, 1]],
  [
    'both spellings',
    { start_time: seconds(2), endTime: seconds(3, '12:00:00') },
    ['=u3', 'u1', 'u2', PHONE],
    [1, 1, 1, 1],
  ],
  ['a time that ends before it begins', { startTime: seconds(3), endTime: seconds(1) }, [], []],
  ['a time without events', { startTime: seconds(20) }, [], []],
])('visits and totals count within the filter: %s', async (_, query, people, totals) => {
  const { data, total } = await list(query)
  expect(data.map(({ oneID }) => oneID)).toEqual(people)
  expect(data.map((one) => one.total)).toEqual(totals)
  expect(total).toBe(people.length)
})

test('events are any of those chosen, and ids of nothing find nobody', async () => {
  expect(await ids({ event: `${id.pay}` })).toEqual(['u1'])
  expect(await ids({ event: `${id.pay},${id.browse}` })).toEqual(['u1', '=u3', 'u2', PHONE])
  expect(await ids({ not_event: `${id.browse}` })).toEqual(['u1'])
  expect(await ids({ not_event: `${id.pay},999999` })).toEqual(['u1', '=u3', 'u2', PHONE])
  expect(await ids({ event: `${id.pay},${id.browse}`, not_event: `${id.browse}` })).toEqual(['u1'])
  expect(await ids({ not_event: `${id.pay},${id.browse}` })).toEqual([])
  expect(await list({ event: '999999' })).toMatchObject({ data: [], total: 0 })
})

test('one person is found by their whole One ID, with leading zeros, with or without events', async () => {
  expect(await ids({ oneID: '007' })).toEqual(['007'])
  expect(await ids({ oneID: '7' })).toEqual([])
  expect(await ids({ oneID: 'u' })).toEqual([])
  expect(await list({ oneID: '007', startTime: 1 })).toMatchObject({ data: [], total: 0 })
  expect(await list({ oneID: 'u1', event: `${id.browse}` })).toMatchObject({ data: [{ total: 2 }], total: 1 })
})

test('pages neither repeat nor leave out anyone', async () => {
  const all = await ids()
  const paged = await Promise.all([1, 2, 3, 4, 5, 6].map((page) => ids({ page, per_page: 1 })))
  expect(paged.flat()).toEqual(all)
  expect((await Promise.all([1, 2].map((page) => ids({ page, per_page: 3 })))).flat()).toEqual(all)
})

test('without adv_id the first advertiser of the viewer is meant', async () => {
  const viewer = await app.viewer('one', [other])
  expect(await viewer.get(listLinkUsers, { query: {} })).toMatchObject({ data: [], total: 0, event: [] })
})

test('a person’s page: the timeline newest first, and each day with a zero where nothing happened', async () => {
  const shown = await info({ oneID: 'u1', end_time: seconds(4, '23:59:59') })
  expect(shown.list).toEqual([
    { icon: 'browse', title: 'browse', info: '首页', date: '2025-11-03 23:59:59' },
    { icon: 'pay', title: 'pay', info: '订单；price：12', date: '2025-11-03 12:00:00' },
    { icon: 'browse', title: 'browse', info: '首页', date: '2025-11-01 12:00:00' },
  ])
  expect(shown.day_total).toEqual([
    { day: '2025-11-01', total: 1 },
    { day: '2025-11-02', total: 0 },
    { day: '2025-11-03', total: 2 },
    { day: '2025-11-04', total: 0 },
  ])
  expect(shown).toMatchObject({
    day_step: 'day',
    total: 3,
    total_page: 1,
    first_day: '2025-11-01',
    user: { name: '张三' },
  })
  expect(await info({ oneID: 'u1', event: `${id.pay}` })).toMatchObject({ total: 1, list: [{ title: 'pay' }] })
  expect(await info({ oneID: '007' })).toMatchObject({ total: 0, total_page: 0, list: [], first_day: null })
})

test('rows that arrive while somebody turns pages do not repeat rows', async () => {
  const rows = Array.from({ length: 25 }, (_, n) => `many,browse,${at(1, `00:00:${String(n + 10)}`)},第${n}页,`)
  await imported(adv_id, 'events', `id,event,time,title,price\n${rows.join('\n')}\n`, EVENTS)
  const first = await info({ oneID: 'many' })
  expect([first.list.length, first.total_page]).toEqual([20, 2])
  const later = Array.from({ length: 5 }, (_, n) => `many,browse,${at(2, `00:00:${n + 10}`)},后来${n},`)
  await imported(adv_id, 'events', `id,event,time,title,price\n${later.join('\n')}\n`, EVENTS)
  const second = await info({ oneID: 'many', page: 2, as_of: first.as_of, pin: first.pin })
  expect([...first.list, ...second.list].map((row) => row.info)).toEqual(
    Array.from({ length: 25 }, (_, n) => `第${24 - n}页`),
  )
  expect([second.total, second.user.total, second.pin]).toEqual([25, 25, first.pin])
  expect((await info({ oneID: 'many' })).total).toBe(30)
  // As if the later import had ended in the very second in which the first page was read.
  const { db } = app.stores.postgres
  await db.updateTable('import').set({ finished_at: first.as_of }).where('adv_id', '=', adv_id).execute()
  const same = await info({ oneID: 'many', page: 2, as_of: first.as_of, pin: first.pin })
  expect([same.list, same.total, same.user.total]).toEqual([second.list, 25, 25])
})

test('an as_of ahead of now is now', async () => {
  const shown = await info({ oneID: 'u1', as_of: SECONDS_MAX })
  expect(shown.as_of).toBeLessThanOrEqual(Date.now() / 1000)
  expect(shown.day_total).toEqual((await info({ oneID: 'u1' })).day_total)
})

test('a time may end with the last second of the year 9999', async () => {
  const all = (await ids({ startTime: 1 })).toSorted()
  expect((await ids({ endTime: SECONDS_MAX })).toSorted()).toEqual(all)
  expect(await list({ startTime: SECONDS_MAX })).toMatchObject({ data: [], total: 0 })
  const { day_total } = await info({ oneID: 'u1' })
  expect((await info({ oneID: 'u1', endTime: SECONDS_MAX })).day_total).toEqual(day_total)
})

test('the person of another advertiser is unknown, and its list is closed to others', async () => {
  expect(await app.admin.call(getLinkUser, { query: { adv_id: other, oneID: 'u1' } })).toMatchObject({ status: 404 })
  expect(await app.admin.call(getLinkUser, { query: { adv_id } })).toMatchObject({ status: 404 })
  const stranger = await app.viewer('stranger', [other])
  for (const call of [listLinkUsers, getLinkUser]) {
    expect((await stranger.call(call, { query: { adv_id, oneID: 'u1' } })).status).toBe(403)
  }
  expect((await download('', stranger)).status).toBe(403)
  expect((await app.nobody.call(listLinkUsers, { query: { adv_id } })).status).toBe(401)
})

test('viewers who may not see phones see them masked everywhere, and reach such a person by number only', async () => {
  const blind = await app.viewer('blind', [adv_id])
  const { data } = await list({ per_page: 50 }, blind)
  const masked = data.find(({ oneID }) => oneID === '138****8000')
  expect(data.find(({ oneID }) => oneID === 'u1')?.phone).toBe('138****8000')
  expect(JSON.stringify(data)).not.toContain(PHONE)
  const refused = await blind.call(listLinkUsers, { query: { adv_id, oneID: PHONE } })
  expect(refused).toMatchObject({ code: FAULTS.phonesHidden.code, msg: '您没有查看手机号的权限，不能按手机号查找用户' })
  expect(await info({ person: masked?.person }, blind)).toMatchObject({ total: 1, user: { oneID: '138****8000' } })
  expect((await info({ oneID: 'u2' }, blind)).list[0]?.info).toBe('联系 138****8000')
  expect((await download('', blind)).body).not.toContain(PHONE)
  expect((await download('&oneID=u2', blind)).body).not.toContain(PHONE)
})

test('the download opens in Excel, runs no formula, and holds the people of the same filter', async () => {
  const { body, type } = await download(`&startTime=${seconds(3)}`)
  expect(type).toBe('text/csv; charset=utf-8')
  expect(body.split('\n')).toEqual([
    '\uFEFFOne ID,姓名,手机号,最近访问时间,事件数',
    `u1,张三,${PHONE},2025-11-03 23:59:59,2`,
    'u2,李四,,2025-11-03 12:00:00,1',
    "'=u3,'=1+1,,2025-11-03 12:00:00,1",
    '',
  ])
  expect((await download('')).body.split('\n').length).toBe(6 + 2)
  expect((await download('&oneID=u1')).body.split('\n').slice(0, 3)).toEqual([
    '\uFEFF时间,事件,内容',
    '2025-11-03 23:59:59,browse,首页',
    '2025-11-03 12:00:00,pay,订单；price：12',
  ])
  const head = '\uFEFFOne ID,姓名,手机号,最近访问时间,事件数'
  expect((await download(`&oneID=u1&list=1&startTime=${seconds(3)}`)).body.split('\n')).toEqual([
    head,
    `u1,张三,${PHONE},2025-11-03 23:59:59,2`,
    '',
  ])
  expect((await download(`&oneID=u1&list=1&startTime=${SECONDS_MAX}`)).body.split('\n')).toEqual([head, ''])
  expect(await download('&oneID=nobody')).toMatchObject({ status: 404 })
  expect(await download('&startTime=x')).toMatchObject({ status: 400 })
  const rows = await app.stores.postgres.db
    .selectFrom('audit')
    .select('action')
    .where('action', 'like', 'export.%')
    .execute()
  expect(new Set(rows.map(({ action }) => action))).toEqual(new Set(['export.people', 'export.behaviour']))
})

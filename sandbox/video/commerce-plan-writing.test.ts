import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sandboxForTest, videoCaller } from '../testing.ts'

const bench = await sandboxForTest()
afterAll(() => bench.close())
const now = { token: '', advertiser_id: 0n }
const caller = videoCaller(bench, () => now.token)
beforeAll(async () => {
  const shop = await bench.control('accounts', { platform: 'video', login_id: '770001', name: '店', kind: 'QIANCHUAN' })
  now.advertiser_id = BigInt(String(shop.id))
  now.token = await bench.token('video', [String(now.advertiser_id)])
})
beforeEach(async () => {
  await bench.control('switches/reset')
  await bench.control('switches', { video_advertiser_qps: 0, video_application_qps: 0 })
})

let made = 0
const setting = (more: object = {}) => ({
  ...{ smart_bid_type: 'SMART_BID_CUSTOM', cpa_bid: 20, external_action: 'AD_CONVERT_TYPE_LIVE_SUCCESSORDER_PAY' },
  ...{ budget: 300, budget_mode: 'BUDGET_MODE_DAY', live_schedule_type: 'SCHEDULE_FROM_NOW' },
  ...more,
})
/** The smallest plan for a live room. */
const wanted = (more: object = {}) => ({
  ...{ name: `直播${++made}`, marketing_goal: 'LIVE_PROM_GOODS', aweme_id: 55, delivery_setting: setting() },
  audience: { gender: 'GENDER_FEMALE' },
  ...more,
})
const without = (name: string) => Object.fromEntries(Object.entries(wanted()).filter(([key]) => key !== name))
const post = (path: string, body: object) =>
  caller.post(`../v1.0/qianchuan/ad/${path}/`, { advertiser_id: now.advertiser_id, ...body })
const create = (body: object) => post('create', body)
const adOf = ({ data }: Awaited<ReturnType<typeof create>>) => data.ad_id
const detail = async (ad_id: bigint) =>
  (await caller.get('../v1.0/qianchuan/ad/detail/get/', { advertiser_id: now.advertiser_id, ad_id })).data
const DAYS = { live_schedule_type: 'SCHEDULE_START_END', start_time: '2099-01-01', end_time: '2099-02-01' }

test.each<[string, () => object]>([
  ...['name', 'marketing_goal', 'aweme_id', 'delivery_setting'].map((name): [string, () => object] => [
    `nothing as ${name}`,
    () => without(name),
  ]),
  ['a name that is too long', () => wanted({ name: '字'.repeat(51) })],
  ['an unknown field', () => wanted({ colour: 'red' })],
  ['a budget below 300 yuan', () => wanted({ delivery_setting: setting({ budget: 299.99 }) })],
  ['a budget with three decimals', () => wanted({ delivery_setting: setting({ budget: 300.001 }) })],
  ['no limit', () => wanted({ delivery_setting: setting({ budget_mode: 'BUDGET_MODE_INFINITE' }) })],
  ['a manual bid without an amount', () => wanted({ delivery_setting: setting({ cpa_bid: undefined }) })],
  [
    'an action of products',
    () => wanted({ delivery_setting: setting({ external_action: 'AD_CONVERT_TYPE_SHOPPING' }) }),
  ],
  ['days for what runs from now', () => wanted({ delivery_setting: setting({ start_time: '2099-01-01' }) })],
  ['a start without an end', () => wanted({ delivery_setting: setting({ ...DAYS, end_time: undefined }) })],
  ['a product in a live room', () => wanted({ product_ids: [7] })],
  [
    'a product without creatives',
    () =>
      wanted({
        ...{ marketing_goal: 'VIDEO_PROM_GOODS', product_ids: [7] },
        delivery_setting: {
          ...{ smart_bid_type: 'SMART_BID_CONSERVATIVE', external_action: 'AD_CONVERT_TYPE_SHOPPING' },
          ...{ budget: 300, budget_mode: 'BUDGET_MODE_DAY', video_schedule_type: 'SCHEDULE_FROM_NOW' },
        },
      }),
  ],
  ['a crowd that is not there', () => wanted({ audience: { retargeting_tags_include: [77] } })],
  ['an unknown targeting', () => wanted({ audience: { device_brand: ['APPLE'] } })],
])('no plan is made with %s', async (_, body) => expect((await create(body())).code).toBe(40000))

test('a plan is made on, and once for a name', async () => {
  const body = wanted()
  const answer = await create(body)
  expect(answer).toMatchObject({ code: 0, data: { notice_infos: [] } })
  expect(await detail(adOf(answer))).toMatchObject({
    ...{ name: body.name, opt_status: 'ENABLE', aweme_id: 55, audience: body.audience },
    delivery_setting: { ...setting(), budget: 300 },
  })
  expect(await create(body)).toMatchObject({ code: 40000, message: expect.stringContaining('名称已存在') })
})

test('beyond the account’s quota a plan does not run', async () => {
  await bench.control('switches', { commerce_plans: 0 })
  const ad = adOf(await create(wanted()))
  expect(await detail(ad)).toMatchObject({ opt_status: 'QUOTA_DISABLE' })
  expect(await post('status/update', { ad_ids: [ad], opt_status: 'ENABLE' })).toMatchObject({
    data: { errors: [{ error_message: expect.stringContaining('配额') }] },
  })
})

test('an update replaces the plan as a whole, and refuses the name that it has', async () => {
  const body = wanted({ delivery_setting: setting({ ...DAYS, schedule_time: `0${'1'.repeat(335)}` }) })
  const ad_id = adOf(await create(body))
  const { budget_mode: _m, smart_bid_type: _s, external_action: _e, ...kept } = setting(DAYS)
  expect((await post('update', { ad_id, name: body.name, delivery_setting: kept })).code).toBe(40000)
  expect(await post('update', { ad_id, name: `${body.name}改`, delivery_setting: kept })).toMatchObject({ code: 0 })
  const after = await detail(ad_id)
  expect(after).toMatchObject({
    name: `${body.name}改`,
    audience: {},
    delivery_setting: { budget_mode: 'BUDGET_MODE_DAY' },
  })
  expect(after).not.toHaveProperty('delivery_setting.schedule_time')
  expect((await post('update', { ad_id, delivery_setting: { ...kept, start_time: '2099-01-02' } })).code).toBe(40000)
  expect((await post('update', { ad_id, delivery_setting: setting() })).code).toBe(40000)
})

test('end and hours change', async () => {
  const ad = adOf(await create(wanted({ delivery_setting: setting(DAYS) })))
  const end_time = Date.parse('2099-03-01T00:00:00+08:00') / 1000
  const hours = `0${'1'.repeat(335)}`
  const days = { ad_ids: [ad], schedule_type: 'SCHEDULE_START_END', end_time }
  expect(await post('schedule_date/update', days)).toMatchObject({ data: { errors: [] } })
  expect(await post('schedule_time/update', { ad_ids: [ad], schedule_time: hours })).toMatchObject({ code: 0 })
  expect(await detail(ad)).toMatchObject({
    delivery_setting: { start_time: '2099-01-01', end_time: '2099-03-01', schedule_time: hours },
  })
  expect(await post('schedule_date/update', { ...days, end_time: 1 })).toMatchObject({
    data: { errors: [{ error_message: expect.any(String) }] },
  })
  expect((await post('schedule_date/update', { ...days, end_time: '2099-03-01' })).code).toBe(40000)
})

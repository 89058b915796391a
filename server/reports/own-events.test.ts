import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MetricSums } from '#contract/activity/formulas.ts'
import { type TestWarehouse, testWarehouse } from '../testing/warehouse.ts'
import { type MeantEvent, type OwnFilter, ownSums } from './own-events.ts'

let warehouse: TestWarehouse
beforeAll(async () => {
  warehouse = await testWarehouse()
})
beforeEach(() => warehouse.truncate())
afterAll(() => warehouse.close())

interface Row {
  name: string
  uid?: number
  /** UTC. */
  ts?: string
  campaign_id?: string
  properties?: Record<string, string>
}
let row_id = 0
const happened = (rows: readonly Row[], adv_id = 1) =>
  warehouse.load.acrossShards.insert(
    'event',
    rows.map(({ name, uid = 1, ts = '2026-11-10 04:00:00', campaign_id = '7', properties = {} }) => ({
      ...{ adv_id, bucket: 0, uid, ts, name, title: '', properties, campaign_id },
      row_id: String(++row_id),
      import_id: 1,
    })),
  )

const meant = (name: string, standard: MeantEvent['standard'], more: Partial<MeantEvent> = {}): MeantEvent => ({
  ...{ name, standard, amount: null, goods: null },
  ...more,
})
const FILTER: OwnFilter = {
  ...{ adv_id: 1, from: '2026-11-01', to: '2026-11-30', timezone: 'Asia/Shanghai', campaigns: ['7', '8'] },
}
const on = () => warehouse.live.acrossShards
const inAll = async (events: readonly MeantEvent[], more: Partial<OwnFilter> = {}): Promise<MetricSums> =>
  (await ownSums(on(), { ...FILTER, ...more }, events))[0]?.sums ?? {}

test('events of any name count under what they stand for, and several may stand for the same', async () => {
  await happened([{ name: '进店' }, { name: '进店' }, { name: 'shop_open', uid: 2 }, { name: '别的' }])
  expect(await inAll([meant('进店', 'shop'), meant('shop_open', 'shop'), meant('没有过', 'share')])).toEqual({
    visit_shopping_pv: 3n,
    share_count: 0n,
  })
  expect(await inAll([])).toEqual({})
})

test('only events of these activities, days and advertiser count, by the days of the time zone', async () => {
  await happened([
    { name: '访问', ts: '2026-10-31 15:59:59.999' },
    { name: '访问', ts: '2026-10-31 16:00:00' },
    { name: '访问', ts: '2026-11-30 15:59:59.999' },
    { name: '访问', ts: '2026-11-30 16:00:00' },
    { name: '访问', campaign_id: '' },
    { name: '访问', campaign_id: '9' },
  ])
  await happened([{ name: '访问' }], 2)
  expect(await inAll([meant('访问', 'land')])).toEqual({ land_pv: 2n })
  const byDay = await ownSums(on(), FILTER, [meant('访问', 'land')], ['day'])
  expect(byDay).toEqual([
    { date: '2026-11-01', sums: { land_pv: 1n } },
    { date: '2026-11-30', sums: { land_pv: 1n } },
  ])
})

test('people are counted once within each row of the answer', async () => {
  const took = (uid: number, campaign_id: string, day: number) => ({
    ...{ name: '领券', uid, campaign_id, ts: `2026-11-${10 + day} 04:00:00` },
  })
  await happened([took(1, '7', 0), took(1, '7', 1), took(1, '8', 0), took(2, '8', 1)])
  const events = [meant('领券', 'coupon_take')]
  expect(await inAll(events)).toEqual({ coupon_total_take: 4n, coupon_take_uv: 2n })
  expect(await ownSums(on(), FILTER, events, ['campaign'])).toEqual([
    { campaign_id: '7', sums: { coupon_total_take: 2n, coupon_take_uv: 1n } },
    { campaign_id: '8', sums: { coupon_total_take: 2n, coupon_take_uv: 2n } },
  ])
  expect(await ownSums(on(), { ...FILTER, campaigns: ['7'] }, events, ['day'])).toEqual([
    { date: '2026-11-10', sums: { coupon_total_take: 1n, coupon_take_uv: 1n } },
    { date: '2026-11-11', sums: { coupon_total_take: 1n, coupon_take_uv: 1n } },
  ])
})

test('amounts add up exactly in millionths, each event by its own property, and what is no number counts as none', async () => {
  const paid = (price: string, more: Record<string, string> = {}) => ({ name: '支付', properties: { price, ...more } })
  await happened([
    ...Array.from({ length: 10 }, () => paid('0.1', { n: '2' })),
    paid('1,299.00', { n: '1' }),
    paid(' 0.000001 '),
    paid('免费', { n: '三' }),
    paid('', { n: '1' }),
    paid('99999999999999'),
    { name: '退款', properties: { back: '-0.3' } },
    { name: '下单', properties: { price: '5' } },
  ])
  const events = [
    meant('支付', 'pay', { amount: 'price', goods: 'n' }),
    meant('退款', 'pay', { amount: 'back' }),
    meant('下单', 'order'),
  ]
  expect(await inAll(events)).toEqual({
    ...{ pay_pv: 16n, pay_amount: 1_299_700_001n, pay_goods_count: 22n },
    place_order_pv: 1n,
  })
})

test('names of events and properties are values, whatever they contain', async () => {
  const odd = `a'b\\c{x:String}`
  await happened([{ name: odd, properties: { [odd]: '2' }, campaign_id: odd }])
  const events = [meant(odd, 'pay', { amount: odd })]
  expect(await inAll(events, { campaigns: [odd] })).toEqual({ pay_pv: 1n, pay_amount: 2_000_000n })
})

import { z } from 'zod'
import type { MetricKey } from './activity/metrics.ts'
import { keysOf, meaningsOf } from './common.ts'

/** What events of any name may stand for, so that reports of activities count them. */
export const STANDARD_EVENTS = {
  land: '访问落地页',
  browse: '落地页停留超过 1 秒',
  page: '浏览落地页中的一页',
  shop: '访问商城',
  order: '下单',
  pay: '支付',
  share: '分享',
  qr_code: '长按二维码',
  follow: '点击关注公众号',
  draw: '抽奖',
  win: '中奖',
  lead: '留资',
  coupon_view: '访问领券页',
  coupon_take: '领取优惠券',
  coupon_use: '使用优惠券',
} as const
export const StandardEvent = z
  .enum(keysOf(STANDARD_EVENTS))
  .describe(`标准事件，活动报表按它统计：${meaningsOf(STANDARD_EVENTS)}`)
export type StandardEvent = keyof typeof STANDARD_EVENTS

/** The metrics that a standard event gives: how often, how many people, and what was bought. */
interface Gives {
  times: MetricKey
  people?: MetricKey
  amount?: MetricKey
  goods?: MetricKey
}

const OWN_METRICS = {
  land: { times: 'land_pv' },
  browse: { times: 'browse_land_pv' },
  page: { times: 'land_browse_count' },
  shop: { times: 'visit_shopping_pv' },
  order: { times: 'place_order_pv', amount: 'order_amount', goods: 'place_order_goods_count' },
  pay: { times: 'pay_pv', amount: 'pay_amount', goods: 'pay_goods_count' },
  share: { times: 'share_count' },
  qr_code: { times: 'qr_code_pv' },
  follow: { times: 'click_gzh_pv' },
  draw: { times: 'click_luckydraw_pv' },
  win: { times: 'winning_count' },
  lead: { times: 'liuzi_pv' },
  coupon_view: { times: 'coupon_activity_pv', people: 'coupon_activity_uv' },
  coupon_take: { times: 'coupon_total_take', people: 'coupon_take_uv' },
  coupon_use: { times: 'coupon_total_used', people: 'coupon_used_uv' },
} as const satisfies Record<StandardEvent, Gives>

export const givesOf = (standard: StandardEvent): Gives => OWN_METRICS[standard]

/** Whether its events say what was bought. */
export const isPurchase = (standard: StandardEvent): boolean => givesOf(standard).amount !== undefined

const property = (what: string) => z.string().min(1).max(200).nullable().describe(what)

/** What an event stands for. `amount` and `goods` name properties of a purchase: yuan, and a number of goods. */
export const EventMeaning = z.object({
  standard: StandardEvent,
  amount: property('金额的属性名，单位元；只用于下单与支付，没有时为 null'),
  goods: property('商品数的属性名；只用于下单与支付，没有时为 null'),
})
export type EventMeaning = z.infer<typeof EventMeaning>

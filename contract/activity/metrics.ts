import { keysOf } from '../common.ts'

/** How a value is shown. `number`: neither people nor money, as the coins of a live room. */
export type MetricFormat = 'text' | 'time' | 'count' | 'number' | 'money' | 'percent' | 'ratio'

/**
 * Where a value comes from. `ours`: what the console stores about an activity; `events`: the advertiser's own events;
 * `platform`: reports of an ad platform, read from it or imported; `formula`: computed from the sums of others
 * (`formulas.ts`). Of several sources the first that has a value counts: they are never added.
 */
export const METRIC_SOURCES = {
  ours: '活动信息',
  events: '自有事件',
  platform: '平台数据',
  formula: '计算指标',
} as const
export type MetricSource = keyof typeof METRIC_SOURCES

interface MetricColumn {
  label: string
  /** Pixels. */
  width: number
  /** What is counted, where the label does not say it. */
  tip: string | null
  format: MetricFormat
  from: readonly [MetricSource, ...MetricSource[]]
  /** Whether values of plans and days add up to those of the whole. People do not: who came twice is one. */
  adds: boolean
  /** Whether it is in the shorter list of the landing page and the shop, which is all that the restricted view shows. */
  short: boolean
  /** The table that has the column: the list of activities, or that of coupons and their cost. */
  list: 'activity' | 'coupon'
}

type Given = Partial<Pick<MetricColumn, 'width' | 'tip' | 'from' | 'list'>>

const column = (label: string, format: MetricFormat, more: Partial<MetricColumn>): MetricColumn => ({
  label,
  format,
  width: 120,
  tip: null,
  from: ['platform'],
  adds: format === 'count' || format === 'number' || format === 'money',
  short: false,
  list: 'activity',
  ...more,
})

const ours = (label: string, format: MetricFormat, width: number, tip: string | null = null) =>
  column(label, format, { width, tip, from: ['ours'] })
/** In the shorter list. */
const landing = (label: string, format: 'count' | 'money', tip: string | null = null, more: Given = {}) =>
  column(label, format, { tip, from: ['events'], short: true, ...more })
const reported = (label: string, format: 'count' | 'money' | 'number' = 'count', tip: string | null = null) =>
  column(label, format, { tip })
const computed = (label: string, format: 'percent' | 'ratio' | 'money', tip: string, more: Given = {}) =>
  column(label, format, { tip, from: ['formula'], adds: false, ...more })
const coupon = (label: string, tip: string, adds: boolean) =>
  column(label, 'count', { tip, from: ['events'], adds, list: 'coupon' })
const ofSocial = (label: string, format: 'count' | 'money', tip: string) =>
  column(label, format, { tip, list: 'coupon', width: 140 })
const couponCost = (label: string, tip: string) => computed(label, 'money', tip, { list: 'coupon', width: 150 })

/** Every column of the reports of activities, in the order of the tables. */
export const METRICS = {
  status: ours('状态', 'text', 84),
  budget: ours(
    '预算',
    'money',
    120,
    '计划的日预算之和，与总预算之和；两者不相加，单位元。不论计划是否在投放：合计行也包括未提交、暂停与结束的，只看启用的请按状态筛选',
  ),
  cost: column('消耗', 'money', { tip: '投放平台的花费，单位元' }),
  creator: ours('创建人', 'text', 110),
  created_at: ours('创建时间', 'time', 170),
  imp_pv: reported('曝光量'),
  click_pv: reported('点击量'),
  click_rate: computed('点击率', 'percent', '点击量 ÷ 曝光量', { width: 100 }),
  land_pv: landing('落地页访问量', 'count'),
  browse_land_pv: landing('落地页浏览量', 'count', '停留超过 1 秒的落地页访问次数'),
  land_browse_count: landing('落地页浏览次数', 'count', '落地页中浏览的页面数'),
  visit_shopping_pv: landing('商城访问量', 'count'),
  place_order_pv: landing('下单次数', 'count'),
  pay_pv: landing('支付次数', 'count'),
  place_order_goods_count: landing('下单商品数', 'count'),
  order_amount: landing('下单金额', 'money', '自有事件的下单金额，单位元'),
  pay_goods_count: landing('支付商品数', 'count'),
  pay_amount: landing('支付金额', 'money', '自有事件的支付金额，单位元'),
  share_count: landing('分享次数', 'count'),
  qr_code_pv: landing('二维码长按次数', 'count', '长按二维码 350 毫秒以上的次数', { width: 140 }),
  click_gzh_pv: landing('公众号关注点击', 'count', '点击关注公众号的次数', { width: 140 }),
  click_luckydraw_pv: landing('抽奖次数', 'count', '点击抽奖的次数'),
  winning_count: landing('中奖次数', 'count'),
  liuzi_pv: landing('留资次数', 'count', '提交线索的次数', { from: ['events', 'platform'] }),
  product_name: ours('产品', 'text', 140),
  advertiser_name: ours('广告主', 'text', 140),
  cpm_platform: computed('千次曝光成本', 'money', '消耗 × 1000 ÷ 曝光量，单位元'),
  pay_order_cnt: reported('支付订单数', 'count', '平台统计的支付订单数'),
  create_order_amount: reported('成交订单金额', 'money', '平台统计的下单金额，单位元'),
  create_order_count: reported('成交订单数', 'count', '平台统计的下单数'),
  pay_order_amount: reported('支付订单金额', 'money', '平台统计的支付金额，单位元'),
  create_order_roi: computed('下单 ROI', 'ratio', '成交订单金额 ÷ 消耗', { width: 100 }),
  pay_order_roi: computed('支付 ROI', 'ratio', '（支付订单金额 + 预售订单金额）÷ 消耗', { width: 100 }),
  prepay_order_cnt: reported('预售订单数'),
  prepay_order_amount: reported('预售订单金额', 'money', '单位元'),
  dy_follow: reported('新增粉丝数'),
  covert_cnt: reported('转化数'),
  convert_cost: computed('转化成本', 'money', '消耗 ÷ 转化数，单位元'),
  convert_rate: computed('转化率', 'percent', '转化数 ÷ 点击量', { width: 100 }),
  dy_share: reported('视频分享数'),
  dy_comment: reported('视频评论数'),
  dy_like: reported('视频点赞数'),
  pay_per_order: computed('客单价', 'money', '支付订单金额 ÷ 支付订单数，单位元'),
  live_enter_cnt: reported('直播间观看数'),
  live_watch_one_minute_cnt: column('直播间超 1 分钟观看数', 'count', { width: 170 }),
  live_fans_club_join_cnt: column('直播间加团数', 'count', { tip: '加入粉丝团的次数' }),
  live_slidecart_click_cnt: column('直播间查看购物车数', 'count', { width: 160 }),
  live_click_product_cnt: column('直播间商品点击数', 'count', { width: 150 }),
  live_comment_cnt: reported('直播间评论数'),
  live_share_cnt: reported('直播间分享数'),
  live_gift_cnt: reported('直播间打赏次数'),
  live_gift_amount: reported('直播间打赏音浪', 'number', '音浪数，不是金额'),
  gdt_view_count: ofSocial('腾讯广告曝光量', 'count', '腾讯广告的曝光次数'),
  gdt_ctr: computed('腾讯广告点击率', 'percent', '腾讯广告点击量 ÷ 腾讯广告曝光量', { list: 'coupon', width: 140 }),
  gdt_valid_click_count: ofSocial('腾讯广告点击量', 'count', '腾讯广告的有效点击次数'),
  gdt_cpc: computed('腾讯广告点击均价', 'money', '腾讯广告消耗 ÷ 腾讯广告点击量，单位元', {
    list: 'coupon',
    width: 150,
  }),
  gdt_cost: ofSocial('腾讯广告消耗', 'money', '腾讯广告的花费，单位元'),
  coupon_activity_pv: coupon('领券页访问次数', '领券活动页的访问次数', true),
  coupon_activity_uv: coupon('领券页访问人数', '领券活动页的访问人数；跨天、跨计划去重，不可相加', false),
  coupon_total_take: coupon('领券次数', '领取优惠券的次数', true),
  coupon_take_uv: coupon('领券人数', '领取优惠券的人数；跨天、跨计划去重，不可相加', false),
  coupon_total_used: coupon('核销次数', '使用优惠券的次数', true),
  coupon_used_uv: coupon('核销人数', '使用优惠券的人数；跨天、跨计划去重，不可相加', false),
  coupon_take_pv_cost: couponCost('领券次均成本', '消耗 ÷ 领券次数，单位元'),
  coupon_take_uv_cost: couponCost('领券人均成本', '消耗 ÷ 领券人数，单位元'),
  coupon_used_pv_cost: couponCost('核销次均成本', '消耗 ÷ 核销次数，单位元'),
  coupon_used_uv_cost: couponCost('核销人均成本', '消耗 ÷ 核销人数，单位元'),
} as const satisfies Record<string, MetricColumn>

export type MetricKey = keyof typeof METRICS
export const METRIC_KEYS = keysOf(METRICS)
export const metricOf = (key: MetricKey): MetricColumn => METRICS[key]

/** What a column's heading explains: what is counted, and where it comes from. */
export function metricTip(key: MetricKey): string {
  const { tip, from } = metricOf(key)
  const source = `来源：${from.map((one) => METRIC_SOURCES[one]).join('，没有时为')}`
  return tip === null ? source : `${tip}。${source}`
}

const keysWhere = (holds: (column: MetricColumn) => boolean) => METRIC_KEYS.filter((key) => holds(metricOf(key)))

/** The shorter list, which is all that viewers without the right to restricted metrics see. */
export const SHORT_METRICS: readonly MetricKey[] = keysWhere(({ short }) => short)

/** What a viewer may see of these columns. */
export const visibleMetrics = (keys: readonly MetricKey[], { see_restricted }: { see_restricted: boolean }) =>
  see_restricted ? [...keys] : keys.filter((key) => metricOf(key).short)

/** Numbers that platforms report and that the warehouse stores, day by day and plan by plan; all of them add up. */
export const REPORTED = [
  'cost',
  'imp_pv',
  'click_pv',
  'liuzi_pv',
  'pay_order_cnt',
  'create_order_amount',
  'create_order_count',
  'pay_order_amount',
  'prepay_order_cnt',
  'prepay_order_amount',
  'dy_follow',
  'covert_cnt',
  'dy_share',
  'dy_comment',
  'dy_like',
  'live_enter_cnt',
  'live_watch_one_minute_cnt',
  'live_fans_club_join_cnt',
  'live_slidecart_click_cnt',
  'live_click_product_cnt',
  'live_comment_cnt',
  'live_share_cnt',
  'live_gift_cnt',
  'live_gift_amount',
  'gdt_view_count',
  'gdt_valid_click_count',
  'gdt_cost',
] as const satisfies readonly MetricKey[]
export type ReportedKey = (typeof REPORTED)[number]

/** How values of a metric are stored and added: whole, in millionths of a yuan, or in fen. */
export type MetricUnit = 'whole' | 'micros' | 'fen'

/** The unit in which a metric is added; null for what is not added. */
export function unitOf(key: MetricKey): MetricUnit | null {
  if (key === 'budget') return 'fen'
  const { format, from } = metricOf(key)
  if (from[0] === 'ours' || from[0] === 'formula') return null
  return format === 'money' ? 'micros' : 'whole'
}

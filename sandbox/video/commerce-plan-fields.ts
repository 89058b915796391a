import type { Json } from '../json.ts'
import { type Body, within } from './arguments.ts'
import { badRequest } from './envelope.ts'
import { dayIn, hoursIn, mustKnow } from './project-fields.ts'

const NAME_UNITS = 100
export const GOALS = ['VIDEO_PROM_GOODS', 'LIVE_PROM_GOODS'] as const
const LIVE = GOALS[1]
const ROI = 'AD_CONVERT_TYPE_LIVE_PAY_ROI'
const ACTIONS = {
  VIDEO_PROM_GOODS: ['SHOPPING', 'QC_FOLLOW_ACTION', 'QC_MUST_BUY'],
  LIVE_PROM_GOODS: [
    ...['LIVE_CLICK_PRODUCT_ACTION', 'LIVE_SUCCESSORDER_ACTION', 'LIVE_SUCCESSORDER_PAY', 'LIVE_SUCCESSORDER_SETTLE'],
    ...['LIVE_PAY_ROI', 'NEW_FOLLOW_ACTION', 'CARD_ACTIVE'],
  ],
}
const MODES = ['BUDGET_MODE_DAY', 'BUDGET_MODE_TOTAL', 'BUDGET_MODE_SEVEN_DAY_CYCLE']
const SCHEDULES = ['SCHEDULE_FROM_NOW', 'SCHEDULE_START_END']
/** Fen. Printed for the estimate of a plan's effect. */
export const BUDGET = { least: 30_000, most: 999_999_999 }
const RANGE_S = { least: 1800, most: 86_400, step: 1800 }
const CREATIVES = ['CUSTOM_CREATIVE', 'PROGRAMMATIC_CREATIVE'] as const
const PROGRAMMATIC = ['media_list', 'title_list', 'card'].map((one) => `programmatic_creative_${one}`)

const missing = (name: string) => badRequest(`${name}: 缺少必填参数`)
function needed(given: Body, name: string, values: readonly string[]): string {
  const value = given.text(name)
  if (!values.includes(value)) throw badRequest(`${name}: 只能是${values.join('、')}`)
  return value
}

/** 1 to 100 characters, where a Chinese one counts as two. */
export function adName(given: Body, isOptional = false): string | undefined {
  const name = isOptional ? given.text('name', { isOptional: true }) : given.text('name')
  const units = [...(name ?? '')].reduce((sum, one) => sum + ((one.codePointAt(0) ?? 0) < 128 ? 1 : 2), 0)
  if (units > NAME_UNITS) throw badRequest(`name: 不能超过${NAME_UNITS}个字符`)
  return name
}

/** What a plan sells, by whose account. */
export function purposeIn(given: Body): { marketing_goal: string; content: { [name: string]: Json } } {
  const marketing_goal = needed(given, 'marketing_goal', GOALS)
  const scene = given.oneOf('marketing_scene', ['FEED', 'SEARCH', 'SHOPPING_MALL'], 'FEED')
  given.oneOf('campaign_scene', ['DAILY_SALE', 'NEW_CUSTOMER_TRANSFORMATION', 'NEW_PRODUCT_BOOST'], 'DAILY_SALE')
  const lab = given.oneOf('lab_ad_type', ['NOT_LAB_AD', 'LAB_AD'], 'NOT_LAB_AD')
  given.optionalNumber('campaign_id', { least: 1 })
  const aweme_id = given.id('aweme_id')
  given.optionalList('channel_product_infos', 1)
  const products = given.optionalList('product_ids', 10)
  if (marketing_goal === LIVE && products) throw badRequest('product_ids: 仅在商品推广时填写')
  if (marketing_goal !== LIVE) {
    if (!products) throw missing('product_ids')
    if (products.length !== 1) throw badRequest('product_ids: 只支持1个商品')
    if (lab === 'LAB_AD') throw badRequest('lab_ad_type: 商品推广不支持托管')
  }
  if (scene === 'SEARCH' && !given.optionalList('keywords', 1000)) throw missing('keywords')
  return {
    marketing_goal,
    content: {
      marketing_goal,
      marketing_scene: scene,
      aweme_id: BigInt(aweme_id),
      ...(products && { product_ids: products }),
    },
  }
}

/** Creatives of the same call. That a live room needs none, whose picture is shown, is assumed. */
export function creativesIn(given: Body, marketing_goal: string): { [name: string]: Json } {
  const mode = given.text('creative_material_mode', { isOptional: true })
  if (mode !== undefined && !CREATIVES.some((one) => one === mode)) {
    throw badRequest(`creative_material_mode: 只能是${CREATIVES.join('、')}`)
  }
  if (mode === undefined && marketing_goal !== LIVE) throw missing('creative_material_mode')
  const custom = given.optionalList('creative_list', 10)
  if (mode === CREATIVES[0] && !custom) throw missing('creative_list')
  const [media, titles] = [given.optionalList(PROGRAMMATIC[0] ?? '', 9), given.optionalList(PROGRAMMATIC[1] ?? '', 10)]
  const card = given.object(PROGRAMMATIC[2] ?? '')
  if (mode === CREATIVES[1] && (!media || !titles || !card)) throw missing(PROGRAMMATIC.join('、'))
  for (const name of ['first_industry_id', 'second_industry_id', 'third_industry_id']) given.optionalNumber(name)
  given.optionalNumber('is_homepage_hide', { of: [0, 1] })
  given.optionalTexts('ad_keywords', 20)
  return mode === undefined ? {} : { creative_material_mode: mode }
}

interface Delivery {
  setting: { [name: string]: Json }
  budget_mode: string
  /** Fen. */
  budget: number
}

/** How a new plan bids, what it may spend, and when it delivers. */
export function deliveryIn(given: Body, marketing_goal: string, today: string): Delivery {
  const asked = given.object('delivery_setting')
  if (!asked) throw missing('delivery_setting')
  const read = within(asked)
  const smart_bid_type = needed(read, 'smart_bid_type', ['SMART_BID_CUSTOM', 'SMART_BID_CONSERVATIVE'])
  const actions = ACTIONS[marketing_goal as keyof typeof ACTIONS].map((one) => `AD_CONVERT_TYPE_${one}`)
  const external_action = needed(read, 'external_action', actions)
  const roi_goal = roiIn(read, external_action)
  const budget_mode = needed(read, 'budget_mode', MODES)
  const budget = budgetIn(read)
  const cpa_bid = bidIn(read)
  if (smart_bid_type === 'SMART_BID_CUSTOM' && cpa_bid === undefined && external_action !== ROI)
    throw missing('cpa_bid')
  const schedule = scheduleIn(read, marketing_goal, { today })
  read.optionalNumber('product_new_open', { of: [0, 1] })
  read.text('qcpx_mode', { isOptional: true })
  mustKnow(read, 'delivery_setting.')
  const setting = {
    ...{ smart_bid_type, external_action },
    ...(cpa_bid !== undefined && { cpa_bid: cpa_bid / 100 }),
    ...(roi_goal !== undefined && { roi_goal }),
    ...schedule,
  }
  return { setting, budget_mode, budget }
}

/** The setting that an update puts in the place of the one before: what it leaves out is no longer set. */
export function replacedDelivery(
  given: Body,
  marketing_goal: string,
  kept: { [name: string]: Json },
  today: string,
): Omit<Delivery, 'budget_mode'> {
  const asked = given.object('delivery_setting')
  if (!asked) throw missing('delivery_setting')
  const read = within(asked)
  const budget = budgetIn(read)
  const cpa_bid = bidIn(read)
  const { smart_bid_type, external_action } = kept
  if (smart_bid_type === 'SMART_BID_CUSTOM' && cpa_bid === undefined && external_action !== ROI)
    throw missing('cpa_bid')
  const roi_goal = roiIn(read, String(external_action))
  const schedule = scheduleIn(read, marketing_goal, { today, kept: kept.start_time })
  mustKnow(read, 'delivery_setting.')
  const setting = {
    ...(smart_bid_type !== undefined && { smart_bid_type }),
    ...(external_action !== undefined && { external_action }),
    ...(cpa_bid !== undefined && { cpa_bid: cpa_bid / 100 }),
    ...(roi_goal !== undefined && { roi_goal }),
    ...schedule,
  }
  return { setting, budget }
}

function budgetIn(read: Body): number {
  const budget = read.fen('budget')
  if (budget === undefined) throw missing('budget')
  if (budget < BUDGET.least || budget > BUDGET.most) throw badRequest('计划预算应在300元到9999999.99元之间')
  return budget
}

function bidIn(read: Body): number | undefined {
  const bid = read.fen('cpa_bid')
  if (bid !== undefined && bid <= 0) throw badRequest('cpa_bid: 应大于0')
  return bid
}

function roiIn(read: Body, external_action: string): number | undefined {
  const deep = read.text('deep_external_action', { isOptional: true })
  const kind = read.text('deep_bid_type', { isOptional: true })
  const goal = read.fen('roi_goal')
  if (external_action !== ROI) {
    if (goal !== undefined || deep !== undefined || kind !== undefined) throw badRequest('roi_goal: 该转化目标不支持')
    return undefined
  }
  if (kind !== 'MIN') throw badRequest('deep_bid_type: 只能是MIN')
  if (goal === undefined) throw missing('roi_goal')
  if (goal < 1 || goal > 10_000) throw badRequest('roi_goal: 应在0.01到100之间')
  return goal / 100
}

function scheduleIn(
  read: Body,
  marketing_goal: string,
  { today, kept }: { today: string; kept?: Json | undefined },
): { [name: string]: Json } {
  const isLive = marketing_goal === LIVE
  const name = isLive ? 'live_schedule_type' : 'video_schedule_type'
  const type = needed(read, name, isLive ? [...SCHEDULES, 'SCHEDULE_TIME_FIXEDRANGE'] : SCHEDULES)
  const [start_time, end_time] = ['start_time', 'end_time'].map((one) => dayIn(read, one))
  const range = read.optionalNumber('schedule_fixed_range', { least: RANGE_S.least, most: RANGE_S.most })
  if (range !== undefined && range % RANGE_S.step !== 0) throw badRequest('schedule_fixed_range: 应为1800的倍数')
  if ((type === 'SCHEDULE_TIME_FIXEDRANGE') !== (range !== undefined))
    throw badRequest('schedule_fixed_range: 与投放类型不符')
  if (type !== 'SCHEDULE_START_END' && (start_time !== undefined || end_time !== undefined)) {
    throw badRequest('start_time: 仅在SCHEDULE_START_END时填写')
  }
  if (type === 'SCHEDULE_START_END') {
    if (start_time === undefined || end_time === undefined)
      throw missing(start_time === undefined ? 'start_time' : 'end_time')
    if (end_time < start_time) throw badRequest('end_time: 不能早于start_time')
    if (end_time < today) throw badRequest('end_time: 不能早于今天')
    if (kept !== undefined && start_time !== kept) throw badRequest('start_time: 不支持修改')
    if (kept === undefined && start_time < today) throw badRequest('start_time: 不能早于今天')
  }
  const schedule_time = hoursIn(read)
  return {
    [name]: type,
    ...(start_time !== undefined && { start_time }),
    ...(end_time !== undefined && { end_time }),
    ...(range !== undefined && { schedule_fixed_range: range }),
    ...(schedule_time !== undefined && { schedule_time }),
  }
}

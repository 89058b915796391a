import type { Json } from '../json.ts'
import type { Context } from './access.ts'
import type { Given } from './arguments.ts'
import { Refusal } from './envelope.ts'
import { codesAt, decimalAt, objectAt, textAt, wholeAt } from './values.ts'

const NAME = { bytes: 180, wide: 60 }
const GOALS = ['USER_GROWTH', 'PRODUCT_SALES', 'LEAD_RETENTION', 'BRAND_PROMOTION', 'INCREASE_FANS_INTERACTION'].map(
  (one) => `MARKETING_GOAL_${one}`,
)
const PAGE = 'MARKETING_CARRIER_TYPE_JUMP_PAGE'
/** All but the page have an id of their own, and a product that is named by it. */
const CARRIERS = [
  PAGE,
  ...[
    ...['APP_ANDROID', 'APP_IOS', 'APP_HARMONY', 'APP_QUICK_APP', 'WECHAT_OFFICIAL_ACCOUNT', 'WECHAT_MINI_GAME'],
    ...['MINI_PROGRAM_WECHAT', 'WECHAT_CHANNELS', 'WECHAT_CHANNELS_LIVE', 'WECHAT_CHANNELS_LIVE_RESERVATION'],
    ...['PC_GAME', 'QQ_MINI_GAME'],
  ].map((one) => `MARKETING_CARRIER_TYPE_${one}`),
]
const SITES = [
  ...['MOMENTS', 'WECHAT', 'CHANNELS', 'MOBILE_UNION', 'TENCENT_NEWS', 'TENCENT_VIDEO', 'KANDIAN', 'QQ_MUSIC_GAME'],
].map((one) => `SITE_SET_${one}`)
const BID_MODES = ['OCPM', 'OCPC', 'CPM', 'CPC', 'CPA', 'CPS'].map((one) => `BID_MODE_${one}`)
/** These are paid for an action, which has to be named. */
const OPTIMISED = ['BID_MODE_OCPM', 'BID_MODE_OCPC']
const SYSTEMATIC = 'SMART_BID_TYPE_SYSTEMATIC'
/** Fen. The bounds of bids stand on a page that is not published. */
const BID = { least: 10, most: 1_000_000 }
export const BUDGET = { least: 5_000, most: 400_000_000 }
export const SWITCHED = ['AD_STATUS_NORMAL', 'AD_STATUS_SUSPEND'] as const
const WEEK = /^[01]{336}$/

/** How many full-width characters a text takes; a Latin letter is half of one. */
const widthOf = (text: string) => [...text].reduce((sum, one) => sum + ((one.codePointAt(0) ?? 0) < 128 ? 0.5 : 1), 0)

export function nameIn({ given }: Context): string | undefined {
  const name = given.text('adgroup_name')
  if (name === '') throw new Refusal(18004, ['adgroup_name'])
  if (name !== undefined && (Buffer.byteLength(name) > NAME.bytes || widthOf(name) > NAME.wide)) {
    throw new Refusal(18003, ['adgroup_name'])
  }
  return name
}

export function dayAt(value: Json, path: string): string {
  const day = textAt(value, path, 10, 10)
  const time = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day) throw new Refusal(31002, [path])
  return day
}

/** An empty last day is taken as open-ended: it is formally allowed, and no document says what it means. */
export const lastDayAt = (value: Json, path: string): string => (value === '' ? '' : dayAt(value, path))

export function hoursAt(value: Json, path: string): string {
  const hours = textAt(value, path, 1, 336)
  if (!WEEK.test(hours) || !hours.includes('1')) throw new Refusal(31002, [path])
  return hours
}

/** Refuses days in the wrong order, and a last day that is over. */
export function checkDays({ begin, end, today }: { begin: string; end: string; today: string }): void {
  if (end === '') return
  if (end < begin) throw new Refusal(127003, ['end_date'])
  if (end < today) throw new Refusal(18004, ['end_date'])
}

export function budgetIn({ given }: Context): number | undefined {
  const wanted = given.number('daily_budget', 0, BUDGET.most)
  if (wanted !== undefined && wanted !== 0 && wanted < BUDGET.least) throw new Refusal(18004, ['daily_budget'])
  return wanted
}

export const bidIn = ({ given }: Context): number | undefined => given.number('bid_amount', BID.least, BID.most)

const needed = <T>(name: string, value: T | undefined): T => {
  if (value === undefined) throw new Refusal(18001, [name])
  return value
}

/** What an ad group is for, which never changes: the goal, where it leads, what it sells. */
export function purposeIn({ given }: Context): { [name: string]: Json } {
  const goal = needed('marketing_goal', given.oneOf('marketing_goal', GOALS))
  const sub_goal = given.text('marketing_sub_goal')
  if (sub_goal !== undefined && !/^MARKETING_SUB_GOAL_[A-Z0-9_]+$/.test(sub_goal)) {
    throw new Refusal(18009, ['marketing_sub_goal'])
  }
  const carrier = needed('marketing_carrier_type', given.oneOf('marketing_carrier_type', CARRIERS))
  const detail = given.json('marketing_carrier_detail')
  if (detail !== undefined) {
    const names = ['marketing_carrier_id', 'marketing_sub_carrier_id', 'marketing_carrier_name']
    const { marketing_carrier_id } = objectAt(detail, 'marketing_carrier_detail', names)
    textAt(
      needed('marketing_carrier_detail.marketing_carrier_id', marketing_carrier_id),
      'marketing_carrier_id',
      1,
      2048,
    )
  } else if (carrier !== PAGE) throw new Refusal(18001, ['marketing_carrier_detail'])
  const asset = given.id('marketing_asset_id')
  const outer = given.json('marketing_asset_outer_spec')
  // Exactly one of them; the products of apps, mini programs and the like are named by their own ids.
  if (asset !== undefined && (outer !== undefined || carrier !== PAGE)) throw new Refusal(31002, ['marketing_asset_id'])
  if (asset === undefined && outer === undefined) {
    throw new Refusal(18001, [carrier === PAGE ? 'marketing_asset_id' : 'marketing_asset_outer_spec'])
  }
  if (outer !== undefined) {
    const path = 'marketing_asset_outer_spec'
    const names = ['marketing_target_type', ...['id', 'sub_id', 'name'].map((one) => `marketing_asset_outer_${one}`)]
    const { marketing_target_type, marketing_asset_outer_id } = objectAt(outer, path, names)
    textAt(needed(`${path}.marketing_target_type`, marketing_target_type), `${path}.marketing_target_type`, 1, 128)
    textAt(needed(`${path}.marketing_asset_outer_id`, marketing_asset_outer_id), path, 1, 1024)
  }
  return {
    marketing_goal: goal,
    marketing_carrier_type: carrier,
    ...(asset !== undefined && { marketing_asset_id: BigInt(asset) }),
    ...(outer !== undefined && { marketing_asset_outer_spec: outer }),
  }
}

/** Where it is shown: automatic, or at chosen places. That one of the two is asked for is not confirmed. */
export function sitesIn({ given }: Context): { [name: string]: Json } {
  const automatic_site_enabled = given.boolean('automatic_site_enabled') ?? false
  const chosen = given.json('site_set')
  if (automatic_site_enabled && chosen !== undefined) throw new Refusal(31002, ['site_set'])
  return {
    automatic_site_enabled,
    ...(chosen !== undefined && { site_set: codesAt(chosen, 'site_set', SITES, 32) }),
  }
}

/** How it bids. */
export function biddingIn(context: Context): { [name: string]: Json } {
  const { given } = context
  const bid_mode = given.oneOf('bid_mode', BID_MODES)
  const smart_bid_type = given.oneOf('smart_bid_type', ['SMART_BID_TYPE_CUSTOM', SYSTEMATIC])
  given.oneOf('bid_scene', ['BID_SCENE_NORMAL_AVERAGE', 'BID_SCENE_NORMAL_MAX'])
  const bid_amount = bidIn(context)
  if (bid_amount === undefined && smart_bid_type !== SYSTEMATIC) throw new Refusal(18001, ['bid_amount'])
  const optimization_goal = goalIn(given)
  const conversion_id = given.id('conversion_id')
  if (conversion_id !== undefined && !OPTIMISED.includes(bid_mode ?? '')) throw new Refusal(31002, ['conversion_id'])
  const isNamed = optimization_goal !== undefined || conversion_id !== undefined
  if (bid_mode !== undefined && OPTIMISED.includes(bid_mode) && !isNamed)
    throw new Refusal(18001, ['optimization_goal'])
  limitsIn(given)
  return {
    ...(bid_mode !== undefined && { bid_mode }),
    ...(smart_bid_type !== undefined && { smart_bid_type }),
    ...(bid_amount !== undefined && { bid_amount }),
    ...(optimization_goal !== undefined && { optimization_goal }),
    ...(conversion_id !== undefined && { conversion_id: BigInt(conversion_id) }),
  }
}

function goalIn(given: Given): string | undefined {
  const goal = given.text('optimization_goal')
  if (goal !== undefined && !/^OPTIMIZATIONGOAL_[A-Z0-9_]+$/.test(goal)) throw new Refusal(18009, ['optimization_goal'])
  return goal
}

/** Ceilings beside the bid, which are checked and otherwise without effect here. */
function limitsIn(given: Given): void {
  given.boolean('auto_acquisition_enabled')
  given.number('auto_acquisition_budget', 20_000, 10_000_000)
  given.number('custom_cost_cap', 0, 2_000_000)
  given.number('smart_cost_cap', 0, 2_000_000)
  given.oneOf('smart_targeting_mode', ['SMART_TARGETING_MANUAL'])
  const deep = given.json('deep_conversion_spec')
  if (deep === undefined) return
  const path = 'deep_conversion_spec'
  const names = ['deep_conversion_type', 'bid_amount', 'expected_roi']
  const { deep_conversion_type, bid_amount, expected_roi } = objectAt(deep, path, names)
  textAt(needed(`${path}.deep_conversion_type`, deep_conversion_type), `${path}.deep_conversion_type`, 1, 128)
  if (bid_amount !== undefined) wholeAt(bid_amount, `${path}.bid_amount`, 0, 1_000_000)
  if (expected_roi !== undefined) decimalAt(expected_roi, `${path}.expected_roi`, 0, 1000, 3)
}

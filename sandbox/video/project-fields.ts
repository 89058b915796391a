import type { Json } from '../json.ts'
import type { PlanContent } from '../plan-content.ts'
import { type Body, within } from './arguments.ts'
import { badRequest } from './envelope.ts'

const NAME_WIDE = 50
const LANDINGS = ['APP', 'LINK', 'MICRO_GAME', 'SHOP', 'QUICK_APP', 'NATIVE_ACTION', 'DPA'] as const
const ASSETS = ['ORANGE', 'THIRDPARTY', 'ENTERPRISE', 'AWEME', 'MICRO_APP', 'WECHAT_APPLET'] as const
const MICRO = ['WECHAT_GAME', 'WECHAT_APP', 'BYTE_GAME', 'BYTE_APP', 'AWEME'] as const
const INVENTORY = [
  ...['FEED', 'VIDEO_FEED', 'AWEME_FEED', 'TOMATO_NOVEL', 'UNION_SLOT', 'SEARCH'].map((one) => `INVENTORY_${one}`),
]
export const MODES = ['BUDGET_MODE_DAY', 'BUDGET_MODE_INFINITE'] as const
const PRICING = ['OCPM', 'OCPC', 'CPM', 'CPC'].map((one) => `PRICING_${one}`)
const SCHEDULES = ['SCHEDULE_FROM_NOW', 'SCHEDULE_START_END', 'SCHEDULE_7_DAYS']
const SHOWN = 'AD_CONVERT_TYPE_SHOW_OFF_NUM'
const CLICKED = 'AD_CONVERT_TYPE_CLICK_NUM'
/** Fen. The bounds where a project pays for an action are not printed; those of its units are taken. */
const BUDGET = { reach: 10_000, noBid: 10_000, other: 30_000, most: 99_999_999, noBidMost: 99_999_999 }

const missing = (name: string) => badRequest(`${name}: 缺少必填参数`)
function oneOf(given: Body, name: string, values: readonly string[]): string {
  const value = given.text(name)
  if (!values.includes(value)) throw badRequest(`${name}: 只能是${values.join('、')}`)
  return value
}
const optionalOf = (given: Body, name: string, values: readonly string[]): string | undefined => {
  const value = given.text(name, { isOptional: true })
  if (value !== undefined && !values.includes(value)) throw badRequest(`${name}: 只能是${values.join('、')}`)
  return value
}
export function mustKnow(given: Body, path: string): void {
  const [unknown] = given.unknown()
  if (unknown !== undefined) throw badRequest(`${path}${unknown}: 不支持的参数`)
}
function inside(given: Body, name: string): Body {
  const value = given.object(name)
  if (!value) throw missing(name)
  return within(value)
}

/** A name of 1 to 50 characters, two Latin letters counting as one. */
export function projectName(given: Body, isOptional = false): string | undefined {
  const name = isOptional ? given.text('name', { isOptional: true }) : given.text('name')
  const width = [...(name ?? '')].reduce((sum, one) => sum + ((one.codePointAt(0) ?? 0) < 128 ? 0.5 : 1), 0)
  if (width > NAME_WIDE) throw badRequest(`name: 不能超过${NAME_WIDE}个字符`)
  return name
}

export interface Project {
  landing_type: string
  isAutomatic: boolean
  content: PlanContent
}

/** What a project is for and how it delivers: fixed at its creation. */
export function purposeIn(given: Body): Project {
  const landing_type = oneOf(given, 'landing_type', LANDINGS)
  const marketing_goal = oneOf(given, 'marketing_goal', ['VIDEO_AND_IMAGE', 'LIVE'])
  const ad_type = oneOf(given, 'ad_type', ['ALL', 'SEARCH'])
  const isAutomatic = given.oneOf('delivery_mode', ['MANUAL', 'PROCEDURAL'], 'MANUAL') === 'PROCEDURAL'
  given.oneOf('delivery_type', ['NORMAL', 'DURATION', 'UBX_INTELLIGENT'], 'NORMAL')
  const carrier = carrierIn(given, landing_type)
  const products = productsIn(given)
  if (isAutomatic && landing_type === 'LINK' && !products) throw missing('related_product.products')
  const goal = goalIn(given, landing_type, carrier.asset_type)
  const inventory = inventoryIn(given, { landing_type, ad_type, isAutomatic })
  return {
    landing_type,
    isAutomatic,
    content: {
      ...{ landing_type, marketing_goal, ad_type, delivery_mode: isAutomatic ? 'PROCEDURAL' : 'MANUAL' },
      ...carrier,
      ...{ optimize_goal: goal, delivery_range: inventory },
    },
  }
}

/** What people come to, by landing type. */
function carrierIn(given: Body, landing_type: string): { [name: string]: Json } {
  const asset_type = optionalOf(given, 'asset_type', ASSETS)
  if (asset_type === undefined && ['LINK', 'SHOP', 'NATIVE_ACTION'].includes(landing_type)) throw missing('asset_type')
  const app = optionalOf(given, 'app_promotion_type', ['DOWNLOAD', 'LAUNCH', 'RESERVE'])
  const texts = ['download_url', 'app_name', 'subscribe_url'].map((name) => given.text(name, { isOptional: true }))
  const tracked = given.object('track_url_setting')
  if (landing_type === 'APP') {
    if (app === undefined) throw missing('app_promotion_type')
    if (texts.every((one) => one === undefined)) throw missing('download_url')
    if (!tracked) throw missing('track_url_setting')
  } else if (app !== undefined) throw badRequest('app_promotion_type: 仅在landing_type为APP时填写')
  const micro = optionalOf(given, 'micro_promotion_type', MICRO)
  const instance = given.optionalNumber('micro_app_instance_id', { least: 1 })
  if (landing_type === 'MICRO_GAME' && (micro === undefined || instance === undefined)) {
    throw missing(micro === undefined ? 'micro_promotion_type' : 'micro_app_instance_id')
  }
  const native = given.object('native_setting')
  if (landing_type === 'NATIVE_ACTION') {
    if (!native) throw missing('native_setting')
    within(native).id('aweme_id')
  } else if (native) throw badRequest('native_setting: 仅在landing_type为NATIVE_ACTION时填写')
  return { ...(asset_type !== undefined && { asset_type }), ...(app !== undefined && { app_promotion_type: app }) }
}

function productsIn(given: Body): boolean {
  const product = given.object('related_product')
  if (!product) return false
  const names = ['product_setting', 'product_platform_id', 'product_id', 'unique_product_id', 'products']
  const unknown = Object.keys(product).find((name) => !names.includes(name))
  if (unknown !== undefined) throw badRequest(`related_product.${unknown}: 不支持的参数`)
  within(product).oneOf('product_setting', ['SINGLE', 'NO_MAP', 'MULTI_PRODUCTS'], 'NO_MAP')
  return product.products !== undefined
}

/** The action that counts, and the event asset where one reports it. */
function goalIn(given: Body, landing_type: string, asset_type: Json | undefined): { [name: string]: Json } {
  const goal = given.object('optimize_goal')
  const read = within(goal ?? {})
  const assets = goal && Object.hasOwn(goal, 'asset_ids') ? read.ids('asset_ids', 1) : []
  const external_action = read.text('external_action', { isOptional: true })
  read.text('deep_external_action', { isOptional: true })
  mustKnow(read, 'optimize_goal.')
  if (external_action === undefined) throw missing('optimize_goal.external_action')
  if (!/^AD_CONVERT_TYPE_[A-Z0-9_]+$/.test(external_action)) throw badRequest('external_action: 不支持的取值')
  const isReported =
    landing_type === 'APP' ||
    landing_type === 'QUICK_APP' ||
    (landing_type !== 'MICRO_GAME' && asset_type === 'THIRDPARTY')
  if (isReported && assets.length === 0) throw missing('optimize_goal.asset_ids')
  if (asset_type === 'ORANGE' && assets.length > 0) throw badRequest('asset_ids: 橙子落地页不需要事件资产')
  return { external_action, ...(assets.length > 0 && { asset_ids: assets.map(BigInt) }) }
}

function inventoryIn(
  given: Body,
  { landing_type, ad_type, isAutomatic }: { landing_type: string; ad_type: string; isAutomatic: boolean },
): { [name: string]: Json } {
  const range = inside(given, 'delivery_range')
  const inventory_catalog = oneOf(range, 'inventory_catalog', ['MANUAL', 'UNIVERSAL_SMART'])
  const chosen = range.optionalTexts('inventory_type', INVENTORY.length)
  range.text('union_video_type', { isOptional: true })
  mustKnow(range, 'delivery_range.')
  const wrong = chosen?.find((one) => !INVENTORY.includes(one))
  if (wrong !== undefined) throw badRequest(`inventory_type: 不支持的取值: ${wrong}`)
  const isManual = inventory_catalog === 'MANUAL'
  if (isManual && !chosen) throw missing('delivery_range.inventory_type')
  if (!isManual && chosen) throw badRequest('inventory_type: 仅在inventory_catalog为MANUAL时填写')
  if (isManual && isAutomatic && ['APP', 'MICRO_GAME', 'LINK', 'SHOP'].includes(landing_type)) {
    throw badRequest('inventory_catalog: 自动投放只能是UNIVERSAL_SMART')
  }
  if (!isManual && (ad_type === 'SEARCH' || landing_type === 'NATIVE_ACTION')) {
    throw badRequest('inventory_catalog: 只能是MANUAL')
  }
  return { inventory_catalog, ...(chosen && { inventory_type: chosen }) }
}

/** How a project bids, what it may spend, and when it delivers. Fen; null: no limit. */
export function deliveryIn(
  given: Body,
  { landing_type, isAutomatic, content }: Project,
  today: string,
): { setting: { [name: string]: Json }; budget: number | null } {
  const read = inside(given, 'delivery_setting')
  const { external_action } = content.optimize_goal as { external_action: string }
  const bid_type = oneOf(read, 'bid_type', ['CUSTOM', 'NO_BID', 'UPPER_CONTROL'])
  const isReach = external_action === SHOWN || external_action === CLICKED
  if (bid_type === 'NO_BID' && (isReach || (isAutomatic && landing_type === 'LINK'))) {
    throw badRequest('bid_type: 不支持NO_BID')
  }
  if (bid_type === 'UPPER_CONTROL' && isAutomatic) throw badRequest('bid_type: 自动投放不支持UPPER_CONTROL')
  const pricing = read.oneOf('pricing', PRICING, 'PRICING_OCPM')
  const due = external_action === SHOWN ? 'PRICING_CPM' : external_action === CLICKED ? 'PRICING_CPC' : null
  if (due !== null && pricing !== due) throw badRequest(`pricing: 该转化目标只能是${due}`)
  if (due === null && /^PRICING_CP/.test(pricing))
    throw badRequest('pricing: 该转化目标只能是PRICING_OCPM、PRICING_OCPC')
  const cpa_bid = read.fen('cpa_bid')
  if (cpa_bid !== undefined && bid_type === 'NO_BID') throw badRequest('cpa_bid: NO_BID时不能填写')
  if (cpa_bid !== undefined && (cpa_bid < 1 || cpa_bid > 1_000_000)) throw badRequest('cpa_bid: 应在0.01到10000之间')
  if (cpa_bid === undefined && isAutomatic && bid_type === 'CUSTOM') throw missing('cpa_bid')
  const shared = optionalOf(read, 'budget_optimize_switch', ['ON', 'OFF'])
  const { budget, budget_mode } = budgetIn(read, { bid_type, isReach, isAutomatic, shared })
  const schedule = scheduleIn(read, today)
  mustKnow(read, 'delivery_setting.')
  return { setting: { bid_type, budget_mode, pricing, ...schedule }, budget }
}

function budgetIn(
  read: Body,
  of: { bid_type: string; isReach: boolean; isAutomatic: boolean; shared: string | undefined },
): { budget: number | null; budget_mode: string } {
  const budget_mode = oneOf(read, 'budget_mode', MODES)
  const budget = read.fen('budget')
  if (of.isAutomatic && budget_mode !== MODES[0]) throw badRequest('budget_mode: 自动投放只能是BUDGET_MODE_DAY')
  if (of.bid_type === 'NO_BID' && budget_mode === MODES[0] && of.shared === undefined) {
    throw missing('budget_optimize_switch')
  }
  // Ignored where there is no limit.
  if (budget_mode === MODES[1]) return { budget: null, budget_mode }
  if (budget === undefined) throw missing('budget')
  const least =
    of.shared === 'ON'
      ? BUDGET.other
      : of.isReach
        ? BUDGET.reach
        : of.bid_type === 'NO_BID'
          ? BUDGET.noBid
          : BUDGET.other
  if (budget < least || budget > BUDGET.most)
    throw badRequest(`项目预算应在${least / 100}元到${BUDGET.most / 100}元之间`)
  return { budget, budget_mode }
}

function scheduleIn(read: Body, today: string): { [name: string]: Json } {
  const schedule_type = read.oneOf('schedule_type', SCHEDULES, 'SCHEDULE_FROM_NOW')
  const [start_time, end_time] = ['start_time', 'end_time'].map((name) => dayIn(read, name))
  if (schedule_type === 'SCHEDULE_START_END') {
    if (start_time === undefined || end_time === undefined)
      throw missing(start_time === undefined ? 'start_time' : 'end_time')
    if (end_time < start_time) throw badRequest('end_time: 不能早于start_time')
    if (start_time < today) throw badRequest('start_time: 不能早于今天')
  } else if (start_time !== undefined || end_time !== undefined) {
    throw badRequest('start_time: 仅在schedule_type为SCHEDULE_START_END时填写')
  }
  const hours = hoursIn(read)
  return {
    schedule_type,
    ...(start_time !== undefined && { start_time }),
    ...(end_time !== undefined && { end_time }),
    ...(hours !== undefined && { schedule_time: hours }),
  }
}

export function dayIn(read: Body, name: string): string | undefined {
  const day = read.text(name, { isOptional: true })
  if (day === undefined) return undefined
  const time = Date.parse(`${day}T00:00:00Z`)
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === day
  if (!isDay) throw badRequest(`${name}: 格式应为YYYY-MM-DD`)
  return day
}

/** 336 signs; none at all, all 0 and all 1 mean always. */
export function hoursIn(read: Body): string | undefined {
  const hours = read.text('schedule_time', { isOptional: true })
  if (hours !== undefined && !/^[01]{336}$/.test(hours)) throw badRequest('schedule_time: 应为336位0或1')
  return hours
}

import type { AnyOutcome } from '../outcomes/entry.ts'
import { outcome } from '../outcomes/make.ts'
import { type Platform, type PlatformCode, platformOfCode } from '../platform.ts'
import { CREATION_FIELDS, type CreationField } from './creation-fields.ts'

// What a platform asks for when a plan is created there, beside what every plan has. One combination for each platform:
// the smallest that its documents describe.

export const SOCIAL_GOALS = {
  MARKETING_GOAL_LEAD_RETENTION: '线索留资',
  MARKETING_GOAL_PRODUCT_SALES: '商品销售',
  MARKETING_GOAL_USER_GROWTH: '用户增长',
  MARKETING_GOAL_BRAND_PROMOTION: '品牌宣传',
  MARKETING_GOAL_INCREASE_FANS_INTERACTION: '增粉互动',
} as const
export const SOCIAL_ACTIONS = {
  OPTIMIZATIONGOAL_LEADS: '销售线索',
  OPTIMIZATIONGOAL_PAGE_RESERVATION: '表单预约',
  OPTIMIZATIONGOAL_ECOMMERCE_ORDER: '下单',
  OPTIMIZATIONGOAL_CLICK: '点击',
  OPTIMIZATIONGOAL_FOLLOW: '关注',
} as const
export const SOCIAL_BIDS = { SMART_BID_TYPE_CUSTOM: '手动出价', SMART_BID_TYPE_SYSTEMATIC: '自动出价' } as const

export const VIDEO_ACTIONS = {
  AD_CONVERT_TYPE_FORM: '表单提交',
  AD_CONVERT_TYPE_CLICK_NUM: '点击量',
  AD_CONVERT_TYPE_SHOW_OFF_NUM: '展示量',
} as const

export const COMMERCE_ACTIONS = {
  AD_CONVERT_TYPE_LIVE_SUCCESSORDER_PAY: '直播间成交',
  AD_CONVERT_TYPE_LIVE_SUCCESSORDER_ACTION: '直播间下单',
  AD_CONVERT_TYPE_LIVE_CLICK_PRODUCT_ACTION: '直播间商品点击',
  AD_CONVERT_TYPE_NEW_FOLLOW_ACTION: '直播间粉丝提升',
} as const
export const COMMERCE_BIDS = { SMART_BID_CUSTOM: '控成本', SMART_BID_CONSERVATIVE: '放量' } as const

/** The largest bid, in fen. The platforms publish no bounds of their own. */
export const BID_MAX = 1_000_000

/** A page with its promoted product, paid for actions. */
export interface SocialCreation {
  kind: 'social'
  marketing_goal: keyof typeof SOCIAL_GOALS
  /** The promoted product, by the platform's number. */
  marketing_asset_id: string | null
  optimization_goal: keyof typeof SOCIAL_ACTIONS
  smart_bid_type: keyof typeof SOCIAL_BIDS
  /** Fen; null where the platform bids by itself. */
  bid: number | null
}
/** Leads on the platform's own pages. The bid belongs to the units of the project, which are made on the platform. */
export interface VideoCreation {
  kind: 'video'
  external_action: keyof typeof VIDEO_ACTIONS
}
/** A live room, whose picture is shown. */
export interface CommerceCreation {
  kind: 'commerce'
  /** The Douyin account that streams, by the platform's number. */
  aweme_id: string | null
  external_action: keyof typeof COMMERCE_ACTIONS
  smart_bid_type: keyof typeof COMMERCE_BIDS
  /** Fen; null where the platform bids by itself. */
  bid: number | null
}
export type PlanCreation = SocialCreation | VideoCreation | CommerceCreation

/** What a plan that is to be created on its platform begins with. */
const DEFAULTS: Partial<Record<Platform, PlanCreation>> = {
  social: {
    kind: 'social',
    marketing_goal: 'MARKETING_GOAL_LEAD_RETENTION',
    marketing_asset_id: null,
    optimization_goal: 'OPTIMIZATIONGOAL_LEADS',
    smart_bid_type: 'SMART_BID_TYPE_CUSTOM',
    bid: null,
  },
  video: { kind: 'video', external_action: 'AD_CONVERT_TYPE_FORM' },
  commerce: {
    kind: 'commerce',
    aweme_id: null,
    external_action: 'AD_CONVERT_TYPE_LIVE_SUCCESSORDER_PAY',
    smart_bid_type: 'SMART_BID_CUSTOM',
    bid: null,
  },
}

/** Null for a platform for whose plans the console holds no such choices. */
export const newCreation = (platform: PlatformCode): PlanCreation | null => DEFAULTS[platformOfCode(platform)] ?? null

/** Whether the platform bids by itself, or its units do. */
export const bidsByItself = (creation: PlanCreation): boolean =>
  creation.kind === 'video' ||
  creation.smart_bid_type === 'SMART_BID_TYPE_SYSTEMATIC' ||
  creation.smart_bid_type === 'SMART_BID_CONSERVATIVE'

/** As it is kept: without a bid that does not count. */
export const keptCreation = (creation: PlanCreation): PlanCreation =>
  creation.kind !== 'video' && bidsByItself(creation) ? { ...creation, bid: null } : creation

/** For a viewer who may not see amounts. */
export const withoutBid = (creation: PlanCreation): PlanCreation =>
  creation.kind === 'video' ? creation : { ...creation, bid: null }

interface Created {
  platform: PlatformCode
  creation: PlanCreation | null
  start_date: string | null
  end_date: string | null
}

/** Why a bid is refused. */
export function bidFault(creation: PlanCreation): AnyOutcome | null {
  if (creation.kind === 'video' || bidsByItself(creation) || creation.bid === null) return null
  if (!Number.isInteger(creation.bid)) return outcome('plan_bid_decimals')
  return creation.bid <= 0 || creation.bid > BID_MAX ? outcome('plan_creation_bid', { max: BID_MAX }) : null
}

/** What contradicts itself, drafts included. */
export function creationContradiction({ platform, creation }: Created): AnyOutcome[] {
  if (creation === null) return []
  if (creation.kind !== platformOfCode(platform)) return [outcome('plan_creation_other')]
  const bid = bidFault(creation)
  return bid ? [bid] : []
}

/** What a plan that is to be created on its platform lacks besides. */
export function creationFaults({ creation, start_date, end_date }: Created, today: string): AnyOutcome[] {
  if (creation === null) return []
  const needs = (field: CreationField, value: string | number | null) =>
    value === null ? [outcome('plan_creation_missing', { field })] : []
  const faults: AnyOutcome[] = []
  if (creation.kind === 'social') faults.push(...needs('marketing_asset_id', creation.marketing_asset_id))
  if (creation.kind === 'commerce') faults.push(...needs('aweme_id', creation.aweme_id))
  if (creation.kind !== 'video' && !bidsByItself(creation)) faults.push(...needs('bid', creation.bid))
  // These platforms take a first day only together with a last one.
  if (creation.kind !== 'social' && end_date === null && start_date !== null && start_date > today) {
    faults.push(outcome('plan_creation_end_missing'))
  }
  return faults
}

/** The choices in words, for the log. `yuan`: how an amount of fen is written. */
export function creationWords(creation: PlanCreation, yuan: (fen: number) => string): string {
  const bid = (words: string, fen: number | null) => (fen === null ? words : `${words} ${yuan(fen)}`)
  switch (creation.kind) {
    case 'social':
      return [
        SOCIAL_GOALS[creation.marketing_goal],
        `${CREATION_FIELDS.marketing_asset_id} ${creation.marketing_asset_id ?? '未填'}`,
        SOCIAL_ACTIONS[creation.optimization_goal],
        bid(SOCIAL_BIDS[creation.smart_bid_type], creation.bid),
      ].join('、')
    case 'video':
      return VIDEO_ACTIONS[creation.external_action]
    case 'commerce':
      return [
        `${CREATION_FIELDS.aweme_id} ${creation.aweme_id ?? '未填'}`,
        COMMERCE_ACTIONS[creation.external_action],
        bid(COMMERCE_BIDS[creation.smart_bid_type], creation.bid),
      ].join('、')
  }
}

/** Whether two are the same choices. */
export const isSameCreation = (one: PlanCreation | null, other: PlanCreation | null): boolean =>
  one === other || (one !== null && other !== null && creationKey(one) === creationKey(other))

const creationKey = (creation: PlanCreation): string => JSON.stringify(Object.entries(creation).toSorted())

import { z } from 'zod'
import { meaningsOf } from '../common.ts'
import { PlatformId } from './common.ts'

/** What an estimate of the commerce platform is for, beside the targeting. */
export const ESTIMATE_NEEDS = {
  external_action: '转化目标',
  aweme_id: '抖音号 ID',
  product_id: '商品 ID',
} as const
export type EstimateNeed = keyof typeof ESTIMATE_NEEDS

/** Conversion goals with their labels; the platform publishes the codes alone. */
export const EXTERNAL_ACTIONS = {
  AD_CONVERT_TYPE_LIVE_SUCCESSORDER_PAY: '直播间成交',
  AD_CONVERT_TYPE_LIVE_SUCCESSORDER_ACTION: '直播间下单',
  AD_CONVERT_TYPE_LIVE_SUCCESSORDER_PAY_7DAYS: '直播间 7 日成交',
  AD_CONVERT_TYPE_LIVE_PAY_ROI: '直播间支付 ROI',
  AD_CONVERT_TYPE_LIVE_CLICK_PRODUCT_ACTION: '直播间商品点击',
  AD_CONVERT_TYPE_NEW_FOLLOW_ACTION: '直播间粉丝提升',
  AD_CONVERT_TYPE_QC_FOLLOW_ACTION: '粉丝提升',
  AD_CONVERT_TYPE_QC_MUST_BUY: '成交必买',
  AD_CONVERT_TYPE_SHOPPING: '商品购买',
  AD_CONVERT_TYPE_CARD_ACTIVE: '商品卡点击',
} as const

const codes = Object.keys(EXTERNAL_ACTIONS) as [keyof typeof EXTERNAL_ACTIONS, ...(keyof typeof EXTERNAL_ACTIONS)[]]
const Action = z.enum(codes).describe(meaningsOf(EXTERNAL_ACTIONS))

/** What the estimates of an account count, for live rooms and for videos. */
export const EstimateGoals = z.object({
  LIVE: z
    .object({ external_action: Action, aweme_id: PlatformId.describe('抖音号 ID') })
    .nullable()
    .describe('直播的预估；没有设置时为 null'),
  VIDEO: z
    .object({ external_action: Action, product_id: PlatformId.describe('商品 ID') })
    .nullable()
    .describe('短视频的预估；没有设置时为 null'),
})
export type EstimateGoals = z.output<typeof EstimateGoals>

import { z } from 'zod'
import {
  BID_MAX,
  COMMERCE_ACTIONS,
  COMMERCE_BIDS,
  type PlanCreation as Creation,
  SOCIAL_ACTIONS,
  SOCIAL_BIDS,
  SOCIAL_GOALS,
  VIDEO_ACTIONS,
} from './activity/creation.ts'
import { keysOf, meaningsOf } from './common.ts'
import { PlatformId } from './targeting/common.ts'

const codes = <T extends Record<string, string>>(table: T, what: string) =>
  z.enum(keysOf(table as Record<Extract<keyof T, string>, string>)).describe(`${what}：${meaningsOf(table)}`)
const Bid = z
  .int()
  .positive('出价应大于 0')
  .max(BID_MAX, `出价不能超过 ${BID_MAX / 100} 元`)
  .nullable()
  .default(null)
  .describe('出价，单位分；平台自动出价时为 null')
const number = (what: string) => PlatformId.nullable().default(null).describe(`${what}；草稿中可为 null`)

const SocialCreation = z.strictObject({
  kind: z.literal('social').describe('腾讯广告：推广页面，按优化目标出价，自动版位'),
  marketing_goal: codes(SOCIAL_GOALS, '营销目的'),
  marketing_asset_id: number('推广产品在平台上的编号'),
  optimization_goal: codes(SOCIAL_ACTIONS, '优化目标'),
  smart_bid_type: codes(SOCIAL_BIDS, '出价方式'),
  bid: Bid,
})
const VideoCreation = z.strictObject({
  kind: z.literal('video').describe('巨量引擎：橙子落地页收集线索，通投；单元与素材在平台上添加'),
  external_action: codes(VIDEO_ACTIONS, '转化目标'),
})
const CommerceCreation = z.strictObject({
  kind: z.literal('commerce').describe('巨量千川：推广直播间画面'),
  aweme_id: number('抖音号在平台上的编号'),
  external_action: codes(COMMERCE_ACTIONS, '转化目标'),
  smart_bid_type: codes(COMMERCE_BIDS, '投放方式'),
  bid: Bid,
})

/** How a plan is created on its platform. */
export const PlanCreation: z.ZodType<Creation, unknown> = z
  .discriminatedUnion('kind', [SocialCreation, VideoCreation, CommerceCreation])
  .meta({ id: 'PlanCreation', description: '在平台新建计划所需的设置，每个平台各一种' })

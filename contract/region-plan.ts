import { z } from 'zod'
import { Id, itemName, Nothing, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { PlatformId, REGIONS_MAX } from './targeting/common.ts'
import { versioned } from './targeting-package.ts'

/** The most region plans of an advertiser for one platform. */
export const REGION_PLANS_MAX = 200

export const PlanName = itemName('请输入地域包名称')
const Name = PlanName.describe('地域包名称，1 到 30 个字符，同一广告主同一平台内不可重名')
const Regions = z
  .array(PlatformId)
  .min(1)
  .max(REGIONS_MAX)
  .transform((ids) => [...new Set(ids)])
  .describe(`平台的地域编号，1 到 ${REGIONS_MAX} 个，重复的只保存一次`)

export const RegionPlan = z
  .object({
    id: Id.describe('地域包 ID'),
    name: z.string().describe('地域包名称'),
    regions: z.array(PlatformId).describe('地域编号'),
    creator: z.string().describe('创建人姓名'),
    created_at: Seconds.describe('创建时间，时间戳（秒）'),
  })
  .meta({ id: 'RegionPlan', description: '广告主保存的地域包' })
export type RegionPlan = z.output<typeof RegionPlan>

export const addRegionPlan = endpoint({
  method: 'POST',
  ...versioned('region_plans/add'),
  summary: `把一些地域存为广告主的地域包，每个平台最多 ${REGION_PLANS_MAX} 个；用 tags 的 REGION_PLAN 列出`,
  body: z.object({ advertiser_id: Id.describe('平台账户 ID'), name: Name, regions: Regions }),
  data: z.object({ id: Id.describe('地域包 ID') }),
})

export const renameRegionPlan = endpoint({
  method: 'POST',
  ...versioned('region_plans/rename'),
  summary: '重命名地域包；已选它的定向包保留当时的名称',
  body: z.object({ id: Id.describe('地域包 ID'), name: Name }),
  data: Nothing,
})

export const deleteRegionPlan = endpoint({
  method: 'POST',
  ...versioned('region_plans/delete'),
  summary: '删除地域包；已选它的定向包保留其中的地域',
  body: z.object({ id: Id.describe('地域包 ID') }),
  data: Nothing,
})

import { z } from 'zod'
import { Id } from './common.ts'
import { PlatformId } from './targeting/common.ts'

/** A plan that delivers ads now: one of ours, or one that was made on the platform. */
export const LivePlan = z.object({
  id: Id.nullable().describe('计划 ID；在平台上建立的计划为 null'),
  plan_id: PlatformId.nullable().describe('平台上计划的编号；没有提交到平台的为 null'),
  name: z.string().describe('计划名称'),
})
export type LivePlan = z.infer<typeof LivePlan>

/** A live plan of a crowd or of its audience. */
export const CrowdPlan = LivePlan.extend({
  package_name: z.string().nullable().describe('计划通过哪个定向包使用它；直接使用的为 null'),
})
export type CrowdPlan = z.infer<typeof CrowdPlan>

/** What uses a crowd: a live plan, or another crowd. */
export const CrowdUser = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('crowd').describe('人群'),
    id: Id.describe('人群的 ID'),
    name: z.string().describe('人群的名称'),
  }),
  CrowdPlan.extend({ kind: z.literal('plan').describe('计划') }),
])
export type CrowdUser = z.infer<typeof CrowdUser>

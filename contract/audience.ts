import { z } from 'zod'
import { Id, IdParam, IdParams, keysOf, Nothing, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { IdentifierType } from './identifier.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import { AudienceCode } from './platform.ts'

const Path = <const P extends string>(path: P) => `/api/v1/gdtcrowd/${path}` as const

/** Statuses of a crowd and its children, in the order of the filter. */
export const CUSTOM_STATUS = {
  available: '可用',
  computing: '计算中',
  failed: '计算失败',
  expired: '已过期',
  frozen: '已冻结',
} as const
export type CustomStatus = keyof typeof CUSTOM_STATUS
export const CustomStatus = z.enum(keysOf(CUSTOM_STATUS))

/** Platforms that take custom crowds. */
export const CntType = z.coerce.number().pipe(AudienceCode)
export type CntType = AudienceCode

/** A child of a crowd: its audience on one platform account. */
export const CustomChild = z.object({
  id: Id,
  is_children: z.literal(true),
  /** Id of the crowd. */
  cnt_id: Id,
  name: z.string(),
  /** Its name on the platform, which may be shortened. */
  platform_name: z.string(),
  /** The platform's own id; null until it has one. */
  tag_id: z.string().nullable(),
  cnt_type: CntType,
  /** Our id of the platform account, which is what `adv_id` means on children. */
  adv_id: Id,
  adv_name: z.string(),
  /** The platform's own id of the account, since several accounts may have the same name. */
  external_id: z.string(),
  status: CustomStatus,
  /** Why it failed, was paused or waits. */
  reason: z.string().nullable(),
  reason_outcome: AnyOutcome.nullable(),
  /** The unfinished push, with its progress from 0 to 1. */
  push: z.object({ id: Id, progress: z.number(), stage: z.string(), is_paused: z.boolean() }).nullable(),
  user_count: z.int().nullable(),
  /** Pushed again after each recomputation (rule crowds). */
  keeps_step: z.boolean(),
  /** The identifier types sent: the crowd's own, or those chosen for a rule crowd. */
  types: z.array(IdentifierType),
  creator_id: Id,
  creator: z.string(),
  created_at: Seconds,
})
export type CustomChild = z.infer<typeof CustomChild>

/** The audiences of an account on a platform, against its quota. */
export const getCustomQuota = endpoint({
  method: 'GET',
  path: Path('crowd/custom/quota'),
  group: '自定义人群',
  summary: '平台账户的自定义人群配额',
  query: z.object({ adv_id: IdParam, cnt_type: CntType }),
  data: z.object({ used: z.int(), total: z.int() }),
})

/** The children of a rule crowd; the children of an uploaded crowd are in its row. */
export const listRuleChildren = endpoint({
  method: 'GET',
  path: '/api/push/children',
  group: '推送',
  summary: '规则人群在各平台账户下的子人群',
  query: z.object({ id: IdParam }),
  data: z.object({ list: z.array(CustomChild) }),
})

export const setKeepsStep = endpoint({
  method: 'PUT',
  path: '/api/push/child/{id}',
  group: '推送',
  summary: '子人群是否随人群更新自动推送',
  params: IdParams,
  body: z.object({ keeps_step: z.boolean() }),
  data: Nothing,
})

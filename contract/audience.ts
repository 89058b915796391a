import { z } from 'zod'
import { Id, IdParam, IdParams, keysOf, meaningsOf, Nothing, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { IdentifierType } from './identifier.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import { AUDIENCE_CODES, AudienceCode, platformWords } from './platform.ts'
import { PUSH_STATE } from './push-status.ts'
import { withSpellings } from './spellings.ts'

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
export const CustomStatus = z.enum(keysOf(CUSTOM_STATUS)).describe(meaningsOf(CUSTOM_STATUS))

/** Platforms that take custom crowds. */
export const CntType = z.coerce.number().pipe(AudienceCode).describe(platformWords(AUDIENCE_CODES))
export type CntType = AudienceCode

/** A child of a crowd: its audience on one platform account. */
export const CustomChild = z.object({
  id: Id.describe('子人群 ID'),
  is_children: z.literal(true).describe('总为 true：这是子人群'),
  /** Id of the crowd. */
  cnt_id: Id.describe('所属人群的 ID'),
  name: z.string().describe('子人群的名称'),
  /** Its name on the platform, which may be shortened. */
  platform_name: z.string().describe('在平台上的名称，可能被缩短'),
  /** The platform's own id; null until it has one. */
  tag_id: z.string().nullable().describe('平台给人群的编号，64 位整数写成文字；尚未取得时为 null'),
  cnt_type: CntType,
  /** Our id of the platform account, which is what `adv_id` means on children. */
  adv_id: Id.describe('所在的平台账户 ID（子人群的 adv_id 是账户）'),
  adv_name: z.string().describe('平台账户的名称'),
  /** The platform's own id of the account, since several accounts may have the same name. */
  external_id: z.string().describe('平台给账户的编号，用来区分同名账户'),
  account_remark: z.string().describe('平台账户的备注；没有时为空'),
  status: CustomStatus,
  /** Why it failed, was paused or waits. */
  reason: z.string().nullable().describe('失败、暂停或等待的原因，一句话；没有时为 null'),
  reason_outcome: AnyOutcome.nullable(),
  /** The unfinished push, with its progress from 0 to 1. */
  push: z
    .object({
      id: Id.describe('推送 ID'),
      progress: z.number().describe('进度，0 到 1'),
      stage: z.string().describe('当前步骤'),
      is_paused: z.boolean().describe('是否已暂停，例如等待重新授权'),
    })
    .nullable()
    .describe('未完成的推送；没有时为 null'),
  last_push: z
    .object({
      id: Id.describe('推送的 ID'),
      state: z
        .enum(keysOf(PUSH_STATE))
        .describe('等待推送、推送中、等待重试、推送已暂停、推送成功、推送失败或推送已取消'),
      next_at: Seconds.nullable().describe('自动继续的时间，秒；不在等待或时间未知时为 null'),
    })
    .nullable()
    .describe('未完成的推送，或最近一次结束的推送；从未推送时为 null'),
  user_count: z.int().nullable().describe('平台返回的覆盖人数；平台尚未给出时为 null'),
  /** Pushed again after each recomputation (rule crowds). */
  keeps_step: z.boolean().describe('规则人群重新计算后是否自动再推送'),
  /** The identifier types sent: the crowd's own, or those chosen for a rule crowd. */
  types: z.array(IdentifierType).describe('发送的标识类型：上传的人群是它自己的类型，规则人群是推送时所选的'),
  creator_id: Id.describe('创建人 ID'),
  creator: z.string().describe('创建人姓名'),
  created_at: Seconds.describe('创建时间，时间戳（秒）'),
})
export type CustomChild = z.infer<typeof CustomChild>

/** The audiences of an account on a platform, against its quota. */
export const getCustomQuota = endpoint({
  method: 'GET',
  path: Path('crowd/custom/quota'),
  group: '自定义人群',
  summary: '平台账户的自定义人群配额',
  query: withSpellings(z.object({ adv_id: IdParam.describe('平台账户 ID'), cnt_type: CntType }), {
    advertiser_id: { for: 'adv_id', schema: IdParam },
  }),
  data: z.object({ used: z.int().describe('已用的个数'), total: z.int().describe('个数上限') }),
})

/** The children of a rule crowd; the children of an uploaded crowd are in its row. */
export const listRuleChildren = endpoint({
  method: 'GET',
  path: '/api/push/children',
  group: '推送',
  summary: '规则人群在各平台账户下的子人群',
  query: z.object({ id: IdParam.describe('规则人群 ID') }),
  data: z.object({ list: z.array(CustomChild).describe('它的子人群') }),
})

export const setKeepsStep = endpoint({
  method: 'PUT',
  path: '/api/push/child/{id}',
  group: '推送',
  summary: '子人群是否随人群更新自动推送',
  params: IdParams,
  body: z.object({ keeps_step: z.boolean().describe('人群更新时是否自动推送') }),
  data: Nothing,
})

import { z } from 'zod'
import { CntType } from './audience.ts'
import { Id, IdParam, IdParams, keysOf, meaningsOf, Nothing, PageQuery, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { IdentifierType } from './identifier.ts'
import { AnyOutcome } from './outcomes/entry.ts'
import { PUSH_STATE, PUSH_STATUS } from './push-status.ts'

const group = '推送'

/** What is pushed: an uploaded crowd, or the members of a rule crowd by their identifiers of these types. */
export const PushSource = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('custom').describe('固定为 custom：上传的人群'), id: Id.describe('上传的人群 ID') }),
    z.object({
      kind: z.literal('rule').describe('固定为 rule：规则人群'),
      id: Id.describe('规则人群 ID'),
      types: z.array(IdentifierType).min(1, '请选择标识类型').max(15).describe('要发送的标识类型，1 到 15 种'),
    }),
  ])
  .describe('要推送的人群')

/** For each identifier type: the number of values, how many can be sent, and why the others cannot. */
export const PushCheck = z.object({
  /** Whether it can be pushed; `problems` say why not. */
  ok: z.boolean().describe('能否推送；不能时 problems 说明原因'),
  problems: z.array(z.string()).describe('不能推送的原因，每条一句话'),
  problem_outcomes: z.array(AnyOutcome).describe('problems 的代码与参数'),
  /** Notes that do not prevent the push. */
  notes: z.array(z.string()).describe('不影响推送的说明，每条一句话'),
  note_outcomes: z.array(AnyOutcome).describe('notes 的代码与参数'),
  /** The audience's name on the platform. */
  platform_name: z.string().describe('人群在平台上的名称'),
  types: z
    .array(
      z.object({
        type: IdentifierType,
        total: z.int().describe('人群中这种标识的个数'),
        sendable: z.int().describe('可以发送的个数'),
        suppressed: z.int().describe('因屏蔽名单而不发送的个数'),
        no_consent: z.int().describe('因用户不同意而不发送的个数'),
        held_out: z.int().describe('因属于对照组而不发送的个数'),
        not_sendable: z.int().describe('平台不接收而不发送的个数'),
        reason: z.string().nullable().describe('不发送的原因，一句话；都能发送时为 null'),
        reason_outcome: AnyOutcome.nullable(),
      }),
    )
    .describe('按标识类型的统计；total = sendable + suppressed + no_consent + held_out + not_sendable'),
  quota: z
    .object({ used: z.int().describe('已用的人群个数'), total: z.int().describe('人群个数上限') })
    .describe('账户的自定义人群配额'),
})
export type PushCheck = z.infer<typeof PushCheck>

export const checkPush = endpoint({
  method: 'POST',
  path: '/api/push/check',
  group,
  summary: '推送前检查：平台规则、配额、每种标识可发送多少',
  body: z.object({ source: PushSource, cnt_type: CntType, account_id: Id.describe('目标平台账户 ID') }),
  data: PushCheck,
})

export const startPush = endpoint({
  method: 'POST',
  path: '/api/v1/gdtcrowd/crowd/custom/push/{cnt_type}',
  group,
  summary: '推送人群到一个平台账户',
  params: z.object({ cnt_type: CntType }),
  body: z.object({
    id: Id.describe('人群 ID；kind 为 rule 时是规则人群 ID'),
    /** Id of the platform account; the dialog uses this name. */
    advertiser_id: Id.describe('目标平台账户 ID'),
    /** Sent by the dialog; if given, it must be the platform of the path. */
    selectPt: CntType.optional(),
    adv_id: Id.optional().describe('人群所属的广告主 ID'),
    cnt_type: CntType.optional(),
    /** `rule`: the id is a rule crowd's. */
    kind: z.enum(['custom', 'rule']).default('custom').describe('id 是哪种人群：custom 上传的人群，rule 规则人群'),
    types: z.array(IdentifierType).default([]).describe('规则人群要发送的标识类型；上传的人群不用填'),
    /** If left out, an existing child keeps its setting and a new one does not follow its crowd. */
    keeps_step: z
      .boolean()
      .optional()
      .describe('以后人群更新时是否自动推送；不填时，已有的子人群保持原设置，新的不自动推送'),
  }),
  data: z.object({ push_id: Id.describe('推送 ID'), child_id: Id.describe('子人群 ID') }),
})

/** One of the accounts of a push to several, and what became of it there. */
const StartedPush = z.object({
  cnt_type: CntType.describe('平台编号'),
  account_id: Id.describe('平台账户的 ID'),
  push_id: Id.nullable().describe('推送的 ID；没有提交时为 null'),
  child_id: Id.nullable().describe('子人群的 ID；没有提交时为 null'),
  task_id: Id.nullable().describe('任务的 ID，进度在任务中；没有提交时为 null'),
  problem: z.string().nullable().describe('没有提交的原因；已提交时为 null'),
  problem_outcome: AnyOutcome.nullable().describe('同上，以代码与参数表示'),
})
export type StartedPush = z.infer<typeof StartedPush>

export const PUSH_ACCOUNTS_MAX = 20

export const startPushes = endpoint({
  method: 'POST',
  path: '/api/push/start',
  group,
  summary: `推送人群到多个平台账户，可属于不同平台，最多 ${PUSH_ACCOUNTS_MAX} 个；每个账户各有结果，重复调用不会重复推送`,
  body: z.object({
    source: PushSource.describe('推送的人群'),
    accounts: z
      .array(z.object({ cnt_type: CntType.describe('平台编号'), account_id: Id.describe('平台账户的 ID') }))
      .min(1, '请选择广告主')
      .max(PUSH_ACCOUNTS_MAX, `一次最多选择 ${PUSH_ACCOUNTS_MAX} 个投放账户`)
      .describe('投放账户'),
    keeps_step: z
      .boolean()
      .optional()
      .describe('规则人群重新计算后是否自动推送；不填时保持原来的设置，新的子人群不自动推送'),
  }),
  data: z.object({ list: z.array(StartedPush).describe('每个账户的结果，与提交的顺序相同') }),
})

export const PushRow = z.object({
  id: Id.describe('推送 ID'),
  child_id: Id.describe('子人群 ID'),
  account_id: Id.describe('目标平台账户 ID'),
  account_name: z.string().describe('平台账户的名称'),
  /** The platform's own id of the account, since several accounts may have the same name. */
  external_id: z.string().describe('平台给账户的编号，用来区分同名账户'),
  account_remark: z.string().describe('平台账户的备注；没有时为空'),
  keeps_step: z.boolean().describe('人群更新时是否自动推送到这个账户'),
  cnt_type: CntType,
  status: z.enum(keysOf(PUSH_STATUS)).describe(meaningsOf(PUSH_STATUS)),
  state: z.enum(keysOf(PUSH_STATE)).describe(meaningsOf(PUSH_STATE)),
  next_at: Seconds.nullable().describe('自动继续的时间，时间戳（秒）；不在等待或时间未知时为 null'),
  stage: z.string().describe('当前步骤'),
  progress: z.number().describe('进度，0 到 1'),
  /** Why it is paused, cancelled, failed, or waits for its next attempt. */
  reason: z.string().nullable().describe('暂停、取消、失败或等待重试的原因，一句话；没有时为 null'),
  reason_outcome: AnyOutcome.nullable(),
  /** Values added to and removed from the audience. */
  adds: z.int().describe('要加入平台人群的标识数'),
  removes: z.int().describe('要移出平台人群的标识数'),
  /** total = sent + suppressed + no_consent + held_out + not_sendable + waiting; values of earlier pushes count as sent. */
  total: z
    .int()
    .describe('标识总数；= sent + suppressed + no_consent + held_out + not_sendable + waiting；以前推送过的计入 sent'),
  sent: z.int().describe('已发送的标识数'),
  suppressed: z.int().describe('因屏蔽名单而没有发送的标识数'),
  no_consent: z.int().describe('因用户不同意而没有发送的标识数'),
  held_out: z.int().describe('因属于对照组而没有发送的标识数'),
  not_sendable: z.int().describe('平台不接收其类型而没有发送的标识数'),
  waiting: z.int().describe('还在等待发送的标识数'),
  /** How many values of the whole audience the platform took, as in the funnel; for earlier pushes, as of their end. */
  accepted: z.int().nullable().describe('平台接收的标识数（整个人群）；较早的推送是其结束时的数；平台不告知时为 null'),
  created_at: Seconds.describe('创建时间，时间戳（秒）'),
  finished_at: Seconds.nullable().describe('结束时间，时间戳（秒）；未结束时为 null'),
})
export type PushRow = z.infer<typeof PushRow>

export const listPushes = endpoint({
  method: 'GET',
  path: '/api/push/list',
  group,
  summary: '一个人群的推送记录',
  query: PageQuery.extend({
    kind: z.enum(['custom', 'rule']).default('custom').describe('id 是哪种人群：custom 上传的人群，rule 规则人群'),
    id: IdParam.describe('人群 ID'),
    /** Only pushes to this child. */
    child_id: IdParam.optional().describe('只列推送到这个子人群的'),
  }),
  data: z.object({
    list: z.array(PushRow).describe('本页的推送，最近的在前'),
    total: z.int().describe('符合条件的推送总数'),
  }),
})

/** A request and its answer, shortened and without secrets. */
const PushCall = z.object({
  at: Seconds.describe('请求的时间，时间戳（秒）'),
  method: z.string().describe('HTTP 方法'),
  path: z.string().describe('请求路径'),
  request: z.string().describe('请求内容，已缩短并去除密钥'),
  status: z.int().nullable().describe('平台答复的 HTTP 状态；没有答复时为 null'),
  answer: z.string().describe('平台的答复，已缩短'),
  took_ms: z.int().describe('用时，毫秒'),
})

/** A part with its requests and answers. */
export const PushPart = z.object({
  no: z.int().describe('分片序号，从 1 开始'),
  op: z.enum(['add', 'remove']).describe('add 加入，remove 移出'),
  type: IdentifierType,
  count: z.int().describe('分片中的标识数'),
  status: z
    .enum(['waiting', 'sent', 'done', 'failed'])
    .describe('waiting 等待，sent 已发送，done 平台已处理，failed 失败'),
  accepted: z.int().nullable().describe('平台接收的标识数；平台不告知时为 null'),
  reason: z.string().nullable().describe('失败的原因，一句话；没有时为 null'),
  reason_outcome: AnyOutcome.nullable(),
  attempts: z.int().describe('已尝试的次数'),
  samples: z.array(PushCall).describe('它的请求与应答样例'),
})
export const getPush = endpoint({
  method: 'GET',
  path: '/api/push/{id}',
  group,
  summary: '一次推送的各部分，及其请求与应答样例',
  params: IdParams,
  /** `calls`: those that belong to no part, such as creating and publishing. */
  data: z.object({
    push: PushRow.describe('推送'),
    calls: z.array(PushCall).describe('不属于任何分片的请求，例如新建与发布'),
    parts: z.array(PushPart).describe('各分片'),
  }),
})

export const retryPush = endpoint({
  method: 'POST',
  path: '/api/push/{id}/retry',
  group,
  summary: '重试失败或暂停的推送，从停下的地方继续',
  params: IdParams,
  data: Nothing,
})

export const cancelPush = endpoint({
  method: 'POST',
  path: '/api/push/{id}/cancel',
  group,
  summary: '取消未完成的推送，并说明已发送多少；排在它后面的推送也会取消。重复取消的结果相同',
  params: IdParams,
  data: z.object({
    told: z.string().describe('已发送多少，平台上有什么'),
    told_outcome: AnyOutcome.describe('同上，以代码与参数表示'),
  }),
})

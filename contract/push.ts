import { z } from 'zod'
import { CntType } from './audience.ts'
import { Id, IdParam, IdParams, Nothing, PageQuery, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { IdentifierType } from './identifier.ts'
import { AnyOutcome } from './outcomes/entry.ts'

const group = '推送'

export const PUSH_STATUS = {
  waiting: '等待中',
  running: '推送中',
  paused: '已暂停',
  done: '已完成',
  failed: '失败',
} as const
export type PushStatus = keyof typeof PUSH_STATUS
/** Statuses of an unfinished push. */
export const OPEN_PUSH = ['waiting', 'running', 'paused'] as const satisfies PushStatus[]

/** What is pushed: an uploaded crowd, or the members of a rule crowd by their identifiers of these types. */
export const PushSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('custom'), id: Id }),
  z.object({ kind: z.literal('rule'), id: Id, types: z.array(IdentifierType).min(1, '请选择标识类型').max(15) }),
])

/** For each identifier type: the number of values, how many can be sent, and why the others cannot. */
export const PushCheck = z.object({
  /** Whether it can be pushed; `problems` say why not. */
  ok: z.boolean(),
  problems: z.array(z.string()),
  problem_outcomes: z.array(AnyOutcome),
  /** Notes that do not prevent the push. */
  notes: z.array(z.string()),
  note_outcomes: z.array(AnyOutcome),
  /** The audience's name on the platform. */
  platform_name: z.string(),
  types: z.array(
    z.object({
      type: IdentifierType,
      total: z.int(),
      sendable: z.int(),
      suppressed: z.int(),
      no_consent: z.int(),
      not_sendable: z.int(),
      reason: z.string().nullable(),
      reason_outcome: AnyOutcome.nullable(),
    }),
  ),
  quota: z.object({ used: z.int(), total: z.int() }),
})
export type PushCheck = z.infer<typeof PushCheck>

export const checkPush = endpoint({
  method: 'POST',
  path: '/api/push/check',
  group,
  summary: '推送前检查：平台规则、配额、每种标识可发送多少',
  body: z.object({ source: PushSource, cnt_type: CntType, account_id: Id }),
  data: PushCheck,
})

export const startPush = endpoint({
  method: 'POST',
  path: '/api/v1/gdtcrowd/crowd/custom/push/{cnt_type}',
  group,
  summary: '推送人群到一个平台账户',
  params: z.object({ cnt_type: CntType }),
  body: z.object({
    id: Id,
    /** Id of the platform account; the dialog uses this name. */
    advertiser_id: Id,
    /** Sent by the dialog; if given, it must be the platform of the path. */
    selectPt: CntType.optional(),
    adv_id: Id.optional(),
    cnt_type: CntType.optional(),
    /** `rule`: the id is a rule crowd's. */
    kind: z.enum(['custom', 'rule']).default('custom'),
    types: z.array(IdentifierType).default([]),
    /** If left out, an existing child keeps its setting and a new one does not follow its crowd. */
    keeps_step: z.boolean().optional(),
  }),
  data: z.object({ push_id: Id, child_id: Id }),
})

export const PushRow = z.object({
  id: Id,
  child_id: Id,
  account_id: Id,
  account_name: z.string(),
  /** The platform's own id of the account, since several accounts may have the same name. */
  external_id: z.string(),
  cnt_type: CntType,
  status: z.enum(['waiting', 'running', 'paused', 'done', 'failed']),
  stage: z.string(),
  progress: z.number(),
  /** Why it is paused or failed. */
  reason: z.string().nullable(),
  reason_outcome: AnyOutcome.nullable(),
  /** Values added to and removed from the audience. */
  adds: z.int(),
  removes: z.int(),
  /** total = sent + suppressed + no_consent + not_sendable + waiting; values of earlier pushes count as sent. */
  total: z.int(),
  sent: z.int(),
  suppressed: z.int(),
  no_consent: z.int(),
  not_sendable: z.int(),
  waiting: z.int(),
  /** How many values of the whole audience the platform took, as in the funnel; for earlier pushes, as of their end. */
  accepted: z.int().nullable(),
  created_at: Seconds,
  finished_at: Seconds.nullable(),
})
export type PushRow = z.infer<typeof PushRow>

export const listPushes = endpoint({
  method: 'GET',
  path: '/api/push/list',
  group,
  summary: '一个人群的推送记录',
  query: PageQuery.extend({
    kind: z.enum(['custom', 'rule']).default('custom'),
    id: IdParam,
    /** Only pushes to this child. */
    child_id: IdParam.optional(),
  }),
  data: z.object({ list: z.array(PushRow), total: z.int() }),
})

/** A request and its answer, shortened and without secrets. */
const PushCall = z.object({
  at: Seconds,
  method: z.string(),
  path: z.string(),
  request: z.string(),
  status: z.int().nullable(),
  answer: z.string(),
  took_ms: z.int(),
})

/** A part with its requests and answers. */
export const PushPart = z.object({
  no: z.int(),
  op: z.enum(['add', 'remove']),
  type: IdentifierType,
  count: z.int(),
  status: z.enum(['waiting', 'sent', 'done', 'failed']),
  accepted: z.int().nullable(),
  reason: z.string().nullable(),
  reason_outcome: AnyOutcome.nullable(),
  attempts: z.int(),
  samples: z.array(PushCall),
})
export const getPush = endpoint({
  method: 'GET',
  path: '/api/push/{id}',
  group,
  summary: '一次推送的各部分，及其请求与应答样例',
  params: IdParams,
  /** `calls`: those that belong to no part, such as creating and publishing. */
  data: z.object({ push: PushRow, calls: z.array(PushCall), parts: z.array(PushPart) }),
})

export const retryPush = endpoint({
  method: 'POST',
  path: '/api/push/{id}/retry',
  group,
  summary: '重试失败或暂停的推送，从停下的地方继续',
  params: IdParams,
  data: Nothing,
})

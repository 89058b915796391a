import { z } from 'zod'
import { Id, IdParam, IdParams, Nothing, PageQuery, Seconds } from './common.ts'
import { CntType, CustomChild } from './custom-crowd.ts'
import { endpoint } from './endpoint.ts'
import { IdentifierType } from './identifier.ts'

const group = '推送'

export const PUSH_STATUS = {
  waiting: '等待中',
  running: '推送中',
  paused: '已暂停',
  done: '已完成',
  failed: '失败',
} as const
export type PushStatus = keyof typeof PUSH_STATUS
/** Of a push that has not come to its end. */
export const OPEN_PUSH = ['waiting', 'running', 'paused'] as const satisfies PushStatus[]

/** What is pushed: an uploaded crowd, or a rule crowd's members by their identifiers of these types. */
export const PushSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('custom'), id: Id }),
  z.object({ kind: z.literal('rule'), id: Id, types: z.array(IdentifierType).min(1, '请选择标识类型').max(15) }),
])

/** Per identifier type: how many values there are, how many can be sent, and why the others cannot. */
export const PushCheck = z.object({
  /** May it be pushed at all; the sentences say why not. */
  ok: z.boolean(),
  problems: z.array(z.string()),
  /** Worth knowing, no hindrance. */
  notes: z.array(z.string()),
  /** The audience's name there. */
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
    /** The platform account, as the dialog names it. */
    advertiser_id: Id,
    /** As the dialog sends it; where it is given, the platform of the path. */
    selectPt: CntType.optional(),
    adv_id: Id.optional(),
    cnt_type: CntType.optional(),
    /** `rule`: the id is a rule crowd's. */
    kind: z.enum(['custom', 'rule']).default('custom'),
    types: z.array(IdentifierType).default([]),
    /** Left out: as the child has it; a new one does not follow. */
    keeps_step: z.boolean().optional(),
  }),
  data: z.object({ push_id: Id, child_id: Id }),
})

export const PushRow = z.object({
  id: Id,
  child_id: Id,
  account_id: Id,
  account_name: z.string(),
  /** The platform's own id of the account: several may have one name. */
  external_id: z.string(),
  cnt_type: CntType,
  status: z.enum(['waiting', 'running', 'paused', 'done', 'failed']),
  stage: z.string(),
  progress: z.number(),
  /** Why it is paused or failed. */
  reason: z.string().nullable(),
  /** What changes there. */
  adds: z.int(),
  removes: z.int(),
  /** total = sent + suppressed + no_consent + not_sendable + waiting; what earlier pushes brought counts as sent. */
  total: z.int(),
  sent: z.int(),
  suppressed: z.int(),
  no_consent: z.int(),
  not_sendable: z.int(),
  waiting: z.int(),
  /** What the platform took of the whole audience, as the funnel says it; of earlier pushes, as it was when they ended. */
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
    /** Only those to this child. */
    child_id: IdParam.optional(),
  }),
  data: z.object({ list: z.array(PushRow), total: z.int() }),
})

/** What was asked and answered: cut short, without secrets. */
const PushCall = z.object({
  at: Seconds,
  method: z.string(),
  path: z.string(),
  request: z.string(),
  status: z.int().nullable(),
  answer: z.string(),
  took_ms: z.int(),
})

/** A part with what was asked and answered for it. */
export const PushPart = z.object({
  no: z.int(),
  op: z.enum(['add', 'remove']),
  type: IdentifierType,
  count: z.int(),
  status: z.enum(['waiting', 'sent', 'done', 'failed']),
  accepted: z.int().nullable(),
  reason: z.string().nullable(),
  attempts: z.int(),
  samples: z.array(PushCall),
})
export const getPush = endpoint({
  method: 'GET',
  path: '/api/push/{id}',
  group,
  summary: '一次推送的各部分，及其请求与应答样例',
  params: IdParams,
  /** `calls`: those that are no part's, such as creating and publishing. */
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

export const setKeepsStep = endpoint({
  method: 'PUT',
  path: '/api/push/child/{id}',
  group,
  summary: '子人群是否随人群更新自动推送',
  params: IdParams,
  body: z.object({ keeps_step: z.boolean() }),
  data: Nothing,
})

/** Children of a rule crowd; those of an uploaded crowd stand in its row. */
export const listRuleChildren = endpoint({
  method: 'GET',
  path: '/api/push/children',
  group,
  summary: '规则人群在各平台账户下的子人群',
  query: z.object({ id: IdParam }),
  data: z.object({ list: z.array(CustomChild) }),
})

// Suppression and consent

export const listSuppression = endpoint({
  method: 'GET',
  path: '/api/suppression/list',
  group: '屏蔽名单',
  summary: '广告主的屏蔽名单：推送前一律去除',
  query: PageQuery.extend({ adv_id: IdParam }),
  data: z.object({
    total: z.int(),
    by_type: z.array(z.object({ type: IdentifierType, count: z.int() })),
    list: z.array(z.object({ type: IdentifierType, value: z.string(), note: z.string(), added_at: Seconds })),
  }),
})
/** One identifier a line; malformed lines are told, none is stored halfway. */
export const addSuppression = endpoint({
  method: 'POST',
  path: '/api/suppression',
  group: '屏蔽名单',
  summary: '加入屏蔽名单（逐行）',
  body: z.object({
    adv_id: Id,
    type: IdentifierType,
    lines: z.array(z.string().max(200)).min(1, '请输入标识').max(10_000, '一次最多 10000 行'),
    note: z.string().max(200).default(''),
  }),
  data: z.object({
    added: z.int(),
    duplicate: z.int(),
    malformed: z.array(z.object({ line: z.int(), reason: z.string() })),
  }),
})
export const removeSuppression = endpoint({
  method: 'POST',
  path: '/api/suppression/remove',
  group: '屏蔽名单',
  summary: '移出屏蔽名单',
  body: z.object({ adv_id: Id, type: IdentifierType, values: z.array(z.string().max(200)).min(1).max(10_000) }),
  data: z.object({ removed: z.int() }),
})

/** The attribute whose value withdraws a person's consent: pushes leave out the people who have it. */
export const getConsent = endpoint({
  method: 'GET',
  path: '/api/consent',
  group: '屏蔽名单',
  summary: '以哪个属性的哪些值为不同意',
  query: z.object({ adv_id: IdParam }),
  data: z.object({ attribute: z.string().nullable(), refused_values: z.array(z.string()), refused_people: z.int() }),
})
export const setConsent = endpoint({
  method: 'PUT',
  path: '/api/consent',
  group: '屏蔽名单',
  summary: '设置不同意的属性与值',
  body: z.object({
    adv_id: Id,
    attribute: z.string().nullable(),
    refused_values: z.array(z.string().max(200)).max(50),
  }),
  data: Nothing,
})

// Webhooks

export const WEBHOOK_KINDS = { wecom: '企业微信机器人', feishu: '飞书机器人', json: '通用 JSON' } as const
export const Webhook = z.object({
  id: Id,
  adv_id: Id,
  kind: z.enum(['wecom', 'feishu', 'json']),
  /** With its key masked. */
  url: z.string(),
  is_on: z.boolean(),
  last_at: Seconds.nullable(),
  last_error: z.string().nullable(),
})
export const listWebhooks = endpoint({
  method: 'GET',
  path: '/api/webhook/list',
  group: '通知',
  summary: '推送失败或暂停时通知的机器人',
  query: z.object({ adv_id: IdParam }),
  data: z.object({ list: z.array(Webhook) }),
})
export const saveWebhook = endpoint({
  method: 'POST',
  path: '/api/webhook',
  group: '通知',
  summary: '新建或修改通知',
  body: z.object({
    id: Id.optional(),
    adv_id: Id,
    kind: z.enum(['wecom', 'feishu', 'json']),
    /** Left out: stays as it is. */
    url: z.url('请输入完整的地址').max(500).optional(),
    is_on: z.boolean().default(true),
  }),
  data: z.object({ id: Id }),
})
export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/api/webhook/{id}',
  group: '通知',
  summary: '删除通知',
  params: IdParams,
  data: Nothing,
})
export const tryWebhook = endpoint({
  method: 'POST',
  path: '/api/webhook/{id}/try',
  group: '通知',
  summary: '发送一条测试通知',
  params: IdParams,
  data: z.object({ ok: z.boolean(), answer: z.string() }),
})

import { z } from 'zod'
import { Id, IdParam, IdParams, keysOf, Nothing, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { AnyOutcome } from './outcomes/entry.ts'

const group = '通知'

export const WEBHOOK_KINDS = { wecom: '企业微信机器人', feishu: '飞书机器人', json: '通用 JSON' } as const
export const WebhookKind = z.enum(keysOf(WEBHOOK_KINDS))
export const Webhook = z.object({
  id: Id,
  adv_id: Id,
  kind: WebhookKind,
  /** With its key masked. */
  url: z.string(),
  is_on: z.boolean(),
  last_at: Seconds.nullable(),
  last_error: z.string().nullable(),
  last_error_outcome: AnyOutcome.nullable(),
})
export const listWebhooks = endpoint({
  method: 'GET',
  path: '/api/webhook/list',
  group,
  summary: '推送失败或暂停时通知的机器人',
  query: z.object({ adv_id: IdParam }),
  data: z.object({ list: z.array(Webhook) }),
})
export const saveWebhook = endpoint({
  method: 'POST',
  path: '/api/webhook',
  group,
  summary: '新建或修改通知',
  body: z.object({
    id: Id.optional(),
    adv_id: Id,
    kind: WebhookKind,
    /** If left out, the address stays unchanged. */
    url: z.url('请输入完整的地址').max(500).optional(),
    is_on: z.boolean().default(true),
  }),
  data: z.object({ id: Id }),
})
export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/api/webhook/{id}',
  group,
  summary: '删除通知',
  params: IdParams,
  data: Nothing,
})
export const tryWebhook = endpoint({
  method: 'POST',
  path: '/api/webhook/{id}/try',
  group,
  summary: '发送一条测试通知',
  params: IdParams,
  data: z.object({ ok: z.boolean(), answer: z.string(), outcome: AnyOutcome.nullable() }),
})

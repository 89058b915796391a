import { z } from 'zod'
import { Id, IdParam, IdParams, keysOf, meaningsOf, Nothing, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { AnyOutcome } from './outcomes/entry.ts'

const group = '通知'

export const WEBHOOK_KINDS = { wecom: '企业微信机器人', feishu: '飞书机器人', json: '通用 JSON' } as const
export const WEBHOOK_EVENTS = { push: '推送失败或暂停', crowd: '人群变化', report: '报表异常' } as const
export type WebhookEvent = keyof typeof WEBHOOK_EVENTS
const Events = z
  .array(z.enum(keysOf(WEBHOOK_EVENTS)))
  .max(keysOf(WEBHOOK_EVENTS).length)
  .refine((events) => new Set(events).size === events.length, '通知内容不能重复')
export const WebhookKind = z.enum(keysOf(WEBHOOK_KINDS)).describe(meaningsOf(WEBHOOK_KINDS))
export const Webhook = z.object({
  id: Id.describe('通知 ID'),
  adv_id: Id.describe('广告主 ID'),
  kind: WebhookKind,
  /** With its key masked. */
  url: z.string().describe('通知地址，其中的密钥已遮住'),
  is_on: z.boolean().describe('是否启用'),
  events: Events.describe(`通知内容：${meaningsOf(WEBHOOK_EVENTS)}`),
  last_at: Seconds.nullable().describe('最近一次通知的时间，时间戳（秒）；从未通知时为 null'),
  last_error: z.string().nullable().describe('最近一次通知失败的原因，一句话；成功时为 null'),
  last_error_outcome: AnyOutcome.nullable(),
})
export const listWebhooks = endpoint({
  method: 'GET',
  path: '/api/webhook/list',
  group,
  summary: '推送失败或暂停、人群变化、报表异常时通知的机器人',
  query: z.object({ adv_id: IdParam.describe('广告主 ID') }),
  data: z.object({ list: z.array(Webhook).describe('这个广告主的通知') }),
})
/** Where notifications are sent. */
export const WebhookUrl = z.url('请输入完整的地址').max(500)

export const saveWebhook = endpoint({
  method: 'POST',
  path: '/api/webhook',
  group,
  summary: '新建或修改通知',
  body: z.object({
    id: Id.optional().describe('要修改的通知 ID；不填则新建'),
    adv_id: Id.describe('广告主 ID'),
    kind: WebhookKind,
    /** If left out, the address stays unchanged. */
    url: WebhookUrl.optional().describe('通知地址，http 或 https；修改时不填则不变'),
    is_on: z.boolean().default(true).describe('是否启用'),
    /** If left out, they stay unchanged; a new one gets all. */
    events: Events.min(1, '请选择通知内容')
      .optional()
      .describe(`通知内容：${meaningsOf(WEBHOOK_EVENTS)}；修改时不填则不变，新建时不填则全部通知`),
  }),
  data: z.object({ id: Id.describe('通知 ID') }),
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
  data: z.object({
    ok: z.boolean().describe('是否送达'),
    answer: z.string().describe('对方的答复'),
    outcome: AnyOutcome.nullable(),
  }),
})

import * as contract from '#contract/webhook.ts'
import { serve } from '../../http/serve.ts'
import type { WebhookService } from './service.ts'

export const webhookRoutes = (webhooks: WebhookService) => [
  serve(contract.listWebhooks, ({ viewer, query }) => webhooks.list(viewer, query.adv_id)),
  serve(contract.saveWebhook, ({ viewer, body }) => webhooks.save(viewer, body)),
  serve(contract.deleteWebhook, async ({ viewer, params }) => {
    await webhooks.remove(viewer, params.id)
    return null
  }),
  serve(contract.tryWebhook, ({ viewer, params, signal }) => webhooks.try(viewer, params.id, signal)),
]

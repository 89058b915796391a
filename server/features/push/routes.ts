import * as contract from '#contract/push.ts'
import { serve } from '../../http/serve.ts'
import type { PushService } from './service.ts'

export const pushRoutes = (pushes: PushService) => [
  serve(contract.checkPush, ({ viewer, body, signal }) => pushes.check(viewer, body, signal)),
  serve(contract.startPush, ({ viewer, params, body, signal }) =>
    pushes.start(viewer, { ...body, cnt_type: params.cnt_type }, signal),
  ),
  serve(contract.listPushes, ({ viewer, query }) => pushes.list(viewer, query)),
  serve(contract.listRuleChildren, ({ viewer, query }) => pushes.ruleChildren(viewer, query.id)),
  serve(contract.getPush, ({ viewer, params }) => pushes.get(viewer, params.id)),
  serve(contract.retryPush, async ({ viewer, params }) => {
    await pushes.retry(viewer, params.id)
    return null
  }),
  serve(contract.setKeepsStep, async ({ viewer, params, body }) => {
    await pushes.setKeepsStep(viewer, params.id, body.keeps_step)
    return null
  }),
]

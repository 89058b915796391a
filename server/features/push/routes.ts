import { setKeepsStep } from '#contract/audience.ts'
import { outcome } from '#contract/outcome.ts'
import * as contract from '#contract/push.ts'
import { AppError } from '../../errors.ts'
import { serve } from '../../http/serve.ts'
import type { PushService } from './service.ts'

export const pushRoutes = (pushes: PushService) => [
  serve(contract.checkPush, ({ viewer, body, signal }) => pushes.check(viewer, body, signal)),
  serve(contract.startPush, ({ viewer, params: { cnt_type }, body, signal }) => {
    if ([body.selectPt, body.cnt_type].some((other) => other !== undefined && other !== cnt_type)) {
      throw new AppError('badInput', { reason: outcome('platform_differs_from_path') })
    }
    return pushes.start(viewer, { ...body, cnt_type }, signal)
  }),
  serve(contract.listPushes, ({ viewer, query }) => pushes.list(viewer, query)),
  serve(contract.getPush, ({ viewer, params }) => pushes.get(viewer, params.id)),
  serve(contract.startPushes, ({ viewer, body, signal }) => pushes.startAll(viewer, body, signal)),
  serve(contract.cancelPush, ({ viewer, params }) => pushes.cancel(viewer, params.id)),
  serve(contract.retryPush, async ({ viewer, params }) => {
    await pushes.retry(viewer, params.id)
    return null
  }),
  serve(setKeepsStep, async ({ viewer, params, body }) => {
    await pushes.setKeepsStep(viewer, params.id, body.keeps_step)
    return null
  }),
]

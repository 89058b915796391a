import * as contract from '#contract/suppression.ts'
import { serve } from '../../http/serve.ts'
import type { SuppressionService } from './service.ts'

export const suppressionRoutes = (suppression: SuppressionService) => [
  serve(contract.listSuppression, ({ viewer, query }) => suppression.list(viewer, query)),
  serve(contract.addSuppression, ({ viewer, body }) => suppression.add(viewer, body)),
  serve(contract.addSuppressedCrowd, ({ viewer, body }) => suppression.addCrowd(viewer, body)),
  serve(contract.removeSuppressionEntries, ({ viewer, body }) => suppression.removeEntries(viewer, body)),
  serve(contract.removeSuppression, ({ viewer, body }) => suppression.remove(viewer, body)),
  serve(contract.getConsent, ({ viewer, query }) => suppression.consent(viewer, query.adv_id)),
  serve(contract.setConsent, async ({ viewer, body }) => {
    await suppression.setConsent(viewer, body)
    return null
  }),
]

import * as contract from '#contract/tracking.ts'
import { serve } from '../../http/serve.ts'
import type { WriteKeyService } from './keys.ts'
import type { LatelyService } from './lately.ts'

export const trackingRoutes = (keys: WriteKeyService, lately: LatelyService) => [
  serve(contract.listWriteKeys, ({ viewer, query }) => keys.list(viewer, query.adv_id)),
  serve(contract.makeWriteKey, ({ viewer, body }) => keys.make(viewer, body)),
  serve(contract.showWriteKey, ({ viewer, params }) => keys.show(viewer, params.id)),
  serve(contract.revokeWriteKey, async ({ viewer, params }) => {
    await keys.revoke(viewer, params.id)
    return null
  }),
  serve(contract.listLately, ({ viewer, query }) => lately.list(viewer, query)),
]

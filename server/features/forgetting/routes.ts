import * as contract from '#contract/forgetting.ts'
import { serve } from '../../http/serve.ts'
import type { ForgettingService } from './service.ts'

export const forgettingRoutes = (forgetting: ForgettingService) => [
  serve(contract.forgetPerson, ({ viewer, body }) => forgetting.forget(viewer, body)),
  serve(contract.listForgettings, ({ viewer, query }) => forgetting.list(viewer, query)),
  serve(contract.getForgetting, ({ viewer, params }) => forgetting.get(viewer, params.id)),
]

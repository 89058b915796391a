import * as contract from '#contract/targeting-estimate.ts'
import { serve } from '../../http/serve.ts'
import type { TargetingEstimateService } from './service.ts'

export const targetingEstimateRoutes = (estimates: TargetingEstimateService) => [
  serve(contract.estimateReach, ({ viewer, body, signal }) => estimates.reach(viewer, body, signal)),
  serve(contract.getEstimateGoals, ({ viewer, query }) => estimates.goals(viewer, query.advertiser_id)),
  serve(contract.setEstimateGoals, async ({ viewer, body }) => {
    await estimates.setGoals(viewer, body)
    return null
  }),
]

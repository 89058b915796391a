import * as contract from '#contract/region-plan.ts'
import { serve } from '../../http/serve.ts'
import type { RegionPlanService } from './service.ts'

export const regionPlanRoutes = (plans: RegionPlanService) => [
  serve(contract.addRegionPlan, ({ viewer, body }) => plans.add(viewer, body)),
  serve(contract.renameRegionPlan, async ({ viewer, body }) => {
    await plans.rename(viewer, body)
    return null
  }),
  serve(contract.deleteRegionPlan, async ({ viewer, body }) => {
    await plans.remove(viewer, body.id)
    return null
  }),
]

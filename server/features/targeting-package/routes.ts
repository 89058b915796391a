import * as contract from '#contract/targeting-package.ts'
import { serve } from '../../http/serve.ts'
import type { TargetingPackageService } from './service.ts'

export const targetingPackageRoutes = (packages: TargetingPackageService) => [
  serve(contract.getTargetingOptions, async ({ params }) => packages.options(params.platform)),
  serve(contract.listTargetings, ({ viewer, body }) => packages.list(viewer, body)),
  serve(contract.addTargeting, ({ viewer, body }) => packages.add(viewer, body)),
  serve(contract.updateTargeting, ({ viewer, body }) => packages.update(viewer, body)),
  serve(contract.copyTargeting, ({ viewer, body }) => packages.copy(viewer, body)),
  serve(contract.getTargeting, ({ viewer, query }) => packages.get(viewer, query.id)),
  serve(contract.deleteTargetings, ({ viewer, query }) => packages.remove(viewer, query)),
  serve(contract.moveTargetings, async ({ viewer, body }) => {
    await packages.move(viewer, body.id, body.dir_id)
    return null
  }),
  serve(contract.getTargetingQuota, ({ viewer, query }) => packages.quota(viewer, query.advertiser_id)),
  serve(contract.listTargetingHistory, ({ viewer, query }) => packages.history(viewer, query)),
  serve(contract.restoreTargeting, ({ viewer, body }) => packages.restore(viewer, body)),
]

import { previewTargetingCopy } from '#contract/targeting-copy.ts'
import * as mirror from '#contract/targeting-mirror.ts'
import * as contract from '#contract/targeting-package.ts'
import { serve } from '../../http/serve.ts'
import type { TargetingPackageService } from './service.ts'

export const targetingPackageRoutes = (packages: TargetingPackageService) => [
  serve(contract.getTargetingOptions, async ({ params }) => packages.options(params.platform)),
  serve(contract.listLandingTypes, async ({ query }) => packages.landingTypes(query.platform)),
  serve(contract.listTargetings, ({ viewer, body }) => packages.list(viewer, body)),
  serve(contract.checkNewTargeting, async ({ viewer, body }) => {
    await packages.check(viewer, body)
    return null
  }),
  serve(contract.addTargeting, ({ viewer, body }) => packages.add(viewer, body)),
  serve(contract.updateTargeting, ({ viewer, body }) => packages.update(viewer, body)),
  serve(contract.copyTargeting, ({ viewer, body }) => packages.copy(viewer, body)),
  serve(previewTargetingCopy, ({ viewer, body }) => packages.previewCopy(viewer, body)),
  serve(contract.getTargeting, ({ viewer, query }) => packages.get(viewer, query.id)),
  serve(contract.deleteTargetings, ({ viewer, query }) => packages.remove(viewer, query)),
  serve(contract.moveTargetings, async ({ viewer, body }) => {
    await packages.move(viewer, body.id, body.dir_id)
    return null
  }),
  serve(contract.getTargetingQuota, ({ viewer, query }) => packages.quota(viewer, query.advertiser_id)),
  serve(contract.listTargetingHistory, ({ viewer, query }) => packages.history(viewer, query)),
  serve(contract.restoreTargeting, ({ viewer, body }) => packages.restore(viewer, body)),
  serve(mirror.syncTargeting, ({ viewer, body }) => packages.mirror.sync(viewer, body.id)),
  serve(mirror.adoptTargeting, ({ viewer, body }) => packages.mirror.adopt(viewer, body.id)),
  serve(mirror.overwriteTargeting, ({ viewer, body }) => packages.mirror.overwrite(viewer, body.id)),
  serve(mirror.refreshTargetings, ({ viewer, body }) => packages.mirror.refresh(viewer, body)),
]

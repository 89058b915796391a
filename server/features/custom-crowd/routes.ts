import * as contract from '#contract/custom-crowd.ts'
import { serve } from '../../http/serve.ts'
import type { AudienceService } from '../audience/service.ts'
import type { CustomCrowdService } from './service.ts'

export const customCrowdRoutes = (crowds: CustomCrowdService, { removeChild }: AudienceService) => [
  serve(contract.listCustomCrowds, ({ viewer, query }) => crowds.list(viewer, query)),
  serve(contract.getCustomCrowd, ({ viewer, query }) => crowds.get(viewer, query.id)),
  serve(contract.addCustomCrowd, ({ viewer, body }) => crowds.add(viewer, body)),
  serve(contract.updateCustomCrowd, async ({ viewer, body }) => {
    await crowds.update(viewer, body)
    return null
  }),
  serve(contract.moveCustomCrowds, async ({ viewer, body }) => {
    await crowds.move(viewer, Array.isArray(body.id) ? body.id : [body.id], body.dir_id)
    return null
  }),
  serve(contract.deleteCustomCrowd, ({ viewer, query }) =>
    query.cnt_type === undefined
      ? crowds.remove(viewer, query.id, query.advertiser_id, query.check)
      : removeChild(viewer, query.id, query.advertiser_id, query.cnt_type, {
          isCheck: query.check,
          isLocal: query.local,
        }),
  ),
  serve(contract.listDeletedCustomCrowds, ({ viewer, query }) => crowds.deleted(viewer, query.adv_id)),
  serve(contract.undeleteCustomCrowds, async ({ viewer, body }) => {
    await crowds.undelete(viewer, body.ids)
    return null
  }),
  serve(contract.listCrowdFiles, ({ viewer, query }) => crowds.files(viewer, query)),
  serve(contract.listCrowdLogs, ({ viewer, query }) => crowds.logs(viewer, query)),
  serve(contract.restoreCrowdVersion, ({ viewer, body }) => crowds.restore(viewer, body.id, body.version)),
]

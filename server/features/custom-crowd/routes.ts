import * as pack from '#contract/audience-pack.ts'
import * as contract from '#contract/custom-crowd.ts'
import { serve } from '../../http/serve.ts'
import type { CustomCrowdService } from './service.ts'

export const customCrowdRoutes = (crowds: CustomCrowdService) => [
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
      ? crowds.remove(viewer, query.id, query.advertiser_id, query.check === '1')
      : crowds.removeChild(viewer, query.id, query.advertiser_id, query.cnt_type, {
          isCheck: query.check === '1',
          isLocal: query.local === '1',
        }),
  ),
  serve(contract.listDeletedCustomCrowds, ({ viewer }) => crowds.deleted(viewer)),
  serve(contract.undeleteCustomCrowds, async ({ viewer, body }) => {
    await crowds.undelete(viewer, body.ids)
    return null
  }),
  serve(contract.listCrowdFiles, ({ viewer, query }) => crowds.files(viewer, query)),
  serve(contract.listCrowdLogs, ({ viewer, query }) => crowds.logs(viewer, query)),
  serve(contract.restoreCrowdVersion, ({ viewer, body }) => crowds.restore(viewer, body.id, body.version)),
  serve(contract.getCustomQuota, ({ viewer, query }) => crowds.quota(viewer, query.adv_id, query.cnt_type)),
]

/** The provider service's calls. */
export const audiencePackRoutes = ({ packs, removeChild, quota }: CustomCrowdService) => [
  serve(pack.listAudiencePacks, ({ viewer, params, query }) => packs.list(viewer, params.cnt_type, query)),
  serve(pack.getAudiencePack, ({ viewer, params, query }) => packs.get(viewer, query.id, params.cnt_type)),
  serve(pack.addAudiencePack, ({ viewer, params, body, signal }) => packs.add(viewer, body, params.cnt_type, signal)),
  serve(pack.updateAudiencePack, ({ viewer, params, body, signal }) =>
    packs.update(viewer, body, params.cnt_type, signal),
  ),
  serve(pack.copyAudiencePack, ({ viewer, params, body, signal }) => packs.copy(viewer, body, params.cnt_type, signal)),
  serve(pack.deleteAudiencePack, ({ viewer, params, query }) =>
    removeChild(viewer, query.id, query.advertiser_id, params.cnt_type, { isCheck: query.check === '1' }),
  ),
  serve(pack.getAudiencePackQuota, async ({ viewer, params, query }) =>
    quota(viewer, query.advertiser_id, await packs.platformOf(viewer, query.advertiser_id, params.cnt_type)),
  ),
]

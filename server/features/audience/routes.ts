import { getCustomQuota, listRuleChildren } from '#contract/audience.ts'
import * as pack from '#contract/audience-pack.ts'
import { serve } from '../../http/serve.ts'
import type { AudiencePacks } from './packs.ts'
import type { AudienceService } from './service.ts'

export const audienceRoutes = (audiences: AudienceService) => [
  serve(listRuleChildren, ({ viewer, query }) => audiences.ruleChildren(viewer, query.id)),
  serve(getCustomQuota, ({ viewer, query }) => audiences.quota(viewer, query.adv_id, query.cnt_type)),
]

/** The provider service's calls. */
export const audiencePackRoutes = (packs: AudiencePacks, { removeChild, quota }: AudienceService) => [
  serve(pack.listAudiencePacks, ({ viewer, params, query }) => packs.list(viewer, params.cnt_type, query)),
  serve(pack.getAudiencePack, ({ viewer, params, query }) => packs.get(viewer, query.id, params.cnt_type)),
  serve(pack.addAudiencePack, ({ viewer, params, body, signal }) => packs.add(viewer, body, params.cnt_type, signal)),
  serve(pack.updateAudiencePack, ({ viewer, params, body, signal }) =>
    packs.update(viewer, body, params.cnt_type, signal),
  ),
  serve(pack.copyAudiencePack, ({ viewer, params, body, signal }) => packs.copy(viewer, body, params.cnt_type, signal)),
  serve(pack.deleteAudiencePack, ({ viewer, params, query }) =>
    removeChild(viewer, query.id, query.advertiser_id, params.cnt_type, { isCheck: query.check }),
  ),
  serve(pack.getAudiencePackQuota, async ({ viewer, params, query }) =>
    quota(viewer, query.advertiser_id, await packs.platformOf(viewer, query.advertiser_id, params.cnt_type)),
  ),
]

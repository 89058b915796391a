import * as contract from '#contract/advertiser.ts'
import { serve } from '../../http/serve.ts'
import type { AdvertiserService } from './service.ts'

export const advertiserRoutes = (advertisers: AdvertiserService) => [
  serve(contract.listAdvertisers, ({ viewer, query }) => advertisers.list(viewer, query)),
  serve(contract.listAdvertiserData, ({ viewer }) => advertisers.data(viewer)),
  serve(contract.remarkAccount, async ({ viewer, params, body }) => {
    await advertisers.remark(viewer, params.id, body.remark)
    return null
  }),
  serve(contract.createAdvertiser, async ({ viewer, body }) => ({ id: await advertisers.create(viewer, body.name) })),
  serve(contract.renameAdvertiser, async ({ viewer, params, body }) => {
    await advertisers.rename(viewer, params.id, body.name)
    return null
  }),
]

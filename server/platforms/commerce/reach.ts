import { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import type { EstimateGoals, EstimateNeed } from '#contract/targeting/estimate-goals.ts'
import type { FiveTabTargeting } from '#contract/targeting/five-tab/schema.ts'
import { PlatformFault } from '../audience-platform.ts'
import { idNumber, WireCount } from '../lossless-json.ts'
import type { ReachOf } from '../targeting-platform.ts'
import type { AdminInfo } from '../video/admin-info.ts'
import { estimateQuery } from '../video/estimate-query.ts'
import type { VideoWire } from '../video/wire.ts'
import { audienceObject, regionsOf } from './audience-object.ts'

/** Kinds of new customers that the estimate takes. */
const NEW_CUSTOMERS = [undefined, 'NONE', 'NO_BUY']

const Reach = z.object({ crowd_cover_total: WireCount })

const missing = (...needs: EstimateNeed[]) => new PlatformFault('refused', outcome('estimate_goal_missing', { needs }))

/** What is estimated: by default for live rooms, where the package is for them. */
function goalOf(targeting: FiveTabTargeting, goals: EstimateGoals | null) {
  if (targeting.landing_type === 'LIVE') {
    if (!goals?.LIVE) throw missing('external_action', 'aweme_id')
    const { external_action, aweme_id } = goals.LIVE
    return { marketing_goal: 'LIVE_PROM_GOODS', external_action, aweme_id: idNumber(aweme_id) }
  }
  if (!goals?.VIDEO) throw missing('external_action', 'product_id')
  const { external_action, product_id } = goals.VIDEO
  return { marketing_goal: 'VIDEO_PROM_GOODS', external_action, product_id: idNumber(product_id) }
}

/** Asks the platform how many people a targeting covers. */
export const commerceReach =
  (wire: VideoWire, admin: AdminInfo): ReachOf<FiveTabTargeting> =>
  async (account, targeting, goals, on) => {
    if (!NEW_CUSTOMERS.includes(targeting.new_customer)) {
      throw new PlatformFault('refused', outcome('estimate_unavailable', { field: 'new_customer' }))
    }
    const about = { advertiser_id: idNumber(account.external_id), ...goalOf(targeting, goals) }
    const query = await estimateQuery(
      regionsOf(targeting),
      (codes) => ({ ...about, audience: audienceObject(targeting, codes) }),
      () => admin.knownRegions(account, on),
    )
    const path = 'v1.0/qianchuan/tools/estimate_audience/'
    return (await wire.get(Reach, { account, on, path, query })).crowd_cover_total
  }

import { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import type { SocialTargeting } from '#contract/targeting/social/schema.ts'
import { type AccountSession, PlatformFault } from '../audience-platform.ts'
import { idNumber, WireCount } from '../lossless-json.ts'
import type { ReachOf } from '../targeting-platform.ts'
import { targetingObject } from './targeting-object.ts'
import type { SocialWire } from './wire.ts'

/** The placements of an estimate. That the platform wants any is unconfirmed: only the account is formally required. */
const SITES = ['SITE_SET_MOBILE_UNION', 'SITE_SET_TENCENT_NEWS', 'SITE_SET_TENCENT_VIDEO']
/** These take people by where they live alone, so other ways of being at a place are estimated without them. */
const WECHAT_SITES = ['SITE_SET_WECHAT', 'SITE_SET_CHANNELS']
const BID_MODE = 'BID_MODE_OCPM'
const OPTIMIZATION_GOAL = 'OPTIMIZATIONGOAL_CLICK'
const LIVE_IN = 'LIVE_IN'
/** What the account must have been granted for estimates: they are about ads. */
export const REACH_SCOPES = ['ads_management']
/** The call is outside of what was granted. */
const NOT_GRANTED = 11014

const Reach = z.object({ approximate_count: WireCount })

/** Asks the platform how many people a targeting reaches a day at most. */
export const socialReach =
  (wire: SocialWire): ReachOf<SocialTargeting> =>
  async (account, targeting, _goals, on) => {
    const isAtHome = !targeting.geo_location || targeting.location_types?.every((type) => type === LIVE_IN)
    const json = {
      account_id: idNumber(account.external_id),
      targeting: targetingObject(targeting, 'v3.0'),
      site_set: isAtHome ? [...SITES, ...WECHAT_SITES] : SITES,
      bid_mode: BID_MODE,
      optimization_goal: OPTIMIZATION_GOAL,
    }
    try {
      const asker = withoutRefusal(account)
      return (await wire.post(Reach, { account: asker, on, path: 'estimation/get', body: { json } })).approximate_count
    } catch (error) {
      if (!(error instanceof PlatformFault) || error.code !== NOT_GRANTED) throw error
      throw new PlatformFault('refused', outcome('estimate_unsupported', { cause: error.outcome }), {
        code: error.code,
      })
    }
  }

/**
 * What was granted may be less than what is known of it: that an estimate is refused must not count as an account that
 * is no longer authorised. A refused token still does.
 */
const withoutRefusal = (account: AccountSession): AccountSession => ({
  account_id: account.account_id,
  external_id: account.external_id,
  token: () => account.token(),
  tokenExpired: (token) => account.tokenExpired(token),
  refused: async (reason, token) => {
    if (token !== null) await account.refused?.(reason, token)
  },
})

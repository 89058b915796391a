import { PLATFORMS } from '#contract/platform.ts'
import type { Adapter } from '../adapter.ts'
import { SANDBOX } from '../video/adapter.ts'
import { adminInfo } from '../video/admin-info.ts'
import { videoDictionaries } from '../video/dictionaries.ts'
import { videoOAuth } from '../video/oauth.ts'
import { videoWire } from '../video/wire.ts'
import { commerceCrowds } from './crowds.ts'
import { commercePackages } from './packages.ts'
import { commercePlans } from './plans.ts'
import { commerceReach } from './reach.ts'
import { commerceReports } from './reports.ts'

/** The commerce platform has the video engine's host, envelope, authorisation and look-ups. It takes no crowds. */
export const commerceAdapter: Adapter = {
  open(options) {
    const wire = videoWire(options)
    const admin = adminInfo(wire, options.nowMs)
    return {
      oauth: videoOAuth(options, wire, 'commerce'),
      audiences: null,
      dictionaries: {
        ...videoDictionaries(wire, admin, (account, on) => commerceCrowds(wire, account, on)),
        reach: { scopes: PLATFORMS.commerce.scopes, of: commerceReach(wire, admin) },
      },
      plans: commercePlans(wire),
      packages: commercePackages(wire),
      reports: commerceReports(wire),
    }
  },
  sharesLoginsWith: 'video',
  sandbox: SANDBOX,
}

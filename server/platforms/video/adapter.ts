import { PLATFORMS } from '#contract/platform.ts'
import type { Adapter } from '../adapter.ts'
import { adminInfo } from './admin-info.ts'
import { videoAudiences } from './audience.ts'
import { businessDistricts } from './business-districts.ts'
import { videoCrowds } from './crowds.ts'
import { videoDictionaries } from './dictionaries.ts'
import { videoOAuth } from './oauth.ts'
import { videoPackages } from './packages.ts'
import { videoPlans } from './plans.ts'
import { videoReach } from './reach.ts'
import { videoReports } from './reports.ts'
import { videoWire } from './wire.ts'

/** The vendor's sandbox, which serves its commerce platform too. */
export const SANDBOX = {
  prefix: '/video',
  appId: '1780000000000001',
  secret: 'sandbox-video-secret',
  pages: ['/audit/oauth.html', '/openapi/audit/oauth.html', '/openapi/qc/audit/oauth.html'],
}

export const videoAdapter: Adapter = {
  open(options, files) {
    const wire = videoWire(options)
    const admin = adminInfo(wire, options.nowMs)
    return {
      oauth: videoOAuth(options, wire, 'video'),
      audiences: videoAudiences({ wire, files, nowMs: options.nowMs }),
      dictionaries: {
        ...videoDictionaries(wire, admin, (account, on) => videoCrowds(wire, account, on)),
        businessDistricts: businessDistricts(wire),
        reach: { scopes: PLATFORMS.video.scopes, of: videoReach(wire, admin) },
      },
      plans: videoPlans(wire, admin),
      packages: videoPackages(wire, admin),
      reports: videoReports(wire),
    }
  },
  sandbox: SANDBOX,
}

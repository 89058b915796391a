import type { Adapter } from '../adapter.ts'
import { socialAudiences } from './audience.ts'
import { socialDictionaries } from './dictionaries.ts'
import { socialOAuth } from './oauth.ts'
import { socialPackages, socialPackagesRead } from './packages.ts'
import { socialPlans } from './plans.ts'
import { REACH_SCOPES, socialReach } from './reach.ts'
import { socialReports } from './reports.ts'
import { socialWire } from './wire.ts'

export const socialAdapter: Adapter = {
  open(options, files, { socialStoresPackages }) {
    const wire = socialWire(options)
    return {
      oauth: socialOAuth(options, wire),
      audiences: socialAudiences({ wire, files }),
      dictionaries: {
        ...socialDictionaries(wire),
        reach: { scopes: REACH_SCOPES, of: socialReach(wire) },
      },
      plans: socialPlans(wire),
      packages: socialStoresPackages ? socialPackages(wire) : socialPackagesRead(wire),
      reports: socialReports(wire),
    }
  },
  sandbox: {
    prefix: '/social',
    appId: '1110000001',
    secret: 'sandbox-social-secret',
    pages: ['/oauth/authorize'],
  },
}

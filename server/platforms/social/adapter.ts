import type { SocialTargeting } from '#contract/targeting/social/schema.ts'
import type { Adapter } from '../adapter.ts'
import { socialAudiences } from './audience.ts'
import { socialDictionaries } from './dictionaries.ts'
import { socialOAuth } from './oauth.ts'
import { socialPackages } from './packages.ts'
import { socialReach } from './reach.ts'
import { socialWire } from './wire.ts'

/**
 * Whether packages are stored on the platform. Only its older generation has calls for that, and whether those still take
 * anything is unconfirmed: packages are kept here alone.
 */
const STORES_PACKAGES: boolean = false

export const socialAdapter: Adapter = {
  open(options, files) {
    const wire = socialWire(options)
    const reach = socialReach(wire)
    return {
      oauth: socialOAuth(options, wire),
      audiences: socialAudiences({ wire, files }),
      dictionaries: {
        ...socialDictionaries(wire),
        reach: (account, targeting, _goals, on) => reach(account, targeting as SocialTargeting, on),
      },
      ...(STORES_PACKAGES ? { packages: socialPackages(wire) } : {}),
    }
  },
  sandbox: {
    prefix: '/social',
    appId: '1110000001',
    secret: 'sandbox-social-secret',
    pages: ['/oauth/authorize'],
  },
}

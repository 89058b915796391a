import type { Adapter } from '../adapter.ts'
import { socialAudiences } from './audience.ts'
import { socialOAuth } from './oauth.ts'
import { socialWire } from './wire.ts'

export const socialAdapter: Adapter = {
  open(options, files) {
    const wire = socialWire(options)
    return { oauth: socialOAuth(options, wire), audiences: socialAudiences({ wire, files }) }
  },
  sandbox: {
    prefix: '/social',
    appId: '1110000001',
    secret: 'sandbox-social-secret',
    pages: ['/oauth/authorize'],
  },
}

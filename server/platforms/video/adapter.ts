import type { Adapter } from '../adapter.ts'
import { videoAudiences } from './audience.ts'
import { videoOAuth } from './oauth.ts'
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
    return {
      oauth: videoOAuth(options, wire, 'video'),
      audiences: videoAudiences({ wire, files, nowMs: options.nowMs }),
    }
  },
  sandbox: SANDBOX,
}

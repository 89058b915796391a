import type { Adapter } from '../adapter.ts'
import { videoAudiences } from './audience.ts'
import { videoOAuth } from './oauth.ts'
import { videoWire } from './wire.ts'

const SANDBOX = {
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

/** The commerce platform shares the video engine's host and authorisation, and takes no audiences. */
export const commerceAdapter: Adapter = {
  open: (options) => ({ oauth: videoOAuth(options, videoWire(options), 'commerce'), audiences: null }),
  sandbox: SANDBOX,
}

import type { Adapter } from '../adapter.ts'
import { SANDBOX } from '../video/adapter.ts'
import { videoOAuth } from '../video/oauth.ts'
import { videoWire } from '../video/wire.ts'

/** The commerce platform has the video engine's host, envelope and authorisation. It takes no crowds. */
export const commerceAdapter: Adapter = {
  open: (options) => ({ oauth: videoOAuth(options, videoWire(options), 'commerce'), audiences: null }),
  sharesLoginsWith: 'video',
  sandbox: SANDBOX,
}

import { outcome, sentenceOrNull } from '#contract/outcome.ts'
import { PLATFORM_CODES, type Platform, type PlatformCode, platformInfo, platformOfCode } from '#contract/platform.ts'
import { AppError } from '../../errors.ts'
import type { OAuthClient } from '../../platforms/oauth-client.ts'

interface Deps {
  /** The kind of service behind a platform's address; null when this deployment has no connection to the platform. */
  kindOf(platform: Platform): 'sandbox' | 'real' | null
  oauthOf(platform: PlatformCode): OAuthClient
}

/** The platforms that can be authorised in this deployment, and which of them are stand-ins. */
export function connections({ kindOf, oauthOf }: Deps) {
  function connectionOf(platform: PlatformCode) {
    const { name } = platformInfo(platform)
    const kind = kindOf(platformOfCode(platform))
    const refusal_outcome = kind ? null : outcome('platform_needs_settings', { platform: name })
    return {
      platform,
      is_sandbox: kind === 'sandbox',
      refusal: sentenceOrNull(refusal_outcome),
      refusal_outcome,
    }
  }

  return {
    mustBeOpen(platform: PlatformCode): OAuthClient {
      const { refusal_outcome } = connectionOf(platform)
      if (refusal_outcome) throw new AppError('platformClosed', { reason: refusal_outcome })
      return oauthOf(platform)
    },
    list: () => PLATFORM_CODES.map(connectionOf),
  }
}
export type Connections = ReturnType<typeof connections>

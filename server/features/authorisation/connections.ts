import { PLATFORMS, type PlatformCode, platformOfCode } from '#contract/platform.ts'
import { AppError } from '../../errors.ts'
import type { OAuthClient } from '../../platforms/oauth-client.ts'

/** How this deployment speaks to a platform's authorisation. */
export interface Connection {
  client: OAuthClient
  /** It is our stand-in, not the platform. */
  is_sandbox: boolean
}

const CODES: readonly PlatformCode[] = [1, 2, 3]

/** The platforms that this deployment speaks to; `find` is asked each time, since the stand-in may start later. */
export function connections(find: (platform: PlatformCode) => Connection | null) {
  const refusalOf = (platform: PlatformCode): string | null => {
    const { name, pushes } = PLATFORMS[platformOfCode(platform)]
    if (!pushes) return `${name}的授权尚未开放，将在后续版本提供`
    return find(platform) ? null : `${name}没有接入：请管理员设置应用 ID 与密钥后重新启动`
  }
  return {
    clientOf: (platform: PlatformCode): OAuthClient | null => find(platform)?.client ?? null,
    mustBeOpen(platform: PlatformCode): OAuthClient {
      const client = find(platform)?.client
      const reason = refusalOf(platform)
      if (reason !== null || !client) throw new AppError('platformClosed', { reason: reason ?? '' })
      return client
    },
    list: () =>
      CODES.map((platform) => ({
        platform,
        is_sandbox: find(platform)?.is_sandbox ?? false,
        refusal: refusalOf(platform),
      })),
  }
}
export type Connections = ReturnType<typeof connections>

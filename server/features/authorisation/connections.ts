import { PLATFORMS, type Platform, type PlatformCode, platformOfCode } from '#contract/platform.ts'
import { AppError } from '../../errors.ts'
import type { OAuthClient } from '../../platforms/oauth-client.ts'

interface Deps {
  /** What a platform's address leads to; null where this deployment does not speak to it. */
  kindOf(platform: Platform): 'sandbox' | 'real' | null
  oauthOf(platform: PlatformCode): OAuthClient
}

const CODES: readonly PlatformCode[] = [1, 2, 3]

/** The platforms that can be authorised from here, and which of them are stand-ins. */
export function connections({ kindOf, oauthOf }: Deps) {
  function look(platform: PlatformCode) {
    const { name, pushes } = PLATFORMS[platformOfCode(platform)]
    const kind = pushes ? kindOf(platformOfCode(platform)) : null
    return {
      platform,
      is_sandbox: kind === 'sandbox',
      refusal: !pushes
        ? `${name}的授权即将提供，目前还不能授权`
        : kind
          ? null
          : `${name}没有接入：请管理员设置平台地址、应用 ID 与密钥后重新启动`,
    }
  }

  return {
    mustBeOpen(platform: PlatformCode): OAuthClient {
      const { refusal } = look(platform)
      if (refusal !== null) throw new AppError('platformClosed', { reason: refusal })
      return oauthOf(platform)
    },
    list: () => CODES.map(look),
  }
}
export type Connections = ReturnType<typeof connections>

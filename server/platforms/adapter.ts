import type { AudienceAdapter } from './audience-platform.ts'
import type { WireOptions } from './call.ts'
import type { OAuthClient } from './oauth-client.ts'
import type { PartFiles } from './part-file.ts'

/** How the sandbox stands in for a platform. */
export interface SandboxApp {
  /** The path below which it serves this platform. */
  prefix: string
  /** The application it knows; a real platform refuses it. */
  appId: string
  secret: string
  /** Paths of its OAuth pages, below the prefix. */
  pages: readonly string[]
}

/** What the server needs of a platform beside its entry in PLATFORMS. */
export interface Adapter {
  open(options: WireOptions, files: PartFiles): { oauth: OAuthClient; audiences: AudienceAdapter | null }
  /** Null: the sandbox has no stand-in for it, so it is only there with an address of its own. */
  sandbox: SandboxApp | null
}

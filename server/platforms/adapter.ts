import type { Platform } from '#contract/platform.ts'
import type { AudienceAdapter } from './audience-platform.ts'
import type { WireOptions } from './call.ts'
import type { OAuthClient } from './oauth-client.ts'
import type { PartFiles } from './part-file.ts'
import type { PlatformPlans } from './plan-platform.ts'
import type { PlatformReports } from './report-platform.ts'
import type { TargetingDictionaries, TargetingPackages } from './targeting-platform.ts'

/** How the sandbox stands in for a platform. */
export interface SandboxApp {
  /** The path prefix under which it serves this platform. */
  prefix: string
  /** The application that it knows; a real platform refuses it. */
  appId: string
  secret: string
  /** Paths of its OAuth pages, below the prefix. */
  pages: readonly string[]
}

/** What no document confirms of a platform, and an installation may decide. */
export interface Switches {
  /** Whether the social platform stores packages. Only its older generation has calls for that. */
  socialStoresPackages: boolean
}

/** What the server needs for a platform besides its entry in PLATFORMS. */
export interface Adapter {
  open(
    options: WireOptions,
    files: PartFiles,
    switches: Switches,
  ): {
    oauth: OAuthClient
    audiences: AudienceAdapter | null
    dictionaries?: TargetingDictionaries
    /** Missing where the platform's packages can be neither read nor written. */
    packages?: TargetingPackages
    /** Missing where plans can be neither read nor changed. */
    plans?: PlatformPlans
    /** Missing where the platform has no reports to read. */
    reports?: PlatformReports
  }
  /**
   * A platform of the same vendor: with the same application, a login has one pair of tokens for both, and refreshing it
   * ends the old pair for both.
   */
  sharesLoginsWith?: Platform
  /** Null if the sandbox has no stand-in; the platform then needs an address of its own. */
  sandbox: SandboxApp | null
}

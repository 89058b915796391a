import { join } from 'node:path'
import { keysOf } from '#contract/common.ts'
import { outcome } from '#contract/outcome.ts'
import {
  type AudienceCode,
  audienceInfo,
  isAudienceCode,
  PLATFORMS,
  type Platform,
  type PlatformCode,
} from '#contract/platform.ts'
import type { Switches } from './adapter.ts'
import { ADAPTERS } from './adapters.ts'
import type { AudiencePlatform } from './audience-platform.ts'
import { PlatformFault } from './audience-platform.ts'
import type { Endpoint, WireOptions } from './call.ts'
import type { OAuthClient } from './oauth-client.ts'
import { openPace } from './pace.ts'
import { partFiles } from './part-file.ts'
import type { PlatformPlans } from './plan-platform.ts'
import type { PlatformReports } from './report-platform.ts'
import type { TargetingDictionaries, TargetingPackages } from './targeting-platform.ts'

/**
 * Pause between calls of one account to one platform. An application's real limits are shown only in the platform's
 * back office.
 */
const CALLS_PER_SECOND = 10
const TIMEOUT_MS = 30_000
/** Enough for a part of 50 MB over a slow line. */
const UPLOAD_TIMEOUT_MS = 300_000

export interface PlatformsOptions {
  /** Null if this deployment does not use the platform. */
  endpointOf(platform: Platform): Promise<Endpoint | null>
  /** Files are created under it, and deleted once they are sent. */
  dataDir: string
  callsPerSecond?: number
  /** Multiplies the pause between two calls of an account; below 1 in fast tests. */
  pace?: number
  timeoutMs?: number
  uploadTimeoutMs?: number
  nowMs?: () => number
  switches?: Switches
}

/** The ad platforms, each with its adapter and its authorisation. Opening makes no calls. */
export function openPlatforms(options: PlatformsOptions) {
  const wireOptions = (platform: Platform): WireOptions => ({
    async endpoint() {
      const endpoint = await options.endpointOf(platform)
      if (!endpoint)
        throw new PlatformFault(
          'configuration',
          outcome('platform_not_connected', { platform: PLATFORMS[platform].name }),
        )
      return { ...endpoint, url: endpoint.url.replace(/\/+$/, '') }
    },
    pace: openPace({
      perSecond: (options.callsPerSecond ?? CALLS_PER_SECOND) / (options.pace ?? 1),
      ...(options.nowMs && { nowMs: options.nowMs }),
    }),
    nowMs: options.nowMs ?? Date.now,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    uploadTimeoutMs: options.uploadTimeoutMs ?? UPLOAD_TIMEOUT_MS,
  })
  const switches = options.switches ?? { socialStoresPackages: false }
  const files = partFiles(join(options.dataDir, 'push-parts'))
  const oauth = new Map<PlatformCode, OAuthClient>()
  const audiences = new Map<AudienceCode, AudiencePlatform>()
  const dictionaries = new Map<PlatformCode, TargetingDictionaries>()
  const packages = new Map<PlatformCode, TargetingPackages>()
  const plans = new Map<PlatformCode, PlatformPlans>()
  const reports = new Map<PlatformCode, PlatformReports>()
  for (const platform of keysOf(PLATFORMS)) {
    const { code } = PLATFORMS[platform]
    const opened = ADAPTERS[platform].open(wireOptions(platform), files, switches)
    oauth.set(code, opened.oauth)
    if (opened.dictionaries) dictionaries.set(code, opened.dictionaries)
    if (opened.packages) packages.set(code, opened.packages)
    if (opened.plans) plans.set(code, opened.plans)
    if (opened.reports) reports.set(code, opened.reports)
    if (!isAudienceCode(code)) continue
    if (!opened.audiences) throw new Error(`the adapter of ${platform} has no audiences`)
    audiences.set(code, { ...opened.audiences, code, limits: audienceInfo(code).limits })
  }

  return {
    audiencesOf: (code: AudienceCode): AudiencePlatform => known(audiences.get(code), code),
    oauthOf: (code: PlatformCode): OAuthClient => known(oauth.get(code), code),
    /** Null for a platform without look-ups for targeting. */
    dictionariesOf: (code: PlatformCode): TargetingDictionaries | null => dictionaries.get(code) ?? null,
    /** Null for a platform whose plans can be neither read nor changed. */
    plansOf: (code: PlatformCode): PlatformPlans | null => plans.get(code) ?? null,
    /** Null for a platform whose targeting packages can be neither read nor written. */
    packagesOf: (code: PlatformCode): TargetingPackages | null => packages.get(code) ?? null,
    /** Null for a platform without reports to read. */
    reportsOf: (code: PlatformCode): PlatformReports | null => reports.get(code) ?? null,
  }
}

function known<T>(found: T | undefined, code: number): T {
  if (found === undefined) throw new Error(`no platform has the number ${code}`)
  return found
}

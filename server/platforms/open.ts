import { join } from 'node:path'
import type { PlatformCode } from '#contract/platform.ts'
import { PLATFORMS, platformOfCode } from '#contract/platform.ts'
import type { AudiencePlatform } from './audience-platform.ts'
import { PlatformFault } from './audience-platform.ts'
import type { Endpoint, WireOptions } from './call.ts'
import type { OAuthClient } from './oauth-client.ts'
import { openPace } from './pace.ts'
import { partFiles } from './part-file.ts'
import { socialPlatform } from './social/audience.ts'
import { socialOAuth } from './social/oauth.ts'
import { socialWire } from './social/wire.ts'
import { videoPlatform } from './video/audience.ts'
import { videoOAuth } from './video/oauth.ts'
import { videoWire } from './video/wire.ts'

/** Calls of one account to one platform; what an application may do is told in its back office alone. */
const CALLS_PER_SECOND = 10
const TIMEOUT_MS = 30_000
/** A part of 50 MB over a slow line. */
const UPLOAD_TIMEOUT_MS = 300_000

export interface PlatformsOptions {
  /** Null: this deployment does not speak to it. */
  endpointOf(platform: 'social' | 'video' | 'commerce'): Promise<Endpoint | null>
  /** Files are made below it, and gone when they are sent. */
  dataDir: string
  callsPerSecond?: number
  /** Multiplies the pause between two calls of an account; 1 unless a test is in a hurry. */
  pace?: number
  timeoutMs?: number
  uploadTimeoutMs?: number
  nowMs?: () => number
}

/** The ad platforms, each with its adapter and its authorisation. Nothing is called, and no address asked for, before a call needs it. */
export function openPlatforms(options: PlatformsOptions) {
  const wireOptions = (platform: 'social' | 'video' | 'commerce'): WireOptions => ({
    async endpoint() {
      const endpoint = await options.endpointOf(platform)
      if (!endpoint) throw new PlatformFault('configuration', `${PLATFORMS[platform].name}没有接入`)
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
  const socialOptions = wireOptions('social')
  const videoOptions = wireOptions('video')
  const commerceOptions = wireOptions('commerce')
  const wires = { social: socialWire(socialOptions), video: videoWire(videoOptions) }
  const files = partFiles(join(options.dataDir, 'push-parts'))
  const audiences: Record<1 | 2, AudiencePlatform> = {
    1: socialPlatform({ wire: wires.social, files }),
    2: videoPlatform({ wire: wires.video, files, nowMs: videoOptions.nowMs }),
  }
  const oauth: Record<'social' | 'video' | 'commerce', OAuthClient> = {
    social: socialOAuth(socialOptions, wires.social),
    video: videoOAuth(videoOptions, wires.video, 'video'),
    commerce: videoOAuth(commerceOptions, videoWire(commerceOptions), 'commerce'),
  }

  return {
    audiencesOf: (code: 1 | 2): AudiencePlatform => audiences[code],
    oauthOf: (platform: PlatformCode): OAuthClient => oauth[platformOfCode(platform)],
  }
}

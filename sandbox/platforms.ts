import { z } from 'zod'

interface Facts {
  /** Its name on the page of switches. */
  label: string
  /** The one registered application. */
  app: { id: string; secret: string }
  /**
   * The id of its first account; others have every second id after it. Above 2^53 and odd, so that a rounded id is
   * noticed.
   */
  firstAccount: string
  /** Whether a newer authorisation of a login invalidates its earlier codes. */
  hasOneCode: boolean
  /** Scopes of a token requested without any; an empty list means all. */
  scopes: readonly string[]
  /** The table of its values, and the column that identifies their set. */
  values: { table: string; owner: string }
  /** The table of its audiences, and the columns that a test can set. */
  audiences: { table: string; settable: readonly string[] }
}

/** The differences between the stand-ins outside their own folders. */
export const PLATFORMS = {
  social: {
    label: '腾讯广告',
    app: { id: '1110000001', secret: 'sandbox-social-secret' },
    firstAccount: '9007199254750001',
    hasOneCode: false,
    scopes: [],
    values: { table: 'social_value', owner: 'audience' },
    audiences: { table: 'social_audience', settable: ['used_by', 'status', 'online_status'] },
  },
  video: {
    label: '巨量引擎',
    app: { id: '1780000000000001', secret: 'sandbox-video-secret' },
    firstAccount: '9107199254750001',
    hasOneCode: true,
    // biome-ignore format: one line of numbers
    scopes: ['1', '10', '100', '14', '140', '3', '30', '31', '72', '720', '721', '722', '26', '260', '40005', '400050'],
    values: { table: 'video_value', owner: 'source' },
    audiences: { table: 'video_audience', settable: ['used_by', 'status'] },
  },
} as const satisfies Record<string, Facts>

export type PlatformName = keyof typeof PLATFORMS
export const PLATFORM_NAMES = Object.keys(PLATFORMS) as [PlatformName, ...PlatformName[]]
export const PlatformName = z.enum(PLATFORM_NAMES)

export const accountId = (platform: PlatformName, no: number) =>
  String(BigInt(PLATFORMS[platform].firstAccount) + BigInt(no) * 2n)

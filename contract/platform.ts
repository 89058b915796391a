import { z } from 'zod'

/** The ad platforms: the one place that knows their wire numbers and names. */
export const PLATFORMS = {
  social: { code: 1, name: '腾讯广告', mark: '腾', tab: 2, pushes: true },
  video: { code: 2, name: '巨量引擎', mark: '巨', tab: 3, pushes: true },
  commerce: { code: 3, name: '巨量千川', mark: '千', tab: 4, pushes: false },
} as const

export type Platform = keyof typeof PLATFORMS

/** On the wire a platform is its number. */
export const PlatformCode = z.union([z.literal(1), z.literal(2), z.literal(3)])
export type PlatformCode = z.infer<typeof PlatformCode>

/** The platform whose number this is. */
export const platformOfCode = (code: PlatformCode): Platform =>
  code === 1 ? 'social' : code === 2 ? 'video' : 'commerce'

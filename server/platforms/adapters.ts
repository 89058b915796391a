import type { Platform } from '#contract/platform.ts'
import type { Adapter } from './adapter.ts'
import { commerceAdapter } from './commerce/adapter.ts'
import { socialAdapter } from './social/adapter.ts'
import { videoAdapter } from './video/adapter.ts'

/** The adapter of each platform in PLATFORMS. */
export const ADAPTERS: Record<Platform, Adapter> = {
  social: socialAdapter,
  video: videoAdapter,
  commerce: commerceAdapter,
}

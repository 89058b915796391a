import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { PLATFORMS, type PlatformCode } from '#contract/platform.ts'

const BESIDE: readonly PlatformCode[] = [PLATFORMS.video.code, PLATFORMS.commerce.code]

/** Whether a deletion is refused because a plan uses a package. */
export const isUseOf = ({ code, params }: AnyOutcome): boolean =>
  code === 'fault' && (params as { fault?: unknown }).fault === 'packageInUse'

/**
 * Whether a refused deletion is said beside the list, which stays usable while the plan is unbound. A dialog says
 * everything else, such as a network that failed.
 */
export const isSaidBeside = (rows: readonly { platform: PlatformCode }[], isInUse: boolean): boolean =>
  isInUse && rows.some(({ platform }) => BESIDE.includes(platform))

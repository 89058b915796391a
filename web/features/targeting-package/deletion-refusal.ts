import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { PLATFORMS, type PlatformCode } from '#contract/platform.ts'
import { PackageDeletion } from '#contract/targeting-package.ts'

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

/** Why the packages of a deletion are kept, in their order. */
export const reasonsIn = (list: readonly PackageDeletion[]): AnyOutcome[] =>
  list.flatMap(({ refusal_outcome: reason }) => reason ?? [])

/** The same, of a deletion that failed because none of the packages could be deleted. */
export function reasonsOfFailure(data: unknown): AnyOutcome[] {
  if (typeof data !== 'object' || data === null || !('list' in data)) return []
  return reasonsIn(PackageDeletion.array().safeParse(data.list).data ?? [])
}

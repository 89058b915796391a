import { crowdsOf } from './crowds-of.ts'
import type { CrowdRow } from './five-tab/crowd-row.ts'
import type { PackageCode } from './package-codes.ts'

type Status = NonNullable<CrowdRow['status']>

/** The states of the vendor of platforms 2 and 3 from which a crowd does not return: expired, deleted, frozen. */
const VENDOR_ENDED = [11, 22, 23, 24, 25, 26]
/** In which the platform lets nobody use a crowd; new data mends one that failed, so ERROR is none of them. */
const ENDED: Readonly<Record<PackageCode, readonly Status[]>> = {
  // Frozen, its source withdrawn by its owner, unused for so long that it can no longer be targeted.
  1: ['FROZEN', 'LOCKING', 'OFFLINE'],
  2: VENDOR_ENDED,
  3: VENDOR_ENDED,
}

/** The crowds of a targeting that its account's list, which is whole, has no more, or as expired, frozen or deleted. */
export function lostCrowds(
  platform: PackageCode,
  targeting: Record<string, unknown>,
  listed: readonly CrowdRow[],
): string[] {
  const rows = new Map(listed.map((row) => [row.retargeting_tags_id, row]))
  const ended = ENDED[platform]
  const { include, exclude } = crowdsOf(targeting)
  return [...new Set([...include, ...exclude])].filter((id) => {
    const row = rows.get(id)
    return !row || (row.status !== undefined && ended.includes(row.status))
  })
}

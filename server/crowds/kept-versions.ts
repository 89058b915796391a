/** Replaced versions of a crowd that keep their people, whatever their days. */
export const NEWEST_KEPT = 48
/** Replaced versions keep their people this many days at most. */
export const KEPT_DAYS = 90
const DAY_SECONDS = 86_400

/** A replaced version that still has its people. */
export interface ReplacedVersion {
  version: number
  /** The day of its data, `2026-11-20`, in the time zone of the deployment. */
  day: string
  /** Epoch seconds. */
  replaced_at: number
}

/**
 * Which replaced versions of a crowd lose their people: those replaced more than 90 days ago and, of those before the
 * newest 48, all but the last of each day. Those `spared` are not counted as one too many. Versions are given in the order in
 * which they came into force.
 */
export function versionsToClear(
  versions: readonly ReplacedVersion[],
  at: number,
  spared: readonly (number | null)[],
): number[] {
  const newest = versions.length - NEWEST_KEPT
  return versions.flatMap(({ version, day, replaced_at }, place) => {
    const isOld = replaced_at < at - KEPT_DAYS * DAY_SECONDS
    const isOneTooMany = place < newest && versions[place + 1]?.day === day && !spared.includes(version)
    return isOld || isOneTooMany ? [version] : []
  })
}

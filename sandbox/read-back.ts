import type { PlatformName } from './platforms.ts'

type Row = Record<string, unknown>

/** What a platform holds, for tests and for the page of switches. */
export interface ReadBack {
  /** Audiences of an account: there now, and ever made. */
  made(account_id: string): { live: number; ever_made: number }
  /** Every audience ever made, deleted ones too, with the number of values it holds. */
  audiences(account_id: string | null): Row[]
  /** The exact set of values, in order. */
  values(audience_id: string): { kind: unknown; value: unknown }[]
  /** What was received. */
  parts(account_id: string | null, audience_id: string | null): Row[]
  /** The audiences made last. */
  latest(most: number): (Omit<ShownAudience, 'platform'> & { made_at: number })[]
}

export interface ShownAudience {
  platform: PlatformName
  /** Null: not there yet. */
  id: string | null
  account_id: string
  name: string
  status: string
  size: number
}

/** The latest audiences of all platforms. */
export const latestAudiences = (all: Record<PlatformName, ReadBack>, most: number): ShownAudience[] =>
  Object.entries(all)
    .flatMap(([platform, one]) => one.latest(most).map((row) => ({ ...row, platform: platform as PlatformName })))
    .toSorted((one, other) => other.made_at - one.made_at)

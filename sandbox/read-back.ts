import type { PlatformName } from './platforms.ts'

type Row = Record<string, unknown>

/** A platform's content, for tests and for the page of switches. */
export interface ReadBack {
  /** The number of an account's audiences, now and ever created. */
  made(account_id: string): { live: number; ever_made: number }
  /** Every audience ever created, deleted ones too, with its number of values. */
  audiences(account_id: string | null): Row[]
  /** The exact set of values, in order. */
  values(audience_id: string): { kind: unknown; value: unknown }[]
  /** The received files or changes. */
  parts(account_id: string | null, audience_id: string | null): Row[]
  /** The most recently created audiences. */
  latest(most: number): (Omit<ShownAudience, 'platform'> & { made_at: number })[]
}

export interface ShownAudience {
  platform: PlatformName
  /** Null until it has one. */
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

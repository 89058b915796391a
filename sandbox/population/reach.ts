import type { Entry, Family } from './categories.ts'
import { type Crowd, daysAgo, membersOf, nobody, put, waysOf } from './population.ts'

export const ACTION_SCENES = ['E-COMMERCE', 'NEWS', 'APP', 'SEARCH', 'AD'] as const
export const ACTION_DAYS = [7, 15, 30, 60, 90, 180, 365] as const
const LONGEST = 365
/** The most common category holds this share of the people, the most common keyword far fewer. */
const CATEGORY_SHARE = 0.02
const KEYWORD_SHARE = 0.004
const FIRST_KEYWORD_LEAF = 1_000_000

/** When and where people did what they are chosen for. Interests have neither. */
export interface Window {
  days: number
  /** Empty: any scene. */
  scenes: readonly string[]
}

const maskOf = (names: readonly string[], all: readonly string[]): number =>
  names.length === 0 ? 2 ** all.length - 1 : names.reduce((mask, name) => mask | (1 << all.indexOf(name)), 0)

/** Adds everyone to the set who holds one of the leaves, and did it within the window. */
function addHolders(to: Crowd, leaves: readonly number[], window: Window | null): void {
  const mask = window && maskOf(window.scenes, ACTION_SCENES)
  for (const leaf of leaves) {
    for (const person of membersOf(leaf, leaf >= FIRST_KEYWORD_LEAF ? KEYWORD_SHARE : CATEGORY_SHARE)) {
      if (window && daysAgo(leaf, person, LONGEST) > window.days) continue
      if (mask !== null && (waysOf(leaf, person, ACTION_SCENES.length) & mask) === 0) continue
      put(to, person)
    }
  }
}

/** The people who hold an entry. */
export function holdersOf(family: Family, { leaves }: Entry, window: Window): Crowd {
  const holders = nobody()
  addHolders(holders, leaves, family === 'ACTION' ? window : null)
  return holders
}

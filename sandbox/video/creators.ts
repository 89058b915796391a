import { draw, drawn } from '../population/draw.ts'
import { type Crowd, daysAgo, membersOf, nobody, put, USERS_EACH, waysOf } from '../population/population.ts'
import { INDUSTRIES, NICKNAMES, ROLES } from '../population/words.ts'

export const BEHAVIORS = [
  'FOLLOWED_USER',
  'COMMENTED_USER',
  'LIKED_USER',
  'SHARED_USER',
  'LIVE_WATCH',
  'LIVE_EFFECTIVE_WATCH',
  'LIVE_COMMENT',
  'LIVE_EXCEPTIONAL',
  'LIVE_GOODS_CLICK',
  'LIVE_GOODS_ORDER',
  'GOODS_CARTS_CLICK',
  'GOODS_CARTS_ORDER',
] as const

/** An account that people follow. */
export interface Creator {
  no: number
  label_id: string
  aweme_id: string
  name: string
  /** The name of its category, the last of three levels. */
  category: string
}
/** A category of creators, with the numbers of all creators below it. */
export interface CreatorCategory {
  id: string
  value: string
  children: readonly CreatorCategory[]
  creators: readonly number[]
}

const EACH = 14
/** Kinds that creators are sorted by within a thing. */
const SORTED = 6
/** Above 2^53 and odd, so that a rounded id is noticed. */
const FIRST_LABEL = 9_207_199_254_750_001n
const FIRST_CATEGORY = 19_000
const FIRST_LEAF = 400_000_000
const LONGEST_DAYS = 60
const SHARE = 0.008
/** One of so many accounts is closed: nothing finds it any more, though packages may still hold it. */
const CLOSED_EVERY = 89

const CATEGORIES = INDUSTRIES.flatMap(({ things, kinds }) =>
  things.flatMap((thing) => kinds.slice(0, SORTED).map((kind) => ({ thing, name: `${kind}${thing}` }))),
)
const CREATOR_COUNT = CATEGORIES.length * EACH

const isClosed = (no: number) => no % CLOSED_EVERY === CLOSED_EVERY - 1

function creator(no: number): Creator {
  const { thing, name: category } = CATEGORIES[Math.floor(no / EACH)] as (typeof CATEGORIES)[number]
  return {
    no,
    label_id: String(FIRST_LABEL + BigInt(no) * 2n),
    aweme_id: `dy${(draw(no, 5) % 90_000_000) + 10_000_000}`,
    name: `${drawn(NICKNAMES, no, 6)}${thing}${drawn(ROLES, no, 7)}`,
    category,
  }
}

const open = (no: number): Creator | null => (isClosed(no) ? null : creator(no))

let roots: readonly CreatorCategory[] | null = null
let byId = new Map<string, CreatorCategory>()

/** The categories of creators, three levels deep. */
export function creatorCategories(): readonly CreatorCategory[] {
  if (roots) return roots
  let id = FIRST_CATEGORY
  let first = 0
  const known = new Map<string, CreatorCategory>()
  const node = (value: string, below: () => CreatorCategory[], own: () => number[]): CreatorCategory => {
    const no = String(id++)
    const children = below()
    const creators = children.length > 0 ? children.flatMap((child) => child.creators) : own()
    const made = { id: no, value, children, creators }
    known.set(no, made)
    return made
  }
  const leaf = (value: string) =>
    node(
      value,
      () => [],
      () => {
        const from = first
        first += EACH
        return Array.from({ length: EACH }, (_, index) => from + index).filter((no) => !isClosed(no))
      },
    )
  roots = INDUSTRIES.map(({ name, things, kinds }) =>
    node(
      name,
      () =>
        things.map((thing) =>
          node(
            thing,
            () => kinds.slice(0, SORTED).map((kind) => leaf(`${kind}${thing}`)),
            () => [],
          ),
        ),
      () => [],
    ),
  )
  byId = known
  return roots
}

export function creatorCategoryOf(id: string): CreatorCategory | null {
  creatorCategories()
  return byId.get(id) ?? null
}

export function creatorOf(label_id: string): Creator | null {
  if (!/^\d{1,19}$/.test(label_id)) return null
  const away = BigInt(label_id) - FIRST_LABEL
  const no = Number(away / 2n)
  return away >= 0n && away % 2n === 0n && no < CREATOR_COUNT ? open(no) : null
}

/** Creators of a category, those with most followers first. */
export function topOf(category: CreatorCategory, most: number): Creator[] {
  return category.creators
    .map((no) => ({ no, fans: followers(no).length }))
    .sort((a, b) => b.fans - a.fans || a.no - b.no)
    .slice(0, most)
    .map(({ no }) => creator(no))
}

/** Creators and categories whose names hold the words; a creator also by its account. */
export function searched(words: string, most: number): { creators: Creator[]; categories: CreatorCategory[] } {
  const creators: Creator[] = []
  for (let no = 0; no < CREATOR_COUNT && creators.length < most; no++) {
    const one = open(no)
    if (one && (one.name.includes(words) || one.aweme_id === words)) creators.push(one)
  }
  creatorCategories()
  const categories = [...byId.values()].filter(({ value }) => value.includes(words)).slice(0, most)
  return { creators, categories }
}

/** Other creators of the same category. Null if nobody has the account. */
export function similarTo(aweme_id: string, most: number): Creator[] | null {
  for (let no = 0; no < CREATOR_COUNT; no++) {
    const one = open(no)
    if (one?.aweme_id !== aweme_id) continue
    const from = Math.floor(no / EACH) * EACH
    return Array.from({ length: EACH }, (_, index) => from + index)
      .flatMap((other) => (other === no ? [] : (open(other) ?? [])))
      .slice(0, most)
  }
  return null
}

const followers = (no: number) => membersOf(FIRST_LEAF + no, SHARE)

/** What people must have done with a creator, and within how many days. */
export interface Deed {
  behaviors: readonly string[]
  days: number
}

/** Adds everyone to the set who did one of the behaviours with one of the creators. Following has no date. */
function addFans(to: Crowd, creators: readonly number[], { behaviors, days }: Deed): void {
  const mask = behaviors.reduce((bits, name) => bits | (1 << BEHAVIORS.indexOf(name as never)), 0)
  const hasFollowed = (mask & 1) !== 0
  for (const no of creators) {
    const leaf = FIRST_LEAF + no
    for (const person of followers(no)) {
      const did = waysOf(leaf, person, BEHAVIORS.length)
      const isDated = (did & mask & ~1) !== 0 && daysAgo(leaf, person, LONGEST_DAYS) <= days
      if (isDated || (hasFollowed && (did & 1) !== 0)) put(to, person)
    }
  }
}

/** How many users follow or have dealt with a creator. */
export const fansOf = (no: number): number => followers(no).length * USERS_EACH

/**
 * The people who did one of the behaviours with one of the creators; without behaviours the platform's figure means
 * nothing, and here it is nobody.
 */
export function fansWho(creators: readonly number[], behaviors: readonly string[], days = LONGEST_DAYS): Crowd {
  const fans = nobody()
  if (behaviors.length > 0) addFans(fans, creators, { behaviors, days })
  return fans
}

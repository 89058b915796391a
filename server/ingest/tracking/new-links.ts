import { ANONYMOUS_PREFIX } from '#contract/tracking-message.ts'

/** What an identify or an alias says about two ids. */
export interface Claim {
  kind: 'identify' | 'alias'
  user_id: string
  /** Of an identify. */
  anonymous_id: string
  /** Of an alias. */
  previous_id: string
  /** Epoch milliseconds. */
  ts: number
  /** 1: the key of a page says it. */
  by_page: 0 | 1
}

/** From `since` on the id `from_id` is the person `to_id`; what is older than its first link belongs to that one too. */
export interface PersonLink {
  from_id: string
  since: number
  to_id: string
  /** 1: the key of a page made it. */
  by_page: 0 | 1
}

/** The link of an alias holds for all times. */
const ALWAYS = 0

/** How often a device may come to another person; whoever has the key of a page can say so without end. */
export const DEVICE_LINKS_MAX = 1000

/** Links that lead to the same person: `to_id` is in one place, since an alias changes it for all of them. */
interface Group {
  to_id: string
  links: Link[]
}
interface Link extends Omit<PersonLink, 'to_id'> {
  group: Group
  /** Where it led before; null for a new one. */
  was: string | null
}

/**
 * The links that claims add to the known ones or change. An identify gives a device to a user: the first user takes what
 * the device did before, a further one only what comes later. An alias gives all that one person is to another; no link
 * leads to an id that has itself become another person. Claims for a device that has its bound of links are refused.
 *
 * `known` has the links of all ids in the claims, and the links that lead to the persons of an alias's previous id.
 * `exists` says whether an id has a person.
 */
export function newLinks<Said extends Claim>(
  claims: readonly Said[],
  known: readonly PersonLink[],
  exists: (id: string) => boolean,
): { links: PersonLink[]; refused: Said[] } {
  const all: Link[] = []
  /** The links of each id, the oldest first. */
  const linksOf = new Map<string, Link[]>()
  /** By the person to whom the links lead. */
  const groups = new Map<string, Group>()
  const refused: Said[] = []
  for (const { to_id, ...link } of known) listOf(link.from_id).push(join(link, to_id, to_id))
  for (const own of linksOf.values()) own.sort((one, other) => one.since - other.since)

  for (const claim of claims.toSorted((one, other) => one.ts - other.ts)) {
    const to_id = personOf(claim.user_id)
    const device = claim.kind === 'identify' ? ANONYMOUS_PREFIX + claim.anonymous_id : deviceOf(claim.previous_id)
    if (device !== null) {
      if (at(device, claim.ts) === to_id) continue
      if (listOf(device).length >= DEVICE_LINKS_MAX) refused.push(claim)
      else put({ from_id: device, since: claim.ts, by_page: claim.by_page }, to_id)
      continue
    }
    const from_id = personOf(claim.previous_id)
    if (from_id === to_id) continue
    merge(from_id, to_id)
    put({ from_id, since: ALWAYS, by_page: claim.by_page }, to_id)
  }
  const links = all.flatMap(({ group, was, ...link }) => (group.to_id === was ? [] : [{ ...link, to_id: group.to_id }]))
  return { links, refused }

  function listOf(id: string): Link[] {
    const own = linksOf.get(id) ?? []
    linksOf.set(id, own)
    return own
  }

  function join(link: Omit<PersonLink, 'to_id'>, to_id: string, was: string | null): Link {
    const group = groups.get(to_id) ?? { to_id, links: [] }
    groups.set(to_id, group)
    const joined = { ...link, group, was }
    group.links.push(joined)
    all.push(joined)
    return joined
  }

  function put(link: Omit<PersonLink, 'to_id'>, to_id: string): void {
    const own = listOf(link.from_id)
    own.splice(placeAfter(own, link.since), 0, join(link, to_id, null))
  }

  /** What led to one person leads to another: the smaller group goes into the larger, so that chains stay cheap. */
  function merge(from_id: string, to_id: string): void {
    const from = groups.get(from_id)
    if (from === undefined) return
    groups.delete(from_id)
    const to = groups.get(to_id) ?? { to_id, links: [] }
    const [less, more] = from.links.length < to.links.length ? [from, to] : [to, from]
    for (const link of less.links) {
      link.group = more
      more.links.push(link)
    }
    more.to_id = to_id
    groups.set(to_id, more)
  }

  function at(id: string, ts: number): string | undefined {
    const own = linksOf.get(id) ?? []
    return (own[placeAfter(own, ts) - 1] ?? own[0])?.group.to_id
  }

  function personOf(user_id: string): string {
    return at(user_id, ALWAYS) ?? user_id
  }

  /** The device that an alias gives up, if its previous id is no user's. */
  function deviceOf(previous_id: string): string | null {
    const device = ANONYMOUS_PREFIX + previous_id
    const isUser = exists(previous_id) || linksOf.has(previous_id)
    return !isUser && (exists(device) || linksOf.has(device)) ? device : null
  }
}

/** How many of these links, the oldest first, are not later than a time. */
function placeAfter(links: readonly Link[], ts: number): number {
  let low = 0
  let high = links.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((links[middle]?.since ?? 0) <= ts) low = middle + 1
    else high = middle
  }
  return low
}

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

/**
 * The links that claims add to the known ones or change. An identify gives a device to a user: the first user takes what
 * the device did before, a further one only what comes later. An alias gives all that one person is to another; no link
 * leads to an id that has itself become another person.
 *
 * `known` has the links of all ids in the claims, and the links that lead to the persons of an alias's previous id.
 * `exists` says whether an id has a person.
 */
export function newLinks(
  claims: readonly Claim[],
  known: readonly PersonLink[],
  exists: (id: string) => boolean,
): PersonLink[] {
  const links = new Map<string, PersonLink[]>()
  const changed = new Set<PersonLink>()
  for (const link of known) add({ ...link })

  function add(link: PersonLink): void {
    const own = links.get(link.from_id)
    if (own === undefined) links.set(link.from_id, [link])
    else {
      own.push(link)
      own.sort((one, other) => one.since - other.since)
    }
  }
  const put = (link: PersonLink) => {
    add(link)
    changed.add(link)
  }
  const at = (id: string, ts: number): string | undefined => {
    const own = links.get(id)
    return (own?.findLast(({ since }) => since <= ts) ?? own?.[0])?.to_id
  }
  const personOf = (user_id: string) => at(user_id, ALWAYS) ?? user_id

  for (const claim of claims.toSorted((one, other) => one.ts - other.ts)) {
    const to_id = personOf(claim.user_id)
    const device = claim.kind === 'identify' ? ANONYMOUS_PREFIX + claim.anonymous_id : deviceOf(claim.previous_id)
    if (device !== null) {
      if (at(device, claim.ts) !== to_id) put({ from_id: device, since: claim.ts, to_id, by_page: claim.by_page })
      continue
    }
    const from_id = personOf(claim.previous_id)
    if (from_id === to_id) continue
    for (const link of [...links.values()].flat()) {
      if (link.to_id !== from_id) continue
      link.to_id = to_id
      changed.add(link)
    }
    put({ from_id, since: ALWAYS, to_id, by_page: claim.by_page })
  }
  return [...changed]

  /** The device that an alias gives up, if its previous id is no user's. */
  function deviceOf(previous_id: string): string | null {
    const device = ANONYMOUS_PREFIX + previous_id
    const isUser = exists(previous_id) || links.has(previous_id)
    return !isUser && (exists(device) || links.has(device)) ? device : null
  }
}

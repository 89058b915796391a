import { draw } from './draw.ts'

/**
 * The made-up people behind every coverage figure: always the same ones, counted and never multiplied, so that narrower
 * targeting never reaches more. Each stands for USERS_EACH users.
 */
export const PEOPLE = 65_536
export const USERS_EACH = 500

const WHOLE = 2 ** 32
/** What of a member is drawn, beside whether they are one. */
const DAY = 0x51ed
const MASK = 0x7a3b

/** How many of the people hold something, as a share: `most` for the most common, far less for most. */
const shareOf = (key: number, most: number): number => most * ((draw(key, 0x2f1d) + 1) / WHOLE) ** 2 + most / 400

/**
 * The people who hold something, in ascending order. The gaps between them are drawn, which takes one number for each
 * member instead of one for each person.
 */
function drawMembers(key: number, most: number): Uint16Array {
  const share = shareOf(key, most)
  const scale = Math.log(1 - share)
  const members: number[] = []
  let person = -1
  for (let no = 0; ; no++) {
    person += 1 + Math.floor(Math.log((draw(key, no) + 1) / (WHOLE + 1)) / scale)
    if (person >= PEOPLE) return Uint16Array.from(members)
    members.push(person)
  }
}

const known = new Map<number, Uint16Array>()
/** The people who hold what has this number, of whom there are at most a share of `most`. */
export function membersOf(key: number, most: number): Uint16Array {
  let members = known.get(key)
  if (!members) {
    members = drawMembers(key, most)
    known.set(key, members)
  }
  return members
}

/** How many days ago a member last did it, 1 to `longest`, more often lately. */
export const daysAgo = (key: number, person: number, longest: number): number =>
  1 + Math.floor(longest * (draw(key ^ DAY, person) / WHOLE) ** 2)

/** In which of the ways a member did it: bits below 2^ways, at least one. */
export function waysOf(key: number, person: number, ways: number): number {
  const drawn = draw(key ^ MASK, person)
  return (drawn & (drawn >>> 13) & (2 ** ways - 1)) | (1 << ((drawn >>> 26) % ways))
}

/** A set of people: one bit for each. */
export type Crowd = Uint32Array
export const nobody = (): Crowd => new Uint32Array(PEOPLE / 32)
export const put = (set: Crowd, person: number): void => {
  set[person >>> 5] = (set[person >>> 5] as number) | (1 << (person & 31))
}

/** Everyone of whom something is true. */
export function everyone(isTrue: (person: number) => boolean): Crowd {
  const set = nobody()
  for (let person = 0; person < PEOPLE; person++) if (isTrue(person)) put(set, person)
  return set
}

export function crowdOf(members: Iterable<number>): Crowd {
  const set = nobody()
  for (const person of members) put(set, person)
  return set
}

const combined = (one: Crowd, other: Crowd, of: (a: number, b: number) => number): Crowd =>
  one.map((word, at) => of(word, other[at] as number))
export const both = (one: Crowd, other: Crowd): Crowd => combined(one, other, (a, b) => a & b)
export const either = (one: Crowd, other: Crowd): Crowd => combined(one, other, (a, b) => a | b)
export const without = (one: Crowd, other: Crowd): Crowd => combined(one, other, (a, b) => a & ~b)

export function countOf(set: Crowd): number {
  let count = 0
  for (const word of set) {
    let bits = word - ((word >>> 1) & 0x55555555)
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return count
}

interface Node<N> {
  children: readonly N[]
}
/**
 * A tree as rows with the users of each node: those of a node without children are `holders` of it, those of any other
 * are all that its children have, each counted once.
 */
export function countedTree<N extends Node<N>, Row>(
  roots: readonly N[],
  holders: (leaf: N) => Crowd,
  rowOf: (node: N, users: number, children: Row[]) => Row,
): Row[] {
  const visit = (node: N): { row: Row; crowd: Crowd } => {
    if (node.children.length === 0) {
      const crowd = holders(node)
      return { row: rowOf(node, countOf(crowd) * USERS_EACH, []), crowd }
    }
    const below = node.children.map(visit)
    const crowd = nobody()
    for (const { crowd: part } of below)
      for (let at = 0; at < crowd.length; at++) crowd[at] = (crowd[at] as number) | (part[at] as number)
    return {
      row: rowOf(
        node,
        countOf(crowd) * USERS_EACH,
        below.map(({ row }) => row),
      ),
      crowd,
    }
  }
  return roots.map((root) => visit(root).row)
}

import { draw } from './draw.ts'
import { ASKED, INDUSTRIES } from './words.ts'

/** A category, or a keyword, of the behaviour or the interest family. */
export interface Entry {
  id: string
  name: string
  /** Numbers of the leaves below it; those that people are counted for. A keyword has one of its own. */
  leaves: readonly number[]
}
export interface Category extends Entry {
  children: readonly Category[]
}

export const FAMILIES = ['ACTION', 'INTEREST'] as const
export type Family = (typeof FAMILIES)[number]
export const TAG_TYPES = ['CATEGORY', 'KEYWORD'] as const
export type TagType = (typeof TAG_TYPES)[number]

/** The first id of each family and kind, so far apart that no two ids are equal. */
const FIRST_ID: Record<Family, Record<TagType, number>> = {
  ACTION: { CATEGORY: 10_000, KEYWORD: 20_000_000 },
  INTEREST: { CATEGORY: 40_000, KEYWORD: 60_000_000 },
}
/** How far people are into a matter: the fourth level, which only some industries have. */
const DEPTHS = ['入门', '进阶', '资深']
const DEEP_INDUSTRIES = 8
/** One of so many keywords was withdrawn: nothing finds or names it any more, though packages may still hold it. */
const WITHDRAWN_EVERY = 97
/** Numbers of leaves of keywords begin here; those of categories are below. */
const FIRST_KEYWORD_LEAF = 1_000_000

function treeOf(family: Family): Category[] {
  let id = FIRST_ID[family].CATEGORY
  const node = (name: string, below: (() => Category[]) | null): Category => {
    const no = id++
    const children = below?.() ?? []
    const leaves = children.length > 0 ? children.flatMap((child) => child.leaves) : [no]
    return { id: String(no), name, children, leaves }
  }
  return INDUSTRIES.map(({ name, things, kinds }, industry) =>
    node(name, () =>
      things.map((thing) =>
        node(thing, () =>
          kinds.map((kind) =>
            node(
              `${kind}${thing}`,
              industry < DEEP_INDUSTRIES ? () => DEPTHS.map((depth) => node(`${kind}${thing}${depth}`, null)) : null,
            ),
          ),
        ),
      ),
    ),
  )
}

/** What a keyword is made of: a thing of an industry, perhaps of a kind, and what is asked about it. */
const SUBJECTS = INDUSTRIES.flatMap(({ things, kinds }) =>
  things.flatMap((thing) => [thing, ...kinds.map((kind) => `${kind}${thing}`)]),
)
const KEYWORD_COUNT = SUBJECTS.length * ASKED.length

const isWithdrawn = (no: number) => no % WITHDRAWN_EVERY === WITHDRAWN_EVERY - 1
const keywordName = (no: number) => `${SUBJECTS[Math.floor(no / ASKED.length)]}${ASKED[no % ASKED.length]}`

function keyword(family: Family, no: number): Entry {
  const id = FIRST_ID[family].KEYWORD + no
  return { id: String(id), name: keywordName(no), leaves: [FIRST_KEYWORD_LEAF + id] }
}

const trees = new Map<Family, { roots: readonly Category[]; byId: ReadonlyMap<string, Category> }>()
function opened(family: Family) {
  const known = trees.get(family)
  if (known) return known
  const roots = treeOf(family)
  const byId = new Map<string, Category>()
  const add = (category: Category) => {
    byId.set(category.id, category)
    category.children.forEach(add)
  }
  roots.forEach(add)
  const made = { roots, byId }
  trees.set(family, made)
  return made
}

/** The categories of a family, up to four levels deep. */
export const categoriesOf = (family: Family): readonly Category[] => opened(family).roots

/** A category or a keyword by its id; null if there is none, or no longer. */
export function entryOf(family: Family, type: TagType, id: string): Entry | null {
  if (type === 'CATEGORY') return opened(family).byId.get(id) ?? null
  const no = Number(id) - FIRST_ID[family].KEYWORD
  return Number.isInteger(no) && no >= 0 && no < KEYWORD_COUNT && !isWithdrawn(no) ? keyword(family, no) : null
}

let noByName: ReadonlyMap<string, number> | null = null
/** A keyword by its whole text; null if there is none, or no longer. */
export function keywordNamed(family: Family, name: string): Entry | null {
  noByName ??= new Map(Array.from({ length: KEYWORD_COUNT }, (_, no) => [keywordName(no), no]))
  const no = noByName.get(name)
  return no === undefined || isWithdrawn(no) ? null : keyword(family, no)
}

/** Keywords that hold the words, at most so many. */
export function keywordsWith(family: Family, words: string, most: number): Entry[] {
  const found: number[] = []
  for (let no = 0; no < KEYWORD_COUNT && found.length < most; no++) {
    if (!isWithdrawn(no) && keywordName(no).includes(words)) found.push(no)
  }
  return found.map((no) => keyword(family, no))
}

/** Keywords near an entry: those of the same subject, then of its neighbours. Always the same for the same entry. */
export function keywordsNear(family: Family, entry: Entry, most: number): Entry[] {
  const subject = SUBJECTS.findIndex((one) => entry.name.startsWith(one))
  const first = (subject >= 0 ? subject : draw(Number(entry.id), 1) % SUBJECTS.length) * ASKED.length
  const near: Entry[] = []
  for (let step = 0; near.length < most && step < KEYWORD_COUNT; step++) {
    const no = (first + step) % KEYWORD_COUNT
    const found = isWithdrawn(no) ? null : keyword(family, no)
    if (found && found.id !== entry.id) near.push(found)
  }
  return near
}

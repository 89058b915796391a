import type { PackageLine } from './packages.ts'

export interface ComparedWord {
  word: string
  /** The other package does not have it. */
  isOnly: boolean
}

/** One condition of two packages; an empty side does not restrict it. */
export interface ComparedLine {
  tabLabel: string
  label: string
  left: ComparedWord[]
  right: ComparedWord[]
  isDifferent: boolean
}

/**
 * Two packages in words side by side, in the order of the left one; what only the right one has follows what stands before it
 * there. Lines belong together by their labels, so packages of different platforms compare too.
 */
export function compareLines(left: readonly PackageLine[], right: readonly PackageLine[]): ComparedLine[] {
  const byLabel = (lines: readonly PackageLine[]) => new Map(lines.map((line) => [line.label, line]))
  const [ours, theirs] = [byLabel(left), byLabel(right)]
  return merged([...ours.keys()], [...theirs.keys()]).map((label) => {
    const [one, other] = [ours.get(label), theirs.get(label)]
    const sides = [one?.words ?? [], other?.words ?? []] as const
    const marked = (words: readonly string[], against: readonly string[]) =>
      words.map((word) => ({ word, isOnly: !against.includes(word) }))
    const [lefts, rights] = [marked(sides[0], sides[1]), marked(sides[1], sides[0])]
    return {
      tabLabel: (one ?? other)?.tabLabel ?? '',
      label,
      left: lefts,
      right: rights,
      isDifferent: [...lefts, ...rights].some(({ isOnly }) => isOnly),
    }
  })
}

/** Everything of both, once: what only the other list has follows what stands before it there. */
function merged(list: readonly string[], other: readonly string[]): string[] {
  const all = [...list]
  let next = 0
  for (const one of other) {
    const place = all.indexOf(one)
    if (place < 0) all.splice(next, 0, one)
    next = (place < 0 ? next : place) + 1
  }
  return all
}

/** What differs of two versions, in words: what went, and what came. */
export const changedLines = (before: readonly PackageLine[], after: readonly PackageLine[]) =>
  compareLines(before, after)
    .filter(({ isDifferent }) => isDifferent)
    .map(({ label, left, right }) => ({
      label,
      gone: left.flatMap(({ word, isOnly }) => (isOnly ? [word] : [])),
      come: right.flatMap(({ word, isOnly }) => (isOnly ? [word] : [])),
    }))

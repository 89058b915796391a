import { type LeftOut, VALUES_KEPT } from '#contract/targeting/there.ts'

/** A value that restricts nothing, whatever its field. */
const NEUTRAL = new Set(['', 'NONE', 'OFF', 'UNLIMITED', 'ALL', 'DEFAULT', '0', 'false'])

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isFlat = (object: Record<string, unknown>) => Object.values(object).every((one) => typeof one !== 'object')

/** A place, a range of ages: one thing in several numbers. */
function textOf(object: Record<string, unknown>): string {
  const { min, max, ...rest } = object
  if (min !== undefined && max !== undefined && Object.keys(rest).length === 0) return `${min}-${max}`
  return Object.entries(object)
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(' ')
}

/** The values in a part of an answer, each with the names that lead to it. */
function* leavesOf(value: unknown, path: string): Generator<[path: string, value: string]> {
  if (value === null || value === undefined) return
  if (Array.isArray(value)) {
    for (const one of value) {
      if (isObject(one) && isFlat(one)) yield [path, textOf(one)]
      else yield* leavesOf(one, path)
    }
    return
  }
  if (!isObject(value)) {
    yield [path, String(value)]
    return
  }
  for (const [name, one] of Object.entries(value)) yield* leavesOf(one, path === '' ? name : `${path}.${name}`)
}

function grouped(leaves: Iterable<readonly [string, string]>): LeftOut[] {
  const fields = Map.groupBy(leaves, ([field]) => field)
  return [...fields].map(([field, all]) => {
    const values = [...new Set(all.map(([, value]) => value))]
    return { field, values: values.slice(0, VALUES_KEPT), count: values.length }
  })
}

/** What a content holds that is not in what we make of it. */
export function leftOutOf(content: object, understood: object): LeftOut[] {
  const known = new Set([...leavesOf(understood, '')].map((leaf) => JSON.stringify(leaf)))
  return grouped([...leavesOf(content, '')].filter((leaf) => !known.has(JSON.stringify(leaf))))
}

/**
 * The fields of a row that restrict something and that no content has. `taken`: those that a content has, and those that
 * restrict nothing. `defaults`: values that a package has where nobody chose one.
 */
export function othersIn(
  row: Readonly<Record<string, unknown>>,
  taken: ReadonlySet<string>,
  defaults: Readonly<Record<string, readonly string[]>>,
): LeftOut[] {
  const others = Object.entries(row).filter(([name]) => !taken.has(name))
  const leaves = others.flatMap(([name, value]) => [...leavesOf(value, name)])
  return grouped(leaves.filter(([name, value]) => !NEUTRAL.has(value) && !defaults[name]?.includes(value)))
}

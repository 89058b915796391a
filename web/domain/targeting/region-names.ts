import type { RegionNames } from '#contract/targeting/lines.ts'
import type { TagNode } from '#contract/targeting-tags.ts'

interface Region {
  id: string
  name: string
  /** The name of the region right around it; empty at the top. */
  around: string
}

/**
 * Names that tell regions apart: districts of several cities share a name, as 南山区 does, and these have their city's before
 * it.
 */
function distinct(regions: readonly Region[]): RegionNames {
  const shared = new Map<string, number>()
  for (const { name } of regions) shared.set(name, (shared.get(name) ?? 0) + 1)
  const nameOf = ({ name, around }: Region) => ((shared.get(name) ?? 0) > 1 && around !== name ? around + name : name)
  return new Map(regions.map((region) => [region.id, nameOf(region)]))
}

/** The names of the regions of a tree. */
export function regionNamesIn(tree: readonly TagNode[]): RegionNames {
  const regions: Region[] = []
  const add = (nodes: readonly TagNode[], around: string) => {
    for (const { value, label, children } of nodes) {
      regions.push({ id: value, name: label, around })
      add(children, label)
    }
  }
  add(tree, '')
  return distinct(regions)
}

/** The names of regions that are known by their administrative codes alone: 4403 begins those of one city, 44 of its province. */
export function regionNamesOf(byCode: Readonly<Record<string, string>>): RegionNames {
  const aroundOf = (code: string) =>
    [`${code.slice(0, 4)}00`, `${code.slice(0, 2)}0000`].find((one) => one !== code && byCode[one] !== undefined)
  return distinct(Object.entries(byCode).map(([id, name]) => ({ id, name, around: byCode[aroundOf(id) ?? ''] ?? '' })))
}

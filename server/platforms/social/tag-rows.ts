import { z } from 'zod'
import type { RegionLevel, TagNode } from '#contract/targeting-tags.ts'
import { WireCount, WireId } from '../lossless-json.ts'
import { rowsOf } from '../video/dictionary-rows.ts'

export const Tags = z.object({
  list: rowsOf(
    z.object({
      id: WireId,
      name: z.string().nullish(),
      parent_id: WireId.nullish(),
      tag_class: z.string().nullish(),
    }),
  ),
})
export type TagRow = z.output<typeof Tags>['list'][number]
export const Users = z.object({ list: rowsOf(z.object({ category_id: WireId, category_uv: WireCount })) })

const NAME_MOST = 200
/** Deeper than any tree of the platform; an answer whose parents form a circle ends here. */
const DEPTH_MOST = 8

export const nodeOf = ({ id, name }: TagRow): TagNode => ({
  value: id,
  label: (name || id).slice(0, NAME_MOST),
  num: null,
  children: [],
})

/** The tree that a flat list is; a row whose parent is not in the list stands at the root. */
export function treeOf(rows: readonly TagRow[], make: (row: TagRow, depth: number) => TagNode = nodeOf): TagNode[] {
  const known = new Set(rows.map(({ id }) => id))
  const below = new Map<string, TagRow[]>()
  for (const row of rows) {
    const parent = row.parent_id && row.parent_id !== row.id && known.has(row.parent_id) ? row.parent_id : ''
    below.set(parent, [...(below.get(parent) ?? []), row])
  }
  const nodes = (parent: string, depth: number): TagNode[] =>
    depth >= DEPTH_MOST
      ? []
      : (below.get(parent) ?? []).map((row) => ({ ...make(row, depth), children: nodes(row.id, depth + 1) }))
  return nodes('', 0)
}

/** By the administrative codes: two digits of province, two of city, two of district; cities right below a province. */
export function regionLevel({ id }: TagRow, depth: number): RegionLevel {
  if (depth === 0) return 'PROVINCE'
  // Municipalities, 香港 and 澳门 have no cities.
  const isWithoutCities = /^(11|12|31|50|81|82)\d{4}$/.test(id)
  return depth === 1 && !isWithoutCities ? 'CITY' : 'DISTRICT'
}

/** A number of people as the console writes it beside a category. */
export function usersText(count: number): string {
  if (count >= 1e8) return `${(count / 1e8).toFixed(1)}亿`
  return count >= 1e4 ? `${(count / 1e4).toFixed(1)}万` : String(count)
}

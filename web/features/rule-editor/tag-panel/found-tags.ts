import type { Match } from '#contract/find-text.ts'
import { keyOfTag, type ShownTag } from '../state/shown-tags.ts'
import { isGroup, type TagGroup } from './tag-rows.ts'

/** The tags of a tree whose name is found. A category that is found itself keeps all its tags. */
export function foundIn(
  items: readonly (TagGroup | ShownTag)[],
  find: (name: string) => Match | null,
): (TagGroup | ShownTag)[] {
  return items.flatMap((item) => {
    if (find(item.name)) return [item]
    if (!isGroup(item)) return []
    const children = foundIn(item.children, find)
    return children.length > 0 ? [{ ...item, children }] : []
  })
}

/** Both lists without repetition, the first one's order first. */
export const together = (first: readonly ShownTag[], more: readonly ShownTag[]): ShownTag[] => [
  ...new Map([...first, ...more].map((shown) => [keyOfTag(shown), shown])).values(),
]

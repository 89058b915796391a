import type { Match } from '#contract/find-text.ts'
import { CROWD_TAG } from '#contract/rule.ts'
import type { TagTreeNode } from '#contract/tag.ts'
import type { ShownTag } from '../state/shown-tags.ts'

/** One row of a tag tree. */
export interface TagRow {
  key: string
  name: string
  level: number
  icon: string
  path: string
  /** A tag or crowd; null for a category. */
  shown: ShownTag | null
  /** For a category: whether it is open, and its number of tags. */
  isOpen?: boolean
  tags?: number
}

export interface TagGroup {
  key: string
  name: string
  icon: string
  children: (TagGroup | ShownTag)[]
  /** Its category, whose `tags` tags are not loaded. */
  unloaded?: { id: number; tags: number }
}

export const isGroup = (item: TagGroup | ShownTag): item is TagGroup => 'children' in item

/** The wire's tree with the path of each tag; a node with `group` is a category. */
export function groupsOf(nodes: readonly TagTreeNode[], above = ''): (TagGroup | ShownTag)[] {
  return nodes.map((node) => {
    const path = above ? `${above} / ${node.tag}` : node.tag
    return node.group
      ? {
          key: `group:${path}:${node.id}`,
          name: node.tag,
          icon: node.icon,
          children: groupsOf(node.group, path),
          ...(node.group.length === 0 && node.tags ? { unloaded: { id: node.id, tags: node.tags } } : {}),
        }
      : {
          id: node.id,
          tag_type: node.tag_type,
          name: node.tag,
          count: node.count,
          countedAt: node.counted_at,
          icon: node.icon,
          path,
        }
  })
}

/** Whether its rule can be loaded: a history crowd that was not uploaded. */
export const hasRule = (shown: ShownTag): boolean => shown.tag_type === CROWD_TAG && !shown.isUploaded

export const tagsIn = (items: readonly (TagGroup | ShownTag)[]): ShownTag[] =>
  items.flatMap((item) => (isGroup(item) ? tagsIn(item.children) : [item]))

/** Number of tags, loaded or not. */
export const tagCount = (items: readonly (TagGroup | ShownTag)[]): number =>
  items.reduce((sum, item) => sum + (isGroup(item) ? (item.unloaded?.tags ?? 0) + tagCount(item.children) : 1), 0)

/** The open categories whose tags are not loaded. */
export const neededOf = (items: readonly (TagGroup | ShownTag)[], open: ReadonlySet<string>): number[] =>
  items.flatMap((item) => (isGroup(item) && item.unloaded && open.has(item.key) ? [item.unloaded.id] : []))

export const groupKeys = (items: readonly (TagGroup | ShownTag)[]): string[] =>
  items.flatMap((item) => (isGroup(item) ? [item.key, ...groupKeys(item.children)] : []))

/** The rows of a tree with these categories open. */
export function rowsOf(
  items: readonly (TagGroup | ShownTag)[],
  open: ReadonlySet<string>,
  level = 0,
  above = '',
): TagRow[] {
  return items.flatMap((item): TagRow[] => {
    if (!isGroup(item)) {
      const { name, icon, path } = item
      return [{ key: `${item.tag_type}:${item.id}:${path}`, name, icon, path, level, shown: item }]
    }
    const path = above ? `${above} / ${item.name}` : item.name
    const isOpen = open.has(item.key)
    const head = {
      key: item.key,
      name: item.name,
      icon: item.icon,
      path,
      level,
      shown: null,
      isOpen,
      tags: tagCount([item]),
    }
    return [head, ...(isOpen ? rowsOf(item.children, open, level + 1, path) : [])]
  })
}

/** A name split into the part that a search found and what is around it. */
export function marked(name: string, match: Match | null): { text: string; isMatch: boolean }[] {
  if (!match || match.from === match.to) return [{ text: name, isMatch: false }]
  const { from, to } = match
  return [
    { text: name.slice(0, from), isMatch: false },
    { text: name.slice(from, to), isMatch: true },
    { text: name.slice(to), isMatch: false },
  ].filter((part) => part.text !== '')
}

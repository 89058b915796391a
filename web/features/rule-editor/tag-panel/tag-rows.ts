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
}

const isGroup = (item: TagGroup | ShownTag): item is TagGroup => 'children' in item

/** The wire's tree with the path of each tag; a node with `group` is a category. */
export function groupsOf(nodes: readonly TagTreeNode[], above = ''): (TagGroup | ShownTag)[] {
  return nodes.map((node) => {
    const path = above ? `${above} / ${node.tag}` : node.tag
    return node.group
      ? { key: `group:${path}:${node.id}`, name: node.tag, icon: node.icon, children: groupsOf(node.group, path) }
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

export const tagsIn = (items: readonly (TagGroup | ShownTag)[]): ShownTag[] =>
  items.flatMap((item) => (isGroup(item) ? tagsIn(item.children) : [item]))

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
      tags: tagsIn(item.children).length,
    }
    return [head, ...(isOpen ? rowsOf(item.children, open, level + 1, path) : [])]
  })
}

/** A name split into parts that match a search and parts that do not, ignoring case. */
export function marked(name: string, keyword: string): { text: string; isMatch: boolean }[] {
  const wanted = keyword.trim().toLowerCase()
  if (!wanted) return [{ text: name, isMatch: false }]
  const parts: { text: string; isMatch: boolean }[] = []
  let from = 0
  const lower = name.toLowerCase()
  // A letter whose lower case is longer would shift positions: then nothing is marked.
  if (lower.length !== name.length) return [{ text: name, isMatch: false }]
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    if (at > from) parts.push({ text: name.slice(from, at), isMatch: false })
    parts.push({ text: name.slice(at, at + wanted.length), isMatch: true })
    from = at + wanted.length
  }
  if (from < name.length) parts.push({ text: name.slice(from), isMatch: false })
  return parts
}

import type { DataOf } from '#contract/endpoint.ts'
import type { SubTag } from '#contract/rule.ts'
import type { getRule } from '#contract/rule-crowd.ts'

/** What one shows of a tag or crowd in a rule; a rule itself holds ids alone. */
export interface ShownTag extends SubTag {
  name: string
  count: number | null
  /** When the count was true. */
  countedAt: number | null
  /** Key of its category's icon; `crowd` for a history crowd. */
  icon: string
  /** Categories and name, outermost first. */
  path: string
  /** A history crowd of files: it has no rule of its own. */
  isUploaded?: boolean
}

export const keyOfTag = (tag: SubTag) => `${tag.tag_type}:${tag.id}`

/** By `keyOfTag`. */
export type ShownTags = ReadonlyMap<string, ShownTag>

export const shownTagsOf = ({ tags, counted_at }: DataOf<typeof getRule>): ShownTags =>
  new Map(
    tags.map((tag) => [
      keyOfTag(tag),
      { ...tag, icon: tag.tag_type === 3 ? 'crowd' : tag.icon, countedAt: counted_at },
    ]),
  )

/** Adds to what is known; the same map when there is nothing to add. */
export function learn(known: ShownTags, more: Iterable<ShownTag>): ShownTags {
  const added = [...more].filter((shown) => known.get(keyOfTag(shown)) !== shown)
  return added.length === 0 ? known : new Map([...known, ...added.map((shown) => [keyOfTag(shown), shown] as const)])
}

/** One that is not known yet is shown by its id. */
export const shownIn = (known: ShownTags, tag: SubTag): ShownTag =>
  known.get(keyOfTag(tag)) ?? {
    ...tag,
    name: `${tag.tag_type === 3 ? '人群' : '标签'} ${tag.id}`,
    count: null,
    countedAt: null,
    icon: tag.tag_type === 3 ? 'crowd' : 'other',
    path: '',
  }

import type { DataOf } from '#contract/endpoint.ts'
import { CROWD_TAG, type SubTag } from '#contract/rule.ts'
import type { getRule } from '#contract/rule-crowd.ts'

/** A tag or crowd of a rule as shown; the rule itself holds only ids. */
export interface ShownTag extends SubTag {
  name: string
  count: number | null
  /** Time of the count. */
  countedAt: number | null
  /** Key of its category's icon; `crowd` for a history crowd. */
  icon: string
  /** Categories and name, outermost first. */
  path: string
  /** An uploaded history crowd, which has no rule. */
  isUploaded?: boolean
}

export const keyOfTag = (tag: SubTag) => `${tag.tag_type}:${tag.id}`

/** By `keyOfTag`. */
export type ShownTags = ReadonlyMap<string, ShownTag>

export const shownTagsOf = ({ tags, counted_at }: DataOf<typeof getRule>): ShownTags =>
  new Map(
    tags.map((tag) => [
      keyOfTag(tag),
      { ...tag, icon: tag.tag_type === CROWD_TAG ? 'crowd' : tag.icon, countedAt: counted_at },
    ]),
  )

/** The known tags and more; the same map if there is nothing to add. */
export function withTags(known: ShownTags, more: Iterable<ShownTag>): ShownTags {
  const added = [...more].filter((shown) => known.get(keyOfTag(shown)) !== shown)
  return added.length === 0 ? known : new Map([...known, ...added.map((shown) => [keyOfTag(shown), shown] as const)])
}

/** A tag that is not known is shown by its id. */
export const shownIn = (known: ShownTags, tag: SubTag): ShownTag =>
  known.get(keyOfTag(tag)) ?? {
    ...tag,
    name: `${tag.tag_type === CROWD_TAG ? '人群' : '标签'} ${tag.id}`,
    count: null,
    countedAt: null,
    icon: tag.tag_type === CROWD_TAG ? 'crowd' : 'other',
    path: '',
  }

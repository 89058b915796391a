import type { DataOf } from '#contract/endpoint.ts'
import type { SubTag } from '#contract/rule.ts'
import type { getRule } from '#contract/rule-crowd.ts'

/** What one shows of a tag or crowd in a rule; a rule itself holds ids alone. */
export interface TagLabel extends SubTag {
  name: string
  count: number | null
  /** When the count was true. */
  countedAt: number | null
  /** Key of its category's icon; `crowd` for a history crowd. */
  icon: string
  /** Categories and name, outermost first. */
  path: string
}

export const keyOfTag = (tag: SubTag) => `${tag.tag_type}:${tag.id}`

export type Labels = ReadonlyMap<string, TagLabel>

export const labelsOf = (list: readonly TagLabel[]): Labels => new Map(list.map((label) => [keyOfTag(label), label]))

export const labelsOfRule = ({ tags, counted_at }: DataOf<typeof getRule>): Labels =>
  labelsOf(tags.map((tag) => ({ ...tag, icon: tag.tag_type === 3 ? 'crowd' : tag.icon, countedAt: counted_at })))

/** Adds to what is known; the same map when there is nothing to add. */
export function learn(known: Labels, more: Iterable<TagLabel>): Labels {
  const added = [...more].filter((label) => known.get(keyOfTag(label)) !== label)
  return added.length === 0 ? known : new Map([...known, ...added.map((label) => [keyOfTag(label), label] as const)])
}

export const labelIn = (known: Labels, tag: SubTag): TagLabel =>
  known.get(keyOfTag(tag)) ?? {
    ...tag,
    name: `${tag.tag_type === 3 ? '人群' : '标签'} ${tag.id}`,
    count: null,
    countedAt: null,
    icon: tag.tag_type === 3 ? 'crowd' : 'other',
    path: '',
  }

import { useCallback, useState } from 'react'
import type { SubTag } from '#contract/rule.ts'
import { type ShownTag, type ShownTags, shownIn, withTags } from './shown-tags.ts'

/** Names and counts of the tags that the editor knows; a rule itself holds only ids. */
export function useShownTags(initial: () => ShownTags) {
  const [shownTags, setShownTags] = useState(initial)
  const shownOf = useCallback((tag: SubTag) => shownIn(shownTags, tag), [shownTags])
  const addTags = (more: Iterable<ShownTag>) => setShownTags((known) => withTags(known, more))
  return { shownTags, shownOf, addTags }
}

import { useCallback, useState } from 'react'
import type { SubTag } from '#contract/rule.ts'
import { learn, type ShownTag, type ShownTags, shownIn } from './shown-tags.ts'

/** Names and counts of the tags that the editor knows; a rule itself holds only ids. */
export function useShownTags(initial: () => ShownTags) {
  const [shownTags, setShownTags] = useState(initial)
  const shownOf = useCallback((tag: SubTag) => shownIn(shownTags, tag), [shownTags])
  const learnTags = (more: Iterable<ShownTag>) => setShownTags((known) => learn(known, more))
  return { shownTags, shownOf, learnTags }
}

import type { Fan, FiveTabForm } from '#contract/targeting/five-tab/schema.ts'
import type { NameOf } from '#contract/targeting/names.ts'
import type { Creator } from '#contract/targeting-tags.ts'
import { type Filtering, useLabels, useSearch, useTree } from '../use-dictionary.ts'
import { useFiveTab } from './use-five-tab.ts'

/** Of whom the numbers of creators and their categories are: people who did these things. */
export const doneIn = (form: FiveTabForm): Filtering => [{ field: 'behaviors', values: [...form.aweme_fan_behaviors] }]

/** The creators among these: null of one that the platform has no more, undefined before it answered. */
export function useCreators(fans: readonly Fan[]): (label_id: string) => Creator | null | undefined {
  const { form } = useFiveTab()
  const ids = fans.flatMap((fan) => (fan.type === 'account' ? [fan.label_id] : []))
  const asked: Filtering = [{ field: 'ids', values: ids }, ...doneIn(form)]
  const { data, isPlaceholderData } = useSearch('AWEME_AUTHOR', asked, ids.length > 0)
  const known = new Map(data?.AWEME_AUTHOR?.authors.map((one) => [one.label_id, one]))
  return (label_id) => known.get(label_id) ?? (data && !isPlaceholderData ? null : undefined)
}

/** What the platform calls these creators and categories of creators now. */
export function useFanNames(fans: readonly Fan[]): NameOf<Fan> {
  const { form } = useFiveTab()
  const creatorOf = useCreators(fans)
  const hasCategory = fans.some(({ type }) => type === 'category')
  const categories = useLabels(useTree('AWEME', doneIn(form), hasCategory).data?.AWEME)
  return (fan) => {
    if (fan.type === 'category') return categories(fan.value)
    const creator = creatorOf(fan.label_id)
    return creator === null ? null : creator?.author_name
  }
}

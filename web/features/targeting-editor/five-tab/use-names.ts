import type { Tag } from '#contract/targeting/five-tab/schema.ts'
import { isShown } from '#contract/targeting/five-tab/shown.ts'
import type { Names } from '#contract/targeting/five-tab/words.ts'
import { useRegionNames } from '../../../domain/targeting/use-region-names.ts'
import { useLabels, useTree } from '../use-dictionary.ts'
import { useFiveTab } from './use-five-tab.ts'

/** The names of what is chosen by its number: regions and categories; null of what the platform has no more. */
export function useNames(): Names {
  const { accountId, platform, form } = useFiveTab()
  const hasCategory = (tags: readonly Tag[]) => tags.some((tag) => tag.type === 1)
  const isCustom = isShown(platform, 'action_tags', form)
  const regions = useRegionNames(accountId, isShown(platform, 'regions', form) ? form : {})
  const onPlatform = useLabels(useTree('REGION', [], form.regions.regions.length > 0).data?.REGION)
  const actions = useLabels(useTree('BEHAVIOR', [], isCustom && hasCategory(form.action_tags)).data?.BEHAVIOR)
  const interests = useLabels(useTree('INTEREST', [], isCustom && hasCategory(form.interest_tags)).data?.INTEREST)
  const categoryIn = (labelOf: typeof actions) => (tag: Tag) => (tag.type === 1 ? labelOf(tag.id) : undefined)
  return {
    region: (id) => (onPlatform(id) === null ? null : regions.get(id)),
    action: categoryIn(actions),
    interest: categoryIn(interests),
  }
}

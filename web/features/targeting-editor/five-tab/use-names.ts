import type { Tag } from '#contract/targeting/five-tab/schema.ts'
import { isShown } from '#contract/targeting/five-tab/shown.ts'
import type { Names } from '#contract/targeting/five-tab/words.ts'
import { useRegionNames } from '../../../domain/targeting/use-region-names.ts'
import { useDistrictNames, useKeywordNames, useLabels, useTree } from '../use-dictionary.ts'
import { useFanNames } from './use-fans.ts'
import { useFiveTab } from './use-five-tab.ts'

/**
 * The names of what is chosen by its number: regions, 商圈, categories, keywords, crowds and creators; null of what the platform
 * has no more.
 */
export function useNames(): Names {
  const { accountId, platform, form, lostCrowds } = useFiveTab()
  const hasCategory = (tags: readonly Tag[]) => tags.some((tag) => tag.type === 1)
  const isCustom = isShown(platform, 'action_tags', form)
  const regions = useRegionNames(accountId, isShown(platform, 'regions', form) ? form : {})
  const onPlatform = useLabels(useTree('REGION', [], form.regions.regions.length > 0).data?.REGION)
  const actions = useLabels(useTree('BEHAVIOR', [], isCustom && hasCategory(form.action_tags)).data?.BEHAVIOR)
  const interests = useLabels(useTree('INTEREST', [], isCustom && hasCategory(form.interest_tags)).data?.INTEREST)
  const keywordsOf = (tags: readonly Tag[]) =>
    isCustom ? tags.filter(({ type }) => type === 2).map(({ id }) => id) : []
  const actionWords = useKeywordNames('BEHAVIOR_KEYWORDS', keywordsOf(form.action_tags), false)
  const interestWords = useKeywordNames('INTEREST_KEYWORDS', keywordsOf(form.interest_tags), false)
  const tagIn = (categories: typeof actions, words: typeof actionWords) => (tag: Tag) =>
    tag.type === 1 ? categories(tag.id) : words(tag.id)
  const district = useDistrictNames(isShown(platform, 'custom_locations', form) ? form.custom_locations : [])
  const fan = useFanNames(isShown(platform, 'user_aweme_fan', form) ? form.user_aweme_fan : [])
  return {
    district,
    region: (id) => (onPlatform(id) === null ? null : regions.get(id)),
    action: tagIn(actions, actionWords),
    interest: tagIn(interests, interestWords),
    crowd: (id) => (lostCrowds.includes(id) ? null : undefined),
    fan,
  }
}

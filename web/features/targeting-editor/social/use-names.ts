import type { Names } from '#contract/targeting/social/words.ts'
import { useRegionNames } from '../../../domain/targeting/use-region-names.ts'
import { useDistrictNames, useKeywordNames, useLabels, useTree } from '../use-dictionary.ts'
import { useSocial } from './use-social.ts'

/** The names of what is chosen by its number: regions, 商圈, tags, keywords and crowds; null of what the platform has no more. */
export function useNames(): Names {
  const { accountId, editor, form, lostCrowds } = useSocial()
  const isWanted = (field: 'behavior_categories' | 'interest_categories') =>
    editor.isShown(field, form) && form[field].length > 0
  const regions = useRegionNames(accountId, editor.isShown('regions', form) ? form : {})
  const onPlatform = useLabels(useTree('REGION', [], form.regions.length > 0).data?.REGION)
  const behaviours = useLabels(useTree('BEHAVIOR', [], isWanted('behavior_categories')).data?.BEHAVIOR)
  const interests = useLabels(useTree('INTEREST', [], isWanted('interest_categories')).data?.INTEREST)
  const intentions = useLabels(useTree('INTENTION', [], (form.intention ?? []).length > 0).data?.INTENTION)
  const wordsOf = (field: 'behavior_keywords' | 'interest_keywords') => (editor.isShown(field, form) ? form[field] : [])
  return {
    region: (id) => (onPlatform(id) === null ? null : regions.get(id)),
    district: useDistrictNames(editor.isShown('custom_locations', form) ? form.custom_locations : []),
    behaviour: behaviours,
    interest: interests,
    intention: intentions,
    behaviourKeyword: useKeywordNames('BEHAVIOR_KEYWORDS', wordsOf('behavior_keywords'), true),
    interestKeyword: useKeywordNames('INTEREST_KEYWORDS', wordsOf('interest_keywords'), true),
    crowd: (id) => (lostCrowds.includes(id) ? null : undefined),
  }
}

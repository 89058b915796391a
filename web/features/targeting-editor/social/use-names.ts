import type { Names } from '#contract/targeting/social/words.ts'
import { useRegionNames } from '../../../domain/targeting/use-region-names.ts'
import { useLabels, useTree } from '../use-dictionary.ts'
import { useSocial } from './use-social.ts'

/** The names of what is chosen by its number: regions and tags; null of what the platform has no more. */
export function useNames(): Names {
  const { accountId, editor, form } = useSocial()
  const isWanted = (field: 'behavior_categories' | 'interest_categories') =>
    editor.isShown(field, form) && form[field].length > 0
  const regions = useRegionNames(accountId, editor.isShown('regions', form) ? form : {})
  const onPlatform = useLabels(useTree('REGION', [], form.regions.length > 0).data?.REGION)
  const behaviours = useLabels(useTree('BEHAVIOR', [], isWanted('behavior_categories')).data?.BEHAVIOR)
  const interests = useLabels(useTree('INTEREST', [], isWanted('interest_categories')).data?.INTEREST)
  const intentions = useLabels(useTree('INTENTION', [], (form.intention ?? []).length > 0).data?.INTENTION)
  return {
    region: (id) => (onPlatform(id) === null ? null : regions.get(id)),
    behaviour: behaviours,
    interest: interests,
    intention: intentions,
  }
}

import type { FiveTabTargeting, Tag } from '#contract/targeting/five-tab/schema.ts'
import { isDistrictCode } from '#contract/targeting/region-code.ts'
import { idNumber } from '../lossless-json.ts'

const CATEGORY = 1
const KEYWORD = 2

const listed = (name: string, ids: readonly string[]) => (ids.length > 0 ? { [name]: ids.map(idNumber) } : {})
const coded = (name: string, codes: readonly string[] | undefined) => (codes?.length ? { [name]: codes } : {})
const idsOf = (tags: readonly Tag[] | undefined, type: Tag['type']) =>
  (tags ?? []).filter((tag) => tag.type === type).map(({ id }) => id)

/** The regions with those of the plans, each once. */
export const regionsOf = ({ regions }: FiveTabTargeting): string[] => [
  ...new Set([...(regions?.regions ?? []), ...(regions?.regionsPlan.flatMap((plan) => plan.regions) ?? [])]),
]

/** The platform's `audience` object of a saved targeting (shapes: the vendor's plan creation call). */
export function audienceObject(
  targeting: FiveTabTargeting,
  city: readonly string[] = regionsOf(targeting),
): Record<string, unknown> {
  // What the ids are, not how they were chosen: a plan may hold districts, and under 区县 cities can be chosen alone.
  const district = targeting.district?.length ? (city.some(isDistrictCode) ? 'COUNTY' : 'CITY') : undefined
  const isCustom = targeting.smart_interest_action === 'CUSTOM'
  const hasFans = targeting.aweme_fan_by === 1
  return {
    ...(district && { district, ...listed('city', city), location_type: targeting.location_types?.[0] }),
    ...(targeting.exclude_limited_region === 1 && { exclude_limited_region: 1 }),
    ...(targeting.gender?.[0] && { gender: targeting.gender[0] }),
    ...coded('age', targeting.age),
    ...coded('platform', targeting.platform),
    ...coded('ac', targeting.ac),
    ...(targeting.smart_interest_action === 'RECOMMEND' && { smart_interest_action: 'RECOMMEND' }),
    ...(isCustom && {
      smart_interest_action: 'CUSTOM',
      ...coded('action_scene', targeting.action_scene),
      action_days: targeting.action_days,
      ...listed('action_categories', idsOf(targeting.action_tags, CATEGORY)),
      ...listed('action_words', idsOf(targeting.action_tags, KEYWORD)),
      ...listed('interest_categories', idsOf(targeting.interest_tags, CATEGORY)),
      ...listed('interest_words', idsOf(targeting.interest_tags, KEYWORD)),
    }),
    ...(hasFans && {
      aweme_fan_behaviors: targeting.aweme_fan_behaviors,
      ...(targeting.aweme_fan_time_scope && { aweme_fan_behaviors_days: targeting.aweme_fan_time_scope }),
      ...listed('aweme_fan_categories', targeting.aweme_fan_categories ?? []),
      ...listed('aweme_fan_accounts', targeting.aweme_fan_accounts ?? []),
    }),
    ...listed('retargeting_tags_include', targeting.retargeting_tags_include ?? []),
    ...listed('retargeting_tags_exclude', targeting.retargeting_tags_exclude ?? []),
    ...coded('live_platform_tags', targeting.live_platform_tags),
    ...(targeting.new_customer && targeting.new_customer !== 'NONE' && { new_customer: targeting.new_customer }),
    ...(targeting.auto_extend_enabled === 1 && {
      auto_extend_enabled: 1,
      ...coded('auto_extend_targets', targeting.auto_extend_targets),
    }),
  }
}

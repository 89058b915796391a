import type { ChoiceField, CodeOf } from '#contract/targeting/five-tab/labels.ts'
import { ACTION_DAYS, ACTION_DAYS_DEFAULT, codesOf } from '#contract/targeting/five-tab/platforms.ts'
import type { FiveTabTargeting, Tag } from '#contract/targeting/five-tab/schema.ts'
import type { PackageContent } from '../targeting-platform.ts'

const texts = (content: PackageContent, name: string): string[] => {
  const value = content[name]
  if (Array.isArray(value)) return value.map(String)
  return value === undefined ? [] : [String(value)]
}
/** Codes that the editor offers. */
const known = <F extends ChoiceField>(field: F, codes: readonly string[]): CodeOf<F>[] =>
  codesOf('commerce', field).filter((code) => codes.includes(code))
const listed = (fields: FiveTabTargeting): FiveTabTargeting =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !Array.isArray(value) || value.length > 0))

/** The targeting that stands for a content of a package made on the platform; what the editor lacks is left out. */
export function targetingOfContent(content: PackageContent): FiveTabTargeting {
  const live_platform_tags = known('live_platform_tags', texts(content, 'live_platform_tags'))
  return {
    // The platform does not tell what a package is for, but this crowd is for live rooms alone.
    ...(live_platform_tags.length > 0 && { landing_type: 'LIVE' as const }),
    ...listed({
      gender: known('gender', texts(content, 'gender')).slice(0, 1),
      age: known('age', texts(content, 'age')),
      platform: known('platform', texts(content, 'platform')),
      ac: known('ac', texts(content, 'ac')),
      live_platform_tags,
    }),
    ...placesOf(content),
    ...behaviourOf(content),
    ...fansOf(content),
    ...crowdsOf(content),
    ...newCustomerOf(content),
    ...expansionOf(content),
    ...(content.exclude_limited_region === 1 && { exclude_limited_region: 1 as const }),
  }
}

function placesOf(content: PackageContent): FiveTabTargeting {
  const { district, district_type } = content
  const [code] = known('district', texts(content, 'district'))
  // Regions that are excluded are not those that are aimed at.
  if (!code || district === undefined || district_type !== undefined) return {}
  return {
    district: [code],
    regions: { regions: texts(content, 'city'), regionsPlan: [] },
    ...listed({ location_types: known('location_types', texts(content, 'location_type')) }),
  }
}

function behaviourOf(content: PackageContent): FiveTabTargeting {
  const mode = content.smart_interest_action
  const tags = (name: string, type: Tag['type']) => texts(content, name).map((id): Tag => ({ id, type }))
  const action_tags = [...tags('action_categories', 1), ...tags('action_words', 2)]
  const interest_tags = [...tags('interest_categories', 1), ...tags('interest_words', 2)]
  if (mode !== 'CUSTOM' || action_tags.length + interest_tags.length === 0) {
    return { smart_interest_action: mode === 'RECOMMEND' ? 'RECOMMEND' : 'UNLIMITED' }
  }
  const scenes = known('action_scene', texts(content, 'action_scene'))
  return {
    smart_interest_action: 'CUSTOM',
    action_scene: scenes.length > 0 ? scenes : [...codesOf('commerce', 'action_scene')],
    action_days: ACTION_DAYS.find((days) => days === content.action_days) ?? ACTION_DAYS_DEFAULT,
    ...listed({ action_tags, interest_tags }),
  }
}

function fansOf(content: PackageContent): FiveTabTargeting {
  const behaviors = known('aweme_fan_behaviors', texts(content, 'aweme_fan_behaviors'))
  if (behaviors.length === 0) return { aweme_fan_by: 0 }
  const [scope] = known('aweme_fan_time_scope', texts(content, 'aweme_fan_behaviors_days'))
  const aweme_fan_categories = texts(content, 'aweme_fan_categories')
  const aweme_fan_accounts = texts(content, 'aweme_fan_accounts')
  return {
    aweme_fan_by: 1,
    aweme_fan_behaviors: behaviors,
    ...(scope && { aweme_fan_time_scope: scope }),
    user_aweme_fan: [
      ...aweme_fan_categories.map((value) => ({ type: 'category' as const, value })),
      ...aweme_fan_accounts.map((label_id) => ({ type: 'account' as const, label_id })),
    ],
    ...listed({ aweme_fan_categories, aweme_fan_accounts }),
  }
}

function crowdsOf(content: PackageContent): FiveTabTargeting {
  const include = texts(content, 'retargeting_tags_include')
  const exclude = texts(content, 'retargeting_tags_exclude')
  return listed({
    auto_crowd_mode: [...(include.length > 0 ? [1 as const] : []), ...(exclude.length > 0 ? [2 as const] : [])],
    retargeting_tags_include: include,
    retargeting_tags_exclude: exclude,
  })
}

function newCustomerOf(content: PackageContent): FiveTabTargeting {
  const [new_customer] = known('new_customer', texts(content, 'new_customer'))
  return new_customer ? { new_customer } : {}
}

function expansionOf(content: PackageContent): FiveTabTargeting {
  const targets = known('auto_extend_targets', texts(content, 'auto_extend_targets'))
  if (content.auto_extend_enabled !== 1 || targets.length === 0) return { auto_extend_enabled: 0 }
  return { auto_extend_enabled: 1, auto_extend_targets: targets }
}

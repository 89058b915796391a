import { ACTION_DAYS_DEFAULT, editorOf, type FiveTabPlatform } from './platforms.ts'
import { PRICE_DEFAULT } from './price.ts'
import type { Fan, FiveTabForm, FiveTabTargeting } from './schema.ts'

/** The form of a new package. */
export const emptyForm = (platform: FiveTabPlatform): FiveTabForm => ({
  landing_type: null,
  age: [],
  gender: [],
  career_by: [],
  career: [],
  district: [],
  regions: { regions: [], regionsPlan: [] },
  custom_locations: [],
  location_types: ['CURRENT'],
  exclude_limited_region: 0,
  smart_interest_action: 'UNLIMITED',
  action_scene: [],
  action_days: ACTION_DAYS_DEFAULT,
  action_tags: [],
  interest_tags: [],
  auto_crowd_mode: [],
  retargeting_tags_include: [],
  retargeting_tags_include_local: [],
  retargeting_tags_exclude: [],
  retargeting_tags_exclude_local: [],
  platform: [],
  device_type: [],
  ac: [],
  carrier: [],
  device_brand_by: [],
  device_brand: [],
  launch_price_by: [],
  launch_price: [...PRICE_DEFAULT],
  activate_type: [],
  aweme_fan_by: 0,
  aweme_fan_behaviors: ['COMMENTED_USER'],
  aweme_fan_time_scope: editorOf(platform).timeScope,
  user_aweme_fan: [],
  auto_extend_enabled: 0,
  auto_extend_targets: [],
  new_customer: 'NONE',
  live_platform_tags: [],
})

/** The form of a saved package; what the package leaves out has its default. */
export function formOf(platform: FiveTabPlatform, targeting: FiveTabTargeting): FiveTabForm {
  const { aweme_fan_categories = [], aweme_fan_accounts = [], ...fields } = targeting
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const form: FiveTabForm = { ...emptyForm(platform), ...given }
  if (form.user_aweme_fan.length > 0) return form
  const categories = aweme_fan_categories.map((value): Fan => ({ type: 'category', value }))
  const accounts = aweme_fan_accounts.map((label_id): Fan => ({ type: 'account', label_id }))
  return { ...form, user_aweme_fan: [...categories, ...accounts] }
}

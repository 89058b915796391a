import type { Field } from './fields.ts'
import { type ChoiceField, type CodeOf, labelOf } from './labels.ts'
import { codesOf, type FiveTabPlatform, hasField } from './platforms.ts'
import type { FiveTabForm } from './schema.ts'

const isCustom = (form: FiveTabForm) => form.smart_interest_action === 'CUSTOM'
const hasFans = (form: FiveTabForm) => form.aweme_fan_by === 1
const isOnMap = (form: FiveTabForm) => form.district.includes('BUSINESS_DISTRICT')
const isByRegion = (form: FiveTabForm) => form.district.includes('CITY') || form.district.includes('COUNTY')
/** Whether these are the only choices made. */
const isOnly = (chosen: readonly string[], code: string) => chosen.length > 0 && chosen.every((one) => one === code)
const mayHaveBrands = (form: FiveTabForm) => !isOnly(form.platform, 'IOS')

/** When a field is shown; one that is not listed always is. */
const SHOWN_WHEN: { [F in Field]?: (form: FiveTabForm) => boolean } = {
  career: ({ career_by }) => career_by.length > 0,
  regions: isByRegion,
  location_types: isByRegion,
  custom_locations: isOnMap,
  // The platform ignores it for people who live in or travel to a place.
  exclude_limited_region: (form) => form.district.length === 0 || isOnly(form.location_types, 'CURRENT'),

  action_scene: isCustom,
  action_days: isCustom,
  action_tags: isCustom,
  interest_tags: isCustom,

  retargeting_tags_include: ({ auto_crowd_mode }) => auto_crowd_mode.includes(1),
  retargeting_tags_exclude: ({ auto_crowd_mode }) => auto_crowd_mode.includes(2),

  device_brand_by: mayHaveBrands,
  device_brand: (form) => mayHaveBrands(form) && form.device_brand_by.length > 0,
  launch_price: ({ launch_price_by }) => launch_price_by.length > 0,

  aweme_fan_behaviors: hasFans,
  user_aweme_fan: hasFans,
  aweme_fan_time_scope: (form) =>
    hasFans(form) && form.aweme_fan_behaviors.some((behaviour) => behaviour !== 'FOLLOWED_USER'),
  auto_extend_targets: ({ auto_extend_enabled }) => auto_extend_enabled === 1,
  // The platform's curated crowds work for live rooms alone.
  live_platform_tags: ({ landing_type }) => landing_type === 'LIVE',
}

/** Whether the editor shows a field: the platform has it and the other choices leave room for it. */
export const isShown = (platform: FiveTabPlatform, field: Field, form: FiveTabForm): boolean =>
  hasField(platform, field) && (SHOWN_WHEN[field]?.(form) ?? true)

/** When a choice can be made; one that is not listed always can. */
const OFFERED_WHEN: { [F in ChoiceField]?: (code: CodeOf<F>, form: FiveTabForm) => boolean } = {
  platform: (code, { landing_type }) => code !== 'HARMONY' || landing_type === 'APP_HARMONY',
  device_brand: (code, { landing_type, platform }) =>
    code === 'APPLE' ? landing_type !== 'APP_ANDROID' && !isOnly(platform, 'ANDROID') : landing_type !== 'APP_IOS',
}

/** A choice as the editor shows it. */
export interface Choice<C extends string = string> {
  value: C
  label: string
}

/** The choices of a field that the other choices leave. */
export function choicesOf<F extends ChoiceField>(
  platform: FiveTabPlatform,
  field: F,
  form: FiveTabForm,
): Choice<CodeOf<F>>[] {
  const isOffered: ((code: CodeOf<F>, form: FiveTabForm) => boolean) | undefined = OFFERED_WHEN[field]
  return codesOf(platform, field)
    .filter((code) => isOffered?.(code, form) ?? true)
    .map((value) => ({ value, label: labelOf(field, value) }))
}

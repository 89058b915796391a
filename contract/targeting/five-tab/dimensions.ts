import { FIELDS, type Field } from './fields.ts'
import { emptyForm } from './form.ts'
import type { FiveTabPlatform } from './platforms.ts'
import type { FiveTabForm } from './schema.ts'
import { targetingWords } from './words.ts'

/** The fields that restrict the reach together: leaving out one of a group alone would leave a part without meaning. */
const GROUPS: readonly { label: string; fields: readonly Field[] }[] = [
  { label: FIELDS.age.label, fields: ['age'] },
  { label: FIELDS.gender.label, fields: ['gender'] },
  { label: FIELDS.career.label, fields: ['career_by', 'career'] },
  {
    label: FIELDS.district.label,
    fields: ['district', 'regions', 'custom_locations', 'location_types'],
  },
  { label: FIELDS.exclude_limited_region.label, fields: ['exclude_limited_region'] },
  {
    label: FIELDS.smart_interest_action.label,
    fields: ['smart_interest_action', 'action_scene', 'action_days', 'action_tags', 'interest_tags'],
  },
  { label: FIELDS.retargeting_tags_include.label, fields: ['retargeting_tags_include'] },
  { label: FIELDS.retargeting_tags_exclude.label, fields: ['retargeting_tags_exclude'] },
  { label: FIELDS.platform.label, fields: ['platform'] },
  { label: FIELDS.device_type.label, fields: ['device_type'] },
  { label: FIELDS.ac.label, fields: ['ac'] },
  { label: FIELDS.carrier.label, fields: ['carrier'] },
  { label: FIELDS.device_brand.label, fields: ['device_brand_by', 'device_brand'] },
  { label: FIELDS.launch_price.label, fields: ['launch_price_by', 'launch_price'] },
  { label: FIELDS.activate_type.label, fields: ['activate_type'] },
  {
    label: FIELDS.aweme_fan_by.label,
    fields: ['aweme_fan_by', 'aweme_fan_behaviors', 'aweme_fan_time_scope', 'user_aweme_fan'],
  },
  { label: FIELDS.new_customer.label, fields: ['new_customer'] },
  { label: FIELDS.live_platform_tags.label, fields: ['live_platform_tags'] },
]

/** How many of them are estimated one by one. */
const DIMENSIONS_MAX = 12

/** The role in `auto_crowd_mode` that opens a crowd panel. */
const PANELS: { [F in Field]?: 1 | 2 } = { retargeting_tags_include: 1, retargeting_tags_exclude: 2 }

export interface Dimension {
  label: string
  /** The form without it. */
  without: FiveTabForm
}

/** What narrows the reach of a form, each with the form that leaves it out, in the order of the screen. */
export function dimensionsOf(platform: FiveTabPlatform, form: FiveTabForm): Dimension[] {
  const restricting = new Set(targetingWords(platform, form).map(({ field }) => field))
  const defaults = emptyForm(platform)
  return GROUPS.filter(({ fields }) => fields.some((field) => restricting.has(field)))
    .slice(0, DIMENSIONS_MAX)
    .map(({ label, fields }) => {
      const reset = Object.fromEntries(fields.map((field) => [field, defaults[field]]))
      const roles = fields.map((field) => PANELS[field])
      const auto_crowd_mode = form.auto_crowd_mode.filter((role) => !roles.includes(role))
      return { label, without: { ...form, ...reset, auto_crowd_mode } }
    })
}

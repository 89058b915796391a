import { FIELDS, type Field } from './fields.ts'
import { emptyForm, formOf } from './form.ts'
import { savedTargeting } from './save.ts'
import type { SocialForm } from './schema.ts'
import { targetingWords } from './words.ts'

const alone = (field: Field) => ({ label: FIELDS[field].label, fields: [field] })

/** The dimensions that restrict the reach together: leaving out one of a group alone would leave a part without meaning. */
const GROUPS: readonly { label: string; fields: readonly Field[] }[] = [
  {
    label: FIELDS.geo_location.label,
    fields: ['geo_location', 'regions', 'custom_locations', 'location_types'],
  },
  alone('age'),
  alone('gender'),
  alone('education'),
  alone('marital_status'),
  alone('working_status'),
  alone('financial_situation'),
  alone('consumption_type'),
  alone('game_consumption_level'),
  alone('consumption_status'),
  alone('residential_community_price'),
  {
    label: FIELDS.behavior.label,
    fields: ['behavior', 'behavior_scene', 'behavior_time_window', 'behavior_categories', 'behavior_keywords'],
  },
  { label: FIELDS.interest.label, fields: ['interest', 'interest_categories', 'interest_keywords'] },
  alone('intention'),
  alone('custom_audience'),
  alone('excluded_custom_audience'),
  { label: FIELDS.excluded_dimension.label, fields: ['excluded_dimension', 'conversion_behavior_list'] },
]

export interface Dimension {
  label: string
  /** The form without it. */
  without: SocialForm
}

/**
 * What narrows the reach of a form, each with the form that leaves it out, in the order of the screen. What is not sent
 * narrows nothing; what is hidden stays left out.
 */
export function dimensionsOf(shown: SocialForm): Dimension[] {
  const form = formOf(savedTargeting(shown))
  const sent = targetingWords(form).filter((line) => !line.isWithdrawn)
  const restricting = new Set<Field>(sent.map(({ field }) => field))
  const defaults = emptyForm()
  return GROUPS.filter(({ fields }) => fields.some((field) => restricting.has(field))).map(({ label, fields }) => {
    const reset = Object.fromEntries(fields.map((field) => [field, defaults[field]]))
    return { label, without: { ...form, ...reset } }
  })
}

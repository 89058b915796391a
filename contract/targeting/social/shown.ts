import type { Field } from './fields.ts'
import { type ChoiceField, type CodeOf, codesOf, labelOf } from './labels.ts'
import { isExclusionWithdrawn, MAP_LOCATION_TYPES, WITHDRAWN_LABEL } from './platform.ts'
import type { SocialForm } from './schema.ts'

const isCustomBehaviour = (form: SocialForm) => form.behavior === 'CUSTOM'
const isCustomInterest = (form: SocialForm) => form.interest === 'CUSTOM'

/** When a dimension is shown; one that is not listed always is. */
const SHOWN_WHEN: { [F in Field]?: (form: SocialForm) => boolean } = {
  regions: ({ geo_location }) => geo_location === 'REGIONS',
  custom_locations: ({ geo_location }) => geo_location === 'CUSTOM_LOCATIONS',
  location_types: ({ geo_location }) => geo_location !== null,

  behavior_scene: isCustomBehaviour,
  behavior_time_window: isCustomBehaviour,
  behavior_categories: isCustomBehaviour,
  behavior_keywords: isCustomBehaviour,
  interest_categories: isCustomInterest,
  interest_keywords: isCustomInterest,

  // For 同商品 the platform excludes who ordered or paid, and takes no other conversions.
  conversion_behavior_list: ({ excluded_dimension }) =>
    excluded_dimension !== null &&
    excluded_dimension.length > 0 &&
    !excluded_dimension.includes('EXCLUDED_DIMENSION_PRODUCT'),
}

/** Whether the editor shows a dimension. */
export const isShown = (field: Field, form: SocialForm): boolean => SHOWN_WHEN[field]?.(form) ?? true

/** The way of choosing places that is not in use and what was chosen in it, which a save leaves out; null for nothing. */
export function unusedPlaces(form: SocialForm): { way: 'REGIONS' | 'CUSTOM_LOCATIONS'; count: number } | null {
  const { geo_location, regions, custom_locations } = form
  if (geo_location === 'CUSTOM_LOCATIONS' && regions.length > 0) return { way: 'REGIONS', count: regions.length }
  if (geo_location === 'REGIONS' && custom_locations.length > 0)
    return { way: 'CUSTOM_LOCATIONS', count: custom_locations.length }
  return null
}

/** Whether 商圈 and places on the map leave room for the way of being there. */
export const isLocationTypeOffered = (code: CodeOf<'location_types'>, form: SocialForm): boolean =>
  form.geo_location !== 'CUSTOM_LOCATIONS' || MAP_LOCATION_TYPES.includes(code)

/** A choice as the editor shows it. */
export interface Choice<C extends string = string> {
  value: C
  label: string
  /** 平台已停用 where the platform no longer takes the choice; empty otherwise. */
  note: string
}

/** The choices of a dimension that the other choices leave. */
export function choicesOf<F extends ChoiceField>(field: F, form: SocialForm): Choice<CodeOf<F>>[] {
  const all: readonly CodeOf<F>[] = codesOf(field)
  const isOffered = (code: string) =>
    field !== 'location_types' || isLocationTypeOffered(code as CodeOf<'location_types'>, form)
  return all.filter(isOffered).map((value) => ({
    value,
    label: labelOf(field, value),
    note: field === 'excluded_dimension' && isExclusionWithdrawn(value) ? WITHDRAWN_LABEL : '',
  }))
}

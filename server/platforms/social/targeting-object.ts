import type { Field } from '#contract/targeting/social/fields.ts'
import { type Generation, isExclusionWithdrawn, isWithdrawn } from '#contract/targeting/social/platform.ts'
import type { SocialTargeting } from '#contract/targeting/social/schema.ts'
import { idNumber } from '../lossless-json.ts'

/** Dimensions that the platform spells as we do: lists of codes. */
const PLAIN = [
  'gender',
  'education',
  'marital_status',
  'financial_situation',
  'game_consumption_level',
  'consumption_status',
] as const satisfies readonly Field[]

const some = (name: string, values: readonly unknown[] | null | undefined) =>
  values && values.length > 0 ? { [name]: values } : {}
const ids = (name: string, values: readonly string[] | null | undefined) => some(name, values?.map(idNumber))
const tagIds = (name: string, tags: readonly { id: string }[] | null | undefined) =>
  ids(
    name,
    tags?.map(({ id }) => id),
  )
const unlessEmpty = (name: string, object: object) => (Object.keys(object).length > 0 ? { [name]: object } : {})

/**
 * The platform's `targeting` object of a saved targeting. Dimensions that the generation does not take are left out: the
 * preview names them.
 */
export function targetingObject(targeting: SocialTargeting, generation: Generation): Record<string, unknown> {
  const isSent = (field: Field) => !isWithdrawn(field, generation)
  const plain = PLAIN.filter(isSent).map((field) => some(field, targeting[field]))
  return {
    ...placesOf(targeting),
    ...some('age', targeting.age),
    ...Object.assign({}, ...plain),
    ...unlessEmpty('behavior_or_interest', {
      ...(isSent('behavior') && behaviourOf(targeting)),
      ...(isSent('interest') && interestOf(targeting)),
      ...(isSent('intention') && unlessEmpty('intention', tagIds('targeting_tags', targeting.intention))),
    }),
    ...ids('custom_audience', targeting.custom_audience),
    ...ids('excluded_custom_audience', targeting.excluded_custom_audience),
    ...exclusionOf(targeting, generation),
  }
}

function placesOf({ geo_location, regions, custom_locations, location_types }: SocialTargeting) {
  if (!geo_location) return {}
  const places = custom_locations ?? []
  const circles = places.flatMap((place) =>
    place.kind === 'circle' ? [{ longitude: place.long, latitude: place.lat, radius: place.radius }] : [],
  )
  const districts = places.flatMap((place) => (place.kind === 'business_district' ? [place.id] : []))
  return {
    geo_location: {
      location_types,
      ...(geo_location === 'REGIONS'
        ? ids('regions', regions)
        : { ...ids('business_districts', districts), ...some('custom_locations', circles) }),
    },
  }
}

function behaviourOf(targeting: SocialTargeting) {
  if (!targeting.behavior) return {}
  const one = {
    ...tagIds('category_id_list', targeting.behavior_categories),
    ...some('keyword_list', targeting.behavior_keywords),
    ...some('scene', targeting.behavior_scene),
    ...(targeting.behavior_time_window && { time_window: targeting.behavior_time_window }),
  }
  return { behavior: [one] }
}

function interestOf(targeting: SocialTargeting) {
  if (!targeting.interest) return {}
  return unlessEmpty('interest', {
    ...tagIds('category_id_list', targeting.interest_categories),
    ...some('keyword_list', targeting.interest_keywords),
  })
}

function exclusionOf({ excluded_dimension, conversion_behavior_list }: SocialTargeting, generation: Generation) {
  const [dimension] = excluded_dimension ?? []
  if (!dimension || isExclusionWithdrawn(dimension, generation)) return {}
  return {
    excluded_converted_audience: {
      excluded_dimension: dimension,
      ...some('conversion_behavior_list', conversion_behavior_list),
    },
  }
}

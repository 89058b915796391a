import { FIELD_ORDER } from '#contract/targeting/social/fields.ts'
import { type ChoiceField, type CodeOf, codesOf, isChoice } from '#contract/targeting/social/labels.ts'
import { AGE, isWithdrawn } from '#contract/targeting/social/platform.ts'
import { type AgeRange, isWideEnough, type SocialTargeting } from '#contract/targeting/social/schema.ts'
import type { PackageContent } from '../targeting-platform.ts'

type Kept = SocialTargeting | null
interface Geo {
  location_types?: string[]
  regions?: string[]
  business_districts?: string[]
  custom_locations?: { longitude: number; latitude: number; radius: number }[]
}
interface Chosen {
  category_id_list?: string[]
  keyword_list?: string[]
}

/** Dimensions that the platform spells as we do, of which only codes that the editor offers are taken. */
const CHOICES = [
  ...(['gender', 'education', 'marital_status', 'financial_situation', 'game_consumption_level'] as const),
  'consumption_status' as const,
]
const SAME = ['custom_audience', 'excluded_custom_audience']

/** The codes that the editor offers, in their order. */
const offered = <F extends ChoiceField>(name: F, codes: readonly string[] = []) =>
  codes.filter((code): code is CodeOf<F> => codesOf(name).some((one) => one === code))
/** The same as a dimension of its own; nothing where none is left. */
function known<F extends ChoiceField>(name: F, codes: readonly string[] | undefined) {
  const kept = offered(name, codes)
  return kept.length > 0 ? { [name]: kept } : {}
}

/** The platform's older generation has younger people and narrower ranges than our editor. */
function agesOf(ages: readonly AgeRange[] | undefined) {
  const kept = (ages ?? []).filter((range) => range.min >= AGE.min && range.max <= AGE.max && isWideEnough(range))
  return kept.length > 0 && kept.length <= AGE.ranges ? { age: kept } : {}
}

/** The targeting that stands for a content, without what our editor lacks; of what the platform does not hold, ours stays. */
export function targetingOfContent(content: PackageContent, kept: Kept): SocialTargeting {
  const object = content as Record<string, never>
  const unsent = FIELD_ORDER.filter((field) => isWithdrawn(field, 'v1.3'))
  const mixed = (content.behavior_or_interest ?? {}) as {
    behavior?: (Chosen & { scene?: string[]; time_window?: string })[]
    interest?: Chosen
    intention?: { targeting_tags?: string[] }
  }
  const [doing] = mixed.behavior ?? []
  const excluded = content.excluded_converted_audience as
    | { excluded_dimension: string; conversion_behavior_list?: string[] }
    | undefined
  const [dimension] = offered('excluded_dimension', excluded ? [excluded.excluded_dimension] : [])
  return {
    ...picked(kept ?? {}, unsent),
    ...Object.assign(
      {},
      ...unsent.map((field) => (isChoice(field) ? known(field, object[field]) : picked(object, [field]))),
    ),
    ...placesOf(content.geo_location as Geo | undefined, kept),
    ...agesOf(object.age),
    ...Object.assign({}, ...CHOICES.map((field) => known(field, object[field]))),
    ...picked(object, SAME),
    ...(doing && {
      behavior: 'CUSTOM',
      behavior_scene: doing.scene ? offered('behavior_scene', doing.scene) : ['BEHAVIOR_INTEREST_SCENE_ALL'],
      behavior_time_window:
        offered('behavior_time_window', [doing.time_window ?? ''])[0] ?? 'BEHAVIOR_INTEREST_TIME_WINDOW_THIRTY_DAY',
      ...chosen('behavior', doing, kept),
    }),
    ...(mixed.interest && { interest: 'CUSTOM', ...chosen('interest', mixed.interest, kept) }),
    ...(mixed.intention?.targeting_tags && { intention: named(mixed.intention.targeting_tags, kept?.intention) }),
    ...(dimension && {
      excluded_dimension: [dimension],
      ...known('conversion_behavior_list', excluded?.conversion_behavior_list),
    }),
    ...rows('custom_audience', content, kept),
    ...rows('excluded_custom_audience', content, kept),
  } as SocialTargeting
}

const picked = (object: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (object[name] === undefined ? [] : [[name, object[name]]])))

/** Ids with the names that they were chosen by here. */
const named = (ids: readonly string[], known: SocialTargeting['intention']) =>
  ids.map((id) => known?.find((tag) => tag.id === id) ?? { id })

function chosen(family: 'behavior' | 'interest', { category_id_list, keyword_list }: Chosen, kept: Kept) {
  return {
    ...(category_id_list && { [`${family}_categories`]: named(category_id_list, kept?.[`${family}_categories`]) }),
    ...(keyword_list && { [`${family}_keywords`]: keyword_list }),
  }
}

/** The console holds regions or places; of a package with both, the places are shown. */
function placesOf(geo: Geo | undefined, kept: Kept) {
  if (!geo) return {}
  const { regions = [], business_districts = [], custom_locations = [] } = geo
  const location_types = offered('location_types', geo.location_types)
  if (business_districts.length + custom_locations.length === 0) {
    return { geo_location: 'REGIONS', regions, location_types }
  }
  const known = kept?.custom_locations ?? []
  const circles = custom_locations.map(({ longitude: long, latitude: lat, radius }) => {
    const same = known.find((one) => one.kind === 'circle' && one.long === long && one.lat === lat)
    return { ...(same ?? { kind: 'circle', name: `${long}, ${lat}`, long, lat }), radius }
  })
  const districts = business_districts.map(
    (id) =>
      known.find((one) => one.kind === 'business_district' && one.id === id) ?? {
        kind: 'business_district',
        id,
        name: id,
      },
  )
  return { geo_location: 'CUSTOM_LOCATIONS', custom_locations: [...districts, ...circles], location_types }
}

function rows(field: 'custom_audience' | 'excluded_custom_audience', content: PackageContent, kept: Kept) {
  const ids = content[field] as string[] | undefined
  const known = kept?.[`${field}_local`]?.filter((row) => ids?.includes(row.retargeting_tags_id))
  return known && known.length > 0 ? { [`${field}_local`]: known } : {}
}

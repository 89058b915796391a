import { FIELD_ORDER } from '#contract/targeting/social/fields.ts'
import { isWithdrawn } from '#contract/targeting/social/platform.ts'
import type { SocialTargeting } from '#contract/targeting/social/schema.ts'
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

const SAME = [
  ...['age', 'gender', 'education', 'marital_status', 'financial_situation', 'game_consumption_level'],
  ...['consumption_status', 'custom_audience', 'excluded_custom_audience'],
]

/** The targeting that stands for a content; of what the platform does not hold, ours stays. */
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
  return {
    ...picked(kept ?? {}, unsent),
    ...picked(object, unsent),
    ...placesOf(content.geo_location as Geo | undefined, kept),
    ...picked(object, SAME),
    ...(doing && {
      behavior: 'CUSTOM',
      behavior_scene: doing.scene ?? ['BEHAVIOR_INTEREST_SCENE_ALL'],
      behavior_time_window: doing.time_window ?? 'BEHAVIOR_INTEREST_TIME_WINDOW_THIRTY_DAY',
      ...chosen('behavior', doing, kept),
    }),
    ...(mixed.interest && { interest: 'CUSTOM', ...chosen('interest', mixed.interest, kept) }),
    ...(mixed.intention?.targeting_tags && { intention: named(mixed.intention.targeting_tags, kept?.intention) }),
    ...(excluded && {
      excluded_dimension: [excluded.excluded_dimension],
      ...(excluded.conversion_behavior_list && { conversion_behavior_list: excluded.conversion_behavior_list }),
    }),
    ...rows('custom_audience', content, kept),
    ...rows('excluded_custom_audience', content, kept),
    // Codes that the console does not know stand for themselves.
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
  const { location_types, regions = [], business_districts = [], custom_locations = [] } = geo
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

import type { FiveTabTargeting, Tag } from '#contract/targeting/five-tab/schema.ts'
import type { Place } from '#contract/targeting/place.ts'

/** A place as the platform answers it. */
export interface ContentPlace {
  name: string
  long: number
  lat: number
  radius: number
}

/**
 * What a package restricts on the platform, under the names with which it is written: ids as text, sets in order, and
 * nothing that restricts nothing. Fields that the editor does not have (exclusion of converted people, installed apps,
 * flow packages) are neither compared nor written, and stay as they are there.
 */
export interface VideoContent {
  landing_type?: string
  gender?: string
  age?: string[]
  district?: string
  city?: string[]
  location_type?: string
  geolocation?: ContentPlace[]
  business_ids?: string[]
  interest_action_mode?: string
  action_days?: number
  action_categories?: string[]
  action_words?: string[]
  interest_categories?: string[]
  interest_words?: string[]
  retargeting_tags?: string[]
  retargeting_tags_exclude?: string[]
  platform?: string[]
  device_type?: string[]
  ac?: string[]
  carrier?: string[]
  device_brand?: string[]
  launch_price?: number[]
  aweme_fan_behaviors?: string[]
  aweme_fan_time_scope?: string
  aweme_fan_categories?: string[]
  aweme_fan_accounts?: string[]
  auto_extend_targets?: string[]
}

/** Every price, whose upper end means no bound. */
export const ALL_PRICES = [0, 11_000] as const
/** What the platform takes where a package leaves it out. */
const TIME_SCOPE = 'FIFTEEN_DAYS'
const ACTION_DAYS = 30
const CATEGORY = 1
const KEYWORD = 2
/** The kind of place of province, city and district alike; the platform no longer takes CITY and COUNTY apart. */
export const REGION = 'REGION'
export const MAP = 'BUSINESS_DISTRICT'
export const UNNAMED = '地图地点'

const sortedSet = (list: readonly string[]) => [...new Set(list)].toSorted()
const idsOf = (tags: readonly Tag[] | undefined, type: Tag['type']) =>
  (tags ?? []).filter((tag) => tag.type === type).map(({ id }) => id)

/** The regions with those of the plans. */
const regionsOf = ({ regions }: FiveTabTargeting): string[] =>
  sortedSet([...(regions?.regions ?? []), ...(regions?.regionsPlan.flatMap((plan) => plan.regions) ?? [])])

/** A place has a name there; older ones of ours may have none. */
const placeOf = ({ name, long, lat, radius }: ContentPlace): ContentPlace => ({
  ...{ name: name.trim() || UNNAMED, long, lat, radius },
})
const placeKey = ({ long, lat, radius, name }: ContentPlace) => `${long} ${lat} ${radius} ${name}`

/** Leaves out what restricts nothing, and puts the rest in order. Takes what is read as well as what is written. */
export function normalised(given: VideoContent): VideoContent {
  const content: Record<string, unknown> = {}
  const list = (name: keyof VideoContent) => {
    const values = sortedSet((given[name] ?? []) as string[])
    if (values.length > 0) content[name] = values
    return values.length > 0
  }
  if (given.landing_type) content.landing_type = given.landing_type
  if (given.gender === 'GENDER_MALE' || given.gender === 'GENDER_FEMALE') content.gender = given.gender
  for (const name of ['age', 'platform', 'device_type', 'ac', 'carrier', 'device_brand'] as const) list(name)
  if (given.launch_price?.length === 2 && given.launch_price.join() !== ALL_PRICES.join()) {
    content.launch_price = given.launch_price
  }
  const { district = 'NONE' } = given
  if (district === MAP) {
    content.district = district
    const places = (given.geolocation ?? []).map(placeOf).toSorted((a, b) => (placeKey(a) < placeKey(b) ? -1 : 1))
    if (places.length > 0) content.geolocation = places
    list('business_ids')
  } else if (district !== 'NONE') {
    content.district = district
    list('city')
  }
  if (content.district !== undefined && given.location_type) content.location_type = given.location_type
  if (given.interest_action_mode === 'RECOMMEND') content.interest_action_mode = 'RECOMMEND'
  if (given.interest_action_mode === 'CUSTOM') {
    content.interest_action_mode = 'CUSTOM'
    const hasActions = [list('action_categories'), list('action_words')].includes(true)
    if (hasActions) content.action_days = given.action_days ?? ACTION_DAYS
    list('interest_categories')
    list('interest_words')
  }
  list('retargeting_tags')
  list('retargeting_tags_exclude')
  const hasFans = (given.aweme_fan_categories ?? []).length + (given.aweme_fan_accounts ?? []).length > 0
  if (hasFans && list('aweme_fan_behaviors')) {
    list('aweme_fan_categories')
    list('aweme_fan_accounts')
    // Following has no time.
    if (given.aweme_fan_behaviors?.some((one) => one !== 'FOLLOWED_USER')) {
      content.aweme_fan_time_scope = given.aweme_fan_time_scope ?? TIME_SCOPE
    }
  }
  list('auto_extend_targets')
  return content
}

/** What a saved targeting becomes on the platform, without what it no longer takes: career, scenes, activation. */
export function contentOfTargeting(targeting: FiveTabTargeting): VideoContent {
  const [district] = targeting.district ?? []
  const places = targeting.custom_locations ?? []
  const isCircle = (place: Place) => place.kind === 'circle'
  const on = <T>(is: boolean, value: T) => (is ? { ...value } : {})
  return normalised({
    ...on(Boolean(targeting.landing_type), { landing_type: targeting.landing_type ?? '' }),
    ...on(Boolean(targeting.gender?.[0]), { gender: targeting.gender?.[0] ?? '' }),
    age: targeting.age ?? [],
    ...on(district === 'CITY' || district === 'COUNTY', { district: REGION, city: regionsOf(targeting) }),
    ...on(district === MAP, {
      district: MAP,
      geolocation: places.filter(isCircle),
      business_ids: places.flatMap((place) => (place.kind === 'business_district' ? [place.id] : [])),
    }),
    ...on(Boolean(targeting.location_types?.[0]), { location_type: targeting.location_types?.[0] ?? '' }),
    interest_action_mode: targeting.smart_interest_action ?? 'UNLIMITED',
    ...on(targeting.action_days !== undefined, { action_days: targeting.action_days ?? ACTION_DAYS }),
    action_categories: idsOf(targeting.action_tags, CATEGORY),
    action_words: idsOf(targeting.action_tags, KEYWORD),
    interest_categories: idsOf(targeting.interest_tags, CATEGORY),
    interest_words: idsOf(targeting.interest_tags, KEYWORD),
    retargeting_tags: targeting.retargeting_tags_include ?? [],
    retargeting_tags_exclude: targeting.retargeting_tags_exclude ?? [],
    platform: targeting.platform ?? [],
    device_type: targeting.device_type ?? [],
    ac: targeting.ac ?? [],
    carrier: targeting.carrier ?? [],
    device_brand: targeting.device_brand ?? [],
    launch_price: targeting.launch_price ?? [],
    ...on(targeting.aweme_fan_by === 1, {
      aweme_fan_behaviors: targeting.aweme_fan_behaviors ?? [],
      aweme_fan_time_scope: targeting.aweme_fan_time_scope ?? TIME_SCOPE,
      aweme_fan_categories: targeting.aweme_fan_categories ?? [],
      aweme_fan_accounts: targeting.aweme_fan_accounts ?? [],
    }),
    ...on(targeting.auto_extend_enabled === 1, { auto_extend_targets: targeting.auto_extend_targets ?? [] }),
  })
}

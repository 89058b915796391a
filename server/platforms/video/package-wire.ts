import { z } from 'zod'
import type { FiveTabTargeting } from '#contract/targeting/five-tab/schema.ts'
import { othersIn } from '../left-out.ts'
import { idNumber, WireCount, WireId } from '../lossless-json.ts'
import type { PlatformPackage } from '../targeting-platform.ts'
import { ALL_PRICES, normalised, UNNAMED, type VideoContent } from './package-content.ts'

/** The version that the platform asks for with HarmonyOS. */
const HARMONY_VERSION = '5.0'

/** Lists of ids, which are written as numbers. */
const ID_LISTS = [
  ...(['city', 'business_ids', 'action_categories', 'action_words', 'interest_categories', 'interest_words'] as const),
  ...(['retargeting_tags', 'retargeting_tags_exclude', 'aweme_fan_categories', 'aweme_fan_accounts'] as const),
]

/** Written by an update for what a package does not restrict: what a call leaves out stays as it is. */
const RESETS = {
  gender: 'NONE',
  age: [],
  district: 'NONE',
  interest_action_mode: 'UNLIMITED',
  retargeting_tags: [],
  retargeting_tags_exclude: [],
  platform: [],
  device_type: [],
  ac: [],
  carrier: [],
  device_brand: [],
  launch_price: [...ALL_PRICES],
  aweme_fan_behaviors: [],
  aweme_fan_categories: [],
  aweme_fan_accounts: [],
  auto_extend_targets: [],
}
/** The same for what belongs to a choice that the package has made. */
const CUSTOM_RESETS = { action_categories: [], action_words: [], interest_categories: [], interest_words: [] }
const MAP_RESETS = { geolocation: [], business_ids: [] }

/** A content as calls write it. `places`: with the address of each place, where it is known. */
export function wireOf(content: VideoContent, targeting: FiveTabTargeting): Record<string, unknown> {
  const ids = ID_LISTS.flatMap((name) => {
    const list = content[name]
    return list ? [[name, list.map(idNumber)] as const] : []
  })
  const places = (targeting.custom_locations ?? []).flatMap((place) => {
    if (place.kind !== 'circle') return []
    const { kind: _, ...rest } = place
    return [{ ...rest, name: rest.name.trim() || UNNAMED }]
  })
  return {
    ...content,
    ...Object.fromEntries(ids),
    ...(content.geolocation && places.length > 0 && { geolocation: places }),
    ...(content.platform?.includes('HARMONY') && { harmony_osv: HARMONY_VERSION }),
  }
}

/** The same for an update, which writes everything and never the landing type. */
export function updateOf(content: VideoContent, targeting: FiveTabTargeting): Record<string, unknown> {
  const { landing_type: _, ...fields } = wireOf(content, targeting)
  return {
    ...RESETS,
    ...(content.interest_action_mode === 'CUSTOM' && CUSTOM_RESETS),
    ...(content.district === 'BUSINESS_DISTRICT' && MAP_RESETS),
    ...fields,
  }
}

const Codes = z
  .array(z.unknown())
  .nullish()
  .transform((list) => (list ?? []).filter((one): one is string => typeof one === 'string'))
const Ids = z
  .array(z.unknown())
  .nullish()
  .transform((list) => (list ?? []).flatMap((one) => WireId.safeParse(one).data ?? []))
const Text = z
  .string()
  .nullish()
  .transform((text) => text ?? undefined)
const Place = z.object({ name: z.string().catch(''), long: z.number(), lat: z.number(), radius: z.number() })

/** Fields of a row that a content has under the same name. */
const CONTENT: ReadonlySet<string> = new Set<keyof VideoContent>([
  ...(['landing_type', 'gender', 'age', 'district', 'city', 'location_type', 'geolocation', 'business_ids'] as const),
  ...(['interest_action_mode', 'action_days', 'action_categories', 'action_words', 'interest_categories'] as const),
  ...([
    'interest_words',
    'retargeting_tags_exclude',
    'platform',
    'device_type',
    'ac',
    'carrier',
    'device_brand',
  ] as const),
  ...(['launch_price', 'aweme_fan_behaviors', 'aweme_fan_time_scope', 'aweme_fan_categories'] as const),
  ...(['aweme_fan_accounts', 'auto_extend_targets'] as const),
])
/** Those, and fields that restrict nothing. */
const TAKEN: ReadonlySet<string> = new Set([
  ...[...CONTENT].filter((field) => field !== 'gender' && field !== 'interest_action_mode'),
  ...['retargeting_tags_include', 'advertiser_id', 'audience_package_id', 'name', 'description', 'region_version'],
  // Says whether auto_extend_targets has any.
  'auto_extend_enabled',
])
/** What a package has where nobody chose anything, and so each package that is made here. */
const DEFAULTS = {
  gender: ['GENDER_UNLIMITED', 'GENDER_FEMALE', 'GENDER_MALE'],
  interest_action_mode: ['CUSTOM', 'RECOMMEND'],
  marketing_goal: ['VIDEO_AND_IMAGE'],
  hide_if_converted: ['AD'],
  converted_time_duration: ['THREE_MONTH'],
  android_osv: ['0.0'],
  ios_osv: ['0.0'],
  // Written with HarmonyOS by each package that is made here.
  harmony_osv: ['0.0', HARMONY_VERSION],
}

/** A package as it is read, whose names and types differ from those it is written with. */
export const PackageRow = z
  .looseObject({
    audience_package_id: WireId,
    name: z.string().nullish(),
    description: z.string().nullish(),
    landing_type: Text,
    gender: Text,
    age: Codes,
    district: Text,
    city: Ids,
    location_type: Text,
    geolocation: z
      .array(Place)
      .nullish()
      .catch([])
      .transform((places) => places ?? []),
    business_ids: Ids,
    interest_action_mode: Text,
    action_days: WireCount.nullish().transform((days) => days ?? undefined),
    action_categories: Ids,
    action_words: Ids,
    interest_categories: Ids,
    interest_words: Ids,
    retargeting_tags_include: Ids,
    retargeting_tags_exclude: Ids,
    platform: Codes,
    device_type: Codes,
    ac: Codes,
    carrier: Codes,
    device_brand: Codes,
    launch_price: z
      .array(WireCount)
      .nullish()
      .catch([])
      .transform((prices) => prices ?? []),
    aweme_fan_behaviors: Codes,
    aweme_fan_time_scope: Text,
    aweme_fan_categories: Ids,
    aweme_fan_accounts: Ids,
    auto_extend_targets: Codes,
  })
  .transform((row): PlatformPackage => {
    const { audience_package_id, name, description, retargeting_tags_include } = row
    const rest = Object.fromEntries(Object.entries(row).filter(([field]) => CONTENT.has(field)))
    const defined = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
    const content = normalised({ ...(defined as VideoContent), retargeting_tags: retargeting_tags_include })
    return {
      targeting_id: audience_package_id,
      name: name || audience_package_id,
      description: description ?? '',
      content: content as Record<string, unknown>,
      others: othersIn(row, TAKEN, DEFAULTS),
      words: null,
      lost_crowds: null,
      plans: null,
    }
  })

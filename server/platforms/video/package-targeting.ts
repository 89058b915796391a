import { isDeepStrictEqual } from 'node:util'
import type { LABELS } from '#contract/targeting/five-tab/labels.ts'
import { ACTION_DAYS, ACTION_DAYS_DEFAULT, codesOf } from '#contract/targeting/five-tab/platforms.ts'
import type { FiveTabTargeting, Tag } from '#contract/targeting/five-tab/schema.ts'
import { isDistrictCode } from '#contract/targeting/region-code.ts'
import { contentOfTargeting, MAP, type VideoContent } from './package-content.ts'

type Key = keyof VideoContent
type Field = keyof FiveTabTargeting

/** Parts of a package that are taken from the platform as a whole: there under these names, here in these fields. */
interface Part {
  there: readonly Key[]
  here: readonly Field[]
  read(content: VideoContent, kept: FiveTabTargeting): FiveTabTargeting
}

/** Codes that the editor offers. */
const known = <F extends keyof typeof LABELS>(field: F, codes: readonly string[] = []) =>
  codesOf('video', field).filter((code) => codes.includes(code))
const listed = (fields: FiveTabTargeting): FiveTabTargeting =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !Array.isArray(value) || value.length > 0))

/** A field that is a list of codes on both sides. */
const codes = (field: 'age' | 'platform' | 'device_type' | 'ac' | 'carrier'): Part => ({
  there: [field],
  here: [field],
  read: (content) => listed({ [field]: known(field, content[field]) }),
})

const PARTS: readonly Part[] = [
  {
    there: ['landing_type'],
    here: ['landing_type'],
    read: ({ landing_type = '' }) => {
      const [type] = known('landing_type', [landing_type])
      return type ? { landing_type: type } : {}
    },
  },
  {
    there: ['gender'],
    here: ['gender'],
    read: ({ gender }) => listed({ gender: known('gender', gender ? [gender] : []) }),
  },
  ...(['age', 'platform', 'device_type', 'ac', 'carrier'] as const).map(codes),
  {
    there: ['device_brand'],
    here: ['device_brand_by', 'device_brand'],
    read: ({ device_brand }) => {
      const brands = known('device_brand', device_brand)
      return brands.length > 0 ? { device_brand_by: ['CUSTOM'], device_brand: brands } : {}
    },
  },
  {
    there: ['launch_price'],
    here: ['launch_price_by', 'launch_price'],
    read: ({ launch_price: [low, high] = [] }) =>
      low === undefined || high === undefined ? {} : { launch_price_by: ['CUSTOM'], launch_price: [low, high] },
  },
  {
    there: ['district', 'city', 'location_type', 'geolocation', 'business_ids'],
    here: ['district', 'regions', 'custom_locations', 'location_types'],
    read: placesOf,
  },
  {
    there: [
      ...(['interest_action_mode', 'action_days', 'action_categories', 'action_words'] as const),
      ...(['interest_categories', 'interest_words'] as const),
    ],
    here: ['smart_interest_action', 'action_scene', 'action_days', 'action_tags', 'interest_tags'],
    read: behaviourOf,
  },
  {
    there: ['retargeting_tags', 'retargeting_tags_exclude'],
    here: [
      ...(['auto_crowd_mode', 'retargeting_tags_include', 'retargeting_tags_include_local'] as const),
      ...(['retargeting_tags_exclude', 'retargeting_tags_exclude_local'] as const),
    ],
    read: ({ retargeting_tags: include = [], retargeting_tags_exclude: exclude = [] }, kept) => {
      const rows = [...(kept.retargeting_tags_include_local ?? []), ...(kept.retargeting_tags_exclude_local ?? [])]
      const of = (ids: readonly string[]) => rows.filter((row) => ids.includes(row.retargeting_tags_id))
      return listed({
        auto_crowd_mode: [...(include.length > 0 ? [1 as const] : []), ...(exclude.length > 0 ? [2 as const] : [])],
        retargeting_tags_include: include,
        retargeting_tags_include_local: of(include),
        retargeting_tags_exclude: exclude,
        retargeting_tags_exclude_local: of(exclude),
      })
    },
  },
  {
    there: ['aweme_fan_behaviors', 'aweme_fan_time_scope', 'aweme_fan_categories', 'aweme_fan_accounts'],
    here: [
      ...(['aweme_fan_by', 'aweme_fan_behaviors', 'aweme_fan_time_scope', 'user_aweme_fan'] as const),
      ...(['aweme_fan_categories', 'aweme_fan_accounts'] as const),
    ],
    read: fansOf,
  },
  {
    there: ['auto_extend_targets'],
    here: ['auto_extend_enabled', 'auto_extend_targets'],
    read: ({ auto_extend_targets }) => {
      const targets = known('auto_extend_targets', auto_extend_targets)
      return targets.length > 0 ? { auto_extend_enabled: 1, auto_extend_targets: targets } : { auto_extend_enabled: 0 }
    },
  },
]

function placesOf(content: VideoContent, kept: FiveTabTargeting): FiveTabTargeting {
  const { district, city = [], location_type, geolocation = [], business_ids = [] } = content
  const types = listed({ location_types: known('location_types', location_type ? [location_type] : []) })
  if (district === MAP) {
    const circles = geolocation.map((place) => ({ kind: 'circle' as const, ...place }))
    const before = kept.custom_locations ?? []
    const named = business_ids.map(
      (id) =>
        before.find((one) => one.kind === 'business_district' && one.id === id) ?? {
          kind: 'business_district' as const,
          id,
          name: id,
        },
    )
    return { district: ['BUSINESS_DISTRICT'], custom_locations: [...circles, ...named], ...types }
  }
  // Places abroad are not in this editor.
  if (district !== 'REGION') return {}
  const isOfCities = !city.some(isDistrictCode)
  return { district: [isOfCities ? 'CITY' : 'COUNTY'], regions: { regions: city, regionsPlan: [] }, ...types }
}

function behaviourOf(content: VideoContent, kept: FiveTabTargeting): FiveTabTargeting {
  if (content.interest_action_mode !== 'CUSTOM') {
    return { smart_interest_action: content.interest_action_mode === 'RECOMMEND' ? 'RECOMMEND' : 'UNLIMITED' }
  }
  const tags = (ids: readonly string[] = [], type: Tag['type'], before: readonly Tag[] = []) =>
    ids.map((id) => before.find((one) => one.id === id && one.type === type) ?? { id, type })
  return listed({
    smart_interest_action: 'CUSTOM',
    action_scene: kept.action_scene ?? [...codesOf('video', 'action_scene')],
    action_days: ACTION_DAYS.find((one) => one === content.action_days) ?? ACTION_DAYS_DEFAULT,
    action_tags: [
      ...tags(content.action_categories, 1, kept.action_tags),
      ...tags(content.action_words, 2, kept.action_tags),
    ],
    interest_tags: [
      ...tags(content.interest_categories, 1, kept.interest_tags),
      ...tags(content.interest_words, 2, kept.interest_tags),
    ],
  })
}

function fansOf(content: VideoContent, kept: FiveTabTargeting): FiveTabTargeting {
  const { aweme_fan_behaviors, aweme_fan_time_scope, aweme_fan_categories = [], aweme_fan_accounts = [] } = content
  const behaviors = known('aweme_fan_behaviors', aweme_fan_behaviors)
  if (behaviors.length === 0) return { aweme_fan_by: 0 }
  const [scope] = known('aweme_fan_time_scope', aweme_fan_time_scope ? [aweme_fan_time_scope] : [])
  const before = kept.user_aweme_fan ?? []
  const fans = [
    ...aweme_fan_categories.map(
      (value) =>
        before.find((one) => one.type === 'category' && one.value === value) ?? { type: 'category' as const, value },
    ),
    ...aweme_fan_accounts.map(
      (label_id) =>
        before.find((one) => one.type === 'account' && one.label_id === label_id) ?? {
          type: 'account' as const,
          label_id,
        },
    ),
  ]
  return {
    aweme_fan_by: 1,
    aweme_fan_behaviors: behaviors,
    ...(scope && { aweme_fan_time_scope: scope }),
    user_aweme_fan: fans,
    ...listed({ aweme_fan_categories, aweme_fan_accounts }),
  }
}

const pick = <T extends object, K extends keyof T>(from: T, keys: readonly K[]) =>
  Object.fromEntries(keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])))

/**
 * The targeting that stands for a content. A part that means the same there stays as it is kept here, with names and
 * plans of regions; what the platform does not hold (career, scenes, activation) stays too.
 */
export function targetingOfContent(content: VideoContent, kept: FiveTabTargeting | null): FiveTabTargeting {
  const ours = kept === null ? null : contentOfTargeting(kept)
  const taken = new Set(PARTS.flatMap(({ here }) => here))
  const local = Object.fromEntries(Object.entries(kept ?? {}).filter(([field]) => !taken.has(field as Field)))
  return Object.assign(
    local,
    ...PARTS.map(({ there, here, read }) =>
      kept !== null && ours !== null && isDeepStrictEqual(pick(ours, there), pick(content, there))
        ? pick(kept, here)
        : read(content, kept ?? {}),
    ),
  )
}

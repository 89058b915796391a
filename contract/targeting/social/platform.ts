import type { Field } from './fields.ts'
import type { CodeOf } from './labels.ts'

/** The platform's generations of calls. Packages are kept there by the older one alone. */
export type Generation = 'v1.3' | 'v3.0'
/** The one that plans and estimates are sent with. */
const CURRENT: Generation = 'v3.0'

/** Dimensions that a generation does not take: they stay editable, are marked, and are not sent. */
const NOT_TAKEN: Record<Generation, readonly Field[]> = {
  // Readable there, but not writable.
  'v1.3': ['working_status', 'consumption_type', 'residential_community_price'],
  'v3.0': [
    'working_status',
    'financial_situation',
    'consumption_type',
    'consumption_status',
    'residential_community_price',
    'behavior',
    'behavior_scene',
    'behavior_time_window',
    'behavior_categories',
    'behavior_keywords',
    'interest',
    'interest_categories',
    'interest_keywords',
    'intention',
  ],
}
const EXCLUSIONS_NOT_TAKEN: Record<Generation, readonly CodeOf<'excluded_dimension'>[]> = {
  'v1.3': [],
  'v3.0': ['EXCLUDED_DIMENSION_CAMPAIGN', 'EXCLUDED_DIMENSION_BUSINESS_MANAGER'],
}
export const WITHDRAWN_LABEL = '平台已停用'

/** Whether the dimension is marked 平台已停用 and is not sent. */
export const isWithdrawn = (field: Field, generation: Generation = CURRENT): boolean =>
  NOT_TAKEN[generation].includes(field)

/** Whether the choice of what is excluded is marked 平台已停用 and is not sent. */
export const isExclusionWithdrawn = (code: string, generation: Generation = CURRENT): boolean =>
  EXCLUSIONS_NOT_TAKEN[generation].some((one) => one === code)

/** Ages in years; the highest means this age and above. */
export const AGE = { min: 18, max: 66, leastWidth: 4, ranges: 5 } as const
/** Yuan per square metre; the highest means no upper bound. */
export const COMMUNITY_PRICE = { min: 1, max: 100_000, ranges: 5 } as const
/** Metres around a place on the map. */
export const RADIUS = { min: 200, max: 25_000 } as const
/** The most ways of being at a place. */
export const LOCATION_TYPES_MAX = 5
/** The most conversions that count as converted. */
export const CONVERSIONS_MAX = 2
/** Bytes of UTF-8 of one keyword. */
export const KEYWORD_BYTES_MAX = 64

/** The ways of being at a place that 商圈 and places on the map allow. */
export const MAP_LOCATION_TYPES: readonly CodeOf<'location_types'>[] = ['LIVE_IN', 'VISITED_IN']
/** The only one that WeChat's placements allow. */
export const WECHAT_LOCATION_TYPE: CodeOf<'location_types'> = 'LIVE_IN'

/** What one sending holds at most where this is less than the console's own limit; the fields of an entry count together. */
export const SENDING_LIMITS: readonly { fields: readonly Field[]; max: number }[] = [
  { fields: ['regions'], max: 400 },
  // Of these 商圈 alone.
  { fields: ['custom_locations'], max: 400 },
  { fields: ['behavior_categories'], max: 250 },
  { fields: ['interest_categories'], max: 250 },
  { fields: ['custom_audience', 'excluded_custom_audience'], max: 200 },
]

/** Stands for every scene of behaviours; single scenes exclude it. */
export const ALL_SCENES = 'BEHAVIOR_INTEREST_SCENE_ALL' satisfies CodeOf<'behavior_scene'>

import type { CodeOf } from './labels.ts'
import { WECHAT_LOCATION_TYPE } from './platform.ts'
import type { SocialForm, SocialTargeting } from './schema.ts'

/** What choosing 自定义 for behaviours starts with. */
export const BEHAVIOUR_DEFAULTS: {
  behavior_scene: CodeOf<'behavior_scene'>[]
  behavior_time_window: CodeOf<'behavior_time_window'>
} = {
  behavior_scene: ['BEHAVIOR_INTEREST_SCENE_ALL'],
  behavior_time_window: 'BEHAVIOR_INTEREST_TIME_WINDOW_THIRTY_DAY',
}

/** The form of a new package: 不限 everywhere. */
export const emptyForm = (): SocialForm => ({
  geo_location: null,
  regions: [],
  custom_locations: [],
  // The one that every placement takes.
  location_types: [WECHAT_LOCATION_TYPE],
  age: null,
  gender: null,
  education: null,
  marital_status: null,
  working_status: null,
  financial_situation: null,
  consumption_type: null,
  game_consumption_level: null,
  consumption_status: null,
  residential_community_price: null,
  behavior: null,
  behavior_scene: [...BEHAVIOUR_DEFAULTS.behavior_scene],
  behavior_time_window: BEHAVIOUR_DEFAULTS.behavior_time_window,
  behavior_categories: [],
  behavior_keywords: [],
  interest: null,
  interest_categories: [],
  interest_keywords: [],
  intention: null,
  excluded_dimension: null,
  conversion_behavior_list: null,
  custom_audience: null,
  custom_audience_local: [],
  excluded_custom_audience: null,
  excluded_custom_audience_local: [],
})

/** The form of a saved package; what the package leaves out has its default. */
export function formOf(targeting: SocialTargeting): SocialForm {
  const given = Object.fromEntries(Object.entries(targeting).filter(([, value]) => value !== undefined))
  return { ...emptyForm(), ...given }
}

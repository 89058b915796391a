import { PLATFORMS, type PlatformCode, platformOfCode } from '../../platform.ts'
import type { Field } from './fields.ts'
import type { ChoiceField, CodeOf } from './labels.ts'

/** The platforms whose packages the five-tab editor builds. */
export const FIVE_TAB_PLATFORMS = ['video', 'commerce'] as const
export type FiveTabPlatform = (typeof FIVE_TAB_PLATFORMS)[number]

/** Which codes of each choice a platform offers, in the order of the screen. */
type Choices = { readonly [F in ChoiceField]?: readonly CodeOf<F>[] }

interface Editor {
  choices: Choices
  /** Fields without a list of codes that the platform has beside those of all platforms. */
  more: readonly Field[]
  /** Fields that the platform no longer accepts: they stay editable, are marked, and are not sent. */
  withdrawn: readonly Field[]
  /** Sets of age bands that may not be mixed. */
  ageSets: readonly (readonly CodeOf<'age'>[])[]
  /** The default time range of what users did with a creator. */
  timeScope: CodeOf<'aweme_fan_time_scope'>
  /** Metres around a place on the map; null where there is no map. */
  radius: { min: number; max: number } | null
  /** Whether its crowd list tells crowds that the platform curates from the account's own. */
  hasCuratedCrowds: boolean
  /** Whether 系统推荐 has no effect beside custom crowds. */
  crowdsStopRecommend: boolean
  /** Whether smart expansion may only open what the package restricts. */
  expandsOnlyRestricted: boolean
  /** Whether the platform's estimate leaves smart expansion out; the commerce platform does not say. */
  expansionInEstimate: 'ignored' | 'unpublished'
}

const AGES = [
  'AGE_BETWEEN_18_23',
  'AGE_BETWEEN_24_30',
  'AGE_BETWEEN_31_40',
  'AGE_BETWEEN_41_49',
  'AGE_ABOVE_50',
] as const
const FINE_AGES = [
  'AGE_BETWEEN_18_19',
  'AGE_BETWEEN_20_23',
  'AGE_BETWEEN_24_30',
  'AGE_BETWEEN_31_35',
  'AGE_BETWEEN_36_40',
  'AGE_BETWEEN_41_45',
  'AGE_BETWEEN_46_50',
  'AGE_BETWEEN_51_55',
  'AGE_BETWEEN_56_59',
  'AGE_ABOVE_60',
] as const

/** What both platforms offer alike. */
const COMMON = {
  gender: ['GENDER_MALE', 'GENDER_FEMALE'],
  location_types: ['CURRENT', 'HOME', 'TRAVEL', 'ALL'],
  smart_interest_action: ['UNLIMITED', 'RECOMMEND', 'CUSTOM'],
  ac: ['WIFI', '2G', '3G', '4G', '5G'],
  aweme_fan_behaviors: [
    'FOLLOWED_USER',
    'COMMENTED_USER',
    'LIKED_USER',
    'SHARED_USER',
    'LIVE_WATCH',
    'LIVE_EFFECTIVE_WATCH',
    'LIVE_COMMENT',
    'LIVE_EXCEPTIONAL',
    'LIVE_GOODS_CLICK',
    'LIVE_GOODS_ORDER',
    'GOODS_CARTS_CLICK',
    'GOODS_CARTS_ORDER',
  ],
} as const satisfies Choices

/** Fields without codes that every platform of this editor has. */
const EVERYWHERE: readonly Field[] = [
  'regions',
  'action_days',
  'action_tags',
  'interest_tags',
  'auto_crowd_mode',
  'retargeting_tags_include',
  'retargeting_tags_exclude',
  'aweme_fan_by',
  'user_aweme_fan',
  'auto_extend_enabled',
]

/** Days of behaviour that both platforms take; the default is among them. */
export const ACTION_DAYS = [7, 15, 30, 60, 90, 180, 365] as const
export const ACTION_DAYS_DEFAULT = 30

/** What the two platforms of this editor differ in; the rules read nothing else about them. */
const EDITORS: Record<FiveTabPlatform, Editor> = {
  video: {
    choices: {
      ...COMMON,
      landing_type: [
        'EXTERNAL',
        'ARTICLE',
        'GOODS',
        'DPA',
        'STORE',
        'AWEME',
        'SHOP',
        'APP_ANDROID',
        'APP_IOS',
        'APP_HARMONY',
        'LIVE',
        'QUICK_APP',
        'MICRO_GAME',
      ],
      age: [...AGES, ...FINE_AGES.filter((age) => age !== 'AGE_BETWEEN_24_30')],
      career: ['COLLEGE_STUDENT', 'TEACHER', 'IT', 'CIVIL_SERVANTS', 'FINANCIAL', 'MEDICAL_STAFF'],
      district: ['CITY', 'COUNTY', 'BUSINESS_DISTRICT'],
      action_scene: ['E-COMMERCE', 'NEWS', 'APP', 'SEARCH', 'AD'],
      platform: ['ANDROID', 'IOS', 'HARMONY', 'PC', 'WAP', 'IPAD'],
      device_type: ['MOBILE', 'PAD'],
      carrier: ['MOBILE', 'UNICOM', 'TELCOM'],
      device_brand: [
        'HONOR',
        'APPLE',
        'HUAWEI',
        'XIAOMI',
        'SAMSUNG',
        'OPPO',
        'VIVO',
        'MEIZU',
        'GIONEE',
        'COOLPAD',
        'LENOVO',
        'LETV',
        'ZTE',
        'CHINAMOBILE',
        'HTC',
        'PEPPER',
        'NUBIA',
        'HISENSE',
        'QIKU',
        'TCL',
        'SONY',
        'SMARTISAN',
        '360',
        'ONEPLUS',
        'LG',
        'MOTO',
        'NOKIA',
        'GOOGLE',
      ],
      activate_type: ['WITH_IN_A_MONTH', 'ONE_MONTH_2_THREE_MONTH', 'THREE_MONTH_EAILIER'],
      aweme_fan_time_scope: ['FIFTEEN_DAYS', 'THIRTY_DAYS', 'SIXTY_DAYS'],
      auto_extend_targets: ['REGION', 'GENDER', 'AGE', 'CUSTOM_AUDIENCE'],
    },
    more: ['career_by', 'custom_locations', 'device_brand_by', 'launch_price_by', 'launch_price'],
    // Older plans had them; the calls of today's packages do not.
    withdrawn: ['career_by', 'career', 'action_scene', 'activate_type'],
    ageSets: [AGES, FINE_AGES],
    timeScope: 'FIFTEEN_DAYS',
    radius: { min: 3000, max: 15_000 },
    hasCuratedCrowds: false,
    crowdsStopRecommend: true,
    expandsOnlyRestricted: true,
    expansionInEstimate: 'ignored',
  },
  commerce: {
    choices: {
      ...COMMON,
      landing_type: ['LIVE', 'VIDEO'],
      age: AGES,
      district: ['CITY', 'COUNTY'],
      action_scene: ['E-COMMERCE', 'NEWS', 'APP', 'SEARCH'],
      platform: ['ANDROID', 'IOS'],
      aweme_fan_time_scope: ['DAYS_15', 'DAYS_30', 'DAYS_60'],
      auto_extend_targets: ['AGE', 'REGION', 'GENDER', 'INTEREST_ACTION', 'CUSTOM_AUDIENCE'],
      new_customer: ['NONE', 'NO_BUY', 'NO_BUY_BRAND', 'NO_BUY_DOUYIN'],
      live_platform_tags: ['LARGE_FANSCOUNT', 'ABNORMAL_ACTIVE', 'AWEME_FANS'],
    },
    more: ['exclude_limited_region'],
    withdrawn: [],
    ageSets: [AGES],
    // The platform publishes no default.
    timeScope: 'DAYS_15',
    radius: null,
    hasCuratedCrowds: true,
    crowdsStopRecommend: false,
    expandsOnlyRestricted: false,
    expansionInEstimate: 'unpublished',
  },
}

export const editorOf = (platform: FiveTabPlatform): Editor => EDITORS[platform]

/** The codes that a platform offers for a field; none where it never had the field. */
export const codesOf = <F extends ChoiceField>(platform: FiveTabPlatform, field: F): readonly CodeOf<F>[] =>
  (EDITORS[platform].choices as Choices)[field] ?? []

/** Whether the platform has the field, be it withdrawn by now. */
export function hasField(platform: FiveTabPlatform, field: Field): boolean {
  const { choices, more } = EDITORS[platform]
  return field in choices || more.includes(field) || EVERYWHERE.includes(field)
}

/** Whether the field is marked 平台已停用 and is not sent. */
export const isWithdrawn = (platform: FiveTabPlatform, field: Field): boolean =>
  EDITORS[platform].withdrawn.includes(field)
export const WITHDRAWN_LABEL = '平台已停用'

/** The platform of this editor with this number; null for one that has another editor. */
export function fiveTabPlatform(code: PlatformCode): FiveTabPlatform | null {
  const platform = platformOfCode(code)
  return FIVE_TAB_PLATFORMS.find((one) => PLATFORMS[one] === PLATFORMS[platform]) ?? null
}

import { z } from 'zod'
import { meaningsOf } from '../../common.ts'
import { TARGETING_OUTCOMES } from '../../outcomes/targeting.ts'
import { SOCIAL_TARGETING_OUTCOMES } from '../../outcomes/targeting-social.ts'
import { PLACES_MAX, PlatformId, REGIONS_MAX, TAGS_MAX, TARGETING_BYTES_MAX, utf8Bytes } from '../common.ts'
import { CrowdRow } from '../five-tab/crowd-row.ts'
import { placeOf } from '../place.ts'
import { FIELDS, type Field } from './fields.ts'
import { type ChoiceField, codesOf, LABELS } from './labels.ts'
import {
  AGE,
  COMMUNITY_PRICE,
  CONVERSIONS_MAX,
  isWithdrawn,
  KEYWORD_BYTES_MAX,
  LOCATION_TYPES_MAX,
  RADIUS,
  WITHDRAWN_LABEL,
} from './platform.ts'

const silent = () => ''
const full = (field: Field, max: number) =>
  SOCIAL_TARGETING_OUTCOMES.social_picker_full.sentence({ field, max }, silent)

/** What a field holds, for the API document. */
const words = (field: Field, text: string) => text + (isWithdrawn(field) ? `（${WITHDRAWN_LABEL}）` : '')
const meanings = (field: ChoiceField) => words(field, meaningsOf(LABELS[field]))

const code = <F extends ChoiceField>(field: F) => z.enum(codesOf(field))
const codes = <F extends ChoiceField>(field: F, max: number = codesOf(field).length) =>
  z.array(code(field)).max(max, full(field, max))
/** null is 不限, a list is 自定义. */
const dimension = <F extends ChoiceField>(field: F, max?: number) =>
  codes(field, max)
    .nullable()
    .describe(`${meanings(field)}；null 不限`)
/** Opens the fields behind it. */
const opener = <F extends 'geo_location' | 'behavior' | 'interest'>(field: F) =>
  code(field)
    .nullable()
    .describe(`${meanings(field)}；null 不限`)

const picker = <S extends z.ZodType>(field: Field, item: S) => z.array(item).max(TAGS_MAX, full(field, TAGS_MAX))

const Tag = z.strictObject({
  id: PlatformId.describe('编号'),
  name: z.string().max(200).optional().describe('选择时的名称，仅供显示'),
})
export type Tag = z.output<typeof Tag>
const tags = (field: Field) => picker(field, Tag).describe(words(field, FIELDS[field].label))

const Keyword = z
  .string()
  .trim()
  .min(1, '关键词不能为空')
  .regex(/^\P{Cc}*$/u, '关键词不能有控制字符')
  .refine((text) => utf8Bytes(text) <= KEYWORD_BYTES_MAX, `关键词最多 ${KEYWORD_BYTES_MAX} 字节`)
const keywords = (field: Field) => picker(field, Keyword).describe(words(field, `${FIELDS[field].label}的文字`))

const Age = z.int().min(AGE.min).max(AGE.max)
const AgeRange = z
  .strictObject({
    min: Age.describe(`最小年龄，${AGE.min} 到 ${AGE.max}`),
    max: Age.describe(`最大年龄，${AGE.max} 表示及以上`),
  })
  .refine(isWideEnough, SOCIAL_TARGETING_OUTCOMES.social_age_narrow.sentence({}, silent))
export type AgeRange = z.output<typeof AgeRange>

/** Whether the platform takes the range of ages. */
export function isWideEnough({ min, max }: { min: number; max: number }): boolean {
  return max - min >= AGE.leastWidth
}

const Price = z.int().min(COMMUNITY_PRICE.min).max(COMMUNITY_PRICE.max)
const PriceRange = z
  .strictObject({
    min: Price.describe('最低价格，元/m²'),
    max: Price.describe(`最高价格，元/m²，${COMMUNITY_PRICE.max} 表示及以上`),
  })
  .refine(({ min, max }) => min < max, SOCIAL_TARGETING_OUTCOMES.social_price_reversed.sentence({}, silent))
export type PriceRange = z.output<typeof PriceRange>

const crowds = (field: Field) =>
  picker(field, PlatformId).nullable().describe(`${FIELDS[field].label}的编号；null 不限`)
const rows = (field: Field) => picker(field, CrowdRow).describe(`${FIELDS[field].label}选择时的内容，仅供显示`)

const shape = {
  geo_location: opener('geo_location'),
  regions: z.array(PlatformId).max(REGIONS_MAX, full('regions', REGIONS_MAX)).describe('地域编号'),
  custom_locations: z
    .array(placeOf(RADIUS))
    .max(PLACES_MAX, full('custom_locations', PLACES_MAX))
    .describe('商圈与地图上的圆'),
  location_types: codes('location_types', LOCATION_TYPES_MAX).describe(meanings('location_types')),
  age: z.array(AgeRange).max(AGE.ranges, full('age', AGE.ranges)).nullable().describe('年龄段；null 不限'),
  gender: dimension('gender', 1),
  education: dimension('education'),
  marital_status: dimension('marital_status'),
  working_status: dimension('working_status'),
  financial_situation: dimension('financial_situation'),
  consumption_type: dimension('consumption_type'),
  game_consumption_level: dimension('game_consumption_level'),
  consumption_status: dimension('consumption_status'),
  residential_community_price: z
    .array(PriceRange)
    .max(COMMUNITY_PRICE.ranges, full('residential_community_price', COMMUNITY_PRICE.ranges))
    .nullable()
    .describe(words('residential_community_price', '居住社区价格的范围；null 不限')),
  behavior: opener('behavior'),
  behavior_scene: codes('behavior_scene', 3).describe(meanings('behavior_scene')),
  behavior_time_window: code('behavior_time_window').describe(meanings('behavior_time_window')),
  behavior_categories: tags('behavior_categories'),
  behavior_keywords: keywords('behavior_keywords'),
  interest: opener('interest'),
  interest_categories: tags('interest_categories'),
  interest_keywords: keywords('interest_keywords'),
  intention: picker('intention', Tag).nullable().describe(words('intention', '意向；null 不限')),
  excluded_dimension: dimension('excluded_dimension', 1),
  conversion_behavior_list: codes('conversion_behavior_list', CONVERSIONS_MAX)
    .nullable()
    .describe(`${meanings('conversion_behavior_list')}；null 按广告的优化目标`),
  custom_audience: crowds('custom_audience'),
  custom_audience_local: rows('custom_audience'),
  excluded_custom_audience: crowds('excluded_custom_audience'),
  excluded_custom_audience_local: rows('excluded_custom_audience'),
} satisfies Record<Field | `${'' | 'excluded_'}custom_audience_local`, z.ZodType>

type Shape = typeof shape
/** Every dimension of the editor with a value. */
export type SocialForm = { [K in keyof Shape]: z.output<Shape[K]> }
export type SocialTargeting = { [K in keyof SocialForm]?: SocialForm[K] | undefined }

/** The targeting of a package of the social platform on the wire. */
export const SocialTargeting = z
  .strictObject(shape)
  .partial()
  .refine(
    (targeting) => utf8Bytes(JSON.stringify(targeting)) <= TARGETING_BYTES_MAX,
    TARGETING_OUTCOMES.targeting_too_large.sentence({ kb: TARGETING_BYTES_MAX / 1024 }, silent),
  )
  .meta({ id: 'SocialTargeting', description: '定向内容；没有的项不限' })

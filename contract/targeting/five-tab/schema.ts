import { z } from 'zod'
import { Id } from '../../common.ts'
import { TARGETING_OUTCOMES } from '../../outcomes/targeting.ts'
import { withSpellings } from '../../spellings.ts'
import {
  CHOSEN_PLANS_MAX,
  PLACES_MAX,
  PlatformId,
  REGIONS_MAX,
  TAGS_MAX,
  TARGETING_BYTES_MAX,
  utf8Bytes,
} from '../common.ts'
import { placeOf } from '../place.ts'
import { CrowdRow } from './crowd-row.ts'
import { FIELD_ORDER, FIELDS, type Field } from './fields.ts'
import { type ChoiceField, type CodeOf, LABELS, labelOf } from './labels.ts'
import {
  ACTION_DAYS,
  codesOf,
  editorOf,
  type FiveTabPlatform,
  hasField,
  isWithdrawn,
  WITHDRAWN_LABEL,
} from './platforms.ts'
import { PRICE } from './price.ts'

/** The most creators and categories of creators together: the console's own limit. */
export const FANS_MAX = 30

const Name = z.string().max(200)
const Flag = z.union([z.literal(0), z.literal(1)])
const By = z.array(z.literal('CUSTOM')).max(1)

const pickerFull = (field: Field, max: number) =>
  TARGETING_OUTCOMES.targeting_picker_full.sentence({ field, max }, () => '')
const picker = <S extends z.ZodType>(field: Field, item: S, max = TAGS_MAX) =>
  z.array(item).max(max, pickerFull(field, max))

const RegionPlan = z.strictObject({
  id: Id.describe('地域包 ID'),
  name: Name.describe('地域包名称'),
  regions: picker('regions', PlatformId, REGIONS_MAX).describe('保存时地域包中的地域，删除地域包后仍然有效'),
})

const Regions = z.strictObject({
  regions: picker('regions', PlatformId, REGIONS_MAX).describe('地域编号'),
  regionsPlan: z
    .array(RegionPlan)
    .max(
      CHOSEN_PLANS_MAX,
      TARGETING_OUTCOMES.region_plans_in_package.sentence({ max: CHOSEN_PLANS_MAX }, () => ''),
    )
    .describe('地域包'),
})

const Tag = z.strictObject({
  id: PlatformId.describe('行为或兴趣的编号'),
  type: z.union([z.literal(1), z.literal(2)]).describe('1 类目词，2 关键词'),
  name: Name.optional().describe('选择时的名称，仅供显示'),
})
export type Tag = z.output<typeof Tag>

const FanAccount = z.strictObject({
  type: z.literal('account').describe('抖音达人'),
  label_id: PlatformId.describe('达人编号'),
  author_name: Name.optional().describe('达人名称'),
  aweme_id: Name.optional().describe('抖音号'),
  avatar: z.string().max(2000).optional().describe('头像地址'),
  cover_num_str: Name.optional().describe('覆盖人数，平台给的文字'),
  category_name: Name.optional().describe('所属分类'),
})
const FanCategory = z.strictObject({
  type: z.literal('category').describe('达人分类'),
  value: PlatformId.describe('分类编号'),
  label: Name.optional().describe('分类名称'),
})
const Fan = z.discriminatedUnion('type', [FanAccount, FanCategory])
export type Fan = z.output<typeof Fan>

/** The fields of a platform's targeting, each with its own bounds. */
function shapeOf(platform: FiveTabPlatform) {
  const code = <F extends ChoiceField>(field: F) => z.enum(codesOf(platform, field) as readonly CodeOf<F>[])
  const codes = <F extends ChoiceField>(field: F, max = Math.max(1, codesOf(platform, field).length)) =>
    z.array(code(field)).max(max).describe(wordsOf(platform, field))
  const one = <F extends ChoiceField>(field: F) => code(field).describe(wordsOf(platform, field))
  const crowds = (field: Field) => picker(field, PlatformId).describe(`${FIELDS[field].label}的编号`)
  const rows = (field: Field) => picker(field, CrowdRow).describe(`${FIELDS[field].label}选择时的内容，仅供显示`)
  return {
    landing_type: code('landing_type').nullable().describe(wordsOf(platform, 'landing_type')),
    age: codes('age'),
    gender: codes('gender', 1),
    career_by: By.describe('CUSTOM：按职业状态选择'),
    career: codes('career'),
    district: codes('district', 1),
    regions: Regions.describe('地域与地域包'),
    custom_locations: picker('custom_locations', placeOf(editorOf(platform).radius ?? NO_MAP), PLACES_MAX).describe(
      '商圈与地图上的圆',
    ),
    location_types: codes('location_types', 1),
    exclude_limited_region: Flag.describe('1 排除限运地域，0 不排除'),
    smart_interest_action: one('smart_interest_action'),
    action_scene: codes('action_scene'),
    action_days: z.literal(ACTION_DAYS).describe('用户发生行为的天数'),
    action_tags: picker('action_tags', Tag).describe('行为'),
    interest_tags: picker('interest_tags', Tag).describe('兴趣'),
    auto_crowd_mode: z
      .array(z.union([z.literal(1), z.literal(2)]))
      .max(2)
      .describe('1 定向，2 排除'),
    retargeting_tags_include: crowds('retargeting_tags_include'),
    retargeting_tags_include_local: rows('retargeting_tags_include'),
    retargeting_tags_exclude: crowds('retargeting_tags_exclude'),
    retargeting_tags_exclude_local: rows('retargeting_tags_exclude'),
    platform: codes('platform'),
    device_type: codes('device_type'),
    ac: codes('ac'),
    carrier: codes('carrier'),
    device_brand_by: By.describe('CUSTOM：按手机品牌选择'),
    device_brand: codes('device_brand'),
    launch_price_by: By.describe('CUSTOM：按手机价格选择'),
    launch_price: z
      .tuple([Price, Price])
      .refine(
        ([low, high]) => low < high,
        TARGETING_OUTCOMES.targeting_price_reversed.sentence({}, () => ''),
      )
      .describe(`手机价格的下限与上限，元，${PRICE.step} 的倍数；上限 ${PRICE.max} 表示不限`),
    activate_type: codes('activate_type'),
    aweme_fan_by: Flag.describe('1 自定义，0 不限'),
    aweme_fan_behaviors: codes('aweme_fan_behaviors'),
    aweme_fan_time_scope: one('aweme_fan_time_scope'),
    user_aweme_fan: picker('user_aweme_fan', Fan, FANS_MAX).describe('抖音达人与达人分类'),
    auto_extend_enabled: Flag.describe('1 启用，0 不启用'),
    auto_extend_targets: codes('auto_extend_targets'),
    new_customer: one('new_customer'),
    live_platform_tags: codes('live_platform_tags'),
  }
}
/** No circle has such a radius, and the field is left out where there is no map. */
const NO_MAP = { min: 0, max: 0 }
const Price = z.int().min(PRICE.min).max(PRICE.max).multipleOf(PRICE.step)

const wordsOf = (platform: FiveTabPlatform, field: ChoiceField): string => {
  const words = codesOf(platform, field).map((code) => `${code} ${labelOf(field, code)}`)
  const note = field !== 'landing_type' && isWithdrawn(platform, field) ? `（${WITHDRAWN_LABEL}）` : ''
  return (words.join('，') || Object.values(LABELS[field]).join('，')) + note
}

type Shape = ReturnType<typeof shapeOf>
/** Every field of the editor with a value. */
export type FiveTabForm = { [K in keyof Shape]: z.output<Shape[K]> }

/** Ids of `user_aweme_fan`, written beside it and read where it is left out. */
const FanIds = picker('user_aweme_fan', PlatformId, FANS_MAX)
const FAN_IDS = {
  aweme_fan_categories: FanIds.optional().describe('达人分类的编号'),
  aweme_fan_accounts: FanIds.optional().describe('抖音达人的编号'),
}

export type FiveTabTargeting = Partial<FiveTabForm> & {
  aweme_fan_categories?: string[] | undefined
  aweme_fan_accounts?: string[] | undefined
}

/** The fields that follow another one, of which they hold the rows. */
const FOLLOWS: Partial<Record<keyof Shape, Field>> = {
  retargeting_tags_include_local: 'retargeting_tags_include',
  retargeting_tags_exclude_local: 'retargeting_tags_exclude',
}
const isField = (key: string): key is Field => FIELD_ORDER.some((field) => field === key)

function targetingOf(platform: FiveTabPlatform, id: string) {
  const shape = shapeOf(platform)
  const offered = Object.entries(shape).filter(([key]) => {
    const field = FOLLOWS[key as keyof Shape] ?? key
    return !isField(field) || hasField(platform, field)
  })
  const fields = Object.fromEntries(offered.map(([key, schema]) => [key, schema.optional()]))
  // Every field of the shape is optional, so leaving some out does not change the type.
  const object = z.strictObject({ ...fields, ...FAN_IDS }) as unknown as z.ZodObject<
    { [K in keyof Shape]: z.ZodOptional<Shape[K]> } & typeof FAN_IDS,
    z.core.$strict
  >
  const kb = TARGETING_BYTES_MAX / 1024
  return withSpellings(object, {
    interest_action_mode: { for: 'smart_interest_action', schema: shape.smart_interest_action },
    retargeting_tags: { for: 'retargeting_tags_include', schema: shape.retargeting_tags_include },
    aweme_fan_behaviors_days: { for: 'aweme_fan_time_scope', schema: shape.aweme_fan_time_scope },
  })
    .refine(
      (targeting) => utf8Bytes(JSON.stringify(targeting)) <= TARGETING_BYTES_MAX,
      TARGETING_OUTCOMES.targeting_too_large.sentence({ kb }, () => ''),
    )
    .meta({ id, description: '定向内容；没有的项不限' })
}

/** The targeting of a package of platforms 2 and 3 on the wire. Both spellings of a field are read, one is written. */
export const FIVE_TAB_TARGETING = {
  video: targetingOf('video', 'VideoTargeting'),
  commerce: targetingOf('commerce', 'CommerceTargeting'),
} as const satisfies Record<FiveTabPlatform, z.ZodType<FiveTabTargeting>>

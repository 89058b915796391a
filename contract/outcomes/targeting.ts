import { z } from 'zod'
import { keysOf } from '../common.ts'
import { PlatformCode, quotaFullWords, scopeName } from '../platform.ts'
import { ESTIMATE_NEEDS } from '../targeting/estimate-goals.ts'
import { FIELDS, TABS } from '../targeting/five-tab/fields.ts'
import { LABELS, labelOf } from '../targeting/five-tab/labels.ts'
import { FILTERS, TAG_TYPES } from '../targeting/tag-types.ts'
import { AnyOutcome, entry, plain } from './entry.ts'

const Max = z.int().positive()

/** What is wrong with a targeting package, in the words of its editor. */
const scopesOf = (platform: PlatformCode, scopes: readonly string[]) =>
  scopes.map((scope) => scopeName(platform, scope)).join('、')

export const TARGETING_OUTCOMES = {
  targeting_tab_check: entry({ tab: z.enum(keysOf(TABS)) }, ({ tab }) => `请检查${TABS[tab]}`),
  targeting_too_large: entry({ kb: Max }, ({ kb }) => `定向内容不能超过 ${kb} KB，请减少选择`),

  targeting_not_json: plain('定向内容不是有效的 JSON'),
  targeting_account_fixed: plain('定向包所属的平台账户不能修改，请复制到其他账户'),
  targeting_type_fixed: plain('定向包类型保存后不能修改，请新建定向包'),
  /** `account`: the platform account's name. */
  targeting_quota_full: entry(
    { account: z.string(), platform: z.string().min(1) },
    ({ account, platform }) => `${account}${quotaFullWords(platform)}`,
    'free_quota',
  ),
  targeting_scope_missing: entry(
    { account: z.string(), platform: PlatformCode, scopes: z.array(z.string()) },
    ({ account, platform, scopes }) =>
      `账户「${account}」没有定向包所需的权限（${scopesOf(platform, scopes)}），请到「广告主授权」重新授权`,
    'reauthorise',
  ),
  /** The account itself is fine: only its estimates need more. */
  estimate_scope_missing: entry(
    { account: z.string(), platform: PlatformCode, scopes: z.array(z.string()) },
    ({ account, platform, scopes }) =>
      `账户「${account}」没有预估所需的权限（${scopesOf(platform, scopes)}），请到「广告主授权」重新授权`,
    'reauthorise',
  ),
  targeting_waits_for_authorisation: entry(
    { cause: AnyOutcome },
    ({ cause }, say) => `${say(cause)}；重新授权后自动继续同步`,
    'reauthorise',
  ),
  targeting_tries_again: entry(
    { at: z.int(), cause: AnyOutcome },
    ({ cause }, say) => `${say(cause)}，稍后自动重试`,
    'wait_until',
  ),
  targeting_gone_there: plain('平台上的定向包已被删除，可以重新同步，或在这里删除', 'retry'),
  targeting_deletion_refused: entry({ cause: AnyOutcome }, ({ cause }, say) => `平台没有删除此定向包：${say(cause)}`),
  targeting_kept_here: plain('该定向包只保存在本地，平台上没有副本'),
  targeting_changed_there: plain('平台上的定向包被修改过，请先选择采用平台或覆盖平台'),
  targeting_not_changed_there: plain('平台上的定向包没有被修改'),
  targeting_not_adoptable: plain('平台上的定向包有这里无法保存的选项，请在平台上修改，或覆盖平台'),
  targeting_platform_local: plain('该平台的定向包暂不能在这里保存'),

  targeting_templates_full: entry({ max: Max }, ({ max }) => `模板最多 ${max} 个，请先删除不用的模板`),

  region_plans_full: entry({ max: Max }, ({ max }) => `地域包最多 ${max} 个，请先删除不用的地域包`),
  /** `ids`: the first of the regions that the platform does not list. `count`: how many there are. */
  region_plan_unknown: entry(
    { ids: z.array(z.string().min(1)).min(1), count: Max },
    ({ ids, count }) =>
      `平台的地域列表中没有 ${ids.join('、')}${count > ids.length ? ` 等 ${count} 个编号` : ''}，请移除后再保存`,
  ),
  region_plans_in_package: entry({ max: Max }, ({ max }) => `一个定向包最多选择 ${max} 个地域包`),

  /** Why a copy to another account or platform differs from the original. */
  copy_field_missing: plain('目标平台没有这项条件'),
  copy_choices_missing: plain('目标平台没有这些选项'),
  copy_depends: plain('其他条件不同，这项不再适用'),
  copy_ages_differ: plain('目标平台的年龄分段不同，改用能覆盖它们的分段'),
  copy_plans_expanded: plain('地域包属于原广告主，已改为其中的地域'),
  copy_radius_bounded: entry({ min: Max, max: Max }, ({ min, max }) => `目标平台的半径为 ${min} 到 ${max} 米`),
  copy_ids_differ: plain('编号是平台自己的，请在目标平台重新选择'),
  copy_only_there: plain('这项条件只在来源平台上，这里没有'),
  copy_crowds_missing: plain('人群属于原账户，目标账户没有'),
  copy_crowds_unread: plain('目标账户的人群列表读取失败，不带人群'),
  copy_crowds_unknown: plain('目标账户的人群列表读取失败，请稍后再复制'),

  /** `needs`: what the account's settings lack for an estimate. */
  estimate_goal_missing: entry(
    { needs: z.array(z.enum(keysOf(ESTIMATE_NEEDS))).min(1) },
    ({ needs }) => `预估前请先设置${needs.map((need) => ESTIMATE_NEEDS[need]).join('、')}`,
  ),
  targeting_keywords_by_words: plain('该平台的关键词没有编号，请按文字查询'),
  targeting_keywords_by_ids: plain('该平台的关键词按编号查询'),
  targeting_tags_none: plain('该平台的定向没有这一项'),
  /** The platform gives none: of any package, or of one that chose this. */
  estimate_unsupported: entry(
    { cause: AnyOutcome.nullable() },
    ({ cause }, say) => `暂不支持人群预估${cause === null ? '' : `：${say(cause)}`}`,
  ),
  estimate_needs_no_goals: plain('该平台的预估不需要设置目标'),
  estimate_too_long: plain('选择过多，平台无法预估，请减少选择'),
  estimate_unavailable: entry(
    { field: z.enum(keysOf(FIELDS)) },
    ({ field }) => `平台的预估不支持所选的${FIELDS[field].label}`,
  ),

  targeting_filter_unknown: entry(
    { type: z.enum(keysOf(TAG_TYPES)), field: z.enum(keysOf(FILTERS)) },
    ({ type, field }) => `查询${TAG_TYPES[type]}时不能按「${field}」筛选`,
  ),
  targeting_filter_wrong: entry(
    { field: z.enum(keysOf(FILTERS)) },
    ({ field }) => `筛选条件「${field}」的值不正确，或写了两次`,
  ),
  targeting_filter_one: entry(
    { fields: z.array(z.enum(keysOf(FILTERS))).min(1) },
    ({ fields }) => `筛选条件${fields.map((field) => `「${field}」`).join('、')}要写且只能写一个`,
  ),

  targeting_folder_missing: plain('请选择存储路径'),
  targeting_type_missing: plain('请选择定向包类型'),
  targeting_expiry_missing: plain('请选择失效时间'),
  targeting_expiry_past: plain('失效时间不能早于今天'),
  targeting_advertiser_missing: plain('请选择广告主'),

  targeting_career_missing: plain('请选择职业状态'),
  targeting_region_missing: plain('请至少选择1个地理位置'),
  targeting_location_type_missing: plain('请选择地点类型'),
  targeting_ages_mixed: plain('年龄的两种分段不能同时选择'),

  targeting_behaviour_missing: plain('请选择行为、兴趣'),
  targeting_picker_full: entry(
    { field: z.enum(keysOf(FIELDS)), max: Max },
    ({ field, max }) => `${FIELDS[field].label}最多选择${max}项`,
  ),

  targeting_include_missing: plain('请选择定向人群'),
  targeting_exclude_missing: plain('请选择排除人群'),
  targeting_crowds_missing: plain('定向人群与排除人群至少选择一个'),
  targeting_crowd_list_empty: plain('自定义人群列表暂无数据'),
  targeting_crowd_twice: plain('同一人群不能既定向又排除'),
  targeting_crowd_lost: plain('未找到定向包，请重新选择自定义定向包'),

  targeting_brand_missing: plain('请选择手机品牌'),
  targeting_price_reversed: plain('手机价格的下限应小于上限'),
  targeting_platforms_mixed: plain('PC 不能与移动端同时选择'),
  /** `code`: of a choice that the others rule out, such as 苹果 with Android alone. */
  targeting_choice_ruled_out: entry(
    { field: z.enum(['platform', 'device_brand']), code: z.string() },
    ({ field, code }) => `${FIELDS[field].label}「${labelOf(field, code)}」与其他选择不能同时使用`,
  ),

  targeting_fan_behaviour_missing: plain('用户行为类型不能为空'),
  targeting_fan_missing: plain('请添加达人分类或抖音达人'),
  targeting_open_target_missing: plain('请选择可开放定向'),
  targeting_open_target_unrestricted: entry(
    { target: z.enum(keysOf(LABELS.auto_extend_targets)) },
    ({ target }) => `${LABELS.auto_extend_targets[target]}没有限定，不能作为可开放定向`,
  ),

  /** Notes beside a package that can be saved. */
  targeting_fields_withdrawn: entry(
    { fields: z.array(z.enum(keysOf(FIELDS))).min(1) },
    ({ fields }) => `平台已停用${fields.map((field) => FIELDS[field].label).join('、')}，不会发送给平台`,
  ),
  /** Beside the reach. `estimate`: what the platform says about expansion in its estimates. */
  targeting_reach_expanded: entry(
    {
      targets: z.array(z.enum(keysOf(LABELS.auto_extend_targets))).min(1),
      estimate: z.enum(['ignored', 'unpublished']),
    },
    ({ targets, estimate }) =>
      `智能放量已开放${targets.map((target) => LABELS.auto_extend_targets[target]).join('、')}：投放时可能触达所选范围以外的人，${
        estimate === 'ignored' ? '平台的预估不计这部分' : '平台没有公布预估是否计入这部分'
      }`,
  ),
  targeting_recommend_idle: plain('选择了自定义人群时，系统推荐的行为兴趣不生效'),
} as const

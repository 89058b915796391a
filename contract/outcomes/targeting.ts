import { z } from 'zod'
import { keysOf } from '../common.ts'
import { FIELDS, TABS } from '../targeting/five-tab/fields.ts'
import { LABELS, labelOf } from '../targeting/five-tab/labels.ts'
import { entry, plain } from './entry.ts'

const Max = z.int().positive()

/** What is wrong with a targeting package, in the words of its editor. */
export const TARGETING_OUTCOMES = {
  targeting_tab_check: entry({ tab: z.enum(keysOf(TABS)) }, ({ tab }) => `请检查${TABS[tab]}`),
  targeting_too_large: entry({ kb: Max }, ({ kb }) => `定向内容不能超过 ${kb} KB，请减少选择`),

  targeting_not_json: plain('定向内容不是有效的 JSON'),
  targeting_account_fixed: plain('定向包所属的平台账户不能修改，请复制到其他账户'),
  targeting_type_fixed: plain('定向包类型保存后不能修改，请新建定向包'),
  targeting_other_platform: plain('只能复制到同一平台的账户'),
  targeting_platform_local: plain('该平台的定向包暂不能在这里保存'),

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
  targeting_recommend_idle: plain('选择了自定义人群时，系统推荐的行为兴趣不生效'),
} as const

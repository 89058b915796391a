import { z } from 'zod'
import { keysOf } from '../common.ts'
import { FIELDS, TABS } from '../targeting/social/fields.ts'
import { LABELS, labelOf } from '../targeting/social/labels.ts'
import { AGE } from '../targeting/social/platform.ts'
import { entry, plain } from './entry.ts'

const Count = z.int().positive()
const Field = z.enum(keysOf(FIELDS))
const labelsOf = (fields: readonly z.output<typeof Field>[]) => fields.map((field) => FIELDS[field].label).join('、')

/** What is wrong with a package of the social platform, in the words of its editor. */
export const SOCIAL_TARGETING_OUTCOMES = {
  social_tab_incomplete: entry({ tab: z.enum(keysOf(TABS)) }, ({ tab }) => `${TABS[tab]}未填写完整`),
  /** 自定义 is chosen, but no value. */
  social_dimension_empty: entry({ field: Field }, ({ field }) => `请选择${FIELDS[field].label}`),
  social_picker_full: entry({ field: Field, max: Count }, ({ field, max }) => `${FIELDS[field].label}最多选择${max}项`),
  social_age_narrow: plain(`年龄段的上限应比下限至少大 ${AGE.leastWidth} 岁`),
  social_price_reversed: plain('居住社区价格的下限应小于上限'),
  /** `code`: of a way of being at a place that 商圈 and places on the map do not allow. */
  social_location_type_ruled_out: entry(
    { code: z.enum(keysOf(LABELS.location_types)) },
    ({ code }) => `选择商圈与地点时，地点类型不能是「${labelOf('location_types', code)}」`,
  ),

  /** Notes beside a package that can be saved. */
  social_fields_withdrawn: entry(
    { fields: z.array(Field).min(1) },
    ({ fields }) => `平台已停用${labelsOf(fields)}，不会发送给平台`,
  ),
  social_over_sending_limit: entry(
    { fields: z.array(Field).min(1), max: Count, count: Count },
    ({ fields, max, count }) => `${labelsOf(fields)}共 ${count} 项，平台一次最多接受 ${max} 项，投放前请减少选择`,
  ),
  social_wechat_places: plain('投放微信版位时，地点类型只支持常住；预估不含微信版位'),
} as const

import { z } from 'zod'
import { keysOf } from '../common.ts'
import { entry, plain } from './entry.ts'

/** What a tag's definition reads. */
export const FIELD_KINDS = { attribute: '属性', event: '事件' } as const
export type FieldKind = keyof typeof FIELD_KINDS
/** Earlier versions stored the label. */
const EARLIER: Record<string, FieldKind> = { [FIELD_KINDS.attribute]: 'attribute', [FIELD_KINDS.event]: 'event' }
const FieldKind = z.preprocess((stored) => EARLIER[String(stored)] ?? stored, z.enum(keysOf(FIELD_KINDS)))

/** Why a tag could not be built or saved. */
export const TAG_OUTCOMES = {
  tag_build_failed: plain('计算失败，请稍后重试；若仍然失败，请联系管理员', 'retry'),
  tag_field_missing: entry(
    { what: FieldKind, name: z.string() },
    ({ what, name }) => `${FIELD_KINDS[what]}「${name}」不存在，请修改定义或接入数据`,
  ),
  tag_type_not_of_category: plain('属性标签与事件标签不能放在同一分类'),
  tag_type_fixed: plain('属性标签与事件标签不能互相改换'),
  tag_end_not_number: entry({ end: z.string() }, ({ end }) => `「${end}」不是数字`),
  tag_end_not_date: entry(
    { end: z.string() },
    ({ end }) => `「${end}」不是日期，请写成 YYYY-MM-DD 或 YYYY-MM-DD HH:MM:SS`,
  ),
  tag_range_reversed: plain('范围的起点应小于终点'),
} as const

import { z } from 'zod'
import { keysOf } from '../common.ts'
import { entry, plain } from './entry.ts'

/** What a tag's definition reads. */
export const FIELD_KINDS = { attribute: '属性', event: '事件' } as const
export type FieldKind = keyof typeof FIELD_KINDS
/** Earlier versions stored the label. */
const EARLIER: Record<string, FieldKind> = { [FIELD_KINDS.attribute]: 'attribute', [FIELD_KINDS.event]: 'event' }
const FieldKind = z.preprocess((stored) => EARLIER[String(stored)] ?? stored, z.enum(keysOf(FIELD_KINDS)))

/** How the values of an attribute or property are compared. The data are texts whatever the type. */
export const FIELD_TYPES = { text: '文字', number: '数字', date: '日期' } as const
const Type = z.enum(keysOf(FIELD_TYPES))

const Count = z.int().nonnegative()
const Names = z.array(z.string())
const NAMES_SAID = 5
/** The first names, and how many there are. */
const said = (names: readonly string[], total: number) =>
  names
    .slice(0, NAMES_SAID)
    .map((name) => `「${name}」`)
    .join('、') + (total > NAMES_SAID ? `等 ${total} 个` : '')

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
  tag_end_too_large: entry({ end: z.string() }, ({ end }) => `「${end}」太大，请填写较小的数`),
  tag_range_reversed: plain('范围的起点应小于终点'),
  tag_range_open: plain('请至少填写范围的一端'),
  tag_value_missing: plain('请填写值'),
  tag_values_missing: plain('请至少选择一个值'),
  tag_day_missing: plain('请选择日期'),
  tag_days_reversed: plain('结束日期不能早于开始日期'),
  tag_days_out: entry({ max: z.int() }, ({ max }) => `天数应在 1 到 ${max} 之间`),
  tag_several_periods: plain('过去 N 天、N 天以前和固定日期只能选一种'),
  tag_moment_without_period: plain('请选择首次或最近一次发生在什么时间，不能是全部时间'),
  tag_times_out: entry({ max: z.int() }, ({ max }) => `至少和至多应是 1 到 ${max} 的整数`),
  tag_times_reversed: plain('至多不能小于至少'),
  tag_measure_without_times: entry({ label: z.string() }, ({ label }) => `按${label}统计时不填次数`),
  tag_property_missing: plain('请选择事件属性'),
  attribute_never_of_type: entry(
    { type: Type },
    ({ type }) => `没有一个值是${FIELD_TYPES[type]}，不能改为${FIELD_TYPES[type]}`,
  ),
  attribute_not_of_type: entry(
    { type: Type, unreadable: z.int(), all: z.int() },
    ({ type, unreadable, all }) =>
      `${all.toLocaleString('en')} 人中有 ${unreadable.toLocaleString('en')} 人的值不是${FIELD_TYPES[type]}，改为${FIELD_TYPES[type]}后他们只计入「有值」`,
  ),
  attribute_of_files: entry(
    { name: z.string(), files: Names, total: Count },
    ({ name, files, total }) => `属性「${name}」由导入的文件${said(files, total)}带来，请在「导入记录」里撤销这些导入`,
  ),
  attribute_in_use: entry(
    {
      ...{ name: z.string(), crowds: Names, crowds_total: Count, tags: Names, tags_total: Count },
      ...{ drafts: Count, consent: z.boolean() },
    },
    ({ name, crowds, crowds_total, tags, tags_total, drafts, consent }) => {
      const uses = [
        ...(crowds_total > 0 ? [`人群${said(crowds, crowds_total)}`] : []),
        ...(tags_total > 0 ? [`自建的标签${said(tags, tags_total)}`] : []),
        ...(drafts > 0 ? [`${drafts} 个未保存的规则`] : []),
        ...(consent ? ['「同意」的设置'] : []),
      ]
      return `属性「${name}」正在被使用，不可删除：${uses.join('；')}`
    },
  ),
  attribute_removal_failed: plain('删除没有完成，重试会接着完成', 'retry'),
  field_holds_phones: entry(
    { name: z.string() },
    ({ name }) => `「${name}」的值中有手机号，您没有查看手机号的权限，不能按它的值设条件`,
  ),
  event_buys_nothing: plain('只有下单与支付有金额和商品数'),
  phone_as_value: plain('您没有查看手机号的权限，值与它的名称中不能写手机号'),
  phone_in_name: plain('您没有查看手机号的权限，名称中不能写手机号'),
  dictionary_too_long: entry({ max: z.int() }, ({ max }) => `值的名称最多 ${max} 个`),
} as const

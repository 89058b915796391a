import { z } from 'zod'
import { keysOf } from '../common.ts'
import { IdentifierType } from '../identifier.ts'
import { entry, plain } from './entry.ts'
import { FIELD_TYPES } from './tag.ts'

const Count = z.int().nonnegative()
const Column = z.string()

/** The formats of times that imports read. */
const TIME_FORMATS =
  '可以写成 2024-01-02 03:04:05、2024/1/2 3:04、2024年1月2日、20240102、10 位或 13 位的时间戳，或 Excel 的日期数字'

/** Why an import failed, other than faults of its file, and why rows or cells were not stored. */
export const IMPORT_OUTCOMES = {
  import_disk_full: plain('磁盘空间不足，文件已读完但没有全部计入；请清理磁盘后重试，重试会接着完成', 'retry'),
  import_object_store_away: plain('对象存储连接中断，导入没有完成；请在对象存储恢复后重试', 'retry'),
  import_database_away: plain('数据库连接中断，导入没有完成；请在数据库恢复后重试', 'retry'),
  import_warehouse_away: plain('仓库连接中断，导入没有完成；请在仓库恢复后重试', 'retry'),
  import_out_of_memory: plain('内存不足，导入没有完成；请在空闲时重试，或把文件拆小', 'retry'),
  import_unexpected: plain('导入时出现意外错误，没有完成；可以重试一次，若仍然失败，请联系管理员查看服务日志', 'retry'),

  import_undo_unfinished: plain('导入还没有结束，结束后可以撤销'),
  import_undo_nothing: plain('导入没有成功，没有可撤销的数据'),
  import_undo_half_done: plain('这次导入的数据已存入一部分，请先重试，完成后可以撤销'),
  import_undo_too_old: plain('此导入早于撤销功能，无法撤销'),
  import_undo_waits: entry(
    { file: z.string(), is_undo: z.boolean() },
    ({ file, is_undo }) => `「${file}」正在${is_undo ? '撤销' : '导入'}，结束后才能算出会移除什么，请稍后再试`,
  ),
  import_undo_over: plain('此导入已撤销'),
  import_undo_failed: plain('撤销没有完成，已移除的部分不受影响；重试会接着完成', 'retry'),

  /** `columns` are the first that the file has; `more`: it has others. */
  import_column_missing: entry(
    { name: z.string(), columns: z.array(z.string()), more: z.boolean() },
    ({ name, columns, more }) => `文件中没有列「${name}」，有：${columns.join('、')}${more ? ' 等' : ''}`,
  ),
  import_too_many_attributes: entry({ max: Count }, ({ max }) => `属性超过 ${max} 个，请用 --skip 去掉不需要的列`),
  import_too_many_events: entry({ max: Count }, ({ max }) => `事件名超过 ${max} 种，请检查事件列`),

  import_rows_restricted: plain(
    '这次导入的是报表，被拒绝的行里有您无权查看的指标，只有导入的人可以下载；需要查看请联系管理员',
  ),

  import_name_twice: entry({ name: z.string() }, ({ name }) => `两列都存为属性「${name}」，请改用不同的名称`),

  import_metric_twice: entry({ label: z.string() }, ({ label }) => `两列都是「${label}」，请只保留一列`),

  report_rows_unlinked: plain('没有活动的计划与它们的「平台账户 ID + 平台计划 ID」相同：已存入，关联计划后才会显示'),
  report_rows_doubled: plain('同一天、同一计划还有另一份数据，一份写了平台账户、一份没有：两份会相加，请撤销其中一份'),
  /** Lines of one day, account and plan with the same values. */
  report_rows_alike: plain('完全相同的行：会相加，请确认不是重复粘贴的'),
  report_rows_gone: plain(
    '此前存入、同一天同一账户而这次没有存入的行（文件里没有，或被拒绝）：整天替换后不再计入；撤销这次导入即恢复',
  ),
  /** `labels`: of metrics that the file has no column for. */
  report_metrics_gone: entry(
    { labels: z.array(z.string().min(1)).min(1) },
    ({ labels }) =>
      `此前存入的行有${labels.map((label) => `「${label}」`).join('')}，而这个文件没有：整天替换后不再计入；撤销这次导入即恢复`,
  ),

  value_not_of_type: entry(
    { column: z.string(), type: z.enum(keysOf(FIELD_TYPES)) },
    ({ column, type }) => `「${column}」的值不是${FIELD_TYPES[type]}，只计入「有值」`,
  ),
  value_unlike_others: entry(
    { column: z.string(), type: z.enum(keysOf(FIELD_TYPES)) },
    ({ column, type }) => `「${column}」多数是${FIELD_TYPES[type]}，这些值不是，整列按文字处理`,
  ),
  row_without_id: plain('用户 ID 为空'),
  row_id_too_long: entry({ bytes: Count }, ({ bytes }) => `用户 ID 超过 ${bytes} 字节`),
  row_without_event: plain('事件名为空'),
  row_event_too_long: entry({ max: Count }, ({ max }) => `事件名超过 ${max} 个字符`),
  row_without_time: plain('时间为空'),
  row_time_unreadable: plain(`时间无法识别，${TIME_FORMATS}`),
  row_time_too_early: plain('时间早于 2000 年'),
  row_time_too_late: plain('时间晚于当前 24 小时以上'),
  row_without_date: plain('日期为空'),
  row_date_unreadable: plain(`日期无法识别，${TIME_FORMATS}`),
  row_date_too_early: plain('日期早于 2000 年'),
  row_date_too_late: plain('日期晚于明天'),
  row_without_campaign: plain('活动为空'),
  row_key_too_long: entry({ max: Count }, ({ max }) => `活动、计划或账户超过 ${max} 个字符`),
  row_metric_unreadable: entry(
    { column: Column, unit: z.enum(['whole', 'micros']) },
    ({ column, unit }) => `「${column}」不是${unit === 'whole' ? '整数' : '金额'}`,
  ),
  row_metric_negative: entry({ column: Column }, ({ column }) => `「${column}」是负数`),
  row_metric_too_large: entry({ column: Column }, ({ column }) => `「${column}」超过上限`),
  row_forgotten: plain('已删除的用户'),
  identifier_not_stored: entry(
    { type: z.enum([...IdentifierType.options, 'MOBILE_PHONE']) },
    ({ type }) => `${type === 'MOBILE_PHONE' ? '手机号' : type}格式不正确，未作为标识保存`,
  ),
} as const

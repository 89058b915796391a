import { z } from 'zod'
import { METRIC_KEYS } from './activity/metrics.ts'
import { group, Path } from './activity-fields.ts'
import { endpoint } from './endpoint.ts'

export const Column = z.object({
  key: z.enum(METRIC_KEYS).describe('列'),
  label: z.string().describe('列的名称'),
  width: z.int().describe('宽度，像素'),
  tooltip: z.string().describe('列的说明与来源'),
  format: z
    .enum(['text', 'time', 'count', 'number', 'money', 'percent', 'ratio'])
    .describe('格式：text 文字，time 时间，count 与 number 数，money 金额（分），percent 百分比，ratio 比值'),
  from: z
    .array(z.enum(['ours', 'events', 'platform', 'formula']))
    .describe('来源：ours 活动自身，events 自有事件，platform 平台报表，formula 由其他列计算；多个时以在前的为准'),
  adds: z.boolean().describe('各行能否相加'),
  restricted: z.boolean().describe('是否只有能看到受限指标的成员才有'),
})
export type Column = z.output<typeof Column>

export const getColumns = endpoint({
  method: 'GET',
  path: Path('/columns'),
  group,
  summary: '活动列表的列：查看者能看到的全部列，以及所选的列与顺序',
  data: z.object({
    status: Column.describe('状态列，总在名称旁边，不能选'),
    columns: z.array(Column).describe('可选的列'),
    chosen: z.array(z.enum(METRIC_KEYS)).describe('显示的列，按显示的顺序'),
  }),
})

export const chooseColumns = endpoint({
  method: 'PUT',
  path: Path('/columns'),
  group,
  summary: '选择活动列表显示的列与顺序，只对自己生效；空列表恢复默认',
  body: z.object({
    keys: z
      .array(z.enum(METRIC_KEYS))
      .max(METRIC_KEYS.length)
      .transform((keys) => [...new Set(keys)])
      .describe('列，按显示的顺序'),
  }),
  readers: true,
  data: z.object({ chosen: z.array(z.enum(METRIC_KEYS)).describe('显示的列，按显示的顺序') }),
})

import { z } from 'zod'
import { campaignId, group, Path } from './activity-fields.ts'
import { Id, meaningsOf, PageQuery, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'

/** What was done to an activity. */
export const ACTIVITY_OPERATIONS = {
  '0': '通用',
  '1': '新建',
  '2': '修改',
  '3': '删除',
  '4': '提交',
  '5': '发布',
} as const

const OperationType = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)])
export type OperationType = z.output<typeof OperationType>

export const listActivityLog = endpoint({
  method: 'GET',
  path: Path('/log'),
  group,
  summary: '活动的操作日志，最近的在前',
  query: PageQuery.extend({ campaign_id: campaignId }),
  data: z.object({
    list: z
      .array(
        z.object({
          id: Id.describe('日志 ID'),
          op_type: OperationType.describe(
            `操作类型：${meaningsOf(ACTIVITY_OPERATIONS)}；启用活动为发布，其他开关为通用`,
          ),
          op_by: z.string().describe('操作人姓名'),
          op_at: Seconds.describe('操作时间，时间戳（秒）'),
          changes: z
            .array(
              z.object({
                plan: z.string().nullable().describe('计划的名称；活动自身的为 null'),
                is_plan: z.boolean().describe('计划本身是否新增或删除'),
                label: z.string().describe('修改了什么'),
                before: z.string().nullable().describe('修改前；没有时为 null'),
                after: z.string().nullable().describe('修改后；没有时为 null'),
              }),
            )
            .describe('修改前后的不同'),
        }),
      )
      .describe('本页的日志'),
    total: z.int().describe('日志总数'),
  }),
})

import { z } from 'zod'
import { CommaIds, Id, IdParams, keysOf, Nothing, PageQuery, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { AnyOutcome } from './outcomes/entry.ts'

/** Tasks that a list is asked for beside its first page. */
export const TASKS_ASKED_MAX = 50

/** A paused task waits for a viewer's action, such as an authorisation, and then continues by itself. */
export const TASK_STATUS = {
  waiting: '等待中',
  running: '进行中',
  paused: '已暂停',
  done: '已完成',
  failed: '失败',
  cancelled: '已取消',
} as const

/** A job in the task tray. */
export const Task = z.object({
  id: Id.describe('任务 ID'),
  kind: z.string().describe('任务的种类，例如 import、push'),
  title: z.string().describe('任务名称'),
  adv_id: Id.nullable().describe('所属广告主 ID；不属于任何广告主时为 null'),
  status: z
    .enum(keysOf(TASK_STATUS))
    .describe('waiting 等待中，running 进行中，paused 已暂停（等待处理后自动继续），done 已完成，failed 失败'),
  /** 0 to 1. */
  progress: z.number().min(0).max(1).describe('进度，0 到 1'),
  /** The current step, or why it waits; then also as an outcome. */
  stage: z.string().describe('当前步骤，或等待的原因'),
  stage_outcome: AnyOutcome.nullable(),
  /** Why it failed. */
  error: z.string().nullable().describe('失败的原因，一句话；没有失败时为 null'),
  error_outcome: AnyOutcome.nullable(),
  /** The page with its result. */
  link: z.string().nullable().describe('查看结果的页面；没有时为 null'),
  retryable: z.boolean().describe('能否重试'),
  seen: z.boolean().describe('当前用户是否已看过这次失败；不是失败的任务为 true'),
  created_at: Seconds.describe('创建时间，时间戳（秒）'),
  started_at: Seconds.nullable().describe('开始时间，时间戳（秒）；未开始时为 null'),
  finished_at: Seconds.nullable().describe('结束时间，时间戳（秒）；未结束时为 null'),
})
export type Task = z.infer<typeof Task>

export const listTasks = endpoint({
  method: 'GET',
  path: '/api/task/list',
  group: '任务',
  summary: '任务列表：未看过的失败在前，其次是进行中的，最后是最近一天内结束的；失败的任务看过之前一直保留',
  query: PageQuery.extend({
    ids: CommaIds.refine((ids) => ids.length <= TASKS_ASKED_MAX, `最多 ${TASKS_ASKED_MAX} 个任务 ID`)
      .default([])
      .describe('第一页之后另外列出的任务 ID，逗号分隔，最多 50 个；页面关注的任务因此总在列表中'),
  }),
  data: z.object({
    list: z.array(Task).describe('这一页的任务'),
    total: z.int().describe('全部页的任务数'),
    running: z.int().describe('进行中与等待中的任务数，不限于这一页'),
    failed: z.int().describe('未看过的失败任务数，不限于这一页'),
    paused: z.int().describe('已暂停的任务数，不限于这一页'),
  }),
})

export const seeTasks = endpoint({
  method: 'POST',
  path: '/api/task/seen',
  group: '任务',
  summary: '把失败的任务标为当前用户已看过；已不存在的任务略过',
  readers: true,
  body: z.object({ ids: z.array(Id).min(1).max(500).describe('任务 ID，最多 500 个') }),
  data: Nothing,
})

export const retryTask = endpoint({
  method: 'POST',
  path: '/api/task/{id}/retry',
  group: '任务',
  summary: '重试失败的任务',
  params: IdParams,
  data: Nothing,
})

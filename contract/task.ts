import { z } from 'zod'
import { Id, IdParams, keysOf, Nothing, Seconds } from './common.ts'
import { endpoint } from './endpoint.ts'
import { AnyOutcome } from './outcomes/entry.ts'

/** A paused task waits for a viewer's action, such as an authorisation, and then continues by itself. */
export const TASK_STATUS = {
  waiting: '等待中',
  running: '进行中',
  paused: '已暂停',
  done: '已完成',
  failed: '失败',
} as const

/** A job in the task tray. */
export const Task = z.object({
  id: Id,
  kind: z.string(),
  title: z.string(),
  adv_id: Id.nullable(),
  status: z.enum(keysOf(TASK_STATUS)),
  /** 0 to 1. */
  progress: z.number().min(0).max(1),
  /** The current step, or why it waits; then also as an outcome. */
  stage: z.string(),
  stage_outcome: AnyOutcome.nullable(),
  /** Why it failed. */
  error: z.string().nullable(),
  error_outcome: AnyOutcome.nullable(),
  /** The page with its result. */
  link: z.string().nullable(),
  retryable: z.boolean(),
  created_at: Seconds,
  started_at: Seconds.nullable(),
  finished_at: Seconds.nullable(),
})
export type Task = z.infer<typeof Task>

export const listTasks = endpoint({
  method: 'GET',
  path: '/api/task/list',
  group: '任务',
  summary: '进行中的任务与最近一天内结束的任务',
  data: z.object({ list: z.array(Task), running: z.int(), failed: z.int() }),
})

export const retryTask = endpoint({
  method: 'POST',
  path: '/api/task/{id}/retry',
  group: '任务',
  summary: '重试失败的任务',
  params: IdParams,
  data: Nothing,
})

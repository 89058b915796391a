import * as contract from '#contract/task.ts'
import { serve } from '../../http/serve.ts'
import type { TaskService } from './service.ts'

export const taskRoutes = (tasks: TaskService) => [
  serve(contract.listTasks, ({ viewer, query }) => tasks.list(viewer, query)),
  serve(contract.seeTasks, async ({ viewer, body }) => {
    await tasks.see(viewer, body.ids)
    return null
  }),
  serve(contract.retryTask, async ({ viewer, params }) => {
    await tasks.retry(viewer, params.id)
    return null
  }),
]

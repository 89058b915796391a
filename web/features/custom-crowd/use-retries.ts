import { App } from 'antd'
import { getCustomQuota, listRuleChildren } from '#contract/audience.ts'
import { getCustomCrowd, listCustomCrowds, listDeletedCustomCrowds } from '#contract/custom-crowd.ts'
import { retryPush } from '#contract/push.ts'
import { listTasks, retryTask } from '#contract/task.ts'
import { useAction } from '../../lib/query.ts'

/** Queries that a change of crowds and audiences makes stale. */
export const CROWD_QUERIES = [
  listCustomCrowds,
  getCustomCrowd,
  getCustomQuota,
  listRuleChildren,
  listDeletedCustomCrowds,
]

export type Retries = ReturnType<typeof useRetries>

/** Resumes pushes, and checks files again. Ignores calls while one is pending. */
export function useRetries() {
  const { message } = App.useApp()
  const push = useAction(retryPush, CROWD_QUERIES, { onSuccess: () => void message.success('已继续推送') })
  const check = useAction(retryTask, [...CROWD_QUERIES, listTasks], {
    onSuccess: () => void message.success('已重新开始校验'),
  })
  return {
    retryPush: (id: number) => {
      if (!push.isPending) push.mutate({ params: { id } })
    },
    retryCheck: (task_id: number) => {
      if (!check.isPending) check.mutate({ params: { id: task_id } })
    },
  }
}

import { App } from 'antd'
import { getCustomQuota, listRuleChildren } from '#contract/audience.ts'
import { getCustomCrowd, listCustomCrowds, listDeletedCustomCrowds } from '#contract/custom-crowd.ts'
import { listPushes } from '#contract/push.ts'
import { listTasks, retryTask } from '#contract/task.ts'
import { useAction } from '../../lib/query.ts'
import { usePushControl } from '../audience/use-push-control.ts'

/** Queries that a change of crowds and audiences makes stale. */
export const CROWD_QUERIES = [
  listCustomCrowds,
  getCustomCrowd,
  getCustomQuota,
  listRuleChildren,
  listDeletedCustomCrowds,
]

export type Retries = ReturnType<typeof useRetries>

/** Resumes and cancels pushes, and checks files again. Ignores calls while one is pending. */
export function useRetries() {
  const { message } = App.useApp()
  const pushes = usePushControl([...CROWD_QUERIES, listPushes])
  const check = useAction(retryTask, [...CROWD_QUERIES, listTasks], {
    onSuccess: () => void message.success('已重新开始校验'),
  })
  return {
    retryPush: pushes.retry,
    cancelPush: pushes.cancelOf,
    retryCheck: (task_id: number) => {
      if (!check.isPending) check.mutate({ params: { id: task_id } })
    },
  }
}

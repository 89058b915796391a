import { App } from 'antd'
import { useState } from 'react'
import { getCustomQuota, listRuleChildren } from '#contract/audience.ts'
import { getCustomCrowd, listCustomCrowds } from '#contract/custom-crowd.ts'
import { listPushes, type StartedPush, startPushes } from '#contract/push.ts'
import { listRuleCrowds } from '#contract/rule-crowd.ts'
import { listTasks } from '#contract/task.ts'
import { SeeTasks } from '../../components/SeeTasks.tsx'
import { awaitedTasks } from '../../lib/awaited-tasks.ts'
import { useAction } from '../../lib/query.ts'
import { saved } from '../../lib/saved-context.ts'
import { type Pushed, type PushFields, pushBody } from './push-choice.ts'

/** Starts the pushes and remembers the choice for the next dialog. Accounts that were refused stay in the dialog. */
export function usePushing(pushed: Pushed, { onDone, onRefused }: Handlers) {
  const { message } = App.useApp()
  const [refused, setRefused] = useState<StartedPush[]>([])
  const push = useAction(
    startPushes,
    [listCustomCrowds, getCustomCrowd, getCustomQuota, listPushes, listRuleChildren, listRuleCrowds, listTasks],
    { meta: { quiet: true } },
  )
  const start = (fields: PushFields) => {
    const body = pushBody(pushed, fields)
    if (!body) return
    push.mutate(
      { body },
      {
        onSuccess: ({ list }) => {
          const begun = list.filter((one) => one.push_id !== null)
          const left = list.filter((one) => one.push_id === null)
          for (const { task_id } of begun) if (task_id !== null) awaitedTasks.add(task_id, '推送成功')
          if (begun.length > 0) {
            saved.pushChoice.set({ accounts: fields.accounts ?? [], adv_id: pushed.adv_id })
            message.success(
              <SeeTasks
                said={list.length > 1 ? `已提交推送（${begun.length} / ${list.length} 个账户）` : '已提交推送'}
                task={begun.find((one) => one.task_id !== null)?.task_id ?? null}
              />,
            )
          }
          setRefused(left)
          if (left.length > 0) onRefused(left)
          else onDone(begun)
        },
        onError: (error) => void message.error(error.message || '推送失败'),
      },
    )
  }
  return { start, refused, isPending: push.isPending }
}

interface Handlers {
  onDone: (begun: readonly StartedPush[]) => void
  onRefused: (left: readonly StartedPush[]) => void
}

import type { Task } from '#contract/task.ts'
import { isUnderWay } from './use-tasks.ts'

/** The tray button's label: running tasks, else failures not seen yet, else paused tasks. */
export function trayState(tasks: readonly Pick<Task, 'id' | 'status'>[], seenFailures: ReadonlySet<number>) {
  const running = tasks.filter(isUnderWay).length
  const failed = tasks.filter((task) => task.status === 'failed' && !seenFailures.has(task.id)).length
  const paused = tasks.filter((task) => task.status === 'paused').length
  const says = [
    ...(running ? [`${running} 个进行中`] : []),
    ...(failed ? [`${failed} 个失败`] : []),
    ...(paused ? [`${paused} 个已暂停`] : []),
  ]
  return { running, failed, paused, label: says.length ? `任务：${says.join('，')}` : '任务' }
}

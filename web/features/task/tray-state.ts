import type { Task } from '#contract/task.ts'
import { isUnderWay } from './use-tasks.ts'

/** What the button of the tray says: what runs first, then what failed since one looked, then what stands still. */
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

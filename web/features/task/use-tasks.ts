import { useQuery } from '@tanstack/react-query'
import { listTasks, type Task } from '#contract/task.ts'
import { queryOf } from '../../lib/query.ts'

const BUSY_MS = 1_500
const IDLE_MS = 15_000

export const isUnderWay = (task: Pick<Task, 'status'>) => task.status === 'waiting' || task.status === 'running'

/** Neither under way nor ended: it goes on once what it waits for is seen to. */
export const isOpen = (task: Pick<Task, 'status'>) => isUnderWay(task) || task.status === 'paused'

/** What runs in the background now and what ended lately; asked often while something runs. */
export const useTasks = () =>
  useQuery({
    ...queryOf(listTasks),
    meta: { quiet: true },
    staleTime: 0,
    refetchInterval: (query) => (query.state.data?.list.some(isUnderWay) ? BUSY_MS : IDLE_MS),
  })

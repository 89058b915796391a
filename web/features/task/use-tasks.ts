import { useQuery } from '@tanstack/react-query'
import { listTasks, type Task } from '#contract/task.ts'
import { queryOf } from '../../lib/query.ts'

const BUSY_MS = 1_500
const IDLE_MS = 15_000

export const isUnderWay = (task: Pick<Task, 'status'>) => task.status === 'waiting' || task.status === 'running'

/** Not ended: a paused task continues once its obstacle is removed. */
export const isOpen = (task: Pick<Task, 'status'>) => isUnderWay(task) || task.status === 'paused'

/** Running and recently ended tasks; polled more often while one runs. */
export const useTasks = () =>
  useQuery({
    ...queryOf(listTasks),
    meta: { silent: 'polled' },
    staleTime: 0,
    refetchInterval: (query) => (query.state.data?.list.some(isUnderWay) ? BUSY_MS : IDLE_MS),
  })

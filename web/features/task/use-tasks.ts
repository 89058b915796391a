import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listTasks, TASKS_ASKED_MAX, type Task } from '#contract/task.ts'
import { queryOf } from '../../lib/query.ts'

const BUSY_MS = 1_500
const IDLE_MS = 15_000

export const isUnderWay = (task: Pick<Task, 'status'>) => task.status === 'waiting' || task.status === 'running'

/** Not ended: a paused task continues once its obstacle is removed. */
export const isOpen = (task: Pick<Task, 'status'>) => isUnderWay(task) || task.status === 'paused'

/** So many tasks are shown at first, and so many more on each click. */
export const TASKS_AT_ONCE = 20

/** The first `shown` tasks with those of `ids`, and counts of all; polled more often while one runs. */
export const useTasks = (shown: number, ids: readonly number[]) =>
  useQuery({
    ...queryOf(listTasks, { query: { page_size: shown, ...idsOf(ids) } }),
    meta: { silent: 'polled' },
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: (query) => (query.state.data?.running ? BUSY_MS : IDLE_MS),
  })

const idsOf = (ids: readonly number[]) => (ids.length > 0 ? { ids: ids.slice(-TASKS_ASKED_MAX).join(',') } : {})

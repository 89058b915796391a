import { App, Button } from 'antd'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Task } from '#contract/task.ts'
import { awaitedTasks, useAwaited } from '../../lib/awaited-tasks.ts'
import { isShownOn } from './shown-on-page.ts'
import { isOpen } from './use-tasks.ts'

const keyOf = (id: number) => `task-${id}`

/** Notifies on every page when a task fails, unless the page already shows that task, or when an awaited one is done. */
export function useFailureNotice(tasks: Task[] | undefined) {
  const { message, notification } = App.useApp()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const url = pathname + search
  const awaited = useAwaited()
  const open = useRef(new Set<number>())
  const links = useRef(new Map<number, string>())

  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when a task is awaited that the list shows already.
  useEffect(() => {
    for (const task of tasks ?? []) {
      if (isOpen(task)) {
        open.current.add(task.id)
        continue
      }
      const words = awaitedTasks.ended(task.id)
      if (words && task.status === 'done') message.success(`${words}：${task.title}`)
      if (!open.current.delete(task.id) || task.status !== 'failed') continue
      const { id, link } = task
      if (link && isShownOn(link, url)) continue
      if (link) links.current.set(id, link)
      notification.error({
        key: keyOf(id),
        title: `${task.title}失败`,
        description: task.error ?? undefined,
        duration: 8,
        actions: link ? (
          <Button
            size="small"
            onClick={() => {
              notification.destroy(keyOf(id))
              navigate(link)
            }}
          >
            查看
          </Button>
        ) : undefined,
        onClose: () => links.current.delete(id),
      })
    }
  }, [tasks, awaited, message, notification, navigate, url])

  useEffect(() => {
    for (const [id, link] of links.current) {
      if (!isShownOn(link, url)) continue
      notification.destroy(keyOf(id))
      links.current.delete(id)
    }
  }, [notification, url])
}

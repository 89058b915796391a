import { UnorderedListOutlined } from '@ant-design/icons'
import { Badge, Button, Popover, Tooltip, theme } from 'antd'
import { useState } from 'react'
import { PAGE_SIZE_MAX } from '#contract/common.ts'
import { listTasks, seeTasks } from '#contract/task.ts'
import { later } from '../../components/later.tsx'
import { awaitedTasks, useAwaited } from '../../lib/awaited-tasks.ts'
import { useAction } from '../../lib/query.ts'
import { showTask, useShownTask } from '../../lib/shown-task.ts'
import styles from './task.module.css'
import { trayLabel } from './tray-label.ts'
import { useFailureNotice } from './use-failure-notice.tsx'
import { TASKS_AT_ONCE, useTasks } from './use-tasks.ts'

const TaskList = later(() => import('./TaskList.tsx').then((file) => file.TaskList))

/** Running tasks with their progress, failed tasks with reason and retry. */
export function TaskTray({ startsOpen }: { startsOpen: boolean }) {
  const { token } = theme.useToken()
  const [shown, setShown] = useState(TASKS_AT_ONCE)
  const asked = useShownTask()
  // Draws again with each awaited task.
  useAwaited()
  const tasks = useTasks(shown, [...awaitedTasks.ids(), ...(typeof asked === 'number' ? [asked] : [])])
  const [isOpenHere, setOpen] = useState(startsOpen)
  const isOpen = isOpenHere || asked !== null
  const see = useAction(seeTasks, [listTasks], { meta: { quiet: true } })
  useFailureNotice(tasks.data?.list)

  const { running, failed, paused, list } = tasks.data ?? { running: 0, failed: 0, paused: 0, list: [] }
  const label = trayLabel({ running, failed, paused })

  /** Failures that were on the screen count as seen; the list begins with its first page again. */
  const close = () => {
    const unseen = list.filter((task) => !task.seen).map((task) => task.id)
    if (unseen.length > 0) see.mutate({ body: { ids: unseen } })
    setShown(TASKS_AT_ONCE)
    showTask(null)
  }

  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open)
        if (!open) close()
      }}
      classNames={{ container: styles.popup }}
      content={
        <TaskList
          tasks={tasks}
          asked={asked}
          onMore={() => setShown(Math.min(shown + TASKS_AT_ONCE, PAGE_SIZE_MAX))}
          onLeave={() => {
            setOpen(false)
            close()
          }}
        />
      }
    >
      <Tooltip title={isOpen ? null : label}>
        <Badge
          {...(running || failed || !paused ? { count: failed || running } : { dot: true })}
          size="small"
          offset={[-6, 6]}
          color={failed ? token.colorError : running ? token.colorPrimary : token.colorWarning}
        >
          <Button
            type="text"
            aria-label={label}
            aria-expanded={isOpen}
            icon={<UnorderedListOutlined />}
            className={styles.button}
          />
        </Badge>
      </Tooltip>
    </Popover>
  )
}

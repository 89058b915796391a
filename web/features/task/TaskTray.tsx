import { UnorderedListOutlined } from '@ant-design/icons'
import { Badge, Button, Popover, Tooltip, theme } from 'antd'
import { useState } from 'react'
import { EmptyState } from '../../components/EmptyState.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { TaskItem } from './TaskItem.tsx'
import styles from './task.module.css'
import { trayState } from './tray-state.ts'
import { useFailureNotice } from './use-failure-notice.tsx'
import { useTasks } from './use-tasks.ts'

/** Running tasks with their progress, failed tasks with reason and retry. */
export function TaskTray() {
  const { token } = theme.useToken()
  const tasks = useTasks()
  const [isOpen, setOpen] = useState(false)
  const [seenFailures, setSeenFailures] = useState<ReadonlySet<number>>(new Set())
  useFailureNotice(tasks.data?.list)

  const list = tasks.data?.list ?? []
  const { running, failed, paused, label } = trayState(list, seenFailures)

  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open)
        if (!open) setSeenFailures(new Set(list.filter((task) => task.status === 'failed').map((task) => task.id)))
      }}
      classNames={{ container: styles.popup }}
      content={
        <section aria-label="任务列表" className={styles.tray}>
          <div className={styles.head}>任务</div>
          <div className={styles.list}>
            <QueryState query={tasks} errorTitle="任务加载失败">
              {({ list }) =>
                list.length ? (
                  list.map((task) => <TaskItem key={task.id} task={task} onLeave={() => setOpen(false)} />)
                ) : (
                  <EmptyState title="没有任务" hint="导入数据、计算人群等耗时操作的进度会显示在这里" />
                )
              }
            </QueryState>
          </div>
        </section>
      }
    >
      <Tooltip title={isOpen ? null : label}>
        <Badge
          {...(running || failed || !paused ? { count: running || failed } : { dot: true })}
          size="small"
          offset={[-6, 6]}
          color={running ? token.colorPrimary : failed ? token.colorError : token.colorWarning}
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

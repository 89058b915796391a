import { UnorderedListOutlined } from '@ant-design/icons'
import { App, Badge, Button, Popover, Tooltip, theme } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Task } from '#contract/task.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { TaskItem } from './TaskItem.tsx'
import { isUnderWay, useTasks } from './use-tasks.ts'

const WIDTH = 380

/** Says it aloud when a task that was under way failed, wherever one is by then. */
function useFailureNotice(tasks: Task[] | undefined) {
  const { notification } = App.useApp()
  const navigate = useNavigate()
  const underWay = useRef(new Set<number>())
  useEffect(() => {
    for (const task of tasks ?? []) {
      if (isUnderWay(task)) underWay.current.add(task.id)
      else if (underWay.current.delete(task.id) && task.status === 'failed') {
        const link = task.link
        notification.error({
          key: `task-${task.id}`,
          title: `${task.title}失败`,
          description: task.error ?? undefined,
          duration: 8,
          actions: link ? (
            <Button
              size="small"
              onClick={() => {
                notification.destroy(`task-${task.id}`)
                navigate(link)
              }}
            >
              查看
            </Button>
          ) : undefined,
        })
      }
    }
  }, [tasks, notification, navigate])
}

/** Running jobs with their progress, what failed and why, and a retry. */
export function TaskTray() {
  const { token } = theme.useToken()
  const tasks = useTasks()
  const [isOpen, setOpen] = useState(false)
  const [seenFailures, setSeenFailures] = useState<ReadonlySet<number>>(new Set())
  useFailureNotice(tasks.data?.list)

  const list = tasks.data?.list ?? []
  const running = list.filter(isUnderWay).length
  const failures = list.filter((task) => task.status === 'failed').map((task) => task.id)
  const unseen = failures.filter((id) => !seenFailures.has(id)).length
  const label = running ? `任务：${running} 个进行中` : unseen ? `任务：${unseen} 个失败` : '任务'

  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open)
        if (!open) setSeenFailures(new Set(failures))
      }}
      styles={{ container: { padding: 0 } }}
      content={
        <section aria-label="任务列表" style={{ width: WIDTH }}>
          <div
            style={{ padding: '10px 16px', fontWeight: 600, borderBottom: `1px solid ${token.colorBorderSecondary}` }}
          >
            任务
          </div>
          <div style={{ maxHeight: '60vh', overflow: 'auto' }}>
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
          count={running || unseen}
          size="small"
          offset={[-6, 6]}
          color={running ? token.colorPrimary : token.colorError}
        >
          <Button
            type="text"
            aria-label={label}
            aria-expanded={isOpen}
            icon={<UnorderedListOutlined />}
            style={{ width: 40, height: 40 }}
          />
        </Badge>
      </Tooltip>
    </Popover>
  )
}

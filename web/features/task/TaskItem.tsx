import {
  CheckCircleFilled,
  ClockCircleFilled,
  CloseCircleFilled,
  LoadingOutlined,
  PauseCircleFilled,
} from '@ant-design/icons'
import { Button, Flex, Progress, Typography, theme } from 'antd'
import { Link } from 'react-router'
import { listTasks, retryTask, TASK_STATUS, type Task } from '#contract/task.ts'
import { formatAgo, formatDuration, formatTime } from '../../lib/format.ts'
import { useAction } from '../../lib/query.ts'
import { isUnderWay } from './use-tasks.ts'

function StatusIcon({ status }: { status: Task['status'] }) {
  const { token } = theme.useToken()
  const props = { 'aria-hidden': true, style: { fontSize: 16, marginTop: 3 } }
  if (status === 'running') return <LoadingOutlined {...props} style={{ ...props.style, color: token.colorPrimary }} />
  if (status === 'waiting')
    return <ClockCircleFilled {...props} style={{ ...props.style, color: token.colorWarning }} />
  if (status === 'paused') return <PauseCircleFilled {...props} style={{ ...props.style, color: token.colorWarning }} />
  if (status === 'failed') return <CloseCircleFilled {...props} style={{ ...props.style, color: token.colorError }} />
  return <CheckCircleFilled {...props} style={{ ...props.style, color: token.colorSuccess }} />
}

/** End and duration of a task, or its current step. */
function says(task: Task) {
  if (task.status === 'waiting') return task.stage || TASK_STATUS.waiting
  if (task.status === 'running') return task.stage || TASK_STATUS.running
  if (task.status === 'paused') return [TASK_STATUS.paused, task.stage].filter(Boolean).join('：')
  const took = task.finished_at && task.started_at ? `，用时 ${formatDuration(task.finished_at - task.started_at)}` : ''
  return `${TASK_STATUS[task.status]}，${formatAgo(task.finished_at ?? task.created_at)}${took}`
}

export function TaskItem({ task, onLeave }: { task: Task; onLeave: () => void }) {
  const retry = useAction(retryTask, [listTasks])
  return (
    <Flex gap={10} align="flex-start" style={{ padding: '10px 16px' }}>
      <StatusIcon status={task.status} />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Flex gap={8} align="baseline" justify="space-between">
          <Typography.Text ellipsis={{ tooltip: task.title }} style={{ flex: 1 }}>
            {task.link ? (
              <Link to={task.link} onClick={onLeave}>
                {task.title}
              </Link>
            ) : (
              task.title
            )}
          </Typography.Text>
          {task.retryable && task.status === 'failed' && (
            <Button
              size="small"
              loading={retry.isPending}
              aria-label={`重试 ${task.title}`}
              onClick={() => retry.mutate({ params: { id: task.id } })}
            >
              重试
            </Button>
          )}
        </Flex>
        {task.status === 'running' && (
          <Progress
            percent={Math.floor(task.progress * 100)}
            size="small"
            aria-label={`${task.title}的进度`}
            style={{ marginBottom: 0 }}
          />
        )}
        {task.error && (
          <Typography.Paragraph type="danger" style={{ margin: '2px 0', fontSize: 13 }}>
            {task.error}
          </Typography.Paragraph>
        )}
        <Typography.Text
          type="secondary"
          style={{ fontSize: 12 }}
          title={formatTime(task.finished_at ?? task.created_at)}
        >
          {says(task)}
        </Typography.Text>
      </div>
      {isUnderWay(task) && <span className="visually-hidden">{TASK_STATUS[task.status]}</span>}
    </Flex>
  )
}

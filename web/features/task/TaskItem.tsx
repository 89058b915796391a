import {
  CheckCircleFilled,
  ClockCircleFilled,
  CloseCircleFilled,
  LoadingOutlined,
  PauseCircleFilled,
  StopOutlined,
} from '@ant-design/icons'
import { Button, Flex, Progress, Typography } from 'antd'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { listTasks, retryTask, TASK_STATUS, type Task } from '#contract/task.ts'
import text from '../../components/text.module.css'
import { WholeOnHover } from '../../components/WholeOnHover.tsx'
import { OutcomeActions } from '../../domain/outcome/OutcomeActions.tsx'
import { formatAgo, formatDuration, formatTime } from '../../lib/format.ts'
import { useAction } from '../../lib/query.ts'
import styles from './task.module.css'
import { isUnderWay } from './use-tasks.ts'

const ICONS = {
  running: { Icon: LoadingOutlined, colour: text.busy },
  waiting: { Icon: ClockCircleFilled, colour: text.warning },
  paused: { Icon: PauseCircleFilled, colour: text.warning },
  failed: { Icon: CloseCircleFilled, colour: text.error },
  cancelled: { Icon: StopOutlined, colour: text.hint },
  done: { Icon: CheckCircleFilled, colour: text.success },
}

function StatusIcon({ status }: { status: Task['status'] }) {
  const { Icon, colour } = ICONS[status]
  return <Icon aria-hidden className={`${styles.icon} ${colour}`} />
}

/** End and duration of a task, or its current step. */
function says(task: Task) {
  if (task.status === 'waiting') return task.stage || TASK_STATUS.waiting
  if (task.status === 'running') return task.stage || TASK_STATUS.running
  if (task.status === 'paused') return [TASK_STATUS.paused, task.stage].filter(Boolean).join('：')
  const took = task.finished_at && task.started_at ? `，用时 ${formatDuration(task.finished_at - task.started_at)}` : ''
  return `${TASK_STATUS[task.status]}，${formatAgo(task.finished_at ?? task.created_at)}${took}`
}

/** `isAsked`: a link opened the tray at this task. */
export function TaskItem({ task, isAsked, onLeave }: { task: Task; isAsked: boolean; onLeave: () => void }) {
  const item = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isAsked) item.current?.scrollIntoView({ block: 'nearest' })
  }, [isAsked])
  const retry = useAction(retryTask, [listTasks])
  return (
    <Flex
      ref={item}
      gap={10}
      align="flex-start"
      className={isAsked ? `${styles.task} ${styles.asked}` : styles.task}
      {...(isAsked && { 'aria-current': true })}
    >
      <StatusIcon status={task.status} />
      <div className={styles.body}>
        <Flex gap={8} align="baseline" justify="space-between">
          <Typography.Text ellipsis={{ tooltip: task.title }} className={styles.title}>
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
            className={styles.progress}
          />
        )}
        {task.error && (
          <Typography.Paragraph type="danger" className={styles.error}>
            {task.error}
          </Typography.Paragraph>
        )}
        <WholeOnHover text={formatTime(task.finished_at ?? task.created_at)}>
          <Typography.Text type="secondary" className={styles.state}>
            {says(task)}
          </Typography.Text>
        </WholeOnHover>
        <OutcomeActions outcomes={[task.stage_outcome, task.error_outcome]} onFollow={onLeave} />
      </div>
      {isUnderWay(task) && <span className="visually-hidden">{TASK_STATUS[task.status]}</span>}
    </Flex>
  )
}

import { Button } from 'antd'
import { PAGE_SIZE_MAX } from '#contract/common.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import type { AskedTask } from '../../lib/shown-task.ts'
import { TaskItem } from './TaskItem.tsx'
import styles from './task.module.css'
import type { useTasks } from './use-tasks.ts'

/** What the task tray shows when it is open. */
export const TaskList = (props: {
  tasks: ReturnType<typeof useTasks>
  /** The task that a link asked to see. */
  asked: AskedTask | null
  onMore: () => void
  onLeave: () => void
}) => (
  <section aria-label="任务列表" className={styles.tray}>
    <div className={styles.head}>任务</div>
    <div className={styles.list}>
      <QueryState query={props.tasks} errorTitle="任务加载失败">
        {({ list, total }) =>
          list.length ? (
            <>
              {list.map((task) => (
                <TaskItem key={task.id} task={task} isAsked={task.id === props.asked} onLeave={props.onLeave} />
              ))}
              {list.length < Math.min(total, PAGE_SIZE_MAX) && (
                <Button block type="link" loading={props.tasks.isPlaceholderData} onClick={props.onMore}>
                  更多任务（还有 {total - list.length} 个）
                </Button>
              )}
            </>
          ) : (
            <EmptyState title="没有任务" hint="导入数据、计算人群等耗时操作的进度会显示在这里" />
          )
        }
      </QueryState>
    </div>
  </section>
)

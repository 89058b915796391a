import { showTask } from '../lib/shown-task.ts'
import text from './text.module.css'

/** What was submitted, with a link that opens the task tray; at a task, where one is known. */
export const SeeTasks = ({ said, task = null }: { said: string; task?: number | null }) => (
  <span>
    {said}，进度见
    <button type="button" className={text.link} onClick={() => showTask(task ?? 'any')}>
      任务
    </button>
  </span>
)

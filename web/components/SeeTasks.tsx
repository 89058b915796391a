import { embedding } from '../lib/embedding.ts'
import { showTask } from '../lib/shown-task.ts'
import text from './text.module.css'

/** What was submitted, with a link that opens the task tray; at a task, where one is known. Frames have no tray. */
export const SeeTasks = ({ said, task = null }: { said: string; task?: number | null }) =>
  embedding() ? (
    said
  ) : (
    <span>
      {said}，进度见
      <button type="button" className={text.link} onClick={() => showTask(task ?? 'any')}>
        任务
      </button>
    </span>
  )

import type { Kysely } from 'kysely'
import { OPEN_PUSH } from '#contract/push-status.ts'
import type { Database } from '../../postgres/schema.ts'
import { lockChild } from '../audience/child.ts'
import type { PushDeps } from './deps.ts'
import type { PushQueue } from './queue.ts'

const RESUME_LOST = 'push.resume-lost'

/** Gives a job to pushes under way that have none: the queue keeps a job for two weeks, and a pause may last longer. */
export function lostPushes({ db, jobs, timezone }: PushDeps, queue: PushQueue): void {
  jobs.handle(RESUME_LOST, { concurrency: 1, retries: 0 }, async ({ finish }) => {
    const lost = await withoutJob(db).execute()
    await finish(async (tx) => {
      for (const push of lost) {
        const child = await lockChild(tx, push.child_id)
        // Someone may have resumed it since it was read.
        const still = await withoutJob(tx).where('push.id', '=', push.id).executeTakeFirst()
        if (still && child && child.deleted_at === null) await queue.sendRun(tx, still, child)
      }
    })
  })
  jobs.schedule(RESUME_LOST, '*/5 * * * *', timezone)
}

const withoutJob = (db: Kysely<Database>) =>
  db
    .selectFrom('push')
    .leftJoin('task', 'task.id', 'push.task_id')
    .select(['push.id', 'push.child_id', 'push.viewer_id'])
    .where('push.status', 'in', OPEN_PUSH)
    .where((eb) => eb.or([eb('task.id', 'is', null), eb('task.status', 'in', ['failed', 'done'])]))

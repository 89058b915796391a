import { randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Jobs } from '../../jobs/open.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import type { Child } from '../audience/child.ts'
import { json, linkOf } from './records.ts'

export const RUN = 'push.run'

/** A unique key, by which an audience is found on its platform. */
export const newKey = () => `rq_${randomBytes(12).toString('hex')}`

export function pushQueue(jobs: Jobs) {
  async function sendRun(
    tx: Transaction<Database>,
    push: { id: number; viewer_id: number | null },
    child: Child,
  ): Promise<void> {
    const account = await tx
      .selectFrom('platform_account')
      .select(['name', 'adv_id'])
      .where('id', '=', child.account_id)
      .executeTakeFirstOrThrow()
    const { task_id } = await jobs.send(
      tx,
      RUN,
      { push_id: push.id },
      {
        group: `account:${child.account_id}`,
        task: {
          title: `推送人群「${child.name}」到「${account.name}」`,
          adv_id: account.adv_id,
          viewer_id: push.viewer_id,
          link: linkOf(child),
        },
      },
    )
    await tx.updateTable('push').set({ task_id }).where('id', '=', push.id).execute()
  }

  return {
    sendRun,

    /** Queues a push for a locked child. A push that waits already will bring the newest version. */
    async enqueue(tx: Transaction<Database>, child: Child, version: number, viewer_id: number | null): Promise<number> {
      const waiting = await tx
        .selectFrom('push')
        .select(['id', 'viewer_id'])
        .where('child_id', '=', child.id)
        .where('status', '=', 'waiting')
        .where('forget_account_id', 'is', null)
        .executeTakeFirst()
      if (waiting) {
        // A push that a person asked for is recorded even where it does nothing.
        if (waiting.viewer_id === null && viewer_id !== null) {
          await tx.updateTable('push').set({ viewer_id }).where('id', '=', waiting.id).execute()
        }
        return waiting.id
      }
      const { id } = await tx
        .insertInto('push')
        .values({
          child_id: child.id,
          version,
          status: 'waiting',
          step: 'plan',
          viewer_id,
          state: json({}),
          created_at: now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await sendRun(tx, { id, viewer_id }, child)
      // A push that only waits to be published ends, so that this one can run.
      const before = await tx
        .selectFrom('push')
        .select('task_id')
        .where('child_id', '=', child.id)
        .where('status', '=', 'paused')
        .where('step', '=', 'publish')
        .executeTakeFirst()
      if (before?.task_id) await jobs.startNow(tx, before.task_id)
      return id
    },

    /** Starts the push that waited for one that has ended. */
    async startNext(tx: Transaction<Database>, child_id: number): Promise<void> {
      const next = await tx
        .selectFrom('push')
        .select('task_id')
        .where('child_id', '=', child_id)
        .where('status', '=', 'waiting')
        // A forgotten person goes first.
        .orderBy((eb) => eb('forget_account_id', 'is', null))
        .orderBy('id')
        .executeTakeFirst()
      if (next?.task_id) await jobs.startNow(tx, next.task_id)
    },

    /** Resumes a push now; its job waits for its time, or is gone. */
    async wake(
      tx: Transaction<Database>,
      push: { id: number; viewer_id: number | null; task_id: number | null },
      child: Child,
    ) {
      if (push.task_id !== null && (await jobs.startNow(tx, push.task_id))) return
      await sendRun(tx, push, child)
    },
  }
}
export type PushQueue = ReturnType<typeof pushQueue>

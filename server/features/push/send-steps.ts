import { type PushParts, recount } from './parts.ts'
import { type ActivePush, called, type Job, move, nextOf, refOf, type StepResult } from './step-tools.ts'

/** Parts that one call of a data-first platform takes over. */
const PARTS_AT_ONCE = 100

/** Sends the parts as files. */
export const sendStep =
  (parts: PushParts) =>
  async (job: Job, active: ActivePush): Promise<StepResult> => {
    const { push, platform } = active
    const all = await parts.of(push.id)
    for (const part of all) {
      if (part.status === 'done') continue
      if (part.status === 'sent' && platform.order === 'data-first') continue
      const done = all.filter((other) => other.status === 'done' || other.status === 'sent').length
      job.task.progress(0.15 + (0.6 * done) / all.length, `发送第 ${part.no} 个文件，共 ${all.length} 个`)
      if (part.status !== 'sent') await parts.send(job, active, part)
      if (platform.order === 'data-first') continue
      // One file at a time: the audience is busy until the platform has read it.
      const result = await parts.poll(job, active, part)
      if (result !== 'taken') return result === 'lost' ? 'next' : result
    }
    return move(job, active, nextOf(active))
  }

/** Has a data-first platform take over the files it was sent. */
export const applyStep =
  (parts: PushParts) =>
  async (job: Job, active: ActivePush): Promise<StepResult> => {
    const { push, child, platform, session } = active
    const all = await parts.of(push.id)
    if (await parts.dropStale(job, active, all)) return 'next'
    job.task.progress(0.8, '更新平台上的人群')
    for (const op of ['remove', 'add'] as const) {
      const mine = all.filter((part) => part.op === op)
      for (let from = 0; from < mine.length; from += PARTS_AT_ONCE) {
        // A refusal is about all files of the call, so they are sent again together or not at all.
        const these = mine.slice(from, from + PARTS_AT_ONCE).filter((part) => !part.is_applied)
        if (these.length === 0) continue
        const rounds = these.map((part) => `${part.no}.${part.round}`)
        const key = `${child.key}_${push.plan_id}_${op}_${rounds[0]}_${rounds.length}`
        const receipts = these.map((part) => part.receipt ?? '')
        await called(job, active, (on) => platform.applyParts(session, refOf(active), { key, op, receipts }, on))
        await job.step(async (tx) => {
          await tx
            .updateTable('push_part')
            .set({ is_applied: true })
            .where('push_id', '=', push.id)
            .where(
              'no',
              'in',
              these.map((part) => part.no),
            )
            .execute()
          await recount(tx, push.id)
        })
      }
    }
    return move(job, active, nextOf(active))
  }

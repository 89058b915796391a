import { setPush } from './records.ts'
import type { ActivePush, Job } from './step-tools.ts'

/** Takes a number for the plan, and remembers it until the plan is saved. */
export const newPlanId = (job: Job, { push }: ActivePush) =>
  job.step(async (tx) => {
    const { id } = await tx
      .selectNoFrom((eb) => eb.fn<number>('nextval', [eb.val('push_plan')]).as('id'))
      .executeTakeFirstOrThrow()
    await setPush(tx, push.id, { state: { ...push.state, planning: Number(id) } })
    return Number(id)
  })

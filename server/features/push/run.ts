import { outcome } from '#contract/outcome.ts'
import { OPEN_PUSH, type PushStatus } from '#contract/push-status.ts'
import type { RunningJob } from '../../jobs/kind.ts'
import { PlatformFault } from '../../platforms/audience-platform.ts'
import { isDiskFull } from '../../storage/disk-full.ts'
import { now } from '../../time/clock.ts'
import { type Child, lockChild } from '../audience/child.ts'
import { pushCompletion } from './completion.ts'
import type { PushDeps } from './deps.ts'
import { pushFaults } from './faults.ts'
import type { Planner } from './plan.ts'
import { pushSteps } from './push-steps.ts'
import { type PushQueue, RUN } from './queue.ts'
import { setPush } from './records.ts'
import type { ActivePush, StepResult } from './step-tools.ts'

/** Pushes that run at once, one per account; most of the time they wait for an answer. */
const CONCURRENCY = 24
/** Seconds after which a push that waits behind another of its child checks again by itself. */
const BEHIND_SECONDS = 600
const ENDED_BADLY: ReadonlySet<PushStatus> = new Set(['failed', 'cancelled'])

/** Runs the steps of a push in a job that may be killed anywhere. */
export function pushJob(deps: PushDeps, planner: Planner, queue: PushQueue) {
  const { db, jobs } = deps
  const runStep = pushSteps(deps, planner)
  const { endDone, endFailed, resume } = pushCompletion(deps, queue)
  const onFault = pushFaults(deps)

  jobs.handle<{ push_id: number }>(
    RUN,
    {
      concurrency: CONCURRENCY,
      retries: 4,
      retryDelaySeconds: 5,
      outcomeOf: () => outcome('push_unexpected'),
      failed: (tx, { data }, why) => endFailed(tx, data.push_id, why),
      retried: async (tx, { data, task_id }) => {
        const push_id = await resume(tx, data.push_id)
        await tx.updateTable('push').set({ task_id }).where('id', '=', push_id).execute()
        return { push_id }
      },
    },
    run,
  )

  async function run(job: RunningJob<{ push_id: number }>): Promise<void> {
    const { push_id } = job.data
    for (let isFirst = true; ; isFirst = false) {
      job.signal.throwIfAborted()
      const active = isFirst ? await begin(job) : await again(push_id)
      if (active === 'gone') return
      if (active === 'behind') {
        await job.wait(async () => {}, BEHIND_SECONDS, outcome('push_waits_for_push_before'))
        return
      }
      let result: StepResult
      try {
        result = await runStep(job, active)
      } catch (error) {
        const fault = isDiskFull(error)
          ? new PlatformFault('later', outcome('push_disk_full'), { cause: error })
          : error
        if (job.signal.aborted || !(fault instanceof PlatformFault)) throw error
        const after = await onFault(job, active, fault)
        if (after === 'again') continue
        return
      }
      if (result === 'done') {
        await job.finish((tx) => endDone(tx, push_id), { push_id })
        return
      }
      if (result === 'next') continue
      const { wait, why, isPaused = false } = result
      await job.wait((tx) => setPush(tx, push_id, { status: isPaused ? 'paused' : 'running' }), wait, why)
      return
    }
  }

  /** Reads the push, and waits while another push of the child is open. */
  async function begin(job: RunningJob<{ push_id: number }>): Promise<ActivePush | 'gone' | 'behind'> {
    const found = await job.step(async (tx) => {
      const push = await tx.selectFrom('push').selectAll().where('id', '=', job.data.push_id).executeTakeFirst()
      if (!push || !OPEN_PUSH.some((open) => open === push.status)) return 'gone'
      const child = await lockChild(tx, push.child_id)
      if (!child || child.deleted_at !== null) {
        await setPush(tx, push.id, { status: 'failed', reason: outcome('child_deleted'), finished_at: now() })
        return 'gone'
      }
      if (push.status === 'waiting') {
        const before = await tx
          .selectFrom('push')
          .select('id')
          .where('child_id', '=', child.id)
          .where('status', 'in', ['running', 'paused'])
          .executeTakeFirst()
        if (before) return 'behind'
      }
      if (push.status !== 'running') await setPush(tx, push.id, { status: 'running' })
      return { push, child }
    })
    if (typeof found === 'string') return found
    return { ...found, ...(await connected(found.child)) }
  }

  /** Reads the push again between two steps. Each step checks that the job still holds it. */
  async function again(push_id: number): Promise<ActivePush | 'gone'> {
    const push = await db.selectFrom('push').selectAll().where('id', '=', push_id).executeTakeFirst()
    const child =
      push && (await db.selectFrom('audience').selectAll().where('id', '=', push.child_id).executeTakeFirst())
    if (!push || !child || child.deleted_at !== null || ENDED_BADLY.has(push.status)) return 'gone'
    return { push, child, ...(await connected(child)) }
  }

  const connected = async (child: Child) => ({
    since: now(),
    platform: deps.platformOf(child.cnt_type),
    session: await deps.session(child.account_id),
  })

  return { resume }
}

import type { Transaction } from 'kysely'
import { accountFullName } from '#contract/advertiser.ts'
import { now } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import type { RunningJob } from '../../jobs/kind.ts'
import { PlatformFault } from '../../platforms/audience-platform.ts'
import { customLog } from '../../postgres/custom-log.ts'
import type { Database } from '../../postgres/schema.ts'
import { isDiskFull } from '../../storage/disk-full.ts'
import type { PushNeeds } from './needs.ts'
import type { Planner } from './plan.ts'
import { newKey, type PushQueue, RUN } from './queue.ts'
import { type Child, linkOf, setPush } from './records.ts'
import { pushSteps } from './walk.ts'
import type { At, Outcome } from './walk-tools.ts'

/** Pushes at work at once, one per account: most of the time they wait for an answer. */
const CONCURRENCY = 24
/** Failures in a row after which a person is asked. */
const FAILURES_MAX = 30
const BACK_OFF_FIRST = 2
const BACK_OFF_MOST = 600
/** A push behind another of its child looks this often, would nobody wake it. */
const BEHIND_SECONDS = 600
/** What is paused looks for itself now and then, should nobody wake it. */
const PAUSE_SECONDS = 6 * 3600
const DISK_FULL = '本机磁盘空间不足，无法准备要推送的内容；请清理磁盘'

/** Brings one audience in step with its crowd, in a job that may be killed anywhere. */
export function pushJob(needs: PushNeeds, planner: Planner, queue: PushQueue) {
  const { db, jobs } = needs
  const walk = pushSteps(needs, planner)

  jobs.handle<{ push_id: number }>(
    RUN,
    {
      concurrency: CONCURRENCY,
      retries: 4,
      retryDelaySeconds: 5,
      reasonOf: () => '推送时出现意外错误，请重试；若仍然失败，请联系管理员查看服务日志',
      failed: (tx, { data }, reason) => endFailed(tx, data.push_id, reason),
      retried: async (tx, { data, task_id }) => {
        await begunAgain(tx, data.push_id)
        await tx.updateTable('push').set({ task_id }).where('id', '=', data.push_id).execute()
      },
    },
    run,
  )

  async function run(job: RunningJob<{ push_id: number }>): Promise<void> {
    const { push_id } = job.data
    for (let isFirst = true; ; isFirst = false) {
      job.signal.throwIfAborted()
      const at = isFirst ? await begin(job) : await again(push_id)
      if (at === 'gone') return
      if (at === 'behind') {
        await job.wait(async () => {}, BEHIND_SECONDS, '等待上一次推送完成')
        return
      }
      let outcome: Outcome
      try {
        outcome = await walk(job, at)
      } catch (error) {
        const fault = isDiskFull(error) ? new PlatformFault('later', DISK_FULL, { cause: error }) : error
        if (job.signal.aborted || !(fault instanceof PlatformFault)) throw error
        const after = await onFault(job, at, fault)
        if (after === 'again') continue
        return
      }
      if (outcome === 'done') {
        await job.finish((tx) => endDone(tx, push_id), { push_id })
        return
      }
      if (outcome === 'on') continue
      const { wait, stage, isPaused = false } = outcome
      await job.wait((tx) => setPush(tx, push_id, { status: isPaused ? 'paused' : 'running' }), wait, stage)
      return
    }
  }

  /** Reads where the push is, and takes its turn among the pushes of the child. */
  async function begin(job: RunningJob<{ push_id: number }>): Promise<At | 'gone' | 'behind'> {
    const found = await job.step(async (tx) => {
      const push = await tx.selectFrom('push').selectAll().where('id', '=', job.data.push_id).executeTakeFirst()
      if (!push || push.status === 'done' || push.status === 'failed') return 'gone'
      const child = await queue.lockChild(tx, push.child_id)
      if (!child || child.deleted_at !== null) {
        await setPush(tx, push.id, { status: 'failed', reason: '子人群已删除', finished_at: now() })
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

  /** The same between two steps: the turn is taken, and each step sees by itself that the job is still ours. */
  async function again(push_id: number): Promise<At | 'gone'> {
    const push = await db.selectFrom('push').selectAll().where('id', '=', push_id).executeTakeFirst()
    const child =
      push && (await db.selectFrom('audience').selectAll().where('id', '=', push.child_id).executeTakeFirst())
    if (!push || !child || child.deleted_at !== null || push.status === 'failed') return 'gone'
    return { push, child, ...(await connected(child)) }
  }

  const connected = async (child: Child) => ({
    platform: needs.platformOf(child.cnt_type),
    session: await needs.session(child.account_id),
  })

  /** What can be done about a platform's refusal or silence. */
  async function onFault(job: RunningJob<object>, at: At, fault: PlatformFault): Promise<'again' | 'over'> {
    const { push, child } = at
    if (fault.kind === 'unauthorised') {
      await job.wait(
        async (tx) => {
          const isNews = push.status !== 'paused'
          await setPush(tx, push.id, {
            status: 'paused',
            reason: `${fault.message.replace(/，请重新授权$/, '')}；重新授权后自动继续`,
          })
          if (isNews) await tell(tx, child, push.id, 'paused', fault.message)
        },
        PAUSE_SECONDS,
        '授权已失效，重新授权后自动继续',
      )
      return 'over'
    }
    if (fault.kind === 'later' || fault.kind === 'notYet') {
      const attempts = fault.kind === 'later' ? push.attempts + 1 : push.attempts
      if (attempts > FAILURES_MAX)
        throw new AppError('pushFailed', { reason: `${fault.message}（已重试 ${FAILURES_MAX} 次）` })
      const wait =
        fault.kind === 'notYet'
          ? Math.max(1, fault.retryAfter ?? 3600)
          : needs.pace *
            Math.max(
              fault.retryAfter ?? 0,
              Math.min(BACK_OFF_MOST, BACK_OFF_FIRST ** Math.min(attempts, 12)) * (0.75 + Math.random() / 2),
            )
      await job.wait(
        (tx) =>
          setPush(tx, push.id, {
            attempts,
            reason: fault.message,
            ...(fault.kind === 'notYet' ? { status: 'paused' } : {}),
          }),
        wait,
        `${fault.message}，稍后自动继续`,
      )
      return 'over'
    }
    if (fault.kind === 'gone' && (child.audience_id ?? child.source_id) !== null && !push.state.remade) {
      await remake(job, at)
      return 'again'
    }
    throw new AppError('pushFailed', { reason: fault.message })
  }

  /** The audience was deleted on the platform: everything is sent anew, to a new one. */
  async function remake(job: RunningJob<object>, at: At): Promise<void> {
    const { push, child } = at
    await job.step(async (tx) => {
      const { plan } = await tx
        .selectFrom('push')
        .select((eb) => eb.fn.coalesce(eb.fn.max('plan_id'), eb.val(0)).as('plan'))
        .where('child_id', '=', child.id)
        .executeTakeFirstOrThrow()
      await tx.deleteFrom('push_part').where('push_id', '=', push.id).execute()
      await setPush(tx, push.id, {
        step: 'plan',
        attempts: 0,
        sent: 0,
        accepted: null,
        state: { ...at.push.state, polls: 0, remade: true },
      })
      await tx
        .updateTable('audience')
        .set({
          void_plan: Number(plan),
          audience_id: null,
          source_id: null,
          key: newKey(),
          accepted: null,
          covered: null,
        })
        .where('id', '=', child.id)
        .execute()
    })
  }

  async function endDone(tx: Transaction<Database>, push_id: number): Promise<void> {
    const push = await tx.selectFrom('push').selectAll().where('id', '=', push_id).executeTakeFirstOrThrow()
    const child = await queue.lockChild(tx, push.child_id)
    if (!child) return
    const isNoChange = push.adds === 0 && push.removes === 0
    if (isNoChange && push.viewer_id === null) {
      // Crowds recompute often and seldom change: nobody asked for this one, and it did nothing.
      await tx.deleteFrom('push').where('id', '=', push_id).execute()
      if (push.task_id !== null) await tx.deleteFrom('task').where('id', '=', push.task_id).execute()
    } else {
      await setPush(tx, push_id, { status: 'done', reason: null, finished_at: now() })
      const changes = [
        ...(push.adds > 0 ? [`新增 ${push.adds.toLocaleString('en')}`] : []),
        ...(push.removes > 0 ? [`移除 ${push.removes.toLocaleString('en')}`] : []),
      ]
      const what = isNoChange ? '没有变化' : changes.join('，')
      if (child.custom_id !== null) {
        await customLog(tx, push.viewer_id === null ? null : { id: push.viewer_id }, {
          crowd_id: child.custom_id,
          child_id: child.id,
          op_type: 5,
          what: `已发布到「${await accountName(tx, child)}」：${what}`,
          version: push.version,
        })
      }
    }
    await tx.updateTable('audience').set({ pushed_version: push.version }).where('id', '=', child.id).execute()
    await queue.startNext(tx, child.id)
  }

  async function endFailed(tx: Transaction<Database>, push_id: number, reason: string): Promise<void> {
    const push = await tx.selectFrom('push').selectAll().where('id', '=', push_id).executeTakeFirst()
    if (!push || push.status === 'done') return
    const child = await queue.lockChild(tx, push.child_id)
    await setPush(tx, push_id, { status: 'failed', reason, finished_at: now() })
    if (!child || child.deleted_at !== null) return
    await tx
      .updateTable('audience')
      .set({
        reason,
        // What an earlier push made stays usable.
        status: child.audience_id === null || child.pushed_version === null ? 'failed' : 'available',
        next_look_at: child.audience_id === null ? null : now(),
      })
      .where('id', '=', child.id)
      .execute()
    await tell(tx, child, push_id, 'failed', reason)
    await queue.startNext(tx, child.id)
  }

  /** A person sends a failed push on its way again; it goes on where it stopped. */
  async function begunAgain(tx: Transaction<Database>, push_id: number): Promise<void> {
    const push = await tx.selectFrom('push').selectAll().where('id', '=', push_id).executeTakeFirst()
    const child = push ? await queue.lockChild(tx, push.child_id) : undefined
    if (!push || !child || child.deleted_at !== null) throw new AppError('notFound', { what: '推送记录' })
    if (push.status !== 'failed') return
    const newer = await tx
      .selectFrom('push')
      .select('id')
      .where('child_id', '=', child.id)
      .where('id', '!=', push_id)
      .where((eb) =>
        eb.or([
          eb('status', 'in', ['running', 'paused']),
          // Planned later, it knows what this one had sent, and has brought the rest.
          eb.and([eb('id', '>', push_id), eb('plan_id', 'is not', null)]),
        ]),
      )
      .executeTakeFirst()
    if (newer) throw new AppError('pushSuperseded')
    const lost = await tx
      .updateTable('push_part')
      .set((eb) => ({ status: 'waiting', receipt: null, is_applied: false, round: eb('round', '+', 1) }))
      .where('push_id', '=', push_id)
      .where('status', '=', 'failed')
      .returning('no')
      .execute()
    await setPush(tx, push_id, {
      status: 'running',
      attempts: 0,
      reason: null,
      finished_at: null,
      ...(lost.length > 0 ? { step: 'send' as const } : {}),
    })
    await tx.updateTable('audience').set({ status: 'computing', reason: null }).where('id', '=', child.id).execute()
  }

  const accountName = async (tx: Transaction<Database>, child: Child) =>
    (
      await tx
        .selectFrom('platform_account')
        .select('name')
        .where('id', '=', child.account_id)
        .executeTakeFirstOrThrow()
    ).name

  async function tell(
    tx: Transaction<Database>,
    child: Child,
    push_id: number,
    kind: 'failed' | 'paused',
    reason: string,
  ): Promise<void> {
    const account = await tx
      .selectFrom('platform_account')
      .select(['name', 'external_id', 'adv_id'])
      .where('id', '=', child.account_id)
      .executeTakeFirstOrThrow()
    await needs.notify(tx, {
      adv_id: account.adv_id,
      push_id,
      kind,
      crowd: child.name,
      account: accountFullName(account.name, account.external_id),
      reason,
      link: linkOf(child),
    })
  }

  return { begunAgain }
}

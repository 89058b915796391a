import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import { outcome } from '#contract/outcome.ts'
import { type ControlGroup, controlGroupOf } from '../../crowds/control-groups.ts'
import { AppError } from '../../errors.ts'
import { PlatformFault } from '../../platforms/audience-platform.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { accountObstacle, countProblems, findAccount, nameOnPlatform } from './check.ts'
import type { PushDeps } from './deps.ts'
import { forgettingOf, waitsForForgetting } from './forgotten.ts'
import type { Plan, Planner } from './plan.ts'
import { newPlanId } from './plan-id.ts'
import { planRemoval } from './plan-removal.ts'
import { json, setPush, sourceOf } from './records.ts'
import { findSource, isEmptied, type Source } from './source.ts'
import { type ActivePush, type Job, nextOf, pollAgain, refused, type StepResult } from './step-tools.ts'

/** Rows of one INSERT. */
const PARTS_AT_ONCE = 500

/** Writes down what the push has to add and remove. A plan that was cut short is dropped and written again. */
export const planStep =
  (deps: PushDeps, planner: Planner) =>
  async (job: Job, active: ActivePush): Promise<StepResult> => {
    const { db } = deps
    const { push, child, platform } = active
    if (push.forget_account_id !== null) return planRemoval(deps, job, active)
    const { kind, id } = sourceOf(child)
    const source = await findSource(db, kind, id)
    if (!source) throw new AppError('notFound', { what: '人群' })
    if (source.obstacle && !isEmptied(source)) throw refused([source.obstacle])
    const account = await findAccount(db, child.account_id)
    const obstacle = account ? accountObstacle(account, child.cnt_type) : outcome('account_gone')
    if (obstacle) throw new PlatformFault('unauthorised', obstacle)
    if (push.state.planning !== undefined) await planner.drop(child.id, push.state.planning)
    const forgetting = await forgettingOf(db, source.adv_id)
    if (forgetting.isRunning) return pollAgain(job, active, deps.pace, waitsForForgetting)
    job.task.progress(0.02, '计算要推送的变化')
    const plan_id = await newPlanId(job, active)
    const control = await controlGroupOf(db, source)
    const plan = await planner.write(
      source,
      child.types,
      platform,
      { child_id: child.id, plan_id, control },
      job.signal,
    )
    refuseUnsendable(active, source, plan)
    const saved = await job.step(async (tx): Promise<'saved' | 'forgetting' | 'regrouped'> => {
      // Somebody was forgotten while the plan was written, and may be in it: it is dropped and written again.
      if (!isDeepStrictEqual(await forgettingOf(tx, source.adv_id), forgetting)) return 'forgetting'
      // The same of a control group that was changed meanwhile.
      if (!(await markControlGroup(tx, source, control))) return 'regrouped'
      await savePlan(tx, active, source, plan, plan_id)
      await renameWithoutStep(tx, active, source)
      return 'saved'
    })
    return saved === 'forgetting' ? pollAgain(job, active, deps.pace, waitsForForgetting) : 'next'
  }

const changesOf = ({ parts }: Plan) => ({
  adds: sum(parts.filter((part) => part.op === 'add')),
  removes: sum(parts.filter((part) => part.op === 'remove')),
})

/** Refuses a plan that cannot be sent. Removals are sent though nothing can be added. */
function refuseUnsendable({ child, platform }: ActivePush, source: Source, plan: Plan): void {
  const problems = countProblems(plan.types, platform)
  const { adds, removes } = changesOf(plan)
  // The crowd is empty and so is its audience: there is nothing to do, which is no failure.
  const isAlreadyEmpty = isEmptied(source) && child.pushed_version !== null && removes === 0
  if (problems.length > 0 && (adds > 0 || removes === 0) && !isAlreadyEmpty) {
    throw refused(source.obstacle ? [source.obstacle] : problems)
  }
}

async function savePlan(
  tx: Transaction<Database>,
  active: ActivePush,
  source: Source,
  plan: Plan,
  plan_id: number,
): Promise<void> {
  const { push, child } = active
  for (let from = 0; from < plan.parts.length; from += PARTS_AT_ONCE) {
    const parts = plan.parts.slice(from, from + PARTS_AT_ONCE)
    await tx
      .insertInto('push_part')
      .values(parts.map((part) => ({ ...part, push_id: push.id, status: 'waiting' as const, samples: json([]) })))
      .execute()
  }
  const { planning: _, ...state } = push.state
  const isNoChange = plan.parts.length === 0
  await setPush(tx, push.id, {
    plan_id,
    version: source.version,
    ...changesOf(plan),
    total: plan.types.reduce((all, row) => all + row.total, 0),
    suppressed: plan.types.reduce((all, row) => all + row.suppressed, 0),
    no_consent: plan.types.reduce((all, row) => all + row.no_consent, 0),
    held_out: plan.types.reduce((all, row) => all + row.held_out, 0),
    not_sendable: plan.types.reduce((all, row) => all + row.not_sendable, 0),
    step: isNoChange && !willBeRenamed(active, source) ? 'settle' : nextOf(active),
    attempts: 0,
    state,
  })
  if (isNoChange) return
  await tx.updateTable('audience').set({ status: 'computing', reason: null }).where('id', '=', child.id).execute()
}

/**
 * Marks the crowd's control group as used by a plan, with the people whom the crowd had at its first one; whether it is
 * still the group that the plan was made with.
 */
async function markControlGroup(
  tx: Transaction<Database>,
  source: Source,
  planned: ControlGroup | null,
): Promise<boolean> {
  if (planned === null) return (await controlGroupOf(tx, source)) === null
  const first = { pushed_at: now(), members_version: source.members_version }
  const used = await tx
    .updateTable('control_group')
    .set((eb) => ({
      pushed_at: eb.fn.coalesce('pushed_at', eb.val(first.pushed_at)),
      members_version: eb.fn.coalesce('members_version', eb.val(first.members_version)),
    }))
    .where('id', '=', planned.id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return used.numUpdatedRows > 0n
}

/** The create step renames an audience that the platform has already. */
const willBeRenamed = ({ child, platform }: ActivePush, source: Source): boolean =>
  child.name !== source.name &&
  (child.audience_id !== null || child.source_id !== null) &&
  platform.rename !== undefined

/** Gives the crowd's new name to a child that no step will rename. */
async function renameWithoutStep(tx: Transaction<Database>, active: ActivePush, source: Source): Promise<void> {
  const { child, platform } = active
  if (child.name === source.name || willBeRenamed(active, source)) return
  // A platform without renaming finds an audience, whose creation was not answered, by the name it was created with.
  const platform_name = platform.rename
    ? await nameOnPlatform(tx, source, child.account_id, platform)
    : child.platform_name
  await tx.updateTable('audience').set({ name: source.name, platform_name }).where('id', '=', child.id).execute()
}

const sum = (parts: readonly { count: number }[]) => parts.reduce((all, part) => all + part.count, 0)

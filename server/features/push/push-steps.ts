import type { Transaction } from 'kysely'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import { AppError, OutcomeError } from '../../errors.ts'
import { audienceName, shorten } from '../../platforms/audience-name.ts'
import { type AudiencePlatform, type AudienceState, PlatformFault } from '../../platforms/audience-platform.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { timeText } from '../../time/day.ts'
import { writeLook } from '../audience/audience-state.ts'
import type { Child } from '../audience/child.ts'
import { accountObstacle, countProblems, findAccount, nameThere } from './check.ts'
import type { PushDeps } from './deps.ts'
import { pushParts } from './parts.ts'
import type { Planner } from './plan.ts'
import { json, type Push, setPush, sourceOf } from './records.ts'
import { findSource, isEmptied } from './source.ts'
import { type ActivePush, called, type Job, move, type Outcome, pollAgain, refOf } from './step-tools.ts'

type Step = Push['step']
type Write = (tx: Transaction<Database>) => Promise<void>

const ORDER = {
  'audience-first': ['plan', 'create', 'send', 'settle', 'publish', 'done'],
  'data-first': ['plan', 'send', 'create', 'apply', 'settle', 'publish', 'done'],
} as const satisfies Record<AudiencePlatform['order'], readonly Step[]>

/** Parts that one call of a data-first platform takes over. */
const PARTS_AT_ONCE = 100

/** The steps of a push. Each may be cut short at any moment and is then begun again. */
export function pushSteps(deps: PushDeps, planner: Planner) {
  const { db } = deps
  const parts = pushParts(deps)

  const nextOf = ({ push, platform }: ActivePush): Step => {
    const order: readonly Step[] = ORDER[platform.order]
    return order[order.indexOf(push.step) + 1] ?? 'done'
  }

  const steps = {
    async plan(job: Job, active: ActivePush): Promise<Outcome> {
      const { push, child, platform } = active
      const { kind, id } = sourceOf(child)
      const source = await findSource(db, kind, id)
      if (!source) throw new AppError('notFound', { what: '人群' })
      if (source.obstacle && !isEmptied(source)) throw refused([source.obstacle])
      const account = await findAccount(db, child.account_id)
      const obstacle = account ? accountObstacle(account, child.cnt_type) : outcome('account_gone')
      if (obstacle) throw new PlatformFault('unauthorised', obstacle)
      if (push.state.planning !== undefined) await planner.drop(child.id, push.state.planning)
      job.task.progress(0.02, '计算要推送的变化')
      const plan_id = await job.step(async (tx) => {
        const { id } = await tx
          .selectNoFrom((eb) => eb.fn<number>('nextval', [eb.val('push_plan')]).as('id'))
          .executeTakeFirstOrThrow()
        await setPush(tx, push.id, { state: { ...push.state, planning: Number(id) } })
        return Number(id)
      })
      const plan = await planner.write(source, child.types, platform, { child_id: child.id, plan_id }, job.signal)
      const problems = countProblems(plan.types, platform)
      const adds = sum(plan.parts.filter((part) => part.op === 'add'))
      const removes = sum(plan.parts.filter((part) => part.op === 'remove'))
      // Nothing new is sent when nobody is left; who must go, goes all the same. Where all are gone already, all is well.
      const isEmptyThere = isEmptied(source) && child.pushed_version !== null && removes === 0
      if (problems.length > 0 && (adds > 0 || removes === 0) && !isEmptyThere) {
        throw refused(source.obstacle ? [source.obstacle] : problems)
      }
      const { planning: _, ...state } = push.state
      const isNoChange = plan.parts.length === 0
      const isRenamed = child.name !== source.name
      const isMade = child.audience_id !== null || child.source_id !== null
      await job.step(async (tx) => {
        for (let from = 0; from < plan.parts.length; from += 500) {
          await tx
            .insertInto('push_part')
            .values(
              plan.parts
                .slice(from, from + 500)
                .map((part) => ({ ...part, push_id: push.id, status: 'waiting' as const, samples: json([]) })),
            )
            .execute()
        }
        await setPush(tx, push.id, {
          plan_id,
          version: source.version,
          adds,
          removes,
          total: plan.types.reduce((all, row) => all + row.total, 0),
          suppressed: plan.types.reduce((all, row) => all + row.suppressed, 0),
          no_consent: plan.types.reduce((all, row) => all + row.no_consent, 0),
          not_sendable: plan.types.reduce((all, row) => all + row.not_sendable, 0),
          step: isNoChange && !(isRenamed && isMade && platform.rename) ? 'settle' : nextOf(active),
          attempts: 0,
          state,
        })
        if (!isNoChange) {
          await tx
            .updateTable('audience')
            .set({ status: 'computing', reason: null })
            .where('id', '=', child.id)
            .execute()
        }
        if (!isRenamed || (isMade && platform.rename)) return
        // Where nothing is renamed, an audience whose making was not answered is found by the name it was made with.
        const platform_name = platform.rename
          ? await nameThere(tx, source, child.account_id, platform)
          : child.platform_name
        await tx.updateTable('audience').set({ name: source.name, platform_name }).where('id', '=', child.id).execute()
      })
      return 'on'
    },

    async create(job: Job, active: ActivePush): Promise<Outcome> {
      const { push, child, platform, session } = active
      const isThere = platform.order === 'data-first' ? child.source_id !== null : child.audience_id !== null
      if (isThere) {
        await rename(job, active)
        return move(job, active, nextOf(active))
      }
      job.task.progress(0.1, '在平台上新建人群')
      const sent = platform.order === 'data-first' ? await parts.of(push.id) : []
      if (await parts.dropStale(job, active, sent)) return 'on'
      const type = child.types[0]
      if (!type) throw refused([outcome('no_type_chosen')])
      const wanted = {
        key: child.key,
        name: child.platform_name,
        description: shorten(`人群「${child.name}」`, { max: platform.limits.description, unit: 'bytes' }),
        type,
        receipts: sent.map((part) => part.receipt ?? ''),
      }
      let name = wanted.name
      const ref = await called(job, active, async (on) => {
        try {
          return await platform.ensureAudience(session, wanted, on)
        } catch (error) {
          if (!(error instanceof PlatformFault) || error.kind !== 'nameTaken') throw error
          name = markedName(child.name, child, platform)
          if (name === wanted.name) throw error
          await job.step((tx) =>
            tx.updateTable('audience').set({ platform_name: name }).where('id', '=', child.id).execute(),
          )
          return platform.ensureAudience(session, { ...wanted, name }, on)
        }
      })
      return move(job, active, nextOf(active), async (tx) => {
        await tx
          .updateTable('audience')
          .set({ ...ref })
          .where('id', '=', child.id)
          .execute()
        await tx.updateTable('push_part').set({ is_applied: true }).where('push_id', '=', push.id).execute()
      })
    },

    async send(job: Job, active: ActivePush): Promise<Outcome> {
      const { push, platform } = active
      const all = await parts.of(push.id)
      for (const part of all) {
        if (part.status === 'done') continue
        if (part.status === 'sent' && platform.order === 'data-first') continue
        const done = all.filter((other) => other.status === 'done' || other.status === 'sent').length
        job.task.progress(0.15 + (0.6 * done) / all.length, `发送第 ${part.no} 个文件，共 ${all.length} 个`)
        if (part.status !== 'sent') await parts.send(job, active, part)
        if (platform.order === 'data-first') continue
        // One file at a time: the audience is busy with it.
        const told = await parts.look(job, active, part)
        if (told !== 'taken') return told === 'lost' ? 'on' : told
      }
      return move(job, active, nextOf(active))
    },

    async apply(job: Job, active: ActivePush): Promise<Outcome> {
      const { push, child, platform, session } = active
      const all = await parts.of(push.id)
      if (await parts.dropStale(job, active, all)) return 'on'
      job.task.progress(0.8, '更新平台上的人群')
      for (const op of ['remove', 'add'] as const) {
        const mine = all.filter((part) => part.op === op)
        for (let from = 0; from < mine.length; from += PARTS_AT_ONCE) {
          // What a file was refused for is told for all of the call's: they come again together, or not at all.
          const these = mine.slice(from, from + PARTS_AT_ONCE).filter((part) => !part.is_applied)
          if (these.length === 0) continue
          const rounds = these.map((part) => `${part.no}.${part.round}`)
          const key = `${child.key}_${push.plan_id}_${op}_${rounds[0]}_${rounds.length}`
          const receipts = these.map((part) => part.receipt ?? '')
          await called(job, active, (on) => platform.applyParts(session, refOf(active), { key, op, receipts }, on))
          await job.step((tx) =>
            tx
              .updateTable('push_part')
              .set({ is_applied: true })
              .where('push_id', '=', push.id)
              .where(
                'no',
                'in',
                these.map((part) => part.no),
              )
              .execute(),
          )
        }
      }
      return move(job, active, nextOf(active))
    },

    async settle(job: Job, active: ActivePush): Promise<Outcome> {
      const { push } = active
      job.task.progress(0.85, '平台计算中')
      for (const part of await parts.of(push.id)) {
        if (part.status === 'done') continue
        const told = await parts.look(job, active, part)
        if (told !== 'taken') return told === 'lost' ? 'on' : told
      }
      const { state, write } = await look(job, active)
      if (state.pending === 'publish' || state.pending === 'push') return move(job, active, nextOf(active), write)
      if (state.status === 'computing' || state.pending === 'data') {
        return pollAgain(job, active, deps.pace, '平台计算中', write)
      }
      return move(job, active, 'done', write)
    },

    async publish(job: Job, active: ActivePush): Promise<Outcome> {
      const { child, platform, session } = active
      job.task.progress(0.95, '发布中')
      const { state, write } = await look(job, active)
      if (state.pending === null && state.status !== 'computing') return move(job, active, 'done', write)
      if (state.pending !== 'publish' && state.pending !== 'push') {
        return pollAgain(job, active, deps.pace, '等待平台发布', write)
      }
      if ((state.not_before ?? 0) > now()) return notBefore(job, active, state.not_before ?? 0, write)
      await called(job, active, (on) => platform.advance(session, refOf(active), on))
      return pollAgain(job, active, deps.pace, '等待平台发布', async (tx) => {
        await write(tx)
        if (state.pending !== 'publish') return
        await tx.updateTable('audience').set({ published_at: now() }).where('id', '=', child.id).execute()
      })
    },
  }

  /** An audience follows the name of its crowd, where the platform renames any. */
  async function rename(job: Job, active: ActivePush): Promise<void> {
    const { child, platform, session } = active
    const { kind, id } = sourceOf(child)
    const source = platform.rename && (await findSource(db, kind, id))
    if (!source || source.name === child.name) return
    let name = await nameThere(db, source, child.account_id, platform)
    await called(job, active, async (on) => {
      try {
        if (name !== child.platform_name) await platform.rename?.(session, refOf(active), name, on)
      } catch (error) {
        if (!(error instanceof PlatformFault) || error.kind !== 'nameTaken') throw error
        name = markedName(source.name, child, platform)
        await platform.rename?.(session, refOf(active), name, on)
      }
    })
    await job.step((tx) =>
      tx.updateTable('audience').set({ name: source.name, platform_name: name }).where('id', '=', child.id).execute(),
    )
  }

  /**
   * Once-a-day publishing: all is there, and goes out by itself when the platform takes it. A change that came meanwhile
   * need not wait for that: its push brings its own, and publishes both.
   */
  async function notBefore(job: Job, active: ActivePush, time: number, write: Write): Promise<Outcome> {
    const behind = await db
      .selectFrom('push')
      .select('id')
      .where('child_id', '=', active.child.id)
      .where('status', '=', 'waiting')
      .executeTakeFirst()
    if (behind) return move(job, active, 'done', write)
    const reason = outcome('push_waits_to_publish', { at: time, when: timeText(time, deps.timezone) })
    await job.step(async (tx) => {
      await write(tx)
      await setPush(tx, active.push.id, { reason, attempts: 0, state: active.push.state })
    })
    return { wait: Math.max(1, time - now() + 1), stage: sentenceOf(reason), isPaused: true }
  }

  /** Looks at the audience; what the platform says of it is written down by the step that follows. */
  async function look(job: Job, active: ActivePush): Promise<{ state: AudienceState; write: Write }> {
    const { ref, state } = await called(job, active, (on) => active.platform.look(active.session, refOf(active), on))
    Object.assign(active.child, ref)
    const write: Write = async (tx) => {
      const { accepted } = await writeLook(tx, active.child.id, ref, state, deps.pace)
      await setPush(tx, active.push.id, { accepted })
    }
    if (state.status !== 'failed') return { state, write }
    await job.step(write)
    throw new PlatformFault('refused', state.reason ?? outcome('platform_compute_failed', { code: null }))
  }

  return async function walk(job: Job, active: ActivePush): Promise<Outcome> {
    if (active.push.step === 'done') return 'done'
    return steps[active.push.step](job, active)
  }
}

const refused = (problems: AnyOutcome[]) => new OutcomeError(outcome('push_refused', { problems }))

/** Another one of the account has the name, made by somebody else. */
const markedName = (name: string, { key }: Pick<Child, 'key'>, { limits }: AudiencePlatform) =>
  audienceName(name, key.slice(-6), limits.name, true)

const sum = (parts: readonly { count: number }[]) => parts.reduce((all, part) => all + part.count, 0)

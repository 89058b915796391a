import { now } from '../../clock.ts'
import { timeText } from '../../day.ts'
import { AppError } from '../../errors.ts'
import type { RunningJob } from '../../jobs/worker.ts'
import { audienceName, shorten } from '../../platforms/audience-name.ts'
import {
  type AccountSession,
  type AudiencePlatform,
  type AudienceState,
  type CallSample,
  PlatformFault,
  type StepHooks,
} from '../../platforms/audience-platform.ts'
import type { PushState } from '../../postgres/schema-custom.ts'
import { accountObstacle, countProblems, findAccount } from './check.ts'
import type { PushNeeds } from './needs.ts'
import { partValues } from './part-values.ts'
import type { Planner } from './plan.ts'
import { type Child, json, type Part, type Push, setPush, sourceOf, withSamples } from './records.ts'
import { findSource } from './source.ts'
import { recount, writeLook } from './told.ts'

/** What a step came to: go on with the next one, or wait. */
export type Outcome = 'on' | 'done' | { wait: number; stage: string; isPaused?: boolean }
type Step = Push['step']

const ORDER = {
  'audience-first': ['plan', 'create', 'send', 'settle', 'publish', 'done'],
  'data-first': ['plan', 'send', 'create', 'apply', 'settle', 'publish', 'done'],
} as const satisfies Record<AudiencePlatform['order'], readonly Step[]>

/** A file that the platform could not read is sent so often. */
const ROUNDS_MAX = 3
/** Parts that one call of a data-first platform takes over. */
const PARTS_AT_ONCE = 100
/** Uploaded files that nobody took over are forgotten there after 14 days. */
const RECEIPT_SECONDS = 13 * 86_400
const POLL_FIRST = 3
const POLL_MOST = 300

export interface At {
  push: Push
  child: Child
  platform: AudiencePlatform
  session: AccountSession
}

/** The steps of a push. Each may be cut short at any moment and is then begun again. */
export function pushSteps(needs: PushNeeds, planner: Planner) {
  const { db, engine, personKey } = needs

  const nextOf = ({ push, platform }: At): Step => {
    const order: readonly Step[] = ORDER[platform.order]
    return order[order.indexOf(push.step) + 1] ?? 'done'
  }
  const partsOf = (push_id: number): Promise<Part[]> =>
    db.selectFrom('push_part').selectAll().where('push_id', '=', push_id).orderBy('no').execute()
  const refOf = ({ child }: At) => ({ audience_id: child.audience_id, source_id: child.source_id })
  const partKey = ({ child, push }: At, part: Part) => `${child.key}_${push.plan_id}_${part.no}_${part.round}`

  /** Moves on to another step; a success forgets the failures before it. */
  async function move(job: RunningJob<object>, { push }: At, step: Step, state: PushState = push.state) {
    await job.step((tx) => setPush(tx, push.id, { step, attempts: 0, reason: null, state: { ...state, polls: 0 } }))
  }

  /** Collects the samples of calls that are no part's, and keeps them whatever comes of the calls. */
  async function called<T>(job: RunningJob<object>, at: At, work: (on: StepHooks) => Promise<T>): Promise<T> {
    const made: CallSample[] = []
    try {
      return await work({ signal: job.signal, sample: (sample) => made.push(sample) })
    } finally {
      if (made.length > 0 && !job.signal.aborted) {
        const samples = withSamples(at.push.state.samples ?? [], made)
        at.push = { ...at.push, state: { ...at.push.state, samples } }
        await job.step((tx) => setPush(tx, at.push.id, { state: at.push.state }))
      }
    }
  }

  /** Nothing to do before the platform has: each look is later than the one before, and holds no worker meanwhile. */
  async function pollAgain(job: RunningJob<object>, at: At, stage: string): Promise<Exclude<Outcome, string>> {
    const polls = (at.push.state.polls ?? 0) + 1
    const state = { ...at.push.state, polls }
    await job.step((tx) => setPush(tx, at.push.id, { state, attempts: 0, reason: null }))
    return { wait: Math.min(POLL_MOST, POLL_FIRST * 1.5 ** (polls - 1)) * needs.pace, stage }
  }

  const steps = {
    async plan(job: RunningJob<object>, at: At): Promise<Outcome> {
      const { push, child, platform } = at
      const { kind, id } = sourceOf(child)
      const source = await findSource(db, kind, id)
      if (!source) throw new AppError('notFound', { what: '人群' })
      if (source.obstacle) throw new AppError('pushRefused', { reason: source.obstacle })
      const account = await findAccount(db, child.account_id)
      const obstacle = account ? accountObstacle(account, child.cnt_type) : '平台账户不存在'
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
      // Nothing new is sent when nobody is left; who must go, goes all the same.
      if (problems.length > 0 && (adds > 0 || removes === 0)) {
        throw new AppError('pushRefused', { reason: problems.join('；') })
      }
      const { planning: _, ...state } = push.state
      const isNoChange = plan.parts.length === 0
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
          step: isNoChange ? 'settle' : nextOf(at),
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
      })
      return 'on'
    },

    async create(job: RunningJob<object>, at: At): Promise<Outcome> {
      const { push, child, platform, session } = at
      const isThere = platform.order === 'data-first' ? child.source_id !== null : child.audience_id !== null
      if (isThere) {
        await move(job, at, nextOf(at))
        return 'on'
      }
      job.task.progress(0.1, '在平台上新建人群')
      const parts = platform.order === 'data-first' ? await partsOf(push.id) : []
      if (await staleReceipts(job, at, parts)) return 'on'
      const type = child.types[0]
      if (!type) throw new AppError('pushRefused', { reason: '没有选择标识类型' })
      const wanted = {
        key: child.key,
        name: child.platform_name,
        description: shorten(`人群「${child.name}」`, { max: platform.limits.description, unit: 'bytes' }),
        type,
        receipts: parts.map((part) => part.receipt ?? ''),
      }
      let name = wanted.name
      const ref = await called(job, at, async (on) => {
        try {
          return await platform.ensureAudience(session, wanted, on)
        } catch (error) {
          if (!(error instanceof PlatformFault) || error.kind !== 'nameTaken') throw error
          // Another one of the account has the name, made by somebody else.
          name = audienceName(child.name, child.key.slice(-6), platform.limits.name, true)
          if (name === wanted.name) throw error
          await job.step((tx) =>
            tx.updateTable('audience').set({ platform_name: name }).where('id', '=', child.id).execute(),
          )
          return platform.ensureAudience(session, { ...wanted, name }, on)
        }
      })
      await job.step(async (tx) => {
        await tx
          .updateTable('audience')
          .set({ ...ref })
          .where('id', '=', child.id)
          .execute()
        await tx.updateTable('push_part').set({ is_applied: true }).where('push_id', '=', push.id).execute()
        await setPush(tx, push.id, {
          step: nextOf(at),
          attempts: 0,
          reason: null,
          state: { ...at.push.state, polls: 0 },
        })
      })
      return 'on'
    },

    async send(job: RunningJob<object>, at: At): Promise<Outcome> {
      const { push, child, platform, session } = at
      const parts = await partsOf(push.id)
      for (const part of parts) {
        if (part.status === 'done') continue
        if (part.status === 'sent' && platform.order === 'data-first') continue
        const done = parts.filter((other) => other.status === 'done' || other.status === 'sent').length
        job.task.progress(0.15 + (0.6 * done) / parts.length, `发送第 ${part.no} 个文件，共 ${parts.length} 个`)
        if (part.status !== 'sent') {
          await job.step((tx) =>
            tx
              .updateTable('push_part')
              .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
              .where('push_id', '=', push.id)
              .where('no', '=', part.no)
              .execute(),
          )
          const key = { child_id: child.id, plan_id: push.plan_id ?? 0, no: part.no, type: part.type }
          const receipt = await ofPart(job, part, (on) =>
            platform.sendPart(
              session,
              refOf(at),
              part.type,
              {
                key: partKey(at, part),
                op: part.op,
                count: part.count,
                values: () => partValues(engine, personKey, key),
              },
              on,
            ),
          )
          await job.step(async (tx) => {
            await tx
              .updateTable('push_part')
              .set({
                status: 'sent',
                receipt,
                reason: null,
                sent_at: now(),
                is_applied: platform.order === 'audience-first',
                samples: json(part.samples),
              })
              .where('push_id', '=', push.id)
              .where('no', '=', part.no)
              .execute()
            await recount(tx, push.id)
            await setPush(tx, push.id, { attempts: 0, reason: null, state: { ...at.push.state, polls: 0 } })
          })
          at.push.state = { ...at.push.state, polls: 0 }
          part.receipt = receipt
          part.status = 'sent'
        }
        if (platform.order === 'data-first') continue
        // One file at a time: the audience is busy with it.
        const told = await lookAtPart(job, at, part)
        if (told !== 'taken') return told === 'lost' ? 'on' : told
      }
      await move(job, at, nextOf(at))
      return 'on'
    },

    async apply(job: RunningJob<object>, at: At): Promise<Outcome> {
      const { push, child, platform, session } = at
      const parts = await partsOf(push.id)
      if (await staleReceipts(job, at, parts)) return 'on'
      job.task.progress(0.8, '更新平台上的人群')
      for (const op of ['remove', 'add'] as const) {
        const mine = parts.filter((part) => part.op === op)
        for (let from = 0; from < mine.length; from += PARTS_AT_ONCE) {
          // What a file was refused for is told for all of the call's: they come again together, or not at all.
          const these = mine.slice(from, from + PARTS_AT_ONCE).filter((part) => !part.is_applied)
          if (these.length === 0) continue
          const rounds = these.map((part) => `${part.no}.${part.round}`)
          const key = `${child.key}_${push.plan_id}_${op}_${rounds[0]}_${rounds.length}`
          const receipts = these.map((part) => part.receipt ?? '')
          await called(job, at, (on) => platform.applyParts(session, refOf(at), { key, op, receipts }, on))
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
      await move(job, at, nextOf(at))
      return 'on'
    },

    async settle(job: RunningJob<object>, at: At): Promise<Outcome> {
      const { push, platform } = at
      job.task.progress(0.85, '平台计算中')
      for (const part of await partsOf(push.id)) {
        if (part.status === 'done') continue
        const told = await lookAtPart(job, at, part)
        if (told !== 'taken') return told === 'lost' ? 'on' : told
      }
      const state = await lookAt(job, at)
      if (state.status === 'failed') throw new PlatformFault('refused', state.reason ?? '平台计算失败')
      if (state.pending === 'publish' || state.pending === 'push') {
        await move(job, at, nextOf(at))
        return 'on'
      }
      if (state.status === 'computing' || state.pending === 'data') return pollAgain(job, at, '平台计算中')
      await move(job, at, platform.order === 'data-first' ? 'publish' : 'done')
      return 'on'
    },

    async publish(job: RunningJob<object>, at: At): Promise<Outcome> {
      const { push, child, platform, session } = at
      job.task.progress(0.95, '发布中')
      const state = await lookAt(job, at)
      if (state.status === 'failed') throw new PlatformFault('refused', state.reason ?? '平台计算失败')
      if (state.pending === null && state.status !== 'computing') {
        await move(job, at, 'done')
        return 'on'
      }
      if (state.pending !== 'publish' && state.pending !== 'push') return pollAgain(job, at, '等待平台发布')
      const wait = (state.not_before ?? 0) - now()
      if (wait > 0) return notBefore(job, at, state.not_before ?? 0)
      await called(job, at, (on) => platform.advance(session, refOf(at), on))
      await job.step(async (tx) => {
        if (state.pending === 'publish') {
          await tx.updateTable('audience').set({ published_at: now() }).where('id', '=', child.id).execute()
        }
        await setPush(tx, push.id, { attempts: 0, reason: null })
      })
      return pollAgain(job, at, '等待平台发布')
    },
  }

  /**
   * Once-a-day publishing: all is there, and goes out by itself when the platform takes it. A change that came meanwhile
   * need not wait for that: its push brings its own, and publishes both.
   */
  async function notBefore(job: RunningJob<object>, at: At, time: number): Promise<Outcome> {
    const behind = await db
      .selectFrom('push')
      .select('id')
      .where('child_id', '=', at.child.id)
      .where('status', '=', 'waiting')
      .executeTakeFirst()
    if (behind) {
      await move(job, at, 'done')
      return 'on'
    }
    const reason = `平台对发布次数有限制，将于 ${timeText(time, needs.timezone)} 自动发布`
    await job.step((tx) => setPush(tx, at.push.id, { reason, attempts: 0 }))
    return { wait: Math.max(1, time - now() + 1), stage: reason, isPaused: true }
  }

  /** Runs a call for a part and keeps its samples, also when it fails. */
  async function ofPart<T>(job: RunningJob<object>, part: Part, work: (on: StepHooks) => Promise<T>): Promise<T> {
    const made: CallSample[] = []
    try {
      return await work({ signal: job.signal, sample: (sample) => made.push(sample) })
    } finally {
      part.samples = withSamples(part.samples, made)
      if (made.length > 0 && !job.signal.aborted) {
        await job.step((tx) =>
          tx
            .updateTable('push_part')
            .set({ samples: json(part.samples) })
            .where('push_id', '=', part.push_id)
            .where('no', '=', part.no)
            .execute(),
        )
      }
    }
  }

  /** Asks how a sent part fares and writes it down. One that is lost is to be sent again. */
  async function lookAtPart(
    job: RunningJob<object>,
    at: At,
    part: Part,
  ): Promise<'taken' | 'lost' | Exclude<Outcome, string>> {
    const { push, platform, session } = at
    const told = await ofPart(job, part, (on) => platform.partState(session, refOf(at), part.receipt ?? '', on))
    if (told.state === 'waiting') return pollAgain(job, at, `平台处理第 ${part.no} 个文件`)
    const isLost = told.state === 'failed'
    if (isLost && part.round + 1 >= ROUNDS_MAX) {
      await setPart(job, part, { status: 'failed', reason: told.reason })
      throw new PlatformFault('refused', `第 ${part.no} 个文件未被平台接收：${told.reason ?? '平台没有说明原因'}`)
    }
    await job.step(async (tx) => {
      await tx
        .updateTable('push_part')
        .set(
          isLost
            ? { status: 'waiting', round: part.round + 1, receipt: null, is_applied: false, reason: told.reason }
            : { status: 'done', accepted: told.accepted, reason: told.reason },
        )
        .where('push_id', '=', push.id)
        .where('no', '=', part.no)
        .execute()
      await recount(tx, push.id)
      await setPush(tx, push.id, {
        attempts: 0,
        ...(isLost ? { step: 'send' as const } : {}),
        state: { ...at.push.state, polls: 0 },
      })
    })
    at.push.state = { ...at.push.state, polls: 0 }
    return isLost ? 'lost' : 'taken'
  }

  async function setPart(job: RunningJob<object>, part: Part, values: Partial<Pick<Part, 'status' | 'reason'>>) {
    await job.step((tx) =>
      tx.updateTable('push_part').set(values).where('push_id', '=', part.push_id).where('no', '=', part.no).execute(),
    )
  }

  /** A push that was paused for long: its uploaded files are gone from the platform before anything was made of them. */
  async function staleReceipts(job: RunningJob<object>, at: At, parts: readonly Part[]): Promise<boolean> {
    const stale = parts.filter((part) => !part.is_applied && (part.sent_at ?? 0) < now() - RECEIPT_SECONDS)
    if (at.platform.order === 'audience-first' || stale.length === 0) return false
    await job.step(async (tx) => {
      await tx
        .updateTable('push_part')
        .set((eb) => ({ status: 'waiting', receipt: null, round: eb('round', '+', 1) }))
        .where('push_id', '=', at.push.id)
        .where(
          'no',
          'in',
          stale.map((part) => part.no),
        )
        .execute()
      await setPush(tx, at.push.id, { step: 'send' })
    })
    return true
  }

  /** Looks at the audience and writes down what the platform says of it. */
  async function lookAt(job: RunningJob<object>, at: At): Promise<AudienceState> {
    const { ref, state } = await called(job, at, (on) => at.platform.look(at.session, refOf(at), on))
    await job.step((tx) => writeLook(tx, at.child.id, ref, state, needs.pace))
    Object.assign(at.child, ref)
    return state
  }

  return async function walk(job: RunningJob<object>, at: At): Promise<Outcome> {
    if (at.push.step === 'done') return 'done'
    return steps[at.push.step](job, at)
  }
}

const sum = (parts: readonly { count: number }[]) => parts.reduce((all, part) => all + part.count, 0)

import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { z } from 'zod'
import type { CntType } from '#contract/audience.ts'
import { IDENTIFIERS, type IdentifierType } from '#contract/identifier.ts'
import { outcome, sentenceOf } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type {
  checkPush as CheckCall,
  PushCheck,
  startPushes as StartAllCall,
  startPush as StartCall,
  StartedPush,
} from '#contract/push.ts'
import { OPEN_PUSH } from '#contract/push-status.ts'
import { customLog } from '../../crowds/custom-log.ts'
import { CROWDS, type CrowdKind } from '../../crowds/kinds.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { audit } from '../../postgres/audit.ts'
import type { Database } from '../../postgres/schema.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'
import { type Child, lockChild } from '../audience/child.ts'
import { usedChildren } from '../audience/quota.ts'
import { type Account, checkPush, childOf, findAccount, nameOnPlatform, quotaProblem } from './check.ts'
import type { PushDeps } from './deps.ts'
import { exclusionsChanged } from './exclusion-changes.ts'
import { childGone } from './forgotten.ts'
import type { Planner } from './plan.ts'
import { newKey, type PushQueue } from './queue.ts'
import { json, setPush } from './records.ts'
import { mustFindSource, type Source } from './source.ts'

const FORGET = 'push.forget'
/** Accounts of one call that are checked at once; each asks its platform. */
const AT_ONCE = 4

const refused = (problem_outcomes: readonly AnyOutcome[]) =>
  new AppError(
    'pushRefused',
    { reason: outcome('push_refused', { problems: [...problem_outcomes] }) },
    { problems: problem_outcomes.map(sentenceOf), problem_outcomes },
  )

type StartRequest = Pick<z.output<typeof StartCall.body>, 'id' | 'kind' | 'advertiser_id' | 'types'> & {
  cnt_type: CntType
  keeps_step?: boolean | undefined
}
interface Checked {
  source: Source
  account: Account
  types: IdentifierType[]
}

/** Starts pushes that a person asks for, and those of crowds that have a new version. */
export function pushStarting(deps: PushDeps, planner: Planner, queue: PushQueue) {
  const { db, jobs, platformOf, session, timezone } = deps
  jobs.handle<{ child_id: number }>(FORGET, { concurrency: 1 }, ({ data }) => planner.drop(data.child_id))

  async function mustFindAccount(
    viewer: Viewer,
    source: Source,
    account_id: number,
    cnt_type: CntType,
  ): Promise<Account> {
    const account = await findAccount(db, account_id)
    if (!account || account.adv_id !== source.adv_id || !viewer.isMember(account.adv_id)) {
      throw new AppError('notFound', { what: '平台账户' })
    }
    if (account.platform !== cnt_type) {
      throw new AppError('badInput', { reason: outcome('account_not_of_chosen_platform', { account: account.name }) })
    }
    return account
  }

  /** An uploaded crowd has one type; those of a rule crowd are chosen. */
  function typesOf(source: Source, chosen: readonly IdentifierType[]): IdentifierType[] {
    if (source.type !== null) return [source.type]
    const types = (Object.keys(IDENTIFIERS) as IdentifierType[]).filter((type) => chosen.includes(type))
    if (types.length === 0) throw new AppError('badInput', { reason: outcome('choose_types') })
    return types
  }

  /** Stores the child and its push, after everything was checked. */
  async function enqueue(tx: Transaction<Database>, viewer: Viewer, given: StartRequest, checked: Checked) {
    const { source, account, types } = checked
    await lockForStart(tx, given)
    const still = await mustFindSource(tx, viewer, given.kind, given.id)
    const { child_id, keeps_step, hasSameTypes } = await saveChild(tx, viewer, given, checked, still)
    const child = await lockChild(tx, child_id)
    if (!child) throw new AppError('notFound', { what: '子人群' })
    const covering = hasSameTypes ? await coveringPush(tx, child, still) : undefined
    if (covering) {
      // A push that a person asked for is recorded even where it does nothing.
      if (covering.viewer_id === null) await setPush(tx, covering.id, { viewer_id: viewer.id })
      if (covering.status === 'paused') await queue.wake(tx, { ...covering, viewer_id: viewer.id }, child)
      return { push_id: covering.id, child_id, task_id: await taskOf(tx, covering.id) }
    }
    const push_id = await queue.enqueue(tx, child, still.version, viewer.id)
    const { kind, id } = source
    if (kind === 'custom') {
      const what = `提交推送到「${account.name}」`
      await customLog(tx, viewer, { crowd_id: id, child_id, op_type: 4, what, version: still.version })
    }
    const { cnt_type, advertiser_id: account_id } = given
    await audit(tx, viewer, 'push.start', { push_id, child_id, kind, id, account_id, cnt_type, types, keeps_step })
    return { push_id, child_id, task_id: await taskOf(tx, push_id) }
  }

  /** The crowd's child on the account, created or with the wanted types. */
  async function saveChild(
    tx: Transaction<Database>,
    viewer: Viewer,
    given: StartRequest,
    { source, account, types }: Checked,
    still: Source,
  ): Promise<{ child_id: number; keeps_step: boolean; hasSameTypes: boolean }> {
    const { cnt_type, advertiser_id: account_id } = given
    const known = await childOf(tx, source, account_id)
    const keeps_step = given.keeps_step ?? known?.keeps_step ?? false
    if (known) {
      await tx
        .updateTable('audience')
        .set({ types: json(types), keeps_step })
        .where('id', '=', known.id)
        .execute()
      return {
        child_id: known.id,
        keeps_step,
        hasSameTypes: isDeepStrictEqual([...known.types].sort(), [...types].sort()),
      }
    }
    const platform = platformOf(cnt_type)
    const problem = quotaProblem(account, platform, await usedChildren(tx, account_id, cnt_type))
    if (problem) throw refused([problem])
    const { id } = await tx
      .insertInto('audience')
      .values({
        custom_id: source.kind === 'custom' ? source.id : null,
        people_id: source.kind === 'rule' ? source.id : null,
        account_id,
        cnt_type,
        types: json(types),
        name: still.name,
        platform_name: await nameOnPlatform(tx, still, account_id, platform),
        key: newKey(),
        status: 'computing',
        keeps_step,
        creator_id: viewer.id,
        created_at: now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { child_id: id, keeps_step, hasSameTypes: false }
  }

  async function start(
    viewer: Viewer,
    given: StartRequest,
    signal?: AbortSignal,
  ): Promise<{ push_id: number; child_id: number; task_id: number | null }> {
    const { cnt_type, advertiser_id: account_id } = given
    const source = await mustFindSource(db, viewer, given.kind, given.id)
    const account = await mustFindAccount(viewer, source, account_id, cnt_type)
    const platform = platformOf(cnt_type)
    const before = await childOf(db, source, account_id)
    const types = typesOf(source, given.types.length > 0 ? given.types : (before?.types ?? []))
    // Outside of the transaction, since it asks the platform and counts the crowd.
    const { ok, problem_outcomes } = await checkPush(
      { db, planner, session, timezone },
      { source, types, account, platform },
      signal,
    )
    if (!ok) throw refused(problem_outcomes)
    return transaction(db, (tx) => enqueue(tx, viewer, given, { source, account, types }))
  }

  return {
    async start(viewer: Viewer, given: StartRequest, signal?: AbortSignal) {
      const { push_id, child_id } = await start(viewer, given, signal)
      return { push_id, child_id }
    },

    /** Starts a push to each account. One that is refused has its reason, and does not keep the others from starting. */
    async startAll(
      viewer: Viewer,
      { source, accounts, keeps_step }: z.output<typeof StartAllCall.body>,
      signal?: AbortSignal,
    ): Promise<{ list: StartedPush[] }> {
      const { kind, id } = source
      const types = source.kind === 'rule' ? source.types : []
      await mustFindSource(db, viewer, kind, id)
      const list = await inTurns(accounts, AT_ONCE, async ({ cnt_type, account_id }): Promise<StartedPush> => {
        const to = { cnt_type, account_id }
        try {
          const begun = await start(
            viewer,
            { kind, id, types, cnt_type, advertiser_id: account_id, keeps_step },
            signal,
          )
          return { ...to, ...begun, problem: null, problem_outcome: null }
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          return {
            ...to,
            push_id: null,
            child_id: null,
            task_id: null,
            problem: error.message,
            problem_outcome: error.outcome,
          }
        }
      })
      return { list }
    },

    async check(viewer: Viewer, given: z.output<typeof CheckCall.body>, signal?: AbortSignal): Promise<PushCheck> {
      const { source: of, cnt_type, account_id } = given
      const source = await mustFindSource(db, viewer, of.kind, of.id)
      const account = await mustFindAccount(viewer, source, account_id, cnt_type)
      const types = typesOf(source, of.kind === 'rule' ? of.types : [])
      return checkPush(
        { db, planner, session, timezone },
        { source, types, account, platform: platformOf(cnt_type) },
        signal,
      )
    },

    /**
     * Pushes a crowd's new version to its audiences: of an uploaded crowd to all of them, of a rule crowd to those that
     * are kept in step.
     */
    async onVersion(
      tx: Transaction<Database>,
      { kind, id: crowd_id, version }: { kind: CrowdKind; id: number; version: number },
    ): Promise<void> {
      const children = await tx
        .selectFrom('audience')
        .select('id')
        .where(kind === 'custom' ? 'custom_id' : 'people_id', '=', crowd_id)
        .where('deleted_at', 'is', null)
        .$if(kind === 'rule', (query) => query.where('keeps_step', '=', true))
        .orderBy('id')
        .execute()
      for (const { id } of children) {
        const child = await lockChild(tx, id)
        if (!child || child.deleted_at !== null || child.pushed_version === version) continue
        await queue.enqueue(tx, child, version, null)
      }
    },

    /** Ends the pushes of a child that is removed, and deletes the values planned for it. */
    async onChildRemoved(tx: Transaction<Database>, child_id: number): Promise<void> {
      const ended = await tx
        .updateTable('push')
        .set({ status: 'failed', reason: outcome('child_deleted'), finished_at: now() })
        .where('child_id', '=', child_id)
        .where('status', 'in', OPEN_PUSH)
        .returning('task_id')
        .execute()
      await childGone(tx, child_id)
      // A paused push has a job that may sleep for a day.
      for (const { task_id } of ended) if (task_id !== null) await jobs.cancel(tx, task_id)
      await jobs.send(tx, FORGET, { child_id })
    },

    /** Resumes the pushes that waited for this account's authorisation. */
    async onAuthorised(tx: Transaction<Database>, account_id: number): Promise<void> {
      const paused = await tx
        .selectFrom('push')
        .innerJoin('audience', 'audience.id', 'push.child_id')
        .select(['push.id', 'push.child_id', 'push.viewer_id', 'push.task_id'])
        .where('audience.account_id', '=', account_id)
        .where('audience.deleted_at', 'is', null)
        .where('push.status', '=', 'paused')
        .orderBy('push.id')
        .execute()
      for (const push of paused) {
        const child = await lockChild(tx, push.child_id)
        if (child) await queue.wake(tx, push, child)
      }
      await tx
        .updateTable('audience')
        .set({ next_look_at: now() })
        .where('account_id', '=', account_id)
        .where('deleted_at', 'is', null)
        .where('audience_id', 'is not', null)
        .execute()
    },
  }
}

async function lockForStart(tx: Transaction<Database>, { kind, id, advertiser_id }: StartRequest): Promise<void> {
  // So that of two pushes for the last place of the quota the second one sees the first.
  await tx.selectFrom('platform_account').select('id').where('id', '=', advertiser_id).forUpdate().execute()
  // So that the crowd is not deleted before the child is visible.
  await tx.selectFrom(CROWDS[kind].crowds).select('id').where('id', '=', id).forShare().execute()
}

/** Read before the transaction ends: a push that does nothing is deleted when it is done. */
async function taskOf(tx: Transaction<Database>, push_id: number): Promise<number | null> {
  const push = tx.selectFrom('push').select('task_id').where('id', '=', push_id)
  return (await push.executeTakeFirstOrThrow()).task_id
}

/**
 * An open push that brings all that a new one would bring: it pushes the same version, and whom pushes leave out has not
 * changed since it was started. So the same push asked for twice is one push.
 */
async function coveringPush(tx: Transaction<Database>, child: Child, { version }: Source) {
  const open = await tx
    .selectFrom('push')
    .selectAll()
    .where('child_id', '=', child.id)
    .where('status', 'in', ['running', 'paused'])
    .where('forget_account_id', 'is', null)
    .where('version', '=', version)
    .executeTakeFirst()
  if (!open) return undefined
  return (await exclusionsChanged(tx, open.created_at)) ? undefined : open
}

/** Does the work for each, a few at once, in the order given. */
async function inTurns<T, R>(list: readonly T[], atOnce: number, work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (let from = 0; from < list.length; from += atOnce) {
    done.push(...(await Promise.all(list.slice(from, from + atOnce).map(work))))
  }
  return done
}

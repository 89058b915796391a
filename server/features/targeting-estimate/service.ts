import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { PlatformCode } from '#contract/platform.ts'
import { sizeWords } from '#contract/size-words.ts'
import type { EstimateGoals } from '#contract/targeting/estimate-goals.ts'
import { needsGoals, readPackage } from '#contract/targeting/packages.ts'
import type { estimateReach, setEstimateGoals } from '#contract/targeting-estimate.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { PlatformFault } from '../../platforms/audience-platform.ts'
import type { ScopedSession } from '../../platforms/scoped-session.ts'
import type { TargetingDictionaries } from '../../platforms/targeting-platform.ts'
import { audit } from '../../postgres/audit.ts'
import { reachHash } from '../../postgres/reach-estimates.ts'
import type { Database } from '../../postgres/schema.ts'
import type { StoredTargeting } from '../../postgres/schema-targeting.ts'
import { transaction } from '../../postgres/transaction.ts'
import { now } from '../../time/clock.ts'

interface Deps {
  db: Kysely<Database>
  dictionariesOf(code: PlatformCode): TargetingDictionaries | null
  session: ScopedSession
}

/** Seconds for which an estimate serves again. */
const KEPT_S = 600
/** Seconds that a person waits. */
const WAIT_S = 15
const NO_GOALS: EstimateGoals = { LIVE: null, VIDEO: null }

/** How many people a targeting reaches, as its platform counts them. */
export function targetingEstimateService({ db, dictionariesOf, session }: Deps) {
  const find = (account_id: number) =>
    db
      .selectFrom('platform_account')
      .select(['id', 'adv_id', 'platform', 'estimate_goals', 'name', 'login_id'])
      .where('id', '=', account_id)
      .executeTakeFirst()
  type Account = NonNullable<Awaited<ReturnType<typeof find>>>

  async function mustFind(viewer: Viewer, account_id: number) {
    const account = await find(account_id)
    if (!account || !viewer.isMember(account.adv_id)) throw new AppError('notFound', { what: '平台账户' })
    return account
  }

  const kept = (account_id: number, hash: string) =>
    db
      .selectFrom('reach_estimate')
      .select(['count', 'at'])
      .where('account_id', '=', account_id)
      .where('hash', '=', hash)
      .where('at', '>', now() - KEPT_S)
      .executeTakeFirst()

  async function reachOf(account: Account, given: unknown, signal: AbortSignal) {
    const platform = account.platform as PlatformCode
    const { targeting, refusal } = readPackage(platform, given)
    if (refusal) throw new AppError('badInput', { reason: refusal })
    const reach = dictionariesOf(platform)?.reach
    if (!reach) return notAnswered(outcome('estimate_unsupported', { cause: null }))
    if (account.login_id === null) return notAnswered(outcome('account_without_login', { account: account.name }))
    const hash = reachHash(targeting, account.estimate_goals)
    const known = await kept(account.id, hash)
    if (known) return answered(known.count, known.at)
    const on = { signal: AbortSignal.any([signal, AbortSignal.timeout(WAIT_S * 1000)]), sample: () => undefined }
    try {
      const by = await orAborted(session(account.id, reach.scopes), on.signal)
      const count = await reach.of(by, targeting, account.estimate_goals, on)
      const row = { count, at: now() }
      await db
        .insertInto('reach_estimate')
        .values({ account_id: account.id, hash, ...row })
        .onConflict((oc) => oc.columns(['account_id', 'hash']).doUpdateSet(row))
        .execute()
      return answered(count, row.at)
    } catch (error) {
      if (error instanceof PlatformFault) return notAnswered(whyNone(error.outcome))
      if (on.signal.aborted && !signal.aborted) {
        return notAnswered(outcome('platform_no_answer_within', { seconds: WAIT_S }))
      }
      throw error
    }
  }

  return {
    /** `signal`: ends an estimate that nobody waits for any more. */
    reach: async (viewer: Viewer, asked: z.output<typeof estimateReach.body>, signal: AbortSignal) =>
      reachOf(await mustFind(viewer, asked.advertiser_id), asked.targeting, signal),

    /** The same for a saved package. */
    async ofSaved(account_id: number, targeting: StoredTargeting, signal: AbortSignal) {
      const account = await find(account_id)
      return account ? reachOf(account, targeting, signal) : null
    },

    goals: async (viewer: Viewer, account_id: number) =>
      (await mustFind(viewer, account_id)).estimate_goals ?? NO_GOALS,

    async setGoals(viewer: Viewer, { advertiser_id, ...goals }: z.output<typeof setEstimateGoals.body>) {
      const { id, adv_id, platform } = await mustFind(viewer, advertiser_id)
      if (!needsGoals(platform as PlatformCode))
        throw new AppError('badInput', { reason: outcome('estimate_needs_no_goals') })
      await transaction(db, async (tx) => {
        await tx
          .updateTable('platform_account')
          .set({ estimate_goals: JSON.stringify(goals) })
          .where('id', '=', id)
          .execute()
        await audit(tx, viewer, 'targeting.estimate_goals', { account_id: id, adv_id, ...goals })
      })
    },
  }
}
export type TargetingEstimateService = ReturnType<typeof targetingEstimateService>

/** Rejects once the signal is aborted: a token that is being refreshed cannot be given up. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([work, aborted])
}

/** What the platform cannot estimate is told apart from what it could not this time, and from what was not granted. */
function whyNone(reason: AnyOutcome): AnyOutcome {
  if (reason.code === 'estimate_unavailable') return outcome('estimate_unsupported', { cause: reason })
  // Both have the same parameters.
  return reason.code === 'targeting_scope_missing' ? { ...reason, code: 'estimate_scope_missing' } : reason
}

const answered = (count: number, counted_at: number) => ({
  code: 0,
  approximate_count: count,
  approximate_count_label: sizeWords(count),
  counted_at,
  fail_outcome: null,
})
const notAnswered = (fail_outcome: AnyOutcome) => ({
  code: 1,
  approximate_count: null,
  approximate_count_label: '暂无',
  counted_at: null,
  fail_outcome,
})

import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { PlatformCode } from '#contract/platform.ts'
import type { RunningJob } from '../../jobs/kind.ts'
import { type AccountSession, PlatformFault, type StepHooks } from '../../platforms/audience-platform.ts'
import { platformDayOf } from '../../platforms/platform-day.ts'
import type { PlatformReports } from '../../platforms/report-platform.ts'
import { secondsUntilRetry } from '../../platforms/try-later.ts'
import { now } from '../../time/clock.ts'
import { dayAfter, runsOf } from './days.ts'
import type { ReportDeps } from './deps.ts'
import { dayKeeping } from './keep-day.ts'
import { SYNC } from './request.ts'

/** Accounts that are read at once; most of the time they wait for an answer. */
const CONCURRENCY = 6
/** Failures in a row after which an account waits for the next daily reading. */
const FAILURES_MAX = 12

/** Reads the days of an account that are due, some at a time, and stores each run of days before the next one is read. */
export function reportJob(deps: ReportDeps): void {
  const { db, jobs, reportsOf, pace } = deps
  const days = dayKeeping(deps)
  type Job = RunningJob<{ account_id: number }>
  type Account = NonNullable<Awaited<ReturnType<typeof accountOf>>>

  const accountOf = (account_id: number) =>
    db
      .selectFrom('platform_account')
      .select(['id', 'adv_id', 'platform', 'external_id'])
      .where('id', '=', account_id)
      .executeTakeFirst()

  const dueDays = (account_id: number) =>
    db
      .selectFrom('report_read')
      .select(['date', 'version', 'read_at'])
      .where('account_id', '=', account_id)
      .where('is_due', '=', true)
      .orderBy('date')
      .execute()

  async function run(job: Job): Promise<void> {
    const account = await accountOf(job.data.account_id)
    const reports = account ? reportsOf(account.platform as PlatformCode) : null
    if (!account || !reports) return
    for (;;) {
      job.signal.throwIfAborted()
      const today = platformDayOf(now())
      await forgetOldDays(job, account.id, dayAfter(today, 1 - reports.daysBack))
      const due = await dueDays(account.id)
      const [dates] = runsOf(
        due.map(({ date }) => date),
        today,
        reports.daysAtOnce,
      )
      if (!dates) {
        if (await ended(job, account.id)) return
        continue
      }
      const since = now()
      try {
        await readRun(job, { account, reports, dates, due })
      } catch (error) {
        if (job.signal.aborted || !(error instanceof PlatformFault)) throw error
        return onFault(job, account.id, since, error)
      }
    }
  }

  async function readRun(
    job: Job,
    of: { account: Account; reports: PlatformReports; dates: string[]; due: Awaited<ReturnType<typeof dueDays>> },
  ): Promise<void> {
    const { account, reports, dates, due } = of
    const on: StepHooks = { signal: job.signal, sample: () => undefined }
    const session = forReports(await deps.session(account.id, reports.scopes))
    // Before the calls: a later reading has a greater number, however late the answers come.
    const version = await job.step((tx) => days.newVersion(tx, account.id))
    const taken_at = now()
    const range = { from: dates[0] as string, to: dates.at(-1) as string }
    for (const day of await reports.dailyReport(session, range, on)) {
      job.signal.throwIfAborted()
      const { fault } = day
      if (fault) {
        await job.step(async (tx) => {
          await tx
            .updateTable('report_read')
            .set({ is_due: false, outcome: fault })
            .where('account_id', '=', account.id)
            .where('date', '=', day.date)
            .execute()
        })
        continue
      }
      const known = due.find(({ date }) => date === day.date)
      const inRecords = await days.keep(account, day, { version, taken_at, known })
      await job.step(inRecords)
    }
    await job.step(async (tx) => {
      await tx.updateTable('report_account').set({ attempts: 0 }).where('account_id', '=', account.id).execute()
    })
  }

  /** Days that the platform no longer reports can never be read. */
  const forgetOldDays = (job: Job, account_id: number, first: string) =>
    job.step(async (tx) => {
      await tx
        .updateTable('report_read')
        .set({ is_due: false, outcome: null })
        .where('account_id', '=', account_id)
        .where((eb) => eb.or([eb('is_due', '=', true), eb('outcome', 'is not', null)]))
        .where('date', '<', first)
        .execute()
    })

  /** False where days became due meanwhile. */
  async function ended(job: Job, account_id: number): Promise<boolean> {
    // A request locks the account's row, too: it comes before, and its days are seen, or after, and sends another job.
    return job.step(async (tx) => {
      await tx
        .selectFrom('report_account')
        .select('account_id')
        .where('account_id', '=', account_id)
        .forUpdate()
        .executeTakeFirst()
      const rows = await tx
        .selectFrom('report_read')
        .select(['is_due', 'outcome'])
        .where('account_id', '=', account_id)
        .where((eb) => eb.or([eb('is_due', '=', true), eb('outcome', 'is not', null)]))
        .orderBy('date', 'desc')
        .execute()
      if (rows.some(({ is_due }) => is_due)) return false
      const why = rows[0]?.outcome ?? null
      if (why) await setFault(tx, account_id, { state: 'failed', outcome: why, attempts: 0 })
      await tx
        .updateTable('report_account')
        .set({ synced_at: now(), ...(why ? {} : { state: 'idle', outcome: null, failed_at: null }) })
        .where('account_id', '=', account_id)
        .execute()
      return true
    })
  }

  async function onFault(job: Job, account_id: number, since: number, fault: PlatformFault): Promise<void> {
    if (fault.kind === 'unauthorised') return pause(job, account_id, since, fault)
    if ((fault.kind === 'later' || fault.kind === 'notYet') && (await tryLater(job, account_id, fault))) return
    await job.step((tx) => setFault(tx, account_id, { state: 'failed', outcome: fault.outcome, attempts: 0 }))
  }

  /** Waits for a new authorisation; after one that came meanwhile it goes on. */
  async function pause(job: Job, account_id: number, since: number, fault: PlatformFault): Promise<void> {
    const why = outcome('report_waits_for_authorisation', { cause: fault.outcome })
    const isAuthorised = await job.step(async (tx) => {
      const { authorised_at } = await tx
        .selectFrom('platform_account')
        .select('authorised_at')
        .where('id', '=', account_id)
        .forShare()
        .executeTakeFirstOrThrow()
      if ((authorised_at ?? 0) >= since) return true
      await setFault(tx, account_id, { state: 'paused', outcome: why, attempts: 0 })
      return false
    })
    if (isAuthorised) await job.wait(async () => {}, 1, why)
  }

  /** Waits longer after each failure in a row; false when it has been too many. */
  async function tryLater(job: Job, account_id: number, fault: PlatformFault): Promise<boolean> {
    const row = await db
      .selectFrom('report_account')
      .select('attempts')
      .where('account_id', '=', account_id)
      .executeTakeFirstOrThrow()
    const attempts = row.attempts + 1
    if (attempts > FAILURES_MAX) return false
    const seconds = secondsUntilRetry(fault, attempts, pace)
    const why = outcome('report_tries_again', { at: now() + seconds, cause: fault.outcome })
    await job.wait((tx) => setFault(tx, account_id, { state: 'waiting', outcome: why, attempts }), seconds, why)
    return true
  }

  jobs.handle<{ account_id: number }>(
    SYNC,
    {
      concurrency: CONCURRENCY,
      retries: 4,
      retryDelaySeconds: 5,
      failed: (tx, { data }, why) => setFault(tx, data.account_id, { state: 'failed', outcome: why, attempts: 0 }),
    },
    run,
  )
}

/** Failures one after the other keep the time of the first. */
async function setFault(
  tx: Parameters<Parameters<RunningJob<object>['step']>[0]>[0],
  account_id: number,
  fault: { state: 'waiting' | 'paused' | 'failed'; outcome: AnyOutcome; attempts: number },
): Promise<void> {
  await tx
    .updateTable('report_account')
    .set((eb) => ({ ...fault, failed_at: eb.fn.coalesce('failed_at', eb.val(now())) }))
    .where('account_id', '=', account_id)
    .execute()
}

/**
 * The session for report calls. A platform that refuses these may still take everything else, so its refusal does not
 * count for the account as a whole unless it is about the token.
 */
const forReports = (session: AccountSession): AccountSession => ({
  ...session,
  refused: async (reason, token) => {
    if (token !== null) await session.refused?.(reason, token)
  },
})

import type { Transaction } from 'kysely'
import type { PlatformCode } from '#contract/platform.ts'
import { platformDayOf } from '../../platforms/platform-day.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { wantedDays } from './days.ts'
import type { ReportDeps } from './deps.ts'

export const SYNC = 'report.sync'

interface Asked {
  /** Whether days of the last month that were not read in this week are read again, too. */
  weekly?: boolean
  /** Seconds; left out, at once. */
  startAfter?: number
}

/** Asks for an account's reports to be read. False for a platform without any. */
export function reportRequests({ jobs, reportsOf }: Pick<ReportDeps, 'jobs' | 'reportsOf'>) {
  return async (
    tx: Transaction<Database>,
    account_id: number,
    { weekly = false, startAfter }: Asked = {},
  ): Promise<boolean> => {
    const { platform } = await tx
      .selectFrom('platform_account')
      .select('platform')
      .where('id', '=', account_id)
      .executeTakeFirstOrThrow()
    const reports = reportsOf(platform as PlatformCode)
    if (!reports) return false
    await tx
      .insertInto('report_account')
      .values({ account_id, state: 'idle' })
      .onConflict((oc) => oc.column('account_id').doNothing())
      .execute()
    const account = await tx
      .selectFrom('report_account')
      .select(['state', 'asked_at'])
      .where('account_id', '=', account_id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const known = await tx
      .selectFrom('report_read')
      .select(['date', 'version', 'read_at'])
      .where('account_id', '=', account_id)
      .execute()
    const isUnderWay = account.state === 'waiting'
    // Asked again while it runs, it is the same run: what it has read is not read twice.
    const fresh = new Set(
      known
        .filter(({ read_at }) => isUnderWay && read_at !== null && read_at >= (account.asked_at ?? 0))
        .map(({ date }) => date),
    )
    const today = platformDayOf(now())
    const days = wantedDays(known, { today, weekly, daysBack: reports.daysBack }).filter((date) => !fresh.has(date))
    if (days.length > 0) {
      await tx
        .insertInto('report_read')
        .values(days.map((date) => ({ account_id, date, is_due: true })))
        .onConflict((oc) => oc.columns(['account_id', 'date']).doUpdateSet({ is_due: true }))
        .execute()
    }
    if (!isUnderWay) {
      await tx
        .updateTable('report_account')
        .set({ state: 'waiting', outcome: null, attempts: 0, asked_at: now() })
        .where('account_id', '=', account_id)
        .execute()
    }
    await jobs.send(
      tx,
      SYNC,
      { account_id },
      {
        singletonKey: `account:${account_id}`,
        ...(startAfter === undefined ? { atOnce: true } : { startAfter }),
      },
    )
    return true
  }
}
export type ReportRequests = ReturnType<typeof reportRequests>

import { platformDayOf } from '../../platforms/platform-day.ts'
import { dropReplacedReadings } from '../../reports/readings.ts'
import { now } from '../../time/clock.ts'
import type { ReportDeps } from './deps.ts'
import { autoAccounts } from './linked.ts'
import type { ReportRequests } from './request.ts'

const DAILY = 'report.daily'
const TIDY = 'report.tidy'
/** The hour of TIMEZONE at which platforms have the whole day before. */
export const DAILY_HOUR = 6
/** Accounts begin spread over so many seconds, as platforms ask applications to do. */
const SPREAD_SECONDS = 1800

/**
 * Every morning asks for the reports of all accounts that activities wish to be read. The first morning of a week reads
 * more days, also where that is a later day than Monday because no worker ran.
 */
export function dailyReports({ db, jobs, load, timezone }: ReportDeps, request: ReportRequests): void {
  jobs.handle(DAILY, { concurrency: 1 }, async ({ finish }) => {
    const accounts = await autoAccounts(db, platformDayOf(now()))
    await finish(async (tx) => {
      for (const id of accounts) {
        await request(tx, id, { weekly: true, startAfter: Math.floor(Math.random() * SPREAD_SECONDS) })
      }
    })
  })
  jobs.schedule(DAILY, `0 ${DAILY_HOUR} * * *`, timezone)

  jobs.handle(TIDY, { concurrency: 1 }, async () => dropReplacedReadings(load))
  jobs.schedule(TIDY, '20 4 * * *', timezone)
}

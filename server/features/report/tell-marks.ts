import { platformDayOf } from '../../platforms/platform-day.ts'
import { now } from '../../time/clock.ts'
import { DAILY_DEPTH, dayAfter } from './days.ts'
import type { ReportDeps } from './deps.ts'
import { autoActivities } from './linked.ts'
import { marksOf } from './marks.ts'

const TELL = 'report.tell'
/** Activities whose days are looked at in one statement. */
const ACTIVITIES_AT_ONCE = 100

/**
 * Tells webhooks once of each odd day of the last week, an hour after the daily readings began. What was found is written
 * down with the messages, whether somebody wants them or not: a new webhook hears of what comes, not of what was.
 */
export function tellMarks(deps: ReportDeps): void {
  const { db, jobs, notify, timezone } = deps

  jobs.handle(TELL, { concurrency: 1 }, async ({ signal, step }) => {
    const today = platformDayOf(now())
    const days = { from: dayAfter(today, -DAILY_DEPTH), to: dayAfter(today, -1) }
    const activities = await autoActivities(db, today)
    for (let at = 0; at < activities.length; at += ACTIVITIES_AT_ONCE) {
      signal.throwIfAborted()
      const some = activities.slice(at, at + ACTIVITIES_AT_ONCE)
      const found = await marksOf(
        deps,
        some.map(({ id }) => id),
        days,
        { sees_costs: true },
      )
      await step(async (tx) => {
        for (const { id, adv_id, name } of some) {
          const marks = (found.get(id) ?? []).map(({ date, mark }) => ({ campaign_id: id, date, mark, at: now() }))
          if (marks.length === 0) continue
          const told = await tx
            .insertInto('report_told')
            .values(marks)
            .onConflict((oc) => oc.doNothing())
            .returning(['date', 'mark'])
            .execute()
          if (told.length > 0) await notify(tx, { adv_id, campaign_id: id, campaign: name, marks: told })
        }
      })
    }
  })
  jobs.schedule(TELL, '0 7 * * *', timezone)
}

import { CronExpressionParser } from 'cron-parser'
import { type CrowdSchedule, cronOf } from '#contract/crowd-schedule.ts'

/** The first time of a schedule after `at`, epoch seconds; null where the data decide. */
export function nextRun(schedule: CrowdSchedule, at: number, timezone: string): number | null {
  const cron = cronOf(schedule)
  if (cron === null) return null
  const times = CronExpressionParser.parse(cron, { tz: timezone, currentDate: new Date(at * 1000) })
  return Math.floor(times.next().getTime() / 1000)
}

/**
 * Seconds. A time counts as reached this early: what runs the schedules is sent by the database's clock, which may be
 * ahead of this process's.
 */
const EARLY = 60

/** What the clock says of a scheduled crowd: whether it runs now, and its next time afterwards. */
export function scheduleAt(
  { schedule, next_at }: { schedule: CrowdSchedule; next_at: number | null },
  at: number,
  timezone: string,
): { isDue: boolean; next_at: number | null } {
  const soon = at + EARLY
  const next = nextRun(schedule, soon, timezone)
  if (next === null) return { isDue: false, next_at: null }
  if (next_at !== null && next_at <= soon) return { isDue: true, next_at: next }
  // A time further ahead than the next one was set before the clock was set back or the time zone was changed.
  return { isDue: false, next_at: next_at === null ? next : Math.min(next_at, next) }
}

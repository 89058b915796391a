import { CronExpressionParser } from 'cron-parser'
import type { Kysely } from 'kysely'
import { fromKysely, type PgBoss } from 'pg-boss'
import type { Database } from '../postgres/schema.ts'
import { afterCommit, transaction } from '../postgres/transaction.ts'
import type { Payload } from './kind.ts'
import { lastSent, oneSchedulerAtATime } from './lease.ts'

export interface Schedule {
  name: string
  cron: string
  tz: string
  data: object
}

/** Keeps pg-boss's list of schedules equal to the code's, for workers of an older version beside this one. */
export async function keepSchedules(boss: PgBoss, schedules: readonly Schedule[]): Promise<void> {
  for (const { name, cron, tz, data } of schedules) await boss.schedule(name, cron, payloadOf(data), { tz })
  const wanted = new Set(schedules.map((schedule) => schedule.name))
  for (const { name } of await boss.getSchedules()) if (!wanted.has(name)) await boss.unschedule(name)
}

/**
 * Sends scheduled jobs by the database's clock, once among all workers. (pg-boss's own scheduler uses its process's
 * clock; after that is set back it sends nothing until the old time is reached again.)
 */
export function scheduler(db: Kysely<Database>, boss: PgBoss, schedules: readonly Schedule[]) {
  /** The time of the last check. At the first one, times that passed while no worker ran count as due. */
  let lastCheck: Date | undefined

  return {
    /** Returns the kinds it sent. The first call also sends, once, each kind whose time passed while no worker ran. */
    async sendDue(): Promise<string[]> {
      if (schedules.length === 0) return []
      return transaction(db, async (tx) => {
        await oneSchedulerAtATime(tx)
        const { now, sent } = await lastSent(
          tx,
          schedules.map((schedule) => schedule.name),
        )
        const due = schedules.filter(({ name, cron, tz }) => {
          const time = CronExpressionParser.parse(cron, { tz, currentDate: now }).prev().toDate()
          const last = sent.get(name)
          return (lastCheck === undefined || lastCheck < time) && (last === undefined || last < time)
        })
        for (const { name, data } of due) await boss.send(name, payloadOf(data), { db: fromKysely(tx) })
        afterCommit(() => {
          lastCheck = now
        })
        return due.map((schedule) => schedule.name)
      })
    },
  }
}

const payloadOf = (data: object): Payload => ({ data, task: null, failures: 0, returns: 0, wait: 0 })

import { sql, type Transaction } from 'kysely'
import { correctionOf } from '#contract/activity/marks.ts'
import type { ReportDay } from '../../platforms/report-platform.ts'
import type { Database } from '../../postgres/schema.ts'
import { keepReading, readingOf } from '../../reports/readings.ts'
import { isComplete, type ReadDay } from './days.ts'
import type { ReportDeps } from './deps.ts'
import { linkedPlans } from './linked.ts'

interface Account {
  id: number
  adv_id: number
  external_id: string
}
type Correction = { plan_id: string } & NonNullable<ReturnType<typeof correctionOf>>

/** Stores whole days of an account. */
export function dayKeeping({ db, load }: Pick<ReportDeps, 'db' | 'load'>) {
  /** What the platform changed about a day that was over when it was read before. Only plans that are linked count. */
  async function correctionsOf(account: Account, day: ReportDay, known: ReadDay | undefined): Promise<Correction[]> {
    if (!known || known.version === null || !isComplete(known)) return []
    const rows = await linkedPlans(db)
      .select('plan.plan_id')
      .where('plan.account_id', '=', account.id)
      .$narrowType<{ plan_id: string }>()
      .execute()
    const plans = rows.map(({ plan_id }) => plan_id)
    if (plans.length === 0) return []
    const reading = { adv_id: account.adv_id, account_id: account.external_id, date: day.date, version: known.version }
    const before = await readingOf(load.acrossShards, reading, plans)
    const after = new Map(day.plans.map(({ plan_id, cells }) => [plan_id, cells]))
    return plans.flatMap((plan_id) => {
      const found = correctionOf(before.get(plan_id) ?? {}, after.get(plan_id) ?? {})
      return found ? [{ plan_id, ...found }] : []
    })
  }

  return {
    /**
     * Replaces a day in the warehouse, and returns what the records have to know then. A kill between the two leaves the
     * day due, and the next reading replaces it again.
     */
    async keep(
      account: Account,
      day: ReportDay,
      of: { version: number; taken_at: number; known: ReadDay | undefined },
    ) {
      const corrections = await correctionsOf(account, day, of.known)
      await keepReading(load, {
        adv_id: account.adv_id,
        account_id: account.external_id,
        date: day.date,
        version: of.version,
        taken_at: of.taken_at,
        plans: day.plans.map(({ plan_id, cells }) => ({ campaign_id: '', plan_id, metrics: cells })),
      })
      return async (tx: Transaction<Database>): Promise<void> => {
        await tx
          .updateTable('report_read')
          .set({ is_due: false, version: of.version, read_at: of.taken_at, outcome: null, rest: [...day.rest] })
          .where('account_id', '=', account.id)
          .where('date', '=', day.date)
          .execute()
        for (const { plan_id, key, before, after } of corrections) {
          const row = { at: of.taken_at, metric: key, before: Number(before), after: Number(after) }
          await tx
            .insertInto('report_correction')
            .values({ account_id: account.id, date: day.date, plan_id, ...row })
            .onConflict((oc) => oc.columns(['account_id', 'date', 'plan_id']).doUpdateSet(row))
            .execute()
        }
      }
    },

    /** The number of a new reading: greater than all before, also when the records of an account begin anew. */
    async newVersion(tx: Transaction<Database>, account_id: number): Promise<number> {
      const { version } = await tx
        .updateTable('report_account')
        .set({ version: sql<number>`greatest(version + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint)` })
        .where('account_id', '=', account_id)
        .returning('version')
        .executeTakeFirstOrThrow()
      return version
    },
  }
}

import { type SqlBool, sql } from 'kysely'
import type { PlanSet } from '../../reports/kept-sums.ts'
import { countedRows } from '../../reports/rows-in-force.ts'
import { now } from '../../time/clock.ts'
import { dayOf } from '../../time/day.ts'
import type { ActivityDeps } from './deps.ts'
import { wholesOf } from './filtered.ts'
import type { Days } from './plan-sums.ts'

/** Days back from today, the first that the list shows first. */
const DEPTHS = [30, 90]
/** Advertisers whose sums are read ahead, those with the most activities first: as many sets as fit beside those of filters. */
const ADVERTISERS_MAX = 50

/**
 * Reads the sums of all activities of each advertiser before somebody asks for them, since the first answer after a start
 * reads every row of its days. Whoever asks meanwhile waits for what is being read, not for all of it again.
 */
export const warmTotals =
  (
    { db, live, timezone }: Pick<ActivityDeps, 'db' | 'live' | 'timezone'>,
    sumOfMany: (set: PlanSet, days: Days) => Promise<unknown>,
  ) =>
  async (signal: AbortSignal): Promise<void> => {
    // Other engines keep no sums.
    if (!(await countedRows(live)).isOneSnapshot) return
    const advertisers = await db
      .selectFrom('campaign')
      .select('adv_id')
      .where('deleted_at', 'is', null)
      .groupBy('adv_id')
      .orderBy((eb) => eb.fn.countAll(), 'desc')
      .limit(ADVERTISERS_MAX)
      .execute()
    for (const depth of DEPTHS) {
      for (const { adv_id } of advertisers) {
        if (signal.aborted) return
        const isOwn = sql<SqlBool>`campaign.deleted_at is null and campaign.adv_id = ${adv_id}`
        const [whole] = await wholesOf(db, [adv_id], isOwn)
        const from = dayOf(now() - (depth - 1) * 86_400, timezone)
        if (whole) await sumOfMany(whole.linked, { from, to: dayOf(now(), timezone) })
      }
    }
  }

import type { ActivityStatus } from '#contract/activity/status.ts'
import type { Days } from '../../reports/days-in-force.ts'
import type { PlanSet } from '../../reports/kept-sums.ts'
import { countedRows } from '../../reports/rows-in-force.ts'
import { PLANS_LOOKED_UP } from '../../reports/sums.ts'
import { now } from '../../time/clock.ts'
import { dayOf } from '../../time/day.ts'
import type { ActivityDeps } from './deps.ts'
import { isFiltered, wholesOf } from './filtered.ts'

/** Days back from today, the first that the list shows first. */
const DEPTHS = [30, 90]
/** Advertisers whose sums are read ahead, those with the most activities first: their sets must fit beside those of filters. */
const ADVERTISERS_MAX = 16
/** The filters that leave so many activities that their sums take as long as all. */
const STATUSES: readonly ActivityStatus[] = [0, 1, 2, 3]

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
        const to = dayOf(now(), timezone)
        const days = { from: dayOf(now() - (depth - 1) * 86_400, timezone), to }
        const read = async (status: ActivityStatus[] | undefined) => {
          const isFound = isFiltered({ see_phones: true, see_restricted: true }, [adv_id], { status }, to)
          const [whole] = signal.aborted ? [] : await wholesOf(db, [adv_id], isFound)
          if (whole) await sumOfMany(whole.linked, days)
          return whole?.plans ?? 0
        }
        if ((await read(undefined)) <= PLANS_LOOKED_UP) continue
        for (const status of STATUSES) await read([status])
      }
    }
  }

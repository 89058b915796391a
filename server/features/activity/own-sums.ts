import { addSums, type MetricSums } from '#contract/activity/formulas.ts'
import type { Days } from '../../reports/days-in-force.ts'
import { type MeantEvent, nothingHappened, ownSums } from '../../reports/own-events.ts'
import type { ActivityDeps } from './deps.ts'

interface Activity {
  id: number
  adv_id: number
}

/** The events of an advertiser that stand for standard ones. */
export async function meantEvents({ db }: Pick<ActivityDeps, 'db'>, adv_id: number): Promise<MeantEvent[]> {
  const rows = await db
    .selectFrom('event_name')
    .select(['name', 'meaning'])
    .where('adv_id', '=', adv_id)
    .where('meaning', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.flatMap(({ name, meaning }) => (meaning === null ? [] : [{ name, ...meaning }]))
}

/** Runs for the activities of each advertiser; events name an activity by its id. */
async function ofEach<T>(
  deps: ActivityDeps,
  activities: readonly Activity[],
  days: Days,
  read: (filter: Parameters<typeof ownSums>[1], events: readonly MeantEvent[]) => Promise<T>,
): Promise<T[]> {
  const found: T[] = []
  for (const [adv_id, own] of Map.groupBy(activities, (activity) => activity.adv_id)) {
    const campaigns = own.map(({ id }) => String(id))
    const events = await meantEvents(deps, adv_id)
    if (events.length > 0) found.push(await read({ adv_id, ...days, timezone: deps.timezone, campaigns }, events))
  }
  return found
}

/** What the advertisers' own events say of each activity within some days. */
export async function ownOfActivities(
  deps: ActivityDeps,
  activities: readonly Activity[],
  days: Days,
): Promise<ReadonlyMap<number, MetricSums>> {
  const parts = await ofEach(deps, activities, days, async (filter, events) => {
    const rows = await ownSums(deps.live, filter, events, ['campaign'])
    const happened = new Map(rows.map(({ campaign_id, sums }) => [campaign_id, sums]))
    return filter.campaigns.map((id) => [Number(id), happened.get(id) ?? nothingHappened(events)] as const)
  })
  return new Map(parts.flat())
}

/** The same of activities together, by advertiser. Somebody who came through two of them is one of the people. */
export async function ownInAll(
  deps: ActivityDeps,
  activities: readonly Activity[],
  days: Days,
): Promise<ReadonlyMap<number, MetricSums>> {
  const parts = await ofEach(deps, activities, days, async (filter, events) => {
    const rows = await ownSums(deps.live, filter, events)
    return [filter.adv_id, rows.reduce<MetricSums>((sum, { sums }) => addSums(sum, sums), {})] as const
  })
  return new Map(parts)
}

/** The same of one activity by day; every day answers where any event stands for something. */
export async function ownByDay(
  deps: ActivityDeps,
  activity: Activity,
  days: Days,
): Promise<(date: string) => MetricSums> {
  const [found] = await ofEach(deps, [activity], days, async (filter, events) => {
    const rows = await ownSums(deps.live, filter, events, ['day'])
    return { happened: new Map(rows.map(({ date, sums }) => [date, sums])), otherwise: nothingHappened(events) }
  })
  return (date) => found?.happened.get(date) ?? found?.otherwise ?? {}
}

/** Own events come before what platforms say of the same: the two are never added. */
export const withOwn = (reported: MetricSums, own: MetricSums): MetricSums => ({ ...reported, ...own })

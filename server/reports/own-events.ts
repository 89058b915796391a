import type { MetricSums } from '#contract/activity/formulas.ts'
import { type MetricKey, unitOf } from '#contract/activity/metrics.ts'
import { type EventMeaning, givesOf } from '#contract/standard-event.ts'
import type { AcrossShards } from '../clickhouse/handles.ts'

/** An event of the advertiser with what it stands for. */
export interface MeantEvent extends EventMeaning {
  name: string
}

/** What sums of own events are kept apart by. */
export type OwnDimension = 'day' | 'campaign'

const COLUMNS = { day: 'date', campaign: 'campaign_id' } as const satisfies Record<OwnDimension, string>

export interface OwnFilter {
  adv_id: number
  /** Days of `timezone` (YYYY-MM-DD), both included. */
  from: string
  to: string
  timezone: string
  /** Activities, as events name them. */
  campaigns: readonly string[]
}

export type OwnSums<D extends OwnDimension> = Record<(typeof COLUMNS)[D], string> & { sums: MetricSums }

/** Digits after the point of an amount in yuan, which are those of millionths. */
const SCALE = 6
/** Beyond this an amount is no number of an order. */
const YUAN_MAX = 1_000_000_000

/**
 * What an advertiser's own events say of activities: counts, people, and amounts in millionths of a yuan, exactly. A metric
 * is missing where no event stands for it; where one does, nothing happened is zero. People are counted once within each
 * row of the answer. A purchase whose amount is no number counts as a purchase without one.
 */
export async function ownSums<const D extends OwnDimension = never>(
  on: AcrossShards,
  { adv_id, from, to, timezone, campaigns }: OwnFilter,
  events: readonly MeantEvent[],
  by: readonly D[] = [],
  signal?: AbortSignal,
): Promise<OwnSums<D>[]> {
  if (events.length === 0 || campaigns.length === 0) return []
  const values = valuesOf(events)
  const columns = by.map((one) => COLUMNS[one])
  const rows = await on.query<Record<string, string> & { found: string[] }>(
    `SELECT ${[...columns, `arrayMap(value -> toString(value), [${values.map(({ sql }) => sql).join(', ')}]) AS found`].join(', ')}
     FROM (
       SELECT uid, campaign_id, properties, toString(toDate(ts, {timezone:String})) AS date,
         indexOf({names:Array(String)}, name) AS no
       FROM event
       WHERE adv_id = {adv_id:UInt32} AND name IN {names:Array(String)} AND campaign_id IN {campaigns:Array(String)}
         AND ts >= toDateTime64({from:String}, 3, {timezone:String})
         AND ts < toDateTime64({before:String}, 3, {timezone:String}))
     ${columns.length > 0 ? `GROUP BY ${columns.join(', ')} ORDER BY ${columns.join(', ')}` : ''}`,
    {
      ...{ adv_id, timezone, campaigns: [...campaigns], names: events.map(({ name }) => name) },
      ...{ from: `${from} 00:00:00`, before: `${dayAfter(to)} 00:00:00` },
      ...Object.fromEntries(
        events.flatMap(({ amount, goods }, at) => [
          [`amount${at}`, amount ?? ''],
          [`goods${at}`, goods ?? ''],
        ]),
      ),
    },
    signal && { signal },
  )
  return rows.map(
    (row) =>
      ({
        ...Object.fromEntries(columns.map((column) => [column, row[column]])),
        sums: Object.fromEntries(values.map(({ key }, at) => [key, BigInt(row.found[at] ?? 0)])),
        // The columns are those of the dimensions asked for.
      }) as OwnSums<D>,
  )
}

/** The metrics that the events give, each with its aggregate. */
function valuesOf(events: readonly MeantEvent[]) {
  const values: { sql: string; key: MetricKey }[] = []
  for (const [standard, meant] of Map.groupBy(events, (event) => event.standard)) {
    const { times, people, amount, goods } = givesOf(standard)
    const holds = anyOf(meant.map((event) => events.indexOf(event)))
    values.push({ key: times, sql: `toInt128(countIf(${holds}))` })
    if (people) values.push({ key: people, sql: `toInt128(uniqExactIf(uid, ${holds}))` })
    for (const [key, of] of [
      [amount, 'amount'],
      [goods, 'goods'],
    ] as const)
      if (key && meant.some((event) => event[of] !== null)) values.push({ key, sql: sumSql(events, meant, of, key) })
  }
  return values
}

/** The sums where no event happened. */
export const nothingHappened = (events: readonly MeantEvent[]): MetricSums =>
  Object.fromEntries(valuesOf(events).map(({ key }) => [key, 0n]))

/** Events are numbered from 1 as they are given. */
const anyOf = (places: readonly number[]) => `no IN (${places.map((at) => at + 1).join(', ')})`

/** The sum of a property, each event's own, in the unit of the metric. */
function sumSql(
  events: readonly MeantEvent[],
  meant: readonly MeantEvent[],
  of: 'amount' | 'goods',
  key: MetricKey,
): string {
  const scale = unitOf(key) === 'micros' ? 10 ** SCALE : 1
  const cases = meant.flatMap((event) => {
    if (event[of] === null) return []
    const at = events.indexOf(event)
    const number = `toDecimal128OrNull(replaceAll(trim(properties[{${of}${at}:String}]), ',', ''), ${SCALE})`
    return [`no = ${at + 1}, ${number}`]
  })
  const value = `multiIf(${cases.join(', ')}, NULL)`
  // What lies beyond is a mistake of whoever sent it, and would make every sum useless.
  return `sum(ifNull(if(abs(${value}) <= ${YUAN_MAX}, toInt128(${value} * ${scale}), NULL), 0))`
}

const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

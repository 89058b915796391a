import type { AcrossShards } from '../clickhouse/handles.ts'
import { daysBetween } from '../time/day.ts'
import { LAYOUT_SUMS, type LayoutSums, type Layouts, layoutsOf } from './layout-sums.ts'
import { countedRows, IN_FORCE, ofVersions } from './rows-in-force.ts'
import { limitOfNames } from './sums.ts'

/** Days of TIMEZONE (YYYY-MM-DD), both included. */
export interface Days {
  from: string
  to: string
}

/** What is in force on a day of an account. */
export interface DayInForce {
  day: string
  account_id: string
  /** Greatest versions; null where the source has none. */
  platform: string | null
  file: string | null
  /** The same while the same rows count. */
  state: string
}

/** By `nameOf`. */
export type InForce = ReadonlyMap<string, DayInForce>

/** Sums of some plans on a day of an account, and the state of which they are. */
export interface DaySums {
  state: string
  layouts: Layouts
}

export const nameOf = ({ day, account_id }: { day: string; account_id: string }) => `${day} ${account_id}`

/** A row of either kind: what is in force, or sums of rows that a version has. */
interface Read extends LayoutSums {
  is_state: 0 | 1
  day: string
  account_id: string
  of_source: 'file' | 'platform' | ''
  /** '' in sums of rows that count whatever their version. */
  of_version: string
  import_id: number
}

const STATES = `SELECT 1 AS is_state, toString(date) AS day, account_id, toString(source) AS of_source,
  toString(newest) AS of_version, import_id, '' AS layout, toUInt64(0) AS rows, emptyArrayString() AS sums
  FROM (${IN_FORCE})`

const sumsOf = (rows: string, source: string, version: string, by: string) =>
  `SELECT 0 AS is_state, toString(date) AS day, account_id, ${source} AS of_source, ${version} AS of_version,
     toUInt32(0) AS import_id, ${LAYOUT_SUMS}
   FROM (${rows}) GROUP BY date, account_id, ${by}layout`

/** What is in force on the days of all accounts of an advertiser. */
export const inForceOn = async (on: AcrossShards, adv_id: number, days: Days): Promise<InForce> =>
  inForceIn(await on.query<Read>(STATES, { adv_id, ...days }))

/**
 * The sums of plans (`planName`) on some days of accounts, and what is in force on all days in the same snapshot, which
 * may be something else than asked: such days are left out, and a caller asks again. Days that both a file and the platform
 * have need a rule that takes long, so they are read alone, by a call in which there are no others.
 */
export async function readDays(
  on: AcrossShards,
  { adv_id, days, names }: { adv_id: number; days: Days; names: readonly string[] },
  wanted: readonly DayInForce[],
): Promise<{ inForce: InForce; read: Map<string, DaySums> }> {
  const simple = wanted.filter(isOfOne)
  const isSimple = simple.length > 0
  const asked = isSimple ? simple : wanted
  const versions = asked.flatMap(({ platform, file }) => [platform, file].filter((version) => version !== null))
  const { sql, settings } = await countedRows(on)
  const limit = limitOfNames(names)
  const dates = new Set(asked.map(({ day }) => day))
  // The names limit the accounts, too: of all days, more conditions would only take time.
  const isAll = dates.size === daysBetween(days.from, days.to).length
  const within = isAll
    ? limit.sql
    : `date IN {dates:Array(Date)} AND account_id IN {accounts:Array(String)} AND ${limit.sql}`
  const sums = isSimple
    ? sumsOf(ofVersions(within), 'toString(source)', 'toString(version)', 'source, version, ')
    : sumsOf(sql(within), "''", "''", '')
  const found = await on.query<Read>(
    `${sums} UNION ALL ${STATES}`,
    {
      ...{ adv_id, ...days },
      ...(!isAll && { dates: [...dates], accounts: [...new Set(asked.map(({ account_id }) => account_id))] }),
      ...(isSimple && { versions }),
      ...limit.params,
    },
    { settings },
  )
  const inForce = inForceIn(found)
  const isCounted = (row: Read) => row.of_source === '' || inForce.get(nameOf(row))?.[row.of_source] === row.of_version
  const rows = Map.groupBy(
    found.filter((row) => row.is_state === 0 && isCounted(row)),
    nameOf,
  )
  const known = new Set(versions)
  const read = new Map<string, DaySums>()
  for (const name of asked.map(nameOf)) {
    const now = inForce.get(name)
    if (now && (!isSimple || (isOfOne(now) && known.has(now.platform ?? now.file ?? '')))) {
      read.set(name, { state: now.state, layouts: layoutsOf(rows.get(name) ?? []) })
    }
  }
  return { inForce, read }
}

const isOfOne = ({ platform, file }: DayInForce) => platform === null || file === null

function inForceIn(rows: readonly Read[]): InForce {
  const found = new Map<string, DayInForce>()
  for (const { is_state, day, account_id, of_source, of_version, import_id } of rows) {
    if (is_state === 0 || of_source === '') continue
    const name = nameOf({ day, account_id })
    const had = found.get(name) ?? { day, account_id, platform: null, file: null, state: '' }
    // The two sources of a day in one order.
    const states = [...had.state.split('\n').filter(Boolean), `${of_source} ${of_version} ${import_id}`].sort()
    found.set(name, { ...had, [of_source]: of_version, state: states.join('\n') })
  }
  return found
}

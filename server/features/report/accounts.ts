import type { Kysely } from 'kysely'
import { METRICS, type ReportedKey } from '#contract/activity/metrics.ts'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { PlatformCode } from '#contract/platform.ts'
import type { ReportAccount, ReportState } from '#contract/report.ts'
import {
  type AccountAuthorisation,
  accountAuthorisations,
  authorisationOf,
  closedReason,
} from '../../platforms/account-state.ts'
import { platformDayOf } from '../../platforms/platform-day.ts'
import type { Database } from '../../postgres/schema.ts'
import { now } from '../../time/clock.ts'
import { endOfDay, startOfDay } from '../../time/day.ts'
import { DAILY_HOUR } from './daily.ts'
import { isComplete } from './days.ts'
import { accountsOfPlans } from './linked.ts'

const HOUR = 3600
/** The last days that are looked at for what no plan has. */
const REST_DAYS = 30
const METRICS_NAMED = 3

/** How the reading of linked accounts stands; only of these accounts, in the order of their ids. */
export async function reportAccounts(
  db: Kysely<Database>,
  ids: readonly number[],
  timezone: string,
): Promise<ReportAccount[]> {
  if (ids.length === 0) return []
  const linked = await db
    .selectFrom('platform_account as account')
    .leftJoin(accountsOfPlans(db, platformDayOf(now())).as('used'), 'used.id', 'account.id')
    .leftJoin('report_account as read', 'read.account_id', 'account.id')
    .leftJoin('plan_account as plans', 'plans.account_id', 'account.id')
    .select(['account.id', 'account.adv_id', 'account.name', 'account.external_id', 'account.platform', 'used.is_auto'])
    .select(['read.state', 'read.outcome', 'read.synced_at', 'read.failed_at', 'plans.read_at'])
    .where('account.id', 'in', [...ids])
    .orderBy('account.id')
    .execute()
  const days = Map.groupBy(
    await db
      .selectFrom('report_read')
      .select(['account_id', 'date', 'version', 'read_at', 'is_due', 'rest'])
      .where('account_id', 'in', [...ids])
      .orderBy('date')
      .execute(),
    ({ account_id }) => account_id,
  )
  const authorisations = await accountAuthorisations(db)
    .where('platform_account.id', 'in', [...ids])
    .execute()
  const authorisationById = new Map(authorisations.map((row) => [row.id, row]))
  return linked.map((row) => {
    const own = days.get(row.id) ?? []
    const authorisation = authorisationById.get(row.id)
    const closed = authorisation ? whyClosed({ ...authorisation, name: row.name }) : null
    const state: ReportState = closed ? 'paused' : (row.state ?? 'idle')
    const is_auto = row.is_auto ?? false
    return {
      account_id: row.id,
      account_name: row.name,
      external_id: row.external_id,
      platform: row.platform as PlatformCode,
      advertiser_id: row.adv_id,
      state,
      fail_outcome: closed ?? row.outcome,
      is_auto,
      synced_at: row.synced_at,
      failed_at: row.failed_at,
      next_at: is_auto && !closed ? nextDaily(timezone) : null,
      complete_to: own.filter(isComplete).at(-1)?.date ?? null,
      plans_read_at: row.read_at,
      missing_days: own.filter(({ is_due }) => is_due).length,
      rest_outcome: restOf(own.slice(-REST_DAYS)),
    }
  })
}

/** Why no reports can be read of an account; null while it is authorised. */
function whyClosed(authorisation: AccountAuthorisation & { name: string }): AnyOutcome | null {
  if (authorisationOf(authorisation).state === 'none') return outcome('report_never_authorised')
  const cause = closedReason(authorisation)
  return cause && outcome('report_waits_for_authorisation', { cause })
}

/** Of the last of the days on which the account had more than its plans. */
function restOf(days: readonly { date: string; rest: readonly ReportedKey[] }[]) {
  const found = days.filter(({ rest }) => rest.length > 0)
  const last = found.at(-1)
  if (!last) return null
  const metrics = last.rest.slice(0, METRICS_NAMED).map((key) => METRICS[key].label)
  return outcome('report_day_rest', { date: last.date, metrics, days: found.length })
}

/** When the next daily reading begins. */
function nextDaily(timezone: string): number {
  const at = (seconds: number) => startOfDay(seconds, timezone) + DAILY_HOUR * HOUR
  const today = at(now())
  return today > now() ? today : at(endOfDay(now(), timezone) + HOUR)
}

import { type SqlBool, sql } from 'kysely'
import { DAY_MARKS, isCovered, JUMP_DAYS, JUMP_KEYS, type JumpKey, jumpOf } from '#contract/activity/marks.ts'
import { metricWords } from '#contract/activity/metric-words.ts'
import { METRICS, type ReportedKey, unitOf } from '#contract/activity/metrics.ts'
import { fenOf, wireNumber } from '#contract/activity/money.ts'
import { keysOf } from '#contract/common.ts'
import { outcome } from '#contract/outcome.ts'
import type { AnyOutcome } from '#contract/outcomes/entry.ts'
import type { ReportMark } from '#contract/report.ts'
import { platformDayOf } from '../../platforms/platform-day.ts'
import { takesUnnamed } from '../../postgres/takes-unnamed.ts'
import type { Days } from '../../reports/days-in-force.ts'
import { type SumsByDay, sumsOfGroups } from '../../reports/sums-of-groups.ts'
import { now } from '../../time/clock.ts'
import { daysBetween } from '../../time/day.ts'
import { dayAfter, isComplete, WEEKLY_DEPTH } from './days.ts'
import type { ReportDeps } from './deps.ts'
import { linkedPlans } from './linked.ts'

type Deps = Pick<ReportDeps, 'db' | 'live'>
type Plan = Awaited<ReturnType<typeof plansOf>>[number]

const plansOf = ({ db }: Deps, campaign_ids: readonly number[]) =>
  linkedPlans(db)
    .select(['plan.campaign_id', 'plan.name', 'plan.start_date', 'plan.end_date', 'plan.account_id', 'plan.plan_id'])
    .select(['account.adv_id', 'account.name as account_name', 'account.external_id', 'account.authorised_at'])
    .select(takesUnnamed.as('takes_unnamed'))
    .$narrowType<{ account_id: number; plan_id: string }>()
    .where('plan.campaign_id', 'in', [...campaign_ids])
    .orderBy('plan.position')
    .orderBy('plan.id')
    .execute()

/**
 * The marks of activities' days, the earliest first. `sees_costs`: what platforms corrected, how numbers jump and which
 * sums differ is only told to those who may see these numbers.
 */
export async function marksOf(
  deps: Deps,
  campaign_ids: readonly number[],
  days: Days,
  { sees_costs }: { sees_costs: boolean },
): Promise<Map<number, ReportMark[]>> {
  const plans = await plansOf(deps, campaign_ids)
  const account_ids = [...new Set(plans.map(({ account_id }) => account_id))]
  const since = dayAfter(days.from, -JUMP_DAYS)
  const [read, corrections, values] = await Promise.all([
    readDays(deps, account_ids, { from: since, to: days.to }),
    sees_costs ? correctionsOf(deps, plans, days) : new Map<string, Correction>(),
    sees_costs ? valuesOf(deps, plans, { from: since, to: days.to }) : new Map<number, SumsByDay>(),
  ])
  const all = daysBetween(since, days.to)
  const dates = all.slice(JUMP_DAYS)
  const today = platformDayOf(now())
  // The first reading of an account reaches no further back.
  const regular = { from: dayAfter(today, 1 - WEEKLY_DEPTH), to: dayAfter(today, -1) }
  const found = new Map<number, ReportMark[]>()
  for (const [campaign_id, own] of Map.groupBy(plans, (plan) => plan.campaign_id)) {
    const jumps = sees_costs
      ? jumpsOf(own, read.complete, values.get(campaign_id) ?? new Map(), all)
      : new Map<string, ReportMark>()
    const marks = dates.flatMap((date): ReportMark[] => {
      const jump = date < today ? jumps.get(date) : undefined
      return [
        ...(date >= regular.from && date <= regular.to && isCovered(own, date)
          ? unsynced(own, read, { date, sees_costs })
          : []),
        ...(sees_costs ? corrected(own, corrections, date) : []),
        ...(jump ? [jump] : []),
      ]
    })
    if (marks.length > 0) found.set(campaign_id, marks)
  }
  return found
}

/** A mark whose words are made when they are read: of many days only the last one's are. */
const lateWords = (date: string, mark: ReportMark['mark'], told: () => ReportMark['mark_outcome']): ReportMark => ({
  date,
  mark,
  get mark_outcome() {
    return told()
  },
})

/** Marks of an activity counted, each with its last day. */
export const summary = (campaign_id: number, marks: readonly ReportMark[]) =>
  keysOf(DAY_MARKS).flatMap((mark) => {
    const own = marks.filter((one) => one.mark === mark)
    const latest = own.at(-1)
    return latest ? [{ campaign_id, mark, days: own.length, latest }] : []
  })

const keyOf = (account_id: number, date: string) => `${account_id} ${date}`

interface ReadDays {
  /** Days that were read whole after their end. */
  complete: ReadonlySet<string>
  /** Why the last reading of a day was not stored. */
  refused: ReadonlyMap<string, AnyOutcome>
}

async function readDays({ db }: Deps, ids: readonly number[], { from, to }: Days): Promise<ReadDays> {
  const rows = await db
    .selectFrom('report_read')
    .select(['account_id', 'date', 'version', 'read_at', 'outcome'])
    .where('account_id', 'in', [0, ...ids])
    .where('date', '>=', from)
    .where('date', '<=', to)
    .execute()
  const key = ({ account_id, date }: (typeof rows)[number]) => keyOf(account_id, date)
  return {
    complete: new Set(rows.filter(isComplete).map(key)),
    refused: new Map(rows.flatMap((row) => (row.outcome ? [[key(row), row.outcome] as const] : []))),
  }
}

/**
 * A day of the activity that is over, and on which an account of its plans was not read whole or its last reading was not
 * stored. Days before the ones that are read regularly do not count, nor do accounts that were never authorised: their
 * numbers come from files.
 */
function unsynced(
  plans: readonly Plan[],
  { complete, refused }: ReadDays,
  { date, sees_costs }: { date: string; sees_costs: boolean },
): ReportMark[] {
  const missing = plans.filter(
    (plan) =>
      plan.authorised_at !== null &&
      (!complete.has(keyOf(plan.account_id, date)) || refused.has(keyOf(plan.account_id, date))),
  )
  const accounts = [...new Map(missing.map(({ account_id, account_name }) => [account_id, account_name]))]
  const [first] = accounts
  if (!first) return []
  const [id, account] = accounts.find(([one]) => refused.has(keyOf(one, date))) ?? first
  const cause = sees_costs ? refused.get(keyOf(id, date)) : undefined
  const mark_outcome = cause
    ? outcome('report_day_refused', {
        ...{ account, cause, is_kept: complete.has(keyOf(id, date)) },
        others: accounts.length - 1,
      })
    : outcome('report_day_unsynced', { accounts: [...new Set(accounts.map(([, name]) => name))] })
  return [{ date, mark: 'unsynced', mark_outcome }]
}

interface Correction {
  metric: ReportedKey
  before: number
  after: number
}
const planKey = (account_id: number, plan_id: string, date: string) => `${account_id} ${date} ${plan_id}`

async function correctionsOf({ db }: Deps, plans: readonly Plan[], { from, to }: Days) {
  const [accounts, ids] = [plans.map(({ account_id }) => account_id), plans.map(({ plan_id }) => plan_id)]
  const rows = await db
    .selectFrom('report_correction')
    .selectAll()
    .where('account_id', 'in', [0, ...new Set(accounts)])
    .where(sql<SqlBool>`plan_id = any(${[...new Set(ids)]}::text[])`)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .execute()
  return new Map<string, Correction>(rows.map((row) => [planKey(row.account_id, row.plan_id, row.date), row]))
}

function corrected(plans: readonly Plan[], corrections: ReadonlyMap<string, Correction>, date: string): ReportMark[] {
  const own = plans.flatMap((plan) => {
    const correction = corrections.get(planKey(plan.account_id, plan.plan_id, date))
    return correction ? [{ plan: plan.name, ...correction }] : []
  })
  const [first] = own
  if (!first) return []
  const words = (value: number) => cellWords(first.metric, BigInt(value))
  const told = () =>
    outcome('report_day_corrected', {
      plan: first.plan,
      metric: METRICS[first.metric].label,
      before: words(first.before),
      after: words(first.after),
      others: own.length - 1,
    })
  return [lateWords(date, 'corrected', told)]
}

const cellWords = (key: ReportedKey, value: bigint): string =>
  unitOf(key) === 'micros' ? yuan(value) : metricWords('count', wireNumber(value))
const yuan = (micros: bigint): string => metricWords('money', wireNumber(fenOf(micros)))

/** What each activity did by day, in the units of sums; rows of files count as in the list. */
async function valuesOf({ live }: Deps, plans: readonly Plan[], days: Days): Promise<Map<number, SumsByDay>> {
  const found: (readonly [number, SumsByDay])[] = []
  for (const [adv_id, own] of Map.groupBy(plans, (plan) => plan.adv_id)) {
    const groups = own.flatMap(({ external_id, plan_id, campaign_id, takes_unnamed }) =>
      [external_id, ...(takes_unnamed ? [''] : [])].map((account_id) => ({
        no: campaign_id,
        plan: { account_id, plan_id },
      })),
    )
    found.push(...(await sumsOfGroups(live, { adv_id, ...days, metrics: JUMP_KEYS }, groups)))
  }
  return new Map(found)
}

/** The jumps on these days, each compared with those before it; the first ones are there for that alone. */
function jumpsOf(
  plans: readonly Plan[],
  complete: ReadonlySet<string>,
  byDay: SumsByDay,
  days: readonly string[],
): Map<string, ReportMark> {
  const account_ids = [...new Set(plans.map(({ account_id }) => account_id))]
  /** A day without a row is known to be zero once all accounts were read; a metric that no row has is not known. */
  const valueOn = (key: JumpKey, day: string): bigint | null => {
    const values = byDay.get(day)
    if (values) return values[key] ?? null
    return account_ids.every((id) => complete.has(keyOf(id, day))) ? 0n : null
  }
  const known = JUMP_KEYS.map((key) => ({ key, values: days.map((day) => valueOn(key, day)) }))
  const found = new Map<string, ReportMark>()
  for (const [at, date] of days.slice(JUMP_DAYS).entries()) {
    const jumps = known.flatMap(({ key, values }) => {
      const value = values[at + JUMP_DAYS] ?? null
      const usual = value === null ? null : jumpOf(key, value, values.slice(at, at + JUMP_DAYS))
      return value === null || usual === null ? [] : [{ key, value, usual }]
    })
    if (jumps.length > 0) {
      const told = () => outcome('report_day_jump', { jumps: jumps.map(jumpWords) })
      found.set(date, lateWords(date, 'jump', told))
    }
  }
  return found
}

function jumpWords({ key, value, usual }: { key: JumpKey; value: bigint; usual: bigint }) {
  const words = (amount: bigint) => (unitOf(key) === 'micros' ? `${yuan(amount)} 元` : cellWords(key, amount))
  return { metric: METRICS[key].label, value: words(value), usual: words(usual) }
}

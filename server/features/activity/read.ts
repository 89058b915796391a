import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { budgetOf, totalBudgetOf } from '#contract/activity/budget.ts'
import { VALUE_KEYS } from '#contract/activity/columns.ts'
import { compareFault } from '#contract/activity/compare.ts'
import { addSums, type MetricSums, metricValue } from '#contract/activity/formulas.ts'
import { type MetricKey, visibleMetrics } from '#contract/activity/metrics.ts'
import { ACTIVITY_STATUS, activityStatus } from '#contract/activity/status.ts'
import { withoutBudgets } from '#contract/activity/there.ts'
import type { ActivityRow, compareActivities, listActivities, totalActivities } from '#contract/activity-list.ts'
import type { MetricValues } from '#contract/activity-metrics.ts'
import { type getDayReport, REPORT_DAYS_MAX } from '#contract/day-report.ts'
import { outcome } from '#contract/outcome.ts'
import { listedAdvertisers } from '../../crowds/crowd-list.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { askedDays } from '../../reports/asked-days.ts'
import type { Days } from '../../reports/days-in-force.ts'
import { keptSums } from '../../reports/kept-sums.ts'
import { now } from '../../time/clock.ts'
import { dayOf, daysBetween } from '../../time/day.ts'
import { mustFindActivity } from './activities.ts'
import type { ActivityDeps } from './deps.ts'
import { isFiltered, wholesOf } from './filtered.ts'
import { ownByDay, ownInAll, ownOfActivities, withOwn } from './own-sums.ts'
import { linkedOf, type PlanRead, planReads } from './plan-reads.ts'
import { sumsByDay, sumsOfPlans } from './plan-sums.ts'
import type { PlansThere } from './there/open.ts'
import { shownPlan, type ThereRow, thereOf } from './there/row.ts'
import { warmTotals } from './warm.ts'

type Filters = z.output<typeof totalActivities.query>

/** Values that the viewer may see, of sums. */
function valuesOf(viewer: Viewer, sums: MetricSums): MetricValues {
  const seen = new Set<MetricKey>(visibleMetrics(VALUE_KEYS, viewer))
  return Object.fromEntries(VALUE_KEYS.filter((key) => seen.has(key)).map((key) => [key, metricValue(key, sums)]))
}

/** The same with the budgets of plans. */
function valuesWithBudgets(viewer: Viewer, sums: MetricSums, plans: Parameters<typeof budgetOf>[0]): MetricValues {
  const budget = budgetOf(plans)
  const values = valuesOf(viewer, { ...sums, budget: budget === null ? null : BigInt(budget) })
  return 'budget' in values ? { ...values, budget_total: totalBudgetOf(plans) } : values
}

/** Lists of activities with their metrics, totals, comparisons and day reports. */
export function readActivities(deps: ActivityDeps, shown: PlansThere['shown']) {
  const { db, live, timezone } = deps
  const sumOfMany = keptSums(live)
  const today = () => dayOf(now(), timezone)
  const daysOf = askedDays(timezone)

  const isFound = (viewer: Viewer, asked: Filters) =>
    isFiltered(viewer, listedAdvertisers(viewer, asked.adv_id), asked, today())

  async function withMetrics(viewer: Viewer, rows: readonly ActivityRead[], range: Days): Promise<ActivityRow[]> {
    const ids = rows.map(({ id }) => id)
    const plans = await planReads(db, ids)
    const [sums, own, there] = await Promise.all([
      sumsOfPlans(live, linkedOf(plans), range),
      ownOfActivities(deps, rows, range),
      thereOf(
        db,
        plans.map(({ id }) => id),
      ),
    ])
    const ofActivity = Map.groupBy(plans, (plan) => plan.campaign_id)
    const of = { sums, there, today: today() }
    return rows.map((row) =>
      presentActivity(viewer, row, { ...of, plans: ofActivity.get(row.id) ?? [], own: own.get(row.id) ?? {} }),
    )
  }

  /** Rows of these activities, if the viewer may see them. */
  const rowsOf = (viewer: Viewer, ids: readonly number[]) =>
    db
      .selectFrom('campaign')
      .innerJoin('advertiser', 'advertiser.id', 'campaign.adv_id')
      .innerJoin('viewer', 'viewer.id', 'campaign.creator_id')
      .leftJoin('campaign_product as product', 'product.id', 'campaign.product_id')
      .where(isFiltered(viewer, viewer.adv_ids, {}, today()))
      .where(sql<SqlBool>`campaign.id = any(${[...ids]}::int[])`)
      .select([
        'campaign.id',
        'campaign.adv_id',
        'campaign.name',
        'campaign.is_open',
        'campaign.auto_sync',
        'campaign.submitted_at',
        'campaign.last_day',
        'campaign.creator_id',
        'campaign.created_at',
        'campaign.product_id',
        'product.name as product_name',
        'advertiser.name as advertiser_name',
        sql<string>`coalesce(nullif(viewer.realname, ''), viewer.username)`.as('realname'),
      ])
      .execute()

  /** The ids of what filters find, in the list's order. */
  const idsOf = (viewer: Viewer, asked: Filters & Pick<z.output<typeof listActivities.query>, 'sort'>) => {
    const direction = asked.sort === 'created_at:asc' ? 'asc' : 'desc'
    return db
      .selectFrom('campaign')
      .select('campaign.id')
      .where(isFound(viewer, asked))
      .orderBy('campaign.created_at', direction)
      .orderBy('campaign.id', direction)
  }

  /** Rows of the list by id, in this order; of an activity that was deleted since, none. */
  async function listed(viewer: Viewer, ids: readonly number[], range: Filters['time_range']): Promise<ActivityRow[]> {
    const list = await withMetrics(viewer, await rowsOf(viewer, ids), daysOf(range))
    const found = new Map(list.map((row) => [row.id, row]))
    return ids.flatMap((id) => found.get(id) ?? [])
  }

  return {
    /** The days that metrics are of. */
    daysOf,

    async list(
      viewer: Viewer,
      asked: z.output<typeof listActivities.query>,
    ): Promise<z.output<typeof listActivities.data>> {
      const { total } = await db
        .selectFrom('campaign')
        .where(isFound(viewer, asked))
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      const page = await idsOf(viewer, asked)
        .limit(asked.per_page)
        .offset((asked.page - 1) * asked.per_page)
        .execute()
      const ids = page.map(({ id }) => id)
      const is_reading = await shown(ids)
      return { list: await listed(viewer, ids, asked.time_range), total, is_reading }
    },

    /** The ids of all activities that the list's filters find, in its order. */
    async ids(viewer: Viewer, asked: Parameters<typeof idsOf>[1]): Promise<number[]> {
      return (await idsOf(viewer, asked).execute()).map(({ id }) => id)
    },

    listed,

    /** Reads ahead what totals without a filter add up. */
    warm: warmTotals(deps, sumOfMany),

    /** Sums over all that is filtered, plans once. */
    async total(viewer: Viewer, asked: Filters): Promise<z.output<typeof totalActivities.data>> {
      const range = daysOf(asked.time_range)
      const wholes = await wholesOf(db, listedAdvertisers(viewer, asked.adv_id), isFound(viewer, asked))
      const parts = await Promise.all(
        wholes.map(async ({ adv_id, ids, linked }) => {
          const activities = ids.map((id) => ({ id, adv_id }))
          const [reported, own] = await Promise.all([sumOfMany(linked, range), ownInAll(deps, activities, range)])
          // Each advertiser has own events of its own: those of one say nothing of what the platforms count for another.
          return withOwn(reported, own.get(adv_id) ?? {})
        }),
      )
      return {
        total: wholes.reduce((sum, { ids }) => sum + ids.length, 0),
        plans: wholes.reduce((sum, { plans }) => sum + plans, 0),
        sums: valuesWithBudgets(
          viewer,
          parts.reduce<MetricSums>(addSums, {}),
          wholes.flatMap(({ budgets }) => budgets),
        ),
      }
    },

    async compare(
      viewer: Viewer,
      { id: ids, time_range }: z.output<typeof compareActivities.query>,
    ): Promise<z.output<typeof compareActivities.data>> {
      const wanted = [...new Set(ids)]
      const reason = compareFault(wanted.length)
      if (reason) throw new AppError('badInput', { reason })
      const list = await listed(viewer, wanted, time_range)
      if (list.length < wanted.length) throw new AppError('notFound', { what: '活动' })
      return { list: list.map(comparedOf) }
    },

    async dayReport(
      viewer: Viewer,
      { campaign_id, time_range }: z.output<typeof getDayReport.query>,
    ): Promise<z.output<typeof getDayReport.data>> {
      const row = await mustFindActivity(db, viewer, campaign_id)
      const range = daysOf(time_range)
      const days = daysBetween(range.from, range.to)
      if (days.length > REPORT_DAYS_MAX) {
        throw new AppError('badInput', { reason: outcome('report_days_many', { max: REPORT_DAYS_MAX }) })
      }
      const plans = await planReads(db, [campaign_id])
      const [sums, own, ownWhole] = await Promise.all([
        sumsByDay(live, linkedOf(plans), range),
        ownByDay(deps, row, range),
        ownInAll(deps, [row], range),
      ])
      const whole = withOwn([...sums.values()].reduce<MetricSums>(addSums, {}), ownWhole.get(row.adv_id) ?? {})
      const activity = { is_submitted: row.submitted_at !== null, is_open: row.is_open }
      return {
        name: row.name,
        status: activityStatus(activity, row.last_day, today()),
        local_plans: plans.filter(({ plan_id, is_created }) => plan_id === null && !is_created).length,
        plans: plans.length,
        list: days.map((date) => ({ date, ...measuredOf(viewer, withOwn(sums.get(date) ?? {}, own(date))) })),
        sums: measuredOf(viewer, whole),
      }
    },
  }
}

/** A day has no budget of its own. */
function measuredOf(viewer: Viewer, sums: MetricSums): MetricValues {
  const { budget: _, ...values } = valuesOf(viewer, sums)
  return values
}

interface ActivityRead {
  id: number
  adv_id: number
  name: string
  is_open: 0 | 1
  auto_sync: 0 | 1
  submitted_at: number | null
  last_day: string | null
  creator_id: number
  created_at: number
  product_id: number | null
  product_name: string | null
  advertiser_name: string
  realname: string
}

function presentActivity(
  viewer: Viewer,
  row: ActivityRead,
  of: {
    plans: readonly PlanRead[]
    sums: ReadonlyMap<number, MetricSums>
    there: ReadonlyMap<number, ThereRow>
    own: MetricSums
    today: string
  },
): ActivityRow {
  const { plans, sums, there, own, today } = of
  const activity = { is_submitted: row.submitted_at !== null, is_open: row.is_open }
  const status = activityStatus(activity, row.last_day, today)
  const reported = plans.reduce<MetricSums>((sum, { id }) => addSums(sum, sums.get(id) ?? {}), {})
  const whole = withOwn(reported, own)
  const seesAll = visibleMetrics(['creator', 'created_at', 'product_name', 'advertiser_name'], viewer)
  const seen = <T>(key: MetricKey, value: T): T | null => (seesAll.includes(key) ? value : null)
  const isBudgetSeen = visibleMetrics(['budget'], viewer).length > 0
  return {
    id: row.id,
    campaign_mold: 1,
    campaign_id: row.id,
    name: row.name,
    status,
    plan_status_name: ACTIVITY_STATUS[status],
    is_open: row.is_open,
    auto_sync: row.auto_sync,
    type: null,
    advertiser_id: row.adv_id,
    advertiser_name: seen('advertiser_name', row.advertiser_name),
    product_id: row.product_id,
    product_name: seen('product_name', row.product_name),
    creator: seen('creator', { id: row.creator_id, realname: row.realname }),
    created_at: seen('created_at', row.created_at),
    children: plans.map((plan) => {
      const shown = shownPlan(activity, plan, there.get(plan.id), today)
      const told = isBudgetSeen ? shown.sync.told : withoutBudgets(shown.sync.told)
      return { ...presentPlan(viewer, plan, sums.get(plan.id) ?? {}), ...shown, sync: { ...shown.sync, told } }
    }),
    ...valuesWithBudgets(viewer, whole, plans),
  }
}

function presentPlan(viewer: Viewer, plan: PlanRead, sums: MetricSums) {
  const { id, campaign_id, name, is_open, platform, account_id, account_name, plan_id, is_created } = plan
  return {
    ...{ id, campaign_id, name, is_open, platform, account_id, account_name, plan_id },
    campaign_mold: 2 as const,
    is_local: plan_id === null && !is_created,
    ...valuesWithBudgets(viewer, sums, [plan]),
  }
}

/** A row of a comparison: the activity and its values. */
function comparedOf(row: ActivityRow) {
  const keys = [...VALUE_KEYS, 'budget_total'] as const
  const values = Object.fromEntries(keys.filter((key) => key in row).map((key) => [key, row[key]]))
  return { id: row.id, name: row.name, status: row.status, ...values }
}

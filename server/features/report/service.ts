import type { Transaction } from 'kysely'
import type { z } from 'zod'
import { REPORT_DAYS_MAX } from '#contract/day-report.ts'
import { outcome } from '#contract/outcome.ts'
import type {
  getReportSync,
  listDayMarks,
  listReportMarks,
  listUnlinkedPlans,
  ReportAccount,
  syncReports,
} from '#contract/report.ts'
import { listedAdvertisers } from '../../crowds/crowd-list.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import { platformDayOf } from '../../platforms/platform-day.ts'
import type { Database } from '../../postgres/schema.ts'
import { seenActivities } from '../../postgres/seen-activities.ts'
import { transaction } from '../../postgres/transaction.ts'
import { askedDays } from '../../reports/asked-days.ts'
import type { Days } from '../../reports/days-in-force.ts'
import { now } from '../../time/clock.ts'
import { reportAccounts } from './accounts.ts'
import { dailyReports } from './daily.ts'
import type { ReportDeps } from './deps.ts'
import { reportJob } from './job.ts'
import { accountsOfPlans, linkedPlans } from './linked.ts'
import { marksOf, summary } from './marks.ts'
import { reportRequests } from './request.ts'
import { tellMarks } from './tell-marks.ts'
import { unlinkedOf } from './unlinked.ts'

const DAY = 86_400

/** Reports that are read from the platforms. */
export function reportService(deps: ReportDeps) {
  const { db, timezone } = deps
  const request = reportRequests(deps)
  reportJob(deps)
  dailyReports(deps, request)
  tellMarks(deps)

  async function advertiserOf(viewer: Viewer, campaign_id: number): Promise<number> {
    const row = await db
      .selectFrom('campaign')
      .select('adv_id')
      .where('id', '=', campaign_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!row || !viewer.isMember(row.adv_id)) throw new AppError('notFound', { what: '活动' })
    return row.adv_id
  }

  async function accountsOfActivity(viewer: Viewer, campaign_id: number): Promise<number[]> {
    await advertiserOf(viewer, campaign_id)
    const rows = await linkedPlans(db).select('account.id').distinct().where('campaign.id', '=', campaign_id).execute()
    return rows.map(({ id }) => id)
  }

  async function accountsOfAdvertisers(adv_ids: readonly number[]): Promise<number[]> {
    const rows = await accountsOfPlans(db, platformDayOf(now()))
      .where('account.adv_id', 'in', [0, ...adv_ids])
      .execute()
    return rows.map(({ id }) => id)
  }

  async function accountsAsked(viewer: Viewer, asked: z.output<typeof syncReports.body>): Promise<number[]> {
    const { account_id, campaign_id, adv_id } = asked
    if (account_id !== undefined) {
      const account = await db
        .selectFrom('platform_account')
        .select('adv_id')
        .where('id', '=', account_id)
        .executeTakeFirst()
      if (!account || !viewer.isMember(account.adv_id)) throw new AppError('notFound', { what: '平台账户' })
      viewer.mustBeMember(account.adv_id)
      return [account_id]
    }
    if (campaign_id !== undefined) {
      viewer.mustBeMember(await advertiserOf(viewer, campaign_id))
      return accountsOfActivity(viewer, campaign_id)
    }
    viewer.mustBeMember(adv_id as number)
    return accountsOfAdvertisers([adv_id as number])
  }

  function daysOf(range: readonly [number, number] | undefined): Days {
    const days = askedDays(timezone)(range)
    if (Date.parse(days.to) - Date.parse(days.from) >= REPORT_DAYS_MAX * DAY * 1000) {
      throw new AppError('badInput', { reason: outcome('report_days_many', { max: REPORT_DAYS_MAX }) })
    }
    return days
  }

  return {
    async state(viewer: Viewer, asked: z.output<typeof getReportSync.query>): Promise<{ list: ReportAccount[] }> {
      const ids =
        asked.campaign_id === undefined
          ? await accountsOfAdvertisers(listedAdvertisers(viewer, asked.adv_id))
          : await accountsOfActivity(viewer, asked.campaign_id)
      return { list: await reportAccounts(db, ids, timezone) }
    },

    /** Asks for the reports and for the plans, and answers how the accounts stand then. */
    async sync(viewer: Viewer, asked: z.output<typeof syncReports.body>): Promise<{ list: ReportAccount[] }> {
      const ids = await accountsAsked(viewer, asked)
      if (ids.length === 0) throw new AppError('badInput', { reason: outcome('report_no_linked_plans') })
      const isRead = await transaction(db, async (tx) => {
        const done: boolean[] = []
        // In the order of their ids, so that two calls do not wait for each other.
        for (const id of ids.toSorted((one, other) => one - other)) done.push(await request(tx, id))
        await deps.readPlans(tx, ids)
        return done.includes(true)
      })
      if (!isRead) throw new AppError('badInput', { reason: outcome('report_none_there') })
      return { list: await reportAccounts(db, ids, timezone) }
    },

    /** The last year where no days are named. */
    unlinked: (viewer: Viewer, asked: z.output<typeof listUnlinkedPlans.query>) =>
      unlinkedOf(deps, viewer, asked, daysOf(asked.time_range ?? [now() - (REPORT_DAYS_MAX - 1) * DAY, now()])),

    async marks(
      viewer: Viewer,
      asked: z.output<typeof listReportMarks.query>,
    ): Promise<z.output<typeof listReportMarks.data>> {
      const ids = await seenActivities(db, viewer.adv_ids, asked.campaign_id)
      if (ids.length === 0) return { list: [] }
      const marks = await marksOf(deps, ids, daysOf(asked.time_range), { sees_costs: viewer.see_restricted })
      return { list: ids.flatMap((id) => summary(id, marks.get(id) ?? [])) }
    },

    async dayMarks(viewer: Viewer, asked: z.output<typeof listDayMarks.query>) {
      await advertiserOf(viewer, asked.campaign_id)
      const marks = await marksOf(deps, [asked.campaign_id], daysOf(asked.time_range), {
        sees_costs: viewer.see_restricted,
      })
      return { list: marks.get(asked.campaign_id) ?? [] }
    },

    /** The account can be read again: what was missed meanwhile is read. */
    async onAuthorised(tx: Transaction<Database>, account_id: number): Promise<void> {
      const known = await tx
        .selectFrom('report_account')
        .select('account_id')
        .where('account_id', '=', account_id)
        .executeTakeFirst()
      const isLinked = await linkedPlans(tx)
        .select('account.id')
        .where('account.id', '=', account_id)
        .executeTakeFirst()
      if (known || isLinked) await request(tx, account_id)
    },
  }
}
export type ReportService = ReturnType<typeof reportService>

import type { z } from 'zod'
import { metricValue } from '#contract/activity/formulas.ts'
import type { PlatformCode } from '#contract/platform.ts'
import type { listUnlinkedPlans } from '#contract/report.ts'
import { AppError } from '../../errors.ts'
import type { Viewer } from '../../http/viewer.ts'
import type { Days } from '../../reports/days-in-force.ts'
import { daysOfImport, unlinkedPlans } from '../../reports/unlinked.ts'
import type { ReportDeps } from './deps.ts'
import { linkedPlans } from './linked.ts'

type Asked = z.output<typeof listUnlinkedPlans.query>

/** The plans of an advertiser's reports that no activity shows, with the accounts by which they can be linked. */
export async function unlinkedOf({ db, live }: ReportDeps, viewer: Viewer, asked: Asked, lately: Days) {
  const { adv_id, account_id, import_id, page, page_size } = asked
  viewer.mustBeMember(adv_id)
  const days = import_id === undefined ? lately : await daysOfImport(live, adv_id, import_id)
  if (!days) return { list: [], total: 0, plans: 0 }
  const [accounts, linked] = await Promise.all([
    db
      .selectFrom('platform_account')
      .select(['id', 'name', 'platform', 'external_id'])
      .where('adv_id', '=', adv_id)
      .orderBy('id', 'desc')
      .execute(),
    linkedPlans(db)
      .select(['account.external_id as account_id', 'plan.plan_id'])
      .where('campaign.adv_id', '=', adv_id)
      .$narrowType<{ plan_id: string }>()
      .execute(),
  ])
  const account = accounts.find(({ id }) => id === account_id)
  if (account_id !== undefined && !account) throw new AppError('notFound', { what: '平台账户' })
  // Where two platforms gave the same id the first account is meant.
  const known = new Map(accounts.map((one) => [one.external_id, one]))
  const found = await unlinkedPlans(live, {
    ...{ adv_id, linked, days, import_id, account: account?.external_id },
    order: viewer.see_restricted ? 'cost' : 'last_day',
    ...{ limit: page_size, offset: (page - 1) * page_size },
  })
  const list = found.list.map(({ account_id: external, plan_id, cost, ...of }) => {
    const own = known.get(external)
    return {
      ...{ account: external, plan: plan_id, ...of },
      ...{
        account_id: own?.id ?? null,
        account_name: own?.name ?? null,
        platform: own ? (own.platform as PlatformCode) : null,
      },
      cost: cost === null || !viewer.see_restricted ? null : metricValue('cost', { cost }),
    }
  })
  return { ...found, list }
}

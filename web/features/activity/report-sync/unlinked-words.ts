import type { UnlinkedPlan } from '#contract/report.ts'
import type { PlanLink } from '../workbench/plan-link.ts'

/** In the URL: the import whose plans are listed alone. */
export const UNLINKED_OF = 'unlinked_import'

/** Why a plan of reports cannot be linked; null where it can. */
export function linkRefusal({ account, account_id, plan }: UnlinkedPlan): string | null {
  if (plan === '') return '报表的行没有写平台计划 ID，不能关联；请在导入时指定哪一列是计划'
  if (account !== '' && account_id === null) return `这里没有平台账户 ${account}，请先在「广告主授权」授权它`
  return null
}

/** What the workbench makes a plan of. */
export const planLinkOf = ({ account, account_id, account_name, platform, plan }: UnlinkedPlan): PlanLink => ({
  plan_id: plan,
  platform,
  account:
    account_id !== null && account_name !== null ? { id: account_id, name: account_name, external_id: account } : null,
})

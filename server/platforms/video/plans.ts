import { z } from 'zod'
import type { ActivityStatus } from '#contract/activity/status.ts'
import type { PlanBudget } from '#contract/activity/there.ts'
import { PLATFORMS } from '#contract/platform.ts'
import { idNumber, WireId } from '../lossless-json.ts'
import type { PlatformPlans } from '../plan-platform.ts'
import { rowsOf } from './dictionary-rows.ts'
import { mustSucceed, yuanOf } from './plan-items.ts'
import type { VideoWire } from './wire.ts'

const DAY = 'BUDGET_MODE_DAY'
const INFINITE = 'BUDGET_MODE_INFINITE'
const PAGE = 100
const STATUS: Readonly<Record<string, ActivityStatus>> = {
  PROJECT_STATUS_ENABLE: 1,
  PROJECT_STATUS_DISABLE: 2,
  PROJECT_STATUS_DONE: 3,
  PROJECT_STATUS_DELETE: 3,
}
const DELETED = 'PROJECT_STATUS_DELETE'

const Row = z.object({
  project_id: WireId,
  name: z.string().nullish(),
  opt_status: z.string().nullish(),
  status_first: z.string(),
  delivery_setting: z.object({ budget: z.number().nullish(), budget_mode: z.string().nullish() }).nullish(),
})
const Page = z.object({ list: rowsOf(Row) })
const Changed = z.object({ errors: z.array(z.object({ error_message: z.string().nullish() })).nullish() })

/** Projects of the video engine (v3.0), which stand for our plans. A batch succeeds although items of it failed. */
export function videoPlans(wire: VideoWire): PlatformPlans {
  const about = ({ external_id }: { external_id: string }) => ({ advertiser_id: idNumber(external_id) })
  return {
    scopes: PLATFORMS.video.scopes,
    needsOperator: false,
    async read(account, ids, on) {
      const query = { ...about(account), filtering: { ids: ids.map(idNumber) }, page: 1, page_size: PAGE }
      const { list } = await wire.get(Page, { account, on, path: 'v3.0/project/list/', query })
      return list
        .filter(({ status_first }) => status_first !== DELETED)
        .map((row) => ({
          plan_id: row.project_id,
          name: row.name || row.project_id,
          is_on: row.opt_status === 'ENABLE',
          budget: budgetOf(row.delivery_setting),
          status: STATUS[row.status_first] ?? 2,
        }))
    },
    async switch(account, plan_id, is_on, on) {
      const data = [{ project_id: idNumber(plan_id), opt_status: is_on ? 'ENABLE' : 'DISABLE' }]
      const body = { json: { ...about(account), data } }
      mustSucceed(await wire.post(Changed, { account, on, path: 'v3.0/project/status/update/', body }))
    },
    async setBudget(account, plan_id, { fen }, on) {
      const budget = fen === null ? { budget_mode: INFINITE } : { budget_mode: DAY, budget: yuanOf(fen) }
      const body = { json: { ...about(account), data: [{ project_id: idNumber(plan_id), ...budget }] } }
      mustSucceed(await wire.post(Changed, { account, on, path: 'v3.0/project/budget/update/', body }))
    },
  }
}

function budgetOf(setting: z.output<typeof Row>['delivery_setting']): PlanBudget {
  const { budget, budget_mode } = setting ?? {}
  if (!budget_mode || budget_mode === INFINITE || budget == null) return { mode: 'none', fen: null }
  return { mode: budget_mode === DAY ? 'day' : 'total', fen: Math.round(budget * 100) }
}

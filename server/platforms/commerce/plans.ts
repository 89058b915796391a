import { z } from 'zod'
import type { ActivityStatus } from '#contract/activity/status.ts'
import type { PlanBudget, PlatformPlan } from '#contract/activity/there.ts'
import { PLATFORMS } from '#contract/platform.ts'
import { idNumber, WireId } from '../lossless-json.ts'
import { daysThere, type PlatformPlans } from '../plan-platform.ts'
import { rowsOf } from '../video/dictionary-rows.ts'
import { mustSucceed, yuanOf } from '../video/plan-items.ts'
import type { VideoWire } from '../video/wire.ts'
import { commerceCreating, PATH } from './plan-creation.ts'
import { commerceUpdate } from './plan-update.ts'

/** Whether plans are created by calls; otherwise they can only be linked. */
const CREATES_PLANS: boolean = true
/** The list answers plans of one goal at a time. */
const GOALS = ['VIDEO_PROM_GOODS', 'LIVE_PROM_GOODS']
const PAGE = 100
const ENDED = new Set(['TIME_DONE', 'DELETED'])
const WAITING = new Set(['AUDIT', 'REAUDIT', 'OFFLINE_AUDIT'])

const Row = z.object({
  ad_id: WireId,
  name: z.string().nullish(),
  status: z.string().nullish(),
  opt_status: z.string().nullish(),
  delivery_setting: z
    .object({
      budget: z.number().nullish(),
      budget_mode: z.string().nullish(),
      start_time: z.string().nullish(),
      end_time: z.string().nullish(),
    })
    .nullish(),
})
const Page = z.object({ list: rowsOf(Row) })
const Changed = z.object({ errors: z.array(z.object({ error_message: z.string().nullish() })).nullish() })

/** Plans of the commerce platform (v1.0). A batch succeeds although items of it failed. */
export function commercePlans(wire: VideoWire): PlatformPlans {
  const about = ({ external_id }: { external_id: string }) => ({ advertiser_id: idNumber(external_id) })
  return {
    scopes: PLATFORMS.commerce.scopes,
    needsOperator: false,
    startIsFixed: true,
    update: commerceUpdate(wire),
    create: CREATES_PLANS ? commerceCreating(wire) : null,
    async read(account, ids, on) {
      const found: PlatformPlan[] = []
      for (const marketing_goal of GOALS) {
        const filtering = { marketing_goal, marketing_scene: 'ALL', status: 'ALL', ids: ids.map(idNumber) }
        const query = { ...about(account), filtering, page: 1, page_size: PAGE }
        const { list } = await wire.get(Page, { account, on, path: `${PATH}/get/`, query })
        found.push(...list.filter(({ opt_status }) => opt_status !== 'DELETE').map(planOf))
      }
      return found
    },
    async switch(account, plan_id, is_on, on) {
      const json = { ...about(account), ad_ids: [idNumber(plan_id)], opt_status: is_on ? 'ENABLE' : 'DISABLE' }
      mustSucceed(await wire.post(Changed, { account, on, path: `${PATH}/status/update/`, body: { json } }))
    },
    async setBudget(account, plan_id, { fen }, on) {
      const json = { ...about(account), data: [{ ad_id: idNumber(plan_id), budget: yuanOf(fen ?? 0) }] }
      mustSucceed(await wire.post(Changed, { account, on, path: `${PATH}/budget/update/`, body: { json } }))
    },
  }
}

const planOf = (row: z.output<typeof Row>): PlatformPlan => ({
  plan_id: row.ad_id,
  name: row.name || row.ad_id,
  is_on: row.opt_status === 'ENABLE',
  budget: budgetOf(row.delivery_setting),
  days: daysThere(row.delivery_setting?.start_time, row.delivery_setting?.end_time),
  status: statusOf(row),
})

function statusOf({ status, opt_status }: z.output<typeof Row>): ActivityStatus {
  if (status && WAITING.has(status)) return 0
  if (status && ENDED.has(status)) return 3
  return opt_status === 'ENABLE' ? 1 : 2
}

function budgetOf(setting: z.output<typeof Row>['delivery_setting']): PlanBudget {
  const { budget, budget_mode } = setting ?? {}
  if (budget == null || budget_mode === 'BUDGET_MODE_INFINITE') return { mode: 'none', fen: null }
  return { mode: budget_mode === 'BUDGET_MODE_DAY' ? 'day' : 'total', fen: Math.round(budget * 100) }
}

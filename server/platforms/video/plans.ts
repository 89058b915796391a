import { z } from 'zod'
import type { ActivityStatus } from '#contract/activity/status.ts'
import type { PlanBudget, PlanParts } from '#contract/activity/there.ts'
import { PLATFORMS } from '#contract/platform.ts'
import type { StepHooks } from '../audience-platform.ts'
import { idNumber, WireId } from '../lossless-json.ts'
import { ALWAYS, daysThere, type PlanSession, type PlatformPlans } from '../plan-platform.ts'
import type { AdminInfo } from './admin-info.ts'
import { rowsOf } from './dictionary-rows.ts'
import { audienceOf, DAY, INFINITE, projectName, videoCreating } from './plan-creation.ts'
import { goneMeansRefused, lastSecondThere, mustSucceed, yuanOf } from './plan-items.ts'
import type { VideoWire } from './wire.ts'

/** Whether projects are created by calls; otherwise they can only be linked. */
const CREATES_PLANS: boolean = true
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
/** Blocks of an update that were refused although the call succeeded. */
const Updated = z.object({ error_list: z.array(z.object({ error_message: z.string().nullish() })).nullish() })
const Changed = z.object({ errors: z.array(z.object({ error_message: z.string().nullish() })).nullish() })

/** Projects of the video engine (v3.0), which stand for our plans. A batch succeeds although items of it failed. */
export function videoPlans(wire: VideoWire, admin: AdminInfo): PlatformPlans {
  const about = ({ external_id }: { external_id: string }) => ({ advertiser_id: idNumber(external_id) })
  async function update(account: PlanSession, plan_id: string, parts: Partial<PlanParts>, on: StepHooks) {
    const project_id = idNumber(plan_id)
    const { title, targeting, end, hours } = parts
    if (title !== undefined || targeting !== undefined) {
      const json = {
        ...{ ...about(account), project_id },
        ...(title && { name: projectName(title) }),
        ...(targeting && { audience: await audienceOf(admin, account, targeting, true, on) }),
      }
      const updating = wire.post(Updated, { account, on, path: 'v3.0/project/update/', body: { json } })
      mustSucceed({ errors: (await goneMeansRefused(updating)).error_list })
    }
    const write = async (what: string, item: object) => {
      const json = { ...about(account), data: [{ project_id, ...item }] }
      mustSucceed(await wire.post(Changed, { account, on, path: `v3.0/project/${what}/update/`, body: { json } }))
    }
    if (end !== undefined) {
      await write(
        'schedule_time',
        end === null
          ? { schedule_type: 'SCHEDULE_FROM_NOW' }
          : { schedule_type: 'SCHEDULE_START_END', end_time: lastSecondThere(end) },
      )
    }
    if (hours !== undefined) await write('week_schedule', { schedule_time: hours ?? ALWAYS })
  }

  return {
    scopes: PLATFORMS.video.scopes,
    needsOperator: false,
    startIsFixed: true,
    update,
    create: CREATES_PLANS ? videoCreating(wire, admin) : null,
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
          days: daysThere(row.delivery_setting?.start_time, row.delivery_setting?.end_time),
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

import { z } from 'zod'
import type { ActivityStatus } from '#contract/activity/status.ts'
import type { PlanParts, PlatformPlan } from '#contract/activity/there.ts'
import { outcome } from '#contract/outcome.ts'
import type { StepHooks } from '../audience-platform.ts'
import { PlatformFault } from '../audience-platform.ts'
import { isFault } from '../call.ts'
import { idNumber, WireCount, WireId } from '../lossless-json.ts'
import { ALWAYS, daysThere, type PlanSession, type PlatformPlans } from '../plan-platform.ts'
import { rowsOf } from '../video/dictionary-rows.ts'
import { verdictOf } from './codes.ts'
import { adgroupName, OPEN_END, operatorOf, socialCreating, targetingOf } from './plan-creation.ts'
import type { SocialWire } from './wire.ts'

const ON = 'AD_STATUS_NORMAL'
const OFF = 'AD_STATUS_SUSPEND'
/** Whether plans are created by calls; otherwise they can only be linked. */
const CREATES_PLANS: boolean = true
/** An ad group that is missing, deleted, or another account's. */
const MISSING = 1800307
const PAGE = 100
const FIELDS = [
  ...['adgroup_id', 'adgroup_name', 'configured_status', 'system_status', 'daily_budget'],
  ...['begin_date', 'end_date'],
]

const Row = z.object({
  adgroup_id: WireId,
  adgroup_name: z.string().nullish(),
  configured_status: z.string(),
  system_status: z.string().nullish(),
  daily_budget: WireCount.nullish(),
  begin_date: z.string().nullish(),
  end_date: z.string().nullish(),
})
const Page = z.object({ list: rowsOf(Row) })
const Changed = z.object({
  list: z
    .array(
      z.object({
        code: z.number(),
        message: z.string().nullish(),
        message_cn: z.string().nullish(),
        adgroup_id: WireId,
      }),
    )
    .nullish(),
  fail_id_list: z.array(WireId).nullish(),
})

/** Ad groups of the social platform (v3.0). A batch succeeds as a whole although items of it failed. */
export function socialPlans(wire: SocialWire): PlatformPlans {
  async function change(
    account: PlanSession,
    plan_id: string,
    path: string,
    name: string,
    item: object,
    on: StepHooks,
  ) {
    const adgroup_id = idNumber(plan_id)
    const { list, fail_id_list } = await wire.post(Changed, {
      account,
      on,
      path,
      query: operatorOf(account),
      body: { json: { account_id: idNumber(account.external_id), [name]: [{ adgroup_id, ...item }] } },
    })
    const failed = (list ?? []).find((one) => one.code !== 0)
    if (failed?.code === MISSING) throw new PlatformFault('gone', outcome('plan_gone_there'))
    if (failed) {
      const verdict = verdictOf(failed, { now: 0, asked: null })
      if ('fault' in verdict) throw verdict.fault
    }
    if (fail_id_list?.includes(plan_id))
      throw new PlatformFault('refused', outcome('platform_gave_no_reason', { code: '0' }))
  }

  async function update(account: PlanSession, plan_id: string, parts: Partial<PlanParts>, on: StepHooks) {
    const { title, targeting, start, end, hours } = parts
    if (title !== undefined || targeting !== undefined) {
      const json = {
        ...{ account_id: idNumber(account.external_id), adgroup_id: idNumber(plan_id) },
        ...(title && { adgroup_name: adgroupName(title) }),
        // The object stands for the whole targeting; that the platform does not merge it is unconfirmed.
        ...(targeting && { targeting: targetingOf(targeting) }),
      }
      const query = operatorOf(account)
      try {
        await wire.post(z.unknown(), { account, on, path: 'adgroups/update', query, body: { json } })
      } catch (error) {
        throw isFault(error, 'refused') && error.code === MISSING
          ? new PlatformFault('gone', outcome('plan_gone_there'), { code: error.code })
          : error
      }
    }
    if (start === undefined && end === undefined && hours === undefined) return
    await change(account, plan_id, 'adgroups/update_datetime', 'update_datetime_spec', scheduleOf(parts), on)
  }

  return {
    scopes: ['ads_management'],
    needsOperator: true,
    startIsFixed: false,
    update,
    create: CREATES_PLANS ? socialCreating(wire) : null,
    async read(account, ids, on) {
      const query = {
        account_id: account.external_id,
        filtering: [{ field: 'adgroup_id', operator: 'IN', values: [...ids] }],
        ...{ fields: FIELDS, page: 1, page_size: PAGE },
      }
      const { list } = await wire.get(Page, { account, on, path: 'adgroups/get', query })
      return list.map(planOf)
    },
    switch: (account, plan_id, is_on, on) => {
      const item = { configured_status: is_on ? ON : OFF }
      const path = 'adgroups/update_configured_status'
      return change(account, plan_id, path, 'update_configured_status_spec', item, on)
    },
    setBudget: (account, plan_id, { fen }, on) =>
      change(
        account,
        plan_id,
        'adgroups/update_daily_budget',
        'update_daily_budget_spec',
        { daily_budget: fen ?? 0 },
        on,
      ),
  }
}

const scheduleOf = ({ start, end, hours }: Partial<PlanParts>) => ({
  ...(start !== undefined && { begin_date: start }),
  ...(end !== undefined && { end_date: end ?? OPEN_END }),
  ...(hours !== undefined && { time_series: hours ?? ALWAYS }),
})

const planOf = (row: z.output<typeof Row>): PlatformPlan => ({
  plan_id: row.adgroup_id,
  name: row.adgroup_name || row.adgroup_id,
  is_on: row.configured_status === ON,
  budget: row.daily_budget ? { mode: 'day', fen: row.daily_budget } : { mode: 'none', fen: null },
  days: daysThere(row.begin_date, row.end_date),
  status: statusOf(row),
})

function statusOf({ configured_status, system_status }: z.output<typeof Row>): ActivityStatus {
  if (/PENDING|DENIED|PREPARE/.test(`${configured_status} ${system_status}`)) return 0
  if (/DELETED|INVALID|FROZEN|FINISHED/.test(`${configured_status} ${system_status}`)) return 3
  return configured_status === ON ? 1 : 2
}

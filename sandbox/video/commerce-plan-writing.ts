import { timeText } from '../clock.ts'
import type { Database } from '../database.ts'
import type { Json } from '../json.ts'
import type { Parts } from '../parts.ts'
import { contentOf, keepContent } from '../plan-content.ts'
import type { Answer } from '../wire.ts'
import type { Context, Interface } from './access.ts'
import type { Body } from './arguments.ts'
import { reachedBy } from './commerce-audience.ts'
import { adName, creativesIn, deliveryIn, purposeIn, replacedDelivery } from './commerce-plan-fields.ts'
import { badRequest, success } from './envelope.ts'
import { hoursIn, mustKnow } from './project-fields.ts'

export interface CommercePlan {
  no: number
  id: string
  account_id: string
  name: string
  marketing_goal: string
  opt_status: string
  status: string
  budget_mode: string
  budget: number
}

const planId = (no: number) => String(9_907_199_254_740_993n + BigInt(no) * 2n)

/** A plan as a call or its own page makes it; answers its id. */
export function addCommercePlan(
  db: Database,
  at: number,
  wanted: {
    account_id: string
    name: string
    is_on: boolean
    budget: number
    marketing_goal?: string
    budget_mode?: string
  },
): string {
  const { marketing_goal = 'LIVE_PROM_GOODS', budget_mode = 'BUDGET_MODE_DAY' } = wanted
  const [opt_status, status] = wanted.is_on ? ['ENABLE', 'DELIVERY_OK'] : ['DISABLE', 'DISABLE']
  const { lastInsertRowid } = db.run(
    `INSERT INTO commerce_plan (id, account_id, name, marketing_goal, opt_status, status, budget_mode, budget, made_at, changed_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[`new ${wanted.name}`, wanted.account_id, wanted.name, marketing_goal, opt_status, status, budget_mode],
    ...[wanted.budget, at, at],
  )
  const id = planId(Number(lastInsertRowid))
  db.run('UPDATE commerce_plan SET id = ? WHERE no = ?', id, lastInsertRowid)
  return id
}

export const commercePlanOf = (db: Database, account_id: string, id: string) =>
  db.one<CommercePlan>('SELECT * FROM commerce_plan WHERE account_id = ? AND id = ?', account_id, id)

/** Whether an account runs as many plans as it may. */
export const isFull = ({ db, switches }: Pick<Parts, 'db' | 'switches'>, account_id: string): boolean =>
  db.number("SELECT count(*) FROM commerce_plan WHERE account_id = ? AND opt_status = 'ENABLE'", account_id) >=
  switches.now.commerce_plans

interface Of {
  accountFor(context: Context): string
  /** Carries out a change for each of the ids. */
  each(account_id: string, ids: readonly string[], change: (plan: CommercePlan, no: number) => string | null): Answer
}

/** Creates plans of the commerce platform, and changes what may be changed of them. */
export function commercePlanWriting(parts: Parts, { accountFor, each }: Of): Record<string, Interface> {
  const { db, clock } = parts
  const today = () => timeText(clock.now()).slice(0, 10)

  function mustBeFree(account_id: string, name: string) {
    const sql = "SELECT 1 FROM commerce_plan WHERE account_id = ? AND name = ? AND opt_status <> 'DELETE'"
    if (db.one(sql, account_id, name)) throw badRequest(`计划名称已存在: ${name}`)
  }

  function audienceIn(given: Body, account_id: string): { [name: string]: Json } {
    const audience = given.object('audience') ?? {}
    // A package of the platform stands above all other fields.
    if (audience.orientation_id === undefined) reachedBy(audience, account_id)
    else {
      const sql = 'SELECT 1 FROM commerce_package WHERE id = ? AND account_id = ? AND NOT is_deleted'
      const id = String(audience.orientation_id)
      if (!db.one(sql, id, account_id)) throw badRequest(`orientation_id: 定向包不存在: ${id}`)
    }
    return audience
  }

  function create(context: Context): Answer {
    const account_id = accountFor(context)
    const { given } = context
    const name = adName(given) ?? ''
    const { marketing_goal, content } = purposeIn(given)
    const { setting, budget, budget_mode } = deliveryIn(given, marketing_goal, today())
    const audience = audienceIn(given, account_id)
    const creatives = creativesIn(given, marketing_goal)
    mustKnow(given, '')
    mustBeFree(account_id, name)
    const isOver = isFull(parts, account_id)
    // On, and subject to a review that passes at once: no document says in which state a plan begins.
    const id = addCommercePlan(db, clock.now(), { account_id, name, is_on: true, budget, marketing_goal, budget_mode })
    if (isOver)
      db.run("UPDATE commerce_plan SET opt_status = 'QUOTA_DISABLE', status = 'QUOTA_DISABLE' WHERE id = ?", id)
    keepContent(db, 'commerce', id, { ...content, ...creatives, audience, delivery_setting: setting })
    return success({ ad_id: BigInt(id), notice_infos: [] })
  }

  function own({ given }: Context, account_id: string): CommercePlan {
    const found = commercePlanOf(db, account_id, given.id('ad_id'))
    if (!found || found.opt_status === 'DELETE') throw badRequest('计划不存在或已删除')
    return found
  }

  /** Replaces a plan as a whole: what the call leaves out is no longer there. */
  function update(context: Context): Answer {
    const account_id = accountFor(context)
    const { given } = context
    const found = own(context, account_id)
    const { id, marketing_goal } = found
    const kept = contentOf(db, 'commerce', id)
    const name = adName(given, true)
    if (name === found.name) throw badRequest('name: 与原名称相同')
    const before = (kept.delivery_setting ?? {}) as { [name: string]: Json }
    const { setting, budget } = replacedDelivery(given, marketing_goal, before, today())
    const audience = audienceIn(given, account_id)
    const creatives = creativesIn(given, marketing_goal)
    mustKnow(given, '')
    if (name !== undefined) mustBeFree(account_id, name)
    db.run(
      'UPDATE commerce_plan SET name = ?, budget = ?, changed_at = ? WHERE id = ?',
      ...[name ?? found.name, budget, clock.now(), id],
    )
    keepContent(db, 'commerce', id, { ...creatives, audience, delivery_setting: setting })
    return success({ ad_id: BigInt(id), error_list: [], notice_infos: [] })
  }

  function detail(context: Context): Answer {
    const account_id = accountFor(context)
    const found = own(context, account_id)
    mustKnow(context.given, '')
    const { delivery_setting, ...content } = contentOf(db, 'commerce', found.id)
    const { budget_mode, budget, name, opt_status, status, marketing_goal } = found
    return success({
      ...{ ad_id: BigInt(found.id), name, opt_status, status, marketing_goal, ...content },
      delivery_setting: {
        // Plans from the platform's own pages run from now on without an end.
        ...(delivery_setting === undefined && pageMade(marketing_goal)),
        ...((delivery_setting ?? {}) as object),
        ...{ budget: budget / 100, budget_mode },
      },
    })
  }

  const settingOf = (id: string) => (contentOf(db, 'commerce', id).delivery_setting ?? {}) as { [name: string]: Json }
  const keepSetting = (id: string, setting: { [name: string]: Json }) =>
    keepContent(db, 'commerce', id, { delivery_setting: setting })

  function setEnds(context: Context): Answer {
    const account_id = accountFor(context)
    const { given } = context
    const ids = given.ids('ad_ids', 10)
    const type = given.oneOf('schedule_type', ['SCHEDULE_FROM_NOW', 'SCHEDULE_START_END'], 'SCHEDULE_FROM_NOW')
    // A number, as the vendor's own library has it; its unit is assumed.
    const end = given.optionalNumber('end_time', { least: 1 })
    mustKnow(given, '')
    return each(account_id, ids, ({ id, marketing_goal }) => {
      const name = marketing_goal === 'LIVE_PROM_GOODS' ? 'live_schedule_type' : 'video_schedule_type'
      const { end_time: _, start_time, ...rest } = settingOf(id)
      if (type === 'SCHEDULE_FROM_NOW') {
        keepSetting(id, { ...rest, [name]: type })
        return null
      }
      if (end === undefined) return 'end_time: 缺少必填参数'
      if (timeText(end).slice(0, 10) < today()) return 'end_time: 不能早于今天'
      const first = start_time ?? today()
      keepSetting(id, { ...rest, [name]: type, start_time: first, end_time: timeText(end).slice(0, 10) })
      return null
    })
  }

  function setHours(context: Context): Answer {
    const account_id = accountFor(context)
    const { given } = context
    const ids = given.ids('ad_ids', 10)
    const schedule_time = hoursIn(given)
    mustKnow(given, '')
    if (schedule_time === undefined) throw badRequest('schedule_time: 缺少必填参数')
    return each(account_id, ids, ({ id }) => {
      keepSetting(id, { ...settingOf(id), schedule_time })
      return null
    })
  }

  const path = '/open_api/v1.0/qianchuan/ad'
  return {
    [`POST ${path}/create/`]: { scopes: [], takes: 'json', act: create },
    [`POST ${path}/update/`]: { scopes: [], takes: 'json', act: update },
    [`GET ${path}/detail/get/`]: { scopes: [], takes: 'query', act: detail },
    [`POST ${path}/schedule_date/update/`]: { scopes: [], takes: 'json', act: setEnds },
    [`POST ${path}/schedule_time/update/`]: { scopes: [], takes: 'json', act: setHours },
  }
}

const pageMade = (marketing_goal: string) => ({
  smart_bid_type: 'SMART_BID_CONSERVATIVE',
  ...(marketing_goal === 'LIVE_PROM_GOODS'
    ? { live_schedule_type: 'SCHEDULE_FROM_NOW', external_action: 'AD_CONVERT_TYPE_LIVE_SUCCESSORDER_PAY' }
    : { video_schedule_type: 'SCHEDULE_FROM_NOW', external_action: 'AD_CONVERT_TYPE_SHOPPING' }),
})

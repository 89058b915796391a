import type { Parts } from '../parts.ts'
import { contentOf, type PlanContent } from '../plan-content.ts'
import type { Answer } from '../wire.ts'
import { advertiserFor, type Context, type Interface } from './access.ts'
import { type Body, within } from './arguments.ts'
import { BUDGET, GOALS } from './commerce-plan-fields.ts'
import { type CommercePlan, commercePlanOf, commercePlanWriting, isFull } from './commerce-plan-writing.ts'
import { badRequest, Refusal, success } from './envelope.ts'

const SCENES = ['FEED', 'SEARCH', 'SHOPPING_MALL', 'ALL']
const SWITCHED = ['ENABLE', 'DISABLE', 'DELETE', 'REVIVE', ''] as const
const STATUSES = ['ALL', 'ALL_INCLUDE_DELETED', 'DELIVERY_OK', 'DISABLE', 'AUDIT', 'FROZEN', 'TIME_DONE', 'DELETED']
const ITEMS_MOST = 10

/** The plans of the commerce platform: made, listed, switched, and changed. */
export function commercePlanCalls(parts: Parts): Record<string, Interface> {
  const { people, db } = parts
  function accountFor({ token, given }: Context): string {
    const account_id = advertiserFor(token, given.id('advertiser_id'))
    if (people.account('video', account_id)?.kind !== 'QIANCHUAN') {
      throw new Refusal(40002, `广告主${account_id}不是千川账户`)
    }
    return account_id
  }
  /** The first and the last day, where the plan has them. */
  function daysOf(id: string) {
    const { start_time, end_time } = (contentOf(db, 'commerce', id).delivery_setting ?? {}) as PlanContent
    return { ...(start_time !== undefined && { start_time }), ...(end_time !== undefined && { end_time }) }
  }
  function mustKnow(given: Body) {
    const [unknown] = given.unknown()
    if (unknown !== undefined) throw badRequest(`${unknown}: 不支持的参数`)
  }

  function get(context: Context): Answer {
    const { given } = context
    const account_id = accountFor(context)
    const asked = given.object('filtering')
    if (!asked) throw badRequest('filtering: 缺少必填参数')
    const filtering = within(asked)
    const goal = filtering.text('marketing_goal')
    if (!GOALS.some((one) => one === goal)) throw badRequest(`marketing_goal: 只能是${GOALS.join('、')}`)
    filtering.oneOf('marketing_scene', SCENES, 'FEED')
    const status = filtering.oneOf('status', STATUSES, 'ALL')
    const ids = Object.hasOwn(asked, 'ids') ? filtering.ids('ids', 100) : null
    const name = filtering.text('ad_name', { isOptional: true, most: 30 })
    mustKnow(filtering)
    const page = given.optionalNumber('page', { least: 1 }) ?? 1
    const page_size = given.optionalNumber('page_size', { least: 1, most: 1000 }) ?? 10
    mustKnow(given)
    const found = db
      .all<CommercePlan>(
        'SELECT * FROM commerce_plan WHERE account_id = ? AND marketing_goal = ? ORDER BY no DESC',
        ...[account_id, goal],
      )
      .filter((one) => (ids === null || ids.includes(one.id)) && (name === undefined || one.name.includes(name)))
      .filter((one) =>
        status === 'ALL_INCLUDE_DELETED'
          ? true
          : status === 'ALL'
            ? one.opt_status !== 'DELETE'
            : one.status === status,
      )
    return success({
      list: found.slice((page - 1) * page_size, page * page_size).map((one) => ({
        ad_id: BigInt(one.id),
        name: one.name,
        status: one.status,
        opt_status: one.opt_status,
        marketing_goal: one.marketing_goal,
        delivery_setting: { budget: one.budget / 100, budget_mode: one.budget_mode, ...daysOf(one.id) },
      })),
      fail_list: [],
      page_info: { page, page_size, total_number: found.length, total_page: Math.ceil(found.length / page_size) },
    })
  }

  /** Carries out each id by itself; those that fail are named beside those that succeeded. */
  function each(account_id: string, ids: readonly string[], change: (plan: CommercePlan, no: number) => string | null) {
    if (new Set(ids).size < ids.length) throw badRequest('ad_id重复')
    const done: bigint[] = []
    const errors: { ad_id: bigint; error_message: string }[] = []
    for (const [no, id] of ids.entries()) {
      const found = commercePlanOf(db, account_id, id)
      const fault = !found ? '计划不存在' : found.opt_status === 'DELETE' ? '计划已删除，不能操作' : change(found, no)
      if (fault === null) done.push(BigInt(id))
      else errors.push({ ad_id: BigInt(id), error_message: fault })
    }
    return success({ ad_ids: done, errors })
  }

  function switchAll(context: Context): Answer {
    const account_id = accountFor(context)
    const ids = context.given.ids('ad_ids', ITEMS_MOST)
    const wanted = context.given.oneOf('opt_status', SWITCHED, '')
    if (wanted === '') throw badRequest('opt_status: 缺少必填参数')
    mustKnow(context.given)
    return each(account_id, ids, ({ no, status, opt_status }) => {
      if (wanted === 'ENABLE' && opt_status !== wanted && isFull(parts, account_id)) return '运行中的计划数已达配额上限'
      if (wanted === 'REVIVE') return '计划不支持该操作'
      const after = { ENABLE: 'DELIVERY_OK', DISABLE: 'DISABLE', DELETE: 'DELETED' }[wanted]
      // A plan whose dates have passed stays ended until they are moved.
      const next = status === 'TIME_DONE' && wanted !== 'DELETE' ? status : after
      db.run('UPDATE commerce_plan SET opt_status = ?, status = ? WHERE no = ?', wanted, next, no)
      return null
    })
  }

  function setBudgets(context: Context): Answer {
    const account_id = accountFor(context)
    const items = context.given.objects('data', ITEMS_MOST).map(within)
    mustKnow(context.given)
    const wanted = items.map((item) => {
      const id = item.id('ad_id')
      const budget = item.fen('budget')
      if (budget === undefined) throw badRequest('budget: 缺少必填参数')
      mustKnow(item)
      return { id, budget }
    })
    const ids = wanted.map(({ id }) => id)
    return each(account_id, ids, (plan, no) => {
      const budget = wanted[no]?.budget ?? 0
      if (budget < BUDGET.least || budget > BUDGET.most) return '计划预算应在300元到9999999.99元之间'
      db.run('UPDATE commerce_plan SET budget = ? WHERE no = ?', budget, plan.no)
      return null
    })
  }

  const path = '/open_api/v1.0/qianchuan/ad'
  return {
    ...commercePlanWriting(parts, { accountFor, each }),
    [`GET ${path}/get/`]: { scopes: [], takes: 'query', act: get },
    [`POST ${path}/status/update/`]: { scopes: [], takes: 'json', act: switchAll },
    [`POST ${path}/budget/update/`]: { scopes: [], takes: 'json', act: setBudgets },
  }
}

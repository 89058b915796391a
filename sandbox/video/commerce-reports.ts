import { dayOf } from '../clock.ts'
import type { Parts } from '../parts.ts'
import { draw } from '../population/draw.ts'
import type { Figures } from '../reports/figures.ts'
import { plansOf, type ReportedPlan } from '../reports/plans.ts'
import { accountRows, type DayRow, dayNumber, dayText, planRows, share, wholeRows } from '../reports/rows.ts'
import type { Answer } from '../wire.ts'
import { advertiserFor, type Context, type Interface } from './access.ts'
import { type Body, within } from './arguments.ts'
import { badRequest, Refusal, success } from './envelope.ts'

const PATH = '/open_api/v1.0/qianchuan/report'
const DAYS_MOST = 30
const ADS_MOST = 100
const PAGE = { usual: 20, most: 1000 }
const GOALS = ['ALL', 'LIVE_PROM_GOODS', 'VIDEO_PROM_GOODS'] as const
type Goal = (typeof GOALS)[number]
type GoalOf = (plan: ReportedPlan) => Exclude<Goal, 'ALL'>
const ORDER_PLATFORMS = ['QIANCHUAN', 'ECP_AWEME', 'ALL'] as const

const yuan = (fen: number) => Number((fen / 100).toFixed(2))
/** JSON numbers, amounts in yuan. */
const METRICS: Readonly<Record<string, (of: Figures) => number>> = {
  stat_cost: (of) => yuan(of.cost),
  show_cnt: (of) => of.shown,
  click_cnt: (of) => of.clicks,
  ctr: (of) => share(of.clicks * 100, of.shown, 2),
  cpm_platform: (of) => yuan(share(of.cost * 1000, of.shown, 0)),
  cpc_platform: (of) => yuan(share(of.cost, of.clicks, 0)),
  pay_order_count: (of) => of.paid_orders,
  create_order_amount: (of) => yuan(of.order_amount),
  create_order_count: (of) => of.orders,
  pay_order_amount: (of) => yuan(of.paid_amount),
  create_order_roi: (of) => share(of.order_amount, of.cost, 2),
  prepay_and_pay_order_roi: (of) => share(of.paid_amount + of.prepaid_amount, of.cost, 2),
  prepay_order_count: (of) => of.prepaid_orders,
  prepay_order_amount: (of) => yuan(of.prepaid_amount),
  dy_follow: (of) => of.follows,
  convert_cnt: (of) => of.conversions,
  convert_cost: (of) => yuan(share(of.cost, of.conversions, 0)),
  convert_rate: (of) => share(of.conversions * 100, of.clicks, 2),
  dy_share: (of) => of.shares,
  dy_comment: (of) => of.comments,
  dy_like: (of) => of.likes,
  luban_live_enter_cnt: (of) => of.live_enters,
  live_watch_one_minute_count: (of) => of.live_minutes,
  live_fans_club_join_cnt: (of) => of.live_fans,
  luban_live_slidecart_click_cnt: (of) => of.live_carts,
  luban_live_click_product_cnt: (of) => of.live_products,
  luban_live_comment_cnt: (of) => of.live_comments,
  luban_live_share_cnt: (of) => of.live_shares,
  luban_live_gift_cnt: (of) => of.live_gifts,
  luban_live_gift_amount: (of) => of.live_coins,
}
const isOfLive = (name: string) => /live/.test(name)
/** What a plan was for that the lists no longer show. */
const oldGoal = ({ id }: ReportedPlan): Exclude<Goal, 'ALL'> =>
  draw(Number(BigInt(id) % 4_294_967_291n), 0x607a) % 2 === 0 ? 'LIVE_PROM_GOODS' : 'VIDEO_PROM_GOODS'

/** The commerce platform's reports of plans and of accounts. Metrics of live rooms are zero for plans with videos. */
export function commerceReportCalls({ db, clock, people }: Parts): Record<string, Interface> {
  function read({ token, given }: Context, isByPlan: boolean): Answer {
    const account_id = advertiserFor(token, given.id('advertiser_id'))
    if (people.account('video', account_id)?.kind !== 'QIANCHUAN') {
      throw new Refusal(40002, `广告主${account_id}不是千川账户`)
    }
    const from = dayIn(given, 'start_date')
    const to = dayIn(given, 'end_date')
    if (from > to) throw badRequest('end_date: 不能早于start_date')
    if (to - from >= DAYS_MOST) throw badRequest(`end_date: 时间跨度不能超过${DAYS_MOST}天`)
    const fields = given.texts('fields', 200)
    const strange = fields.find((one) => !Object.hasOwn(METRICS, one))
    if (strange !== undefined) throw badRequest(`fields: 不支持的取值: ${strange}`)
    const { goal, ids } = filtersIn(given, isByPlan)
    const granularity = given.text('time_granularity', { isOptional: true })
    if (granularity !== undefined && granularity !== 'TIME_GRANULARITY_DAILY') {
      throw badRequest('time_granularity: 不支持的取值')
    }
    const page = given.optionalNumber('page', { least: 1 }) ?? 1
    const page_size = given.optionalNumber('page_size', { least: 1, most: PAGE.most }) ?? PAGE.usual
    const [unknown] = given.unknown()
    if (unknown !== undefined) throw badRequest(`${unknown}: 不支持的参数`)

    const made = db.all<{ id: string; made_at: number; marketing_goal: Exclude<Goal, 'ALL'> }>(
      'SELECT id, made_at, marketing_goal FROM commerce_plan WHERE account_id = ? ORDER BY no',
      account_id,
    )
    const goals = new Map(made.map((plan) => [plan.id, plan.marketing_goal]))
    const goalOf = (plan: ReportedPlan) => goals.get(plan.id) ?? oldGoal(plan)
    const known = made.map(({ id, made_at }) => ({ id, since: dayOf(made_at) }))
    const plans = plansOf(db, account_id, known)
      .filter((plan) => goal === 'ALL' || goalOf(plan) === goal)
      .filter(({ id }) => ids?.includes(id) ?? true)
    const now = clock.now()
    const list = isByPlan
      ? (granularity ? planRows : wholeRows)(plans, from, to, now).map((row) =>
          planRow(row, account_id, fields, goalOf),
        )
      : accountRowsOf({ plans, from, to, now, goalOf }, account_id, fields)
    return success({
      list: list.slice((page - 1) * page_size, page * page_size),
      page_info: { page, page_size, total_number: list.length, total_page: Math.ceil(list.length / page_size) },
    })
  }

  return {
    [`GET ${PATH}/ad/get/`]: { scopes: [], takes: 'query', act: (context) => read(context, true) },
    [`GET ${PATH}/advertiser/get/`]: { scopes: [], takes: 'query', act: (context) => read(context, false) },
  }
}

const valuesOf = (figures: Figures, fields: readonly string[]) =>
  Object.fromEntries(fields.map((name) => [name, METRICS[name]?.(figures) ?? 0]))
const timeOf = (day: number) => `${dayText(day)} 00:00:00`

function planRow({ day, plan, figures }: DayRow, account_id: string, fields: readonly string[], goalOf: GoalOf) {
  const values = valuesOf(figures, fields)
  const isVideo = plan !== null && goalOf(plan) === 'VIDEO_PROM_GOODS'
  for (const name of fields) if (isVideo && isOfLive(name)) values[name] = 0
  return {
    advertiser_id: BigInt(account_id),
    ad_id: BigInt(plan?.id ?? 0),
    stat_datetime: timeOf(day),
    ...values,
  }
}

/** Sums of the account by day; only plans with live rooms have metrics of those. */
function accountRowsOf(
  of: { plans: readonly ReportedPlan[]; from: number; to: number; now: number; goalOf: GoalOf },
  account_id: string,
  fields: readonly string[],
) {
  const { plans, from, to, now, goalOf } = of
  const live = accountRows(
    plans.filter((plan) => goalOf(plan) === 'LIVE_PROM_GOODS'),
    from,
    to,
    now,
  )
  return accountRows(plans, from, to, now).map(({ day, figures }, at) => ({
    advertiser_id: BigInt(account_id),
    stat_datetime: timeOf(day),
    ...valuesOf(figures, fields),
    ...valuesOf(live[at]?.figures ?? figures, fields.filter(isOfLive)),
  }))
}

function filtersIn(given: Body, isByPlan: boolean): { goal: Goal; ids: string[] | null } {
  const asked = given.object('filtering')
  if (!asked) throw badRequest('filtering: 缺少必填参数')
  const filtering = within(asked)
  const goal = GOALS.find((one) => one === filtering.text('marketing_goal'))
  if (!goal) throw badRequest(`filtering.marketing_goal: 只能是${GOALS.join('、')}`)
  filtering.oneOf('order_platform', ORDER_PLATFORMS, 'QIANCHUAN')
  const ids = isByPlan && Object.hasOwn(asked, 'ad_ids') ? filtering.ids('ad_ids', ADS_MOST) : null
  const [unknown] = filtering.unknown()
  if (unknown !== undefined) throw badRequest(`filtering.${unknown}: 不支持的参数`)
  return { goal, ids }
}

function dayIn(given: Body, name: string): number {
  const day = dayNumber(given.text(name))
  if (day === null) throw badRequest(`${name}: 应为YYYY-MM-DD`)
  return day
}

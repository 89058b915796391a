import { dayOf } from '../clock.ts'
import type { Json } from '../json.ts'
import type { Parts } from '../parts.ts'
import type { Figures } from '../reports/figures.ts'
import { plansOf } from '../reports/plans.ts'
import { accountRows, type DayRow, dayNumber, dayText, planRows, share } from '../reports/rows.ts'
import type { Answer } from '../wire.ts'
import type { Context, Interface } from './access.ts'
import { adgroupId } from './adgroups.ts'
import { accountFor } from './advertisers.ts'
import { Refusal, success } from './envelope.ts'
import { filtersIn } from './filtering.ts'
import { codesAt, listAt, objectAt, textAt } from './values.ts'

const PAGE_SIZE = { usual: 10, most: 2000 }
/** The last row that pages reach. */
const ROWS_MOST = 10_000
const DAYS_BACK = 365
/** Seconds in which so many rows may be matched; after more, the level is closed for a while. */
const WINDOW = 10
const LEVELS = ['REPORT_LEVEL_ADVERTISER', 'REPORT_LEVEL_ADGROUP'] as const
const KEYS = ['date', 'adgroup_id'] as const
const TIME_LINES = ['REQUEST_TIME', 'REPORTING_TIME', 'ACTIVE_TIME'] as const
const ADGROUP_ID = { operators: ['EQUALS', 'IN'], most: 100, form: /^\d{1,19}$/ }

/** Amounts in fen, rates as fractions of 1. */
const FIELDS: Readonly<Record<string, (of: Figures) => number>> = {
  cost: (of) => of.cost,
  view_count: (of) => of.shown,
  valid_click_count: (of) => of.clicks,
  ctr: (of) => share(of.clicks, of.shown, 4),
  cpc: (of) => share(of.cost, of.clicks, 0),
  thousand_display_price: (of) => share(of.cost * 1000, of.shown, 0),
  conversions_count: (of) => of.conversions,
  conversions_cost: (of) => share(of.cost, of.conversions, 0),
  conversions_rate: (of) => share(of.conversions, of.clicks, 4),
  order_pv: (of) => of.orders,
  order_amount: (of) => of.order_amount,
  page_reservation_count: (of) => of.leads,
  platform_page_view_count: (of) => of.clicks,
  praise_count: (of) => of.likes,
  comment_count: (of) => of.comments,
  forward_count: (of) => of.shares,
  video_live_exp_count: (of) => of.live_enters,
  video_live_comment_count: (of) => of.live_comments,
  video_live_share_count: (of) => of.live_shares,
  // The platform's own spelling.
  video_live_cick_commodity_count: (of) => of.live_products,
  live_stream_commodity_shop_bag_clk_pv: (of) => of.live_carts,
}
const KNOWN = ['account_id', ...KEYS, ...Object.keys(FIELDS)]

/** Reports by day. Rows without a show are left out. */
export function reportCalls({ db, clock, switches }: Parts): Record<string, Interface> {
  const matched = new Map<string, { at: number; rows: number }[]>()
  const closed = new Map<string, number>()

  /** Counts the rows that a call of a level matches, whichever of them its page has. */
  function count(app: string, level: string, rows: number) {
    const most = switches.now.social_report_rows
    const key = `${app} ${level}`
    const now = clock.wall()
    if (most === 0) return
    if ((closed.get(key) ?? 0) > now) throw new Refusal(64016)
    const recent = (matched.get(key) ?? []).filter(({ at }) => at > now - WINDOW)
    matched.set(key, [...recent, { at: now, rows }])
    const used = recent.reduce((sum, one) => sum + one.rows, rows)
    if (used <= most) return
    const left = WINDOW - (now - (recent[0]?.at ?? now))
    closed.set(key, now + left + Math.floor(used / most) * WINDOW)
  }

  function get(context: Context): Answer {
    const { given, token } = context
    const account_id = accountFor(context, 18001)
    const level = given.oneOf('level', LEVELS)
    if (!level) throw new Refusal(18001, ['level'])
    const { from, to } = daysIn(given.json('date_range'), dayOf(clock.now()))
    const keys = keysIn(given.json('group_by'))
    const isByPlan = keys.includes('adgroup_id')
    if (isByPlan !== (level === 'REPORT_LEVEL_ADGROUP') || !keys.includes('date'))
      throw new Refusal(18009, ['group_by'])
    const fields = given.fields(KNOWN)
    if (!fields) throw new Refusal(18001, ['fields'])
    given.oneOf('time_line', TIME_LINES)
    const [filter] = filtersIn(context, { adgroup_id: ADGROUP_ID }, 40)
    const page = given.number('page', 1, 99_999) ?? 1
    const page_size = given.number('page_size', 1, PAGE_SIZE.most) ?? PAGE_SIZE.usual
    if (page * page_size > ROWS_MOST) throw new Refusal(18003, ['page', 'page_size'])

    const older = db.all<{ no: number }>('SELECT no FROM social_adgroup WHERE account_id = ? ORDER BY no', account_id)
    const newer = db.all<{ id: string; made_at: number }>(
      'SELECT id, made_at FROM social_plan WHERE account_id = ? ORDER BY no',
      account_id,
    )
    const made = [
      ...older.map(({ no }) => ({ id: adgroupId(no), since: 0 })),
      ...newer.map(({ id, made_at }) => ({ id, since: dayOf(made_at) })),
    ]
    const plans = plansOf(db, account_id, made).filter(({ id }) => filter?.values.includes(id) ?? true)
    const rows = (isByPlan ? planRows : accountRows)(plans, from, to, clock.now()).filter(
      ({ figures }) => figures.shown > 0,
    )
    count(token.app_id, level, rows.length)
    const ordered = inOrder(rows, given.json('order_by'))
    return success({
      list: ordered.slice((page - 1) * page_size, page * page_size).map((row) => shown(row, account_id, fields)),
      page_info: { page, page_size, total_number: rows.length, total_page: Math.ceil(rows.length / page_size) },
    })
  }

  return { 'GET daily_reports/get': { scopes: ['ads_insights'], isStrict: true, act: get } }
}

function shown({ day, plan, figures }: DayRow, account_id: string, fields: readonly string[]) {
  const keys: Record<string, unknown> = { date: dayText(day), account_id: BigInt(account_id) }
  if (plan) keys.adgroup_id = BigInt(plan.id)
  // The keys that rows are grouped by come with the fields asked for.
  const names = [...new Set(['date', ...(plan ? ['adgroup_id'] : []), ...fields])]
  return Object.fromEntries(names.map((name) => [name, FIELDS[name]?.(figures) ?? keys[name]]))
}

function daysIn(value: Json | undefined, today: number): { from: number; to: number } {
  if (value === undefined) throw new Refusal(18001, ['date_range'])
  const range = objectAt(value, 'date_range', ['start_date', 'end_date'])
  const at = (name: 'start_date' | 'end_date'): number => {
    const text = range[name]
    if (text === undefined) throw new Refusal(18001, [`date_range.${name}`])
    const day = dayNumber(textAt(text, `date_range.${name}`, 10, 10))
    if (day === null || day > today || day < today - DAYS_BACK) throw new Refusal(31002, [`date_range.${name}`])
    return day
  }
  const [from, to] = [at('start_date'), at('end_date')]
  if (from > to) throw new Refusal(31002, ['date_range'])
  return { from, to }
}

function keysIn(value: Json | undefined): string[] {
  if (value === undefined) throw new Refusal(18001, ['group_by'])
  return codesAt(value, 'group_by', KEYS, 10)
}

/** Newest first unless the call says otherwise; two orders at most. */
function inOrder(rows: readonly DayRow[], value: Json | undefined): DayRow[] {
  const orders = value === undefined ? [] : listAt(value, 'order_by', { most: 2 })
  const ways = orders.map((one, no) => {
    const { sort_field, sort_type } = objectAt(one, `order_by[${no}]`, ['sort_field', 'sort_type'])
    if (typeof sort_field !== 'string' || !KNOWN.includes(sort_field)) throw new Refusal(12009)
    if (sort_type !== 'ASCENDING' && sort_type !== 'DESCENDING') throw new Refusal(18009, [`order_by[${no}].sort_type`])
    return { name: sort_field, sign: sort_type === 'ASCENDING' ? 1 : -1 }
  })
  const sortKey = ({ day, plan, figures }: DayRow, name: string): number =>
    name === 'date' ? day : name === 'adgroup_id' ? Number(plan?.id ?? 0) : (FIELDS[name]?.(figures) ?? 0)
  const newest = { name: 'date', sign: -1 }
  return rows.toSorted((one, other) => {
    for (const { name, sign } of ways.length > 0 ? ways : [newest]) {
      const apart = sortKey(one, name) - sortKey(other, name)
      if (apart !== 0) return sign * apart
    }
    return 0
  })
}

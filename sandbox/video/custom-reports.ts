import { dayOf, timeText } from '../clock.ts'
import type { Parts } from '../parts.ts'
import { addTo, type Figures, nothing } from '../reports/figures.ts'
import { plansOf } from '../reports/plans.ts'
import { accountRows, type DayRow, dayNumber, dayText, planRows, share } from '../reports/rows.ts'
import type { Answer } from '../wire.ts'
import { advertiserFor, type Context, type Interface } from './access.ts'
import { type Body, within } from './arguments.ts'
import { badRequest, success } from './envelope.ts'

const PATH = '/open_api/v3.0/report/custom'
const SCOPES = [40005, 400050]
const TOPICS = ['BASIC_DATA'] as const
const DAY = 'stat_time_day'
const PROJECT = 'cdp_project_id'
const DIMENSIONS = { [DAY]: '时间-天', [PROJECT]: '项目ID' }
const ROWS_MOST = { page: 99_999, size: 100, usual: 10 }
/** The contract gives no bound. */
const DAYS_MOST = 366

const yuan = (fen: number) => (fen / 100).toFixed(2)
const count = (of: number) => String(of)
const percent = (over: number, under: number) => share(over * 100, under, 2).toFixed(2)

/** All values are text: two decimals for yuan, and percent values for rates. */
const METRICS: Readonly<Record<string, (of: Figures) => string>> = {
  stat_cost: (of) => yuan(of.cost),
  show_cnt: (of) => count(of.shown),
  click_cnt: (of) => count(of.clicks),
  ctr: (of) => percent(of.clicks, of.shown),
  cpc_platform: (of) => yuan(share(of.cost, of.clicks, 0)),
  cpm_platform: (of) => yuan(share(of.cost * 1000, of.shown, 0)),
  convert_cnt: (of) => count(of.conversions),
  conversion_cost: (of) => yuan(share(of.cost, of.conversions, 0)),
  conversion_rate: (of) => percent(of.conversions, of.clicks),
  form: (of) => count(of.leads),
  dy_follow: (of) => count(of.follows),
  dy_like: (of) => count(of.likes),
  dy_comment: (of) => count(of.comments),
  dy_share: (of) => count(of.shares),
  luban_live_enter_cnt: (of) => count(of.live_enters),
  live_watch_one_minute_count: (of) => count(of.live_minutes),
  live_fans_club_join_cnt: (of) => count(of.live_fans),
  luban_live_slidecart_click_cnt: (of) => count(of.live_carts),
  luban_live_click_product_cnt: (of) => count(of.live_products),
  luban_live_comment_cnt: (of) => count(of.live_comments),
  luban_live_share_cnt: (of) => count(of.live_shares),
  luban_live_gift_cnt: (of) => count(of.live_gifts),
  luban_live_gift_amount: (of) => count(of.live_coins),
}

/** The custom report: the metrics of an account by day and project. */
export function customReportCalls({ db, clock }: Parts): Record<string, Interface> {
  function get({ token, given }: Context): Answer {
    const account_id = advertiserFor(token, given.id('advertiser_id'))
    given.oneOf('data_topic', TOPICS, 'BASIC_DATA')
    const dimensions = namesIn(given, 'dimensions', Object.keys(DIMENSIONS))
    const metrics = namesIn(given, 'metrics', Object.keys(METRICS))
    const wanted = projectsIn(given)
    mustBeEmpty(given, 'order_by')
    const { from, to } = { from: dayIn(given, 'start_time'), to: dayIn(given, 'end_time') }
    if (from > to) throw badRequest('end_time: 不能早于start_time')
    if (to - from >= DAYS_MOST) throw badRequest(`end_time: 时间跨度不能超过${DAYS_MOST}天`)
    const page = given.optionalNumber('page', { least: 1, most: ROWS_MOST.page }) ?? 1
    const page_size = given.optionalNumber('page_size', { least: 1, most: ROWS_MOST.size }) ?? ROWS_MOST.usual
    const [unknown] = given.unknown()
    if (unknown !== undefined) throw badRequest(`${unknown}: 不支持的参数`)

    const made = db.all<{ id: string; made_at: number }>(
      'SELECT id, made_at FROM video_project WHERE account_id = ? ORDER BY no',
      account_id,
    )
    const plans = plansOf(
      db,
      account_id,
      made.map(({ id, made_at }) => ({ id, since: dayOf(made_at) })),
    ).filter(({ id }) => wanted?.includes(id) ?? true)
    const rows = (dimensions.includes(PROJECT) ? planRows : accountRows)(plans, from, to, clock.now())
    const valuesOf = (figures: Figures) => Object.fromEntries(metrics.map((name) => [name, METRICS[name]?.(figures)]))
    return success({
      rows: rows.slice((page - 1) * page_size, page * page_size).map((row) => ({
        dimensions: Object.fromEntries(dimensions.map((name) => [name, dimensionOf(row, name)])),
        metrics: valuesOf(row.figures),
      })),
      total_metrics: valuesOf(rows.reduce((sum, row) => addTo(sum, row.figures), nothing())),
      page_info: { page, page_size, total_number: rows.length, total_page: Math.ceil(rows.length / page_size) },
    })
  }

  function config({ token, given }: Context): Answer {
    advertiserFor(token, given.id('advertiser_id'))
    const topics = given.texts('data_topics', 20)
    const strange = topics.find((one) => !TOPICS.some((known) => known === one))
    if (strange !== undefined) throw badRequest(`data_topics: 不支持的取值: ${strange}`)
    const common = { description: '', sort_able: false, filter_able: false, exclusion_dims: [], exclusion_metrics: [] }
    return success({
      list: topics.map((data_topic) => ({
        data_topic,
        dimensions: Object.entries(DIMENSIONS).map(([field, name]) => ({ ...common, field, name })),
        metrics: Object.keys(METRICS).map((field) => ({ ...common, field, name: field })),
      })),
    })
  }

  return {
    [`GET ${PATH}/get/`]: { scopes: SCOPES, takes: 'query', act: get },
    [`GET ${PATH}/config/get/`]: { scopes: SCOPES, takes: 'query', act: config },
  }
}

const dimensionOf = ({ day, plan }: DayRow, name: string): string => (name === DAY ? dayText(day) : (plan?.id ?? ''))

function namesIn(given: Body, name: string, known: readonly string[]): string[] {
  const names = given.texts(name, 100)
  const strange = names.find((one) => !known.includes(one))
  if (strange !== undefined) throw badRequest(`${name}: 不支持的取值: ${strange}`)
  // Without the day one row stands for the whole range, which nobody asks for here.
  if (name === 'dimensions' && !names.includes(DAY)) throw badRequest(`dimensions: 缺少${DAY}`)
  return names
}

function mustBeEmpty(given: Body, name: string) {
  const list = given.optionalList(name, 10)
  if (list === undefined) throw badRequest(`${name}: 缺少必填参数`)
  if (list.length > 0) throw badRequest(`${name}: 不支持的取值`)
}

/** The projects that a call asks about; null for all of them. */
function projectsIn(given: Body): string[] | null {
  const filters = given.optionalList('filters', 10)
  if (filters === undefined) throw badRequest('filters: 缺少必填参数')
  const [first, ...others] = filters
  if (first === undefined) return null
  if (others.length > 0 || typeof first !== 'object' || first === null || Array.isArray(first))
    throw badRequest('filters: 不支持的取值')
  const filter = within(first)
  if (filter.text('field') !== PROJECT) throw badRequest('filters.field: 不支持的取值')
  filter.number('type', { of: [1, 2, 3] })
  filter.number('operator', { of: [10] })
  const values = filter.texts('values', 100)
  const [unknown] = filter.unknown()
  if (unknown !== undefined) throw badRequest(`filters.${unknown}: 不支持的参数`)
  return values
}

/** The day of a time that must be its first or its last second. */
function dayIn(given: Body, name: 'start_time' | 'end_time'): number {
  const text = given.text(name)
  const day = dayNumber(text.slice(0, 10))
  const edge = name === 'start_time' ? ' 00:00:00' : ' 23:59:59'
  if (day === null || text !== timeText(day * 86_400 - 8 * 3600).slice(0, 10) + edge) {
    throw badRequest(`${name}: 应为yyyy-MM-dd HH:mm:ss，且为一天的起止`)
  }
  return day
}

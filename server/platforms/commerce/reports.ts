import { z } from 'zod'
import { PLATFORMS } from '#contract/platform.ts'
import type { AccountSession, StepHooks } from '../audience-platform.ts'
import { idNumber, WireCount, WireId } from '../lossless-json.ts'
import { type PerYuan, type ReportFields, readCells, WireCells } from '../report-cells.ts'
import type { PlatformReports, ReportRange } from '../report-platform.ts'
import { accountDays, wholeReport } from '../report-reading.ts'
import type { VideoWire } from '../video/wire.ts'
import { countedRows } from '../whole-list.ts'

const PATH = 'v1.0/qianchuan/report'
const PAGE = 1000
const ROWS_MOST = 50_000
/** The longest range of a call. */
const DAYS_BACK = 30

/**
 * Units of a yuan in these two calls. Unconfirmed: most clients read yuan, and one divides by 100,000. To be compared with
 * the platform's own page of a real account.
 */
const UNIT: PerYuan = 1

/** Values are JSON numbers. */
const FIELDS = {
  cost: 'stat_cost',
  imp_pv: 'show_cnt',
  click_pv: 'click_cnt',
  pay_order_cnt: 'pay_order_count',
  create_order_amount: 'create_order_amount',
  create_order_count: 'create_order_count',
  pay_order_amount: 'pay_order_amount',
  prepay_order_cnt: 'prepay_order_count',
  prepay_order_amount: 'prepay_order_amount',
  dy_follow: 'dy_follow',
  covert_cnt: 'convert_cnt',
  dy_share: 'dy_share',
  dy_comment: 'dy_comment',
  dy_like: 'dy_like',
  live_enter_cnt: 'luban_live_enter_cnt',
  live_watch_one_minute_cnt: 'live_watch_one_minute_count',
  live_fans_club_join_cnt: 'live_fans_club_join_cnt',
  live_slidecart_click_cnt: 'luban_live_slidecart_click_cnt',
  live_click_product_cnt: 'luban_live_click_product_cnt',
  live_comment_cnt: 'luban_live_comment_cnt',
  live_share_cnt: 'luban_live_share_cnt',
  live_gift_cnt: 'luban_live_gift_cnt',
  live_gift_amount: 'luban_live_gift_amount',
} as const satisfies ReportFields
const ASKED = Object.values(FIELDS)

const Day = z.looseObject({ stat_datetime: z.string().min(10) })
const PageInfo = z.object({ page_info: z.object({ total_number: WireCount }) })
const Days = PageInfo.extend({ list: countedRows(Day) })
const Page = PageInfo.extend({ list: countedRows(Day.extend({ ad_id: WireId })) })

/** Daily reports of the commerce platform's plans. */
export const commerceReports = (wire: VideoWire, unit: PerYuan = UNIT): PlatformReports => ({
  scopes: PLATFORMS.commerce.scopes,
  daysBack: DAYS_BACK,
  daysAtOnce: 7,
  dailyReport(account: AccountSession, range: ReportRange, on: StepHooks) {
    const ask = <T>(shape: z.ZodType<T>, what: 'ad' | 'advertiser', { from, to }: ReportRange, page: number) =>
      wire.get(shape, {
        account,
        on,
        path: `${PATH}/${what}/get/`,
        query: {
          advertiser_id: idNumber(account.external_id),
          start_date: from,
          end_date: to,
          fields: ASKED,
          filtering: { marketing_goal: 'ALL' },
          time_granularity: 'TIME_GRANULARITY_DAILY',
          page,
          page_size: PAGE,
        },
      })
    const cellsOf = (row: Record<string, unknown>) => readCells(FIELDS, WireCells.parse(row), unit)
    const dateOf = (row: { stat_datetime: string }) => row.stat_datetime.slice(0, 10)
    return wholeReport(
      {
        pageSize: PAGE,
        rowsMost: ROWS_MOST,
        async page(range, page) {
          const { list, page_info } = await ask(Page, 'ad', range, page)
          const rows = list.rows.map((row) => ({ date: dateOf(row), plan_id: row.ad_id, cells: cellsOf(row) }))
          return { rows, listed: list.listed, total: page_info.total_number }
        },
        async totals(range) {
          const { list, page_info } = await ask(Days, 'advertiser', range, 1)
          return accountDays(
            list.rows.map((row) => [dateOf(row), cellsOf(row)]),
            page_info.total_number,
          )
        },
      },
      range,
    )
  },
})

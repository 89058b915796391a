import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { AccountSession, StepHooks } from '../audience-platform.ts'
import { WireCount, WireId } from '../lossless-json.ts'
import { type ReportFields, readCells, WireCells } from '../report-cells.ts'
import type { PlatformReports, ReportCells, ReportRange } from '../report-platform.ts'
import { accountDays, wholeReport } from '../report-reading.ts'
import { countedRows } from '../whole-list.ts'
import type { SocialWire } from './wire.ts'

const PATH = 'daily_reports/get'
/** The most of both that the call takes: page × page_size reaches the ten thousandth row. */
const PAGE = 2000
const ROWS_MOST = 10_000
/** Rows that calls may match at one level in ten seconds, whichever of them a page has. */
const MATCHED_MOST = 40_000
const MATCHED_SECONDS = 10
/** The call answers a year; whoever authorises an account wants to see what they did lately. */
const DAYS_BACK = 90

/**
 * The pairing is ours, from the platform's descriptions; amounts are in fen. Reservations of the landing page are the
 * leads that most accounts have.
 */
const FIELDS = {
  cost: 'cost',
  imp_pv: 'view_count',
  click_pv: 'valid_click_count',
  liuzi_pv: 'page_reservation_count',
  create_order_amount: 'order_amount',
  create_order_count: 'order_pv',
  covert_cnt: 'conversions_count',
  dy_comment: 'comment_count',
  dy_like: 'praise_count',
  live_enter_cnt: 'video_live_exp_count',
  live_slidecart_click_cnt: 'live_stream_commodity_shop_bag_clk_pv',
  // The platform's own spelling.
  live_click_product_cnt: 'video_live_cick_commodity_count',
  live_comment_cnt: 'video_live_comment_count',
  live_share_cnt: 'video_live_share_count',
  gdt_view_count: 'view_count',
  gdt_valid_click_count: 'valid_click_count',
  gdt_cost: 'cost',
} as const satisfies ReportFields
const ASKED = [...new Set(Object.values(FIELDS))]
const FEN = 100

const Row = z.looseObject({ date: z.string(), adgroup_id: WireId })
const Day = z.looseObject({ date: z.string() })
const PageInfo = z.object({ page_info: z.object({ total_number: WireCount }) })
const Page = PageInfo.extend({ list: countedRows(Row) })
const Days = PageInfo.extend({ list: countedRows(Day) })

const cellsOf = (row: Record<string, unknown>): ReportCells => readCells(FIELDS, WireCells.parse(row), FEN)

/** Daily reports of ad groups. Days on which an ad group was not shown are left out. */
export const socialReports = (wire: SocialWire): PlatformReports => ({
  scopes: ['ads_insights'],
  daysBack: DAYS_BACK,
  daysAtOnce: 7,
  dailyReport(account: AccountSession, range: ReportRange, on: StepHooks) {
    const ask = <T>(shape: z.ZodType<T>, { from, to }: ReportRange, more: object) =>
      wire.get(shape, {
        account,
        on,
        path: PATH,
        query: { account_id: account.external_id, date_range: { start_date: from, end_date: to }, ...more },
      })
    return wholeReport(
      {
        pageSize: PAGE,
        rowsMost: ROWS_MOST,
        leavesOutUnseen: true,
        async page(range, page) {
          const { list, page_info } = await ask(Page, range, {
            level: 'REPORT_LEVEL_ADGROUP',
            group_by: ['date', 'adgroup_id'],
            fields: ['date', 'adgroup_id', ...ASKED],
            // Without an order of their own, rows could change places between two pages.
            order_by: [
              { sort_field: 'date', sort_type: 'ASCENDING' },
              { sort_field: 'adgroup_id', sort_type: 'ASCENDING' },
            ],
            page,
            page_size: PAGE,
          })
          const total = page_info.total_number
          if (page * PAGE < total && total <= ROWS_MOST) await rest(total, on.signal)
          const rows = list.rows.map((row) => ({ date: row.date, plan_id: row.adgroup_id, cells: cellsOf(row) }))
          return { rows, listed: list.listed, total }
        },
        async totals(range) {
          const { list, page_info } = await ask(Days, range, {
            level: 'REPORT_LEVEL_ADVERTISER',
            group_by: ['date'],
            fields: ['date', ...ASKED],
            page: 1,
            page_size: PAGE,
          })
          return accountDays(
            list.rows.map((row) => [row.date, cellsOf(row)]),
            page_info.total_number,
          )
        },
      },
      range,
    )
  },
})

/** Each page matches all rows of the report, so many rows leave time for few pages. */
const rest = (rows: number, signal: AbortSignal) =>
  sleep((rows / MATCHED_MOST) * MATCHED_SECONDS * 1000, undefined, { signal })

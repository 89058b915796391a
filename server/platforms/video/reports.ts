import { z } from 'zod'
import type { ReportedKey } from '#contract/activity/metrics.ts'
import { PLATFORMS } from '#contract/platform.ts'
import type { AccountSession, StepHooks } from '../audience-platform.ts'
import { idNumber, WireCount, WireId } from '../lossless-json.ts'
import { type ReportFields, readCells, WireCells } from '../report-cells.ts'
import type { PlatformReports, ReportRange, ReportRow } from '../report-platform.ts'
import { accountDays, wholeReport } from '../report-reading.ts'
import { countedRows, type ListPage } from '../whole-list.ts'
import type { VideoWire } from './wire.ts'

const PATH = 'v3.0/report/custom'
const TOPIC = 'BASIC_DATA'
const PAGE = 100
/** As many pages as a list is read; a range with more rows is read in parts. */
const ROWS_MOST = 20_000
/** The contract gives no bound. */
const DAYS_BACK = 90
const DAY = 'stat_time_day'
const PROJECT = 'cdp_project_id'
const YUAN = 1

/** What every account has. Values are texts, amounts in yuan. */
const FIELDS = {
  cost: 'stat_cost',
  imp_pv: 'show_cnt',
  click_pv: 'click_cnt',
  covert_cnt: 'convert_cnt',
} as const satisfies ReportFields
/** Which others there are depends on the account, and no document lists their names: those of the older report, and likely ones. */
const LOOKED_UP: Partial<Record<ReportedKey, readonly string[]>> = {
  liuzi_pv: ['form'],
  pay_order_cnt: ['luban_order_cnt'],
  pay_order_amount: ['luban_order_stat_amount'],
  dy_follow: ['dy_follow', 'follow'],
  dy_like: ['dy_like', 'like'],
  dy_comment: ['dy_comment', 'comment'],
  dy_share: ['dy_share', 'share'],
  live_enter_cnt: ['luban_live_enter_cnt'],
  live_watch_one_minute_cnt: ['live_watch_one_minute_count'],
  live_fans_club_join_cnt: ['live_fans_club_join_cnt'],
  live_slidecart_click_cnt: ['luban_live_slidecart_click_cnt'],
  live_click_product_cnt: ['luban_live_click_product_cnt'],
  live_comment_cnt: ['luban_live_comment_cnt'],
  live_share_cnt: ['luban_live_share_cnt'],
  live_gift_cnt: ['luban_live_gift_cnt'],
  live_gift_amount: ['luban_live_gift_amount'],
}

const Dimensions = z.looseObject({ [DAY]: z.string().min(10) })
const Row = z.object({ dimensions: Dimensions, metrics: WireCells })
const Page = z.object({ rows: countedRows(Row), page_info: z.object({ total_number: WireCount }) })
const Config = z.object({
  list: z.array(z.object({ data_topic: z.string(), metrics: z.array(z.object({ field: z.string() })) })),
})

/** Custom reports of projects. */
export const videoReports = (wire: VideoWire): PlatformReports => ({
  scopes: PLATFORMS.video.scopes,
  daysBack: DAYS_BACK,
  daysAtOnce: 7,
  async dailyReport(account: AccountSession, range: ReportRange, on: StepHooks) {
    const advertiser_id = idNumber(account.external_id)
    const fields = await fieldsOf(wire, account, on)
    const metrics = [...new Set(Object.values(fields))]

    async function read(dimensions: readonly string[], { from, to }: ReportRange, page: number) {
      const { rows, page_info } = await wire.get(Page, {
        account,
        on,
        path: `${PATH}/get/`,
        query: {
          advertiser_id,
          data_topic: TOPIC,
          dimensions,
          metrics,
          filters: [],
          order_by: [],
          start_time: `${from} 00:00:00`,
          end_time: `${to} 23:59:59`,
          page,
          page_size: PAGE,
        },
      })
      const read = rows.rows.map((row) => ({
        date: row.dimensions[DAY].slice(0, 10),
        plan: WireId.safeParse(row.dimensions[PROJECT]).data,
        cells: readCells(fields, row.metrics, YUAN),
      }))
      return { read, listed: rows.listed, total: page_info.total_number }
    }

    return wholeReport(
      {
        pageSize: PAGE,
        rowsMost: ROWS_MOST,
        async page(range, page): Promise<ListPage<ReportRow>> {
          const { read: found, ...of } = await read([DAY, PROJECT], range, page)
          // Ads of the older generation belong to no project.
          return { rows: found.map(({ date, plan, cells }) => ({ date, plan_id: plan ?? null, cells })), ...of }
        },
        async totals(range) {
          // A range has fewer days than a page has rows.
          const { read: found, total } = await read([DAY], range, 1)
          return accountDays(
            found.map(({ date, cells }) => [date, cells]),
            total,
          )
        },
      },
      range,
    )
  },
})

/** The metrics that the account has, by the platform's names for them. */
async function fieldsOf(wire: VideoWire, account: AccountSession, on: StepHooks): Promise<ReportFields> {
  const query = { advertiser_id: idNumber(account.external_id), data_topics: [TOPIC] }
  const { list } = await wire.get(Config, { account, on, path: `${PATH}/config/get/`, query })
  const offered = new Set(
    list.filter(({ data_topic }) => data_topic === TOPIC).flatMap(({ metrics }) => metrics.map(({ field }) => field)),
  )
  const found: ReportFields = { ...FIELDS }
  for (const [key, names] of Object.entries(LOOKED_UP) as [ReportedKey, readonly string[]][]) {
    const name = names.find((one) => offered.has(one))
    if (name !== undefined) found[key] = name
  }
  return found
}

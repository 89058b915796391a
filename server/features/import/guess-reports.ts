import { METRICS, REPORTED, type ReportedKey } from '#contract/activity/metrics.ts'

/** A unit behind a name: 消耗（元）, cost(yuan). */
const UNIT = String.raw`\s*[（(][^）)]*[）)]`
const named = (names: string) => new RegExp(`^(${names})(${UNIT})?$`, 'i')

/** What platforms and spreadsheets call metrics, besides their key and label here. */
const CALLED: Partial<Record<ReportedKey, RegExp>> = {
  cost: named('总?(花费|消耗|费用)|消费|cost|spend|stat_cost|amount_spent'),
  imp_pv: named(
    '曝光(量|数|次数)?|展示(量|数|次数)?|展现(量|数|次数)?|impressions?|imps?|displays|shows?|show_cnt|view_count',
  ),
  click_pv: named('点击(量|数|次数)?|clicks?|click_cnt|valid_click_count'),
  liuzi_pv: named('留资(量|数|次数)?|线索(量|数)?|表单提交(量|数)?|leads?|form'),
  covert_cnt: named(
    '转化(量|数|次数)?|目标转化量|conversions?|converts?|convert_cnt|conversions_count|post_click_conversions',
  ),
  pay_order_cnt: named('支付订单(量|数)?|pay_order_count|orders?'),
  pay_order_amount: named('支付订单金额|成交金额|sales_amount|post_click_sales_amount'),
  create_order_count: named('下单(量|数)?|create_order_cnt'),
  create_order_amount: named('下单金额'),
  prepay_order_cnt: named('预售订单(量|数)?|prepay_order_count'),
  dy_follow: named('新增粉丝(量|数)?|follows?'),
  dy_share: named('分享(量|数)?|shares?'),
  dy_comment: named('评论(量|数)?|comments?'),
  dy_like: named('点赞(量|数)?|likes?'),
}

const NAMES = {
  date: /^(date|day|stat_?date|stat_?datetime|report_?date|日期|时间|数据日期|统计日期|统计时间)$/i,
  campaign:
    /^(campaign|campaign_?(id|name|number|no)|project_?(id|name)|活动|活动\s?(id|编号|名称)|推广计划|推广计划\s?(id|名称)|广告组|广告组\s?(id|名称)|项目|项目\s?(id|名称))$/i,
  plan: /^(plan|plan_?(id|name)|ad|ad_?(id|name)|ad_?group|ad_?group_?(id|name)|promotion_?(id|name)|placement|计划|计划\s?(id|编号|名称)|广告|广告\s?(id|名称)|广告计划|广告计划\s?(id|名称)|单元\s?(id|名称))$/i,
  account: /^(account|account_?id|advertiser_?id|账户|账户\s?(id|编号)|帐户|帐户\s?(id|编号)|广告主\s?id)$/i,
}

const isCalled = (key: ReportedKey, column: string) =>
  column.toLowerCase() === key ||
  column.replace(new RegExp(`${UNIT}$`), '') === METRICS[key].label ||
  CALLED[key]?.test(column) === true

/** Guesses the meaning of the columns of a report from their names; each metric is found at most once. */
export function guessReport(columns: readonly string[]) {
  const find = (pattern: RegExp) => columns.find((column) => pattern.test(column.trim())) ?? null
  const found = {
    date: find(NAMES.date),
    campaign: find(NAMES.campaign),
    plan: find(NAMES.plan),
    account: find(NAMES.account),
  }
  const keys = new Set<string | null>(Object.values(found))
  const metrics = REPORTED.flatMap((metric) => {
    const column = columns.find((one) => !keys.has(one) && isCalled(metric, one.trim()))
    if (column === undefined) return []
    keys.add(column)
    return [{ column, metric }]
  })
  return { ...found, metrics }
}

/** A file with a day, a campaign and a metric, but nobody's id, is a report. */
export const isLikeReport = (columns: readonly string[]): boolean => {
  const { date, campaign, metrics } = guessReport(columns)
  return date !== null && campaign !== null && metrics.length > 0
}

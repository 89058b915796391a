import { describe, expect, test } from 'vitest'
import { METRICS, REPORTED } from '#contract/activity/metrics.ts'
import type { FileHead } from '../../files/head.ts'
import { guessKind } from './guess.ts'
import { guessReport } from './guess-reports.ts'

const metricsOf = (...columns: string[]) =>
  Object.fromEntries(guessReport(columns).metrics.map(({ column, metric }) => [column, metric]))

describe('columns of a report', () => {
  test('every metric is recognised by its key and by its label', () => {
    for (const metric of REPORTED) {
      expect(metricsOf(metric)).toEqual({ [metric]: metric })
      expect(metricsOf(METRICS[metric].label)).toEqual({ [METRICS[metric].label]: metric })
      expect(metricsOf(`${METRICS[metric].label}（元）`), metric).toEqual({
        [`${METRICS[metric].label}（元）`]: metric,
      })
    }
  })

  test.each([
    ['消耗(元)', 'cost'],
    ['总花费（元）', 'cost'],
    ['Spend', 'cost'],
    ['stat_cost', 'cost'],
    ['展示数', 'imp_pv'],
    ['show_cnt', 'imp_pv'],
    ['Impressions', 'imp_pv'],
    ['点击次数', 'click_pv'],
    ['valid_click_count', 'click_pv'],
    ['转化数', 'covert_cnt'],
    ['conversions', 'covert_cnt'],
    ['post_click_sales_amount', 'pay_order_amount'],
    ['新增粉丝数', 'dy_follow'],
  ])('%s is %s', (column, metric) => expect(metricsOf(column)).toEqual({ [column]: metric }))

  test.each(['点击率', 'ctr', '转化成本', '千次展示费用', '点击均价(元)', '花费占比', 'note'])('%s is none', (column) =>
    expect(metricsOf(column)).toEqual({}),
  )

  test('a metric is found once, and a day, campaign, plan and account by what platforms call them', () => {
    expect(guessReport(['日期', '账户ID', '推广计划', '广告ID', '花费', '消耗'])).toEqual({
      date: '日期',
      account: '账户ID',
      campaign: '推广计划',
      plan: '广告ID',
      metrics: [{ column: '花费', metric: 'cost' }],
    })
  })
})

describe('the kind of a file', () => {
  const head = (...columns: string[]) => ({ columns, rows: [] }) as unknown as FileHead
  test.each([
    [['date', 'campaign', 'clicks'], 'reports'],
    [['日期', '活动名称', '消耗'], 'reports'],
    [['date', 'campaign', 'user_id', 'clicks'], 'users'],
    [['date', 'campaign', 'event', 'cost'], 'events'],
    [['date', 'campaign', 'city'], 'users'],
    [['campaign', 'clicks'], 'users'],
  ])('%j is of %s', (columns, kind) => expect(guessKind(head(...columns))).toBe(kind))
})

import { activityTest, lookAtNight, MARCH } from './activity-page.ts'
import { expectAccessible } from './axe.ts'
import { importFile } from './population.ts'
import { expect } from './test.ts'

const test = activityTest()
const FAILURE = { status: 500, contentType: 'application/json', body: '{"code":1,"msg":"请求失败","data":null}' }

test('the day report shows each day in a chart and a table', async ({
  page,
  brand: { adv_id, account, plan, anActivity, open },
}) => {
  const id = await anActivity(page, '分日', [plan('丁一', { plan_id: '703' }), plan('丁二')])
  const file = [
    '日期,活动,计划,账户,消耗,曝光',
    `2026-04-01,c,703,${account.external_id},100.00,1000`,
    `2026-04-03,c,703,${account.external_id},300.50,3000`,
  ].join('\n')
  await importFile(page, '四月.csv', file, adv_id, {
    ...{ kind: 'reports', date: '日期', campaign: '活动', plan: '计划', account: '账户' },
    metrics: [
      { column: '消耗', metric: 'cost' },
      { column: '曝光', metric: 'imp_pv' },
    ],
  })
  const april = [Date.UTC(2026, 2, 31, 16) / 1000, Date.UTC(2026, 3, 3, 16) / 1000 - 1].join(',')
  await open(page, `/campaign-manage/day-report?campaign_id=${id}&time_range=${april}`)
  await expect(page.getByRole('heading', { level: 1, name: '分日的分日数据' })).toBeVisible()
  const table = page.getByRole('table', { name: '分日数据' }).or(page.getByLabel('分日数据')).first()
  await expect(table).toContainText('300.50')
  const rows = page.locator('.ant-table-row')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toContainText('--')
  await expect(page.locator('tfoot')).toContainText('400.50')
  await expect(page.getByText('2 个计划中有 1 个仅本地')).toBeVisible()
  const chart = page.getByRole('img', { name: /消耗合计 400.50/ })
  await expect(chart).toBeVisible()
  await expectAccessible(page)
  // Chart and table point at the same day.
  const drawn = () => chart.locator('canvas').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
  const before = await drawn()
  const isAsBefore = async () => (await drawn()) === before
  await rows.nth(1).hover()
  await expect.poll(isAsBefore).toBe(false)
  await page.mouse.move(0, 0)
  await expect.poll(isAsBefore).toBe(true)
  await chart.hover()
  await expect(page.locator('tr[class*=pointed]')).toContainText('2026-04-02')
  await page.mouse.move(0, 0)
  await expect(page.locator('tr[class*=pointed]')).toHaveCount(0)
  await page.screenshot({ path: 'test-results/day-report-1280.png' })
  await lookAtNight(page, 'day-report', chart)
  await page.getByRole('button', { name: '导出' }).click()
  const dialog = page.getByRole('dialog', { name: '导出分日数据' })
  await dialog.getByRole('radio', { name: 'Excel（xlsx）' }).check()
  await expectAccessible(page)
  await page.screenshot({ path: 'test-results/day-report-export.png' })
  const [written] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: '下载' }).click(),
  ])
  expect(written.suggestedFilename()).toMatch(/^分日分日数据_\d{4}-\d{2}-\d{2}_\d{4}-\d{2}-\d{2}\.xlsx$/)
  await expect(dialog).toHaveCount(0)
  await page.setViewportSize({ width: 1920, height: 1080 })
  await page.screenshot({ path: 'test-results/day-report-1920.png' })
  await page.getByRole('link', { name: '编辑活动' }).click()
  await expect(page.getByLabel('计划名称')).toHaveValue('丁一')
  await page.screenshot({ path: 'test-results/work-bench-1920.png' })
  await lookAtNight(page, 'work-bench', page.getByLabel('计划名称'))
})

test('a link shows the day report to somebody without an account, until it is revoked', async ({
  page,
  browser,
  brand: { plan, anActivity, open },
}) => {
  const id = await anActivity(page, '分享', [plan('戊一', { plan_id: '706' })])
  await open(page, `/campaign-manage/day-report?campaign_id=${id}&time_range=${MARCH}`)
  await page.getByRole('button', { name: '分享' }).click()
  const dialog = page.getByRole('dialog', { name: '分享分日数据' })
  await expect(dialog.getByText('没有有效的链接')).toBeVisible()
  await dialog.getByRole('button', { name: '建立链接' }).click()
  const url = await dialog.getByLabel('链接地址', { exact: true }).inputValue()
  expect(new URL(url).searchParams.get('time_range')).toBe(MARCH)
  await expect(dialog.getByRole('list', { name: '有效的链接' }).getByRole('listitem')).toHaveCount(1)
  await expectAccessible(page)
  await page.screenshot({ path: 'test-results/share-link-1280.png' })

  const stranger = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
  await stranger.goto(url)
  await expect(stranger.getByRole('heading', { level: 1, name: '分享的分日数据' })).toBeVisible()
  await expect(stranger.getByText(/只读链接，.*失效/)).toBeVisible()
  await expect(stranger.getByRole('columnheader', { name: '消耗', exact: true })).toBeVisible()
  await expectAccessible(stranger)
  await stranger.screenshot({ path: 'test-results/shared-report-1280.png' })
  const opened = '**/api/report_link/open'
  await stranger.route(opened, (route) => route.fulfill(FAILURE))
  await stranger.reload()
  await expect(stranger.getByText('无法打开')).toBeVisible()
  await stranger.unroute(opened)
  await stranger.getByRole('button', { name: '重试' }).click()
  await expect(stranger.getByRole('heading', { level: 1, name: '分享的分日数据' })).toBeVisible()
  await stranger.goto('/shared/day-report')
  await expect(stranger.getByText('链接不完整')).toBeVisible()

  await dialog.getByRole('button', { name: '撤销' }).click()
  await page.getByRole('dialog', { name: '撤销这个链接？' }).getByRole('button', { name: '撤销' }).click()
  await expect(dialog.getByText('没有有效的链接')).toBeVisible()
  await stranger.goto(url)
  await expect(stranger.getByText('链接已失效或已被撤销')).toBeVisible()
  await stranger.context().close()
})

test('what cannot be read of a day report is asked for again, and an activity that is gone leads back', async ({
  page,
  brand: { plan, anActivity, open },
}) => {
  const id = await anActivity(page, '没有数据', [plan('己一', { plan_id: '799' })])
  const reports = '**/api/report/**'
  await page.route(reports, (route) => route.fulfill(FAILURE))
  await open(page, `/campaign-manage/day-report?campaign_id=${id}`)
  const marks = page.getByText('数据标记加载失败')
  const sync = page.getByText('同步状态加载失败')
  await expect(marks).toBeVisible()
  await expect(sync).toBeVisible()
  await expect(page.getByText('没有数据', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.unroute(reports)
  await marks.getByRole('button', { name: '重试' }).click()
  await sync.getByRole('button', { name: '重试' }).click()
  await expect(page.getByText('平台数据还没有同步')).toBeVisible()
  await expect(marks).toBeHidden()

  for (const path of ['day-report', 'work-bench']) {
    await page.goto(`/campaign-manage/${path}?campaign_id=999999`)
    await expect(page.getByText('活动不存在或已被删除')).toHaveCount(1)
    await expect(page.getByRole('link', { name: '编辑活动' })).toHaveCount(0)
    await page.getByRole('link', { name: '回到活动列表' }).click()
    await expect(page).toHaveURL(/campaign-manage\/list/)
  }
})

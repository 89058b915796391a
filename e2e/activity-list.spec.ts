import { activityTest, LIST, lookAtNight, MARCH, row } from './activity-page.ts'
import { expectAccessible } from './axe.ts'
import { api, aViewer } from './crowds.ts'
import { expect, type Page } from './test.ts'

const test = activityTest()

test('the list shows the platform’s numbers, sums them, compares, and keeps its view in the URL', async ({
  page,
  brand: { plan, anActivity, open },
}) => {
  test.slow()
  await anActivity(page, '三月甲', [plan('甲一', { plan_id: '701' }), plan('甲二')])
  await anActivity(page, '三月乙', [plan('乙一', { plan_id: '702' })])
  await open(page, `${LIST}?time_range=${MARCH}&name=三月`)
  await expect(page.getByRole('link', { name: '数据', exact: true }).first()).toHaveAttribute(
    'href',
    new RegExp(`time_range=${encodeURIComponent(MARCH)}`),
  )
  // 10 days of 123.45 + 10 × the day, and of 50 + the day.
  await expect(row(page, '三月甲')).toContainText('1,684.50')
  await expect(row(page, '三月乙')).toContainText('545.00')
  await expect(row(page, '三月甲')).toContainText('1,000.00/日')
  const sums = page.locator('tfoot')
  await expect(sums).toContainText('2 个活动，3 个计划')
  await expect(sums).toContainText('2,229.50')
  // Nothing of it is delivered: the sum says which budgets it counts.
  await sums.getByText('1,500.00/日').hover()
  await expect(page.getByRole('tooltip')).toContainText('也包括未提交、暂停与结束的')
  await page.mouse.move(0, 0)
  await page.screenshot({ path: 'test-results/activities-1280.png' })
  await row(page, '三月甲').getByRole('button', { name: '展开行' }).click()
  await page.setViewportSize({ width: 1920, height: 1080 })
  await expect(row(page, '甲二')).toContainText('仅本地')
  // Also beside what is said of its platform, which is longer than its room.
  await expect(row(page, '甲一')).toContainText('平台上没有这个计划')
  const indents = ['甲一', '甲二'].map((name) =>
    page.getByText(name, { exact: true }).evaluate((part) => part.getBoundingClientRect().x),
  )
  expect(new Set(await Promise.all(indents)).size).toBe(1)
  await page.screenshot({ path: 'test-results/activities-1920.png' })
  await page.setViewportSize({ width: 1280, height: 800 })
  await lookAtNight(page, 'activities', row(page, '三月甲'))

  await page.getByRole('columnheader', { name: '创建时间' }).click()
  await expect(page).toHaveURL(/sort=created_at/)
  await expect(page.locator('.ant-table-row').first()).toContainText('三月甲')

  await page.getByRole('button', { name: '对比数据' }).click()
  await expect(page.getByText('请选择活动')).toBeVisible()
  await page.getByRole('checkbox', { name: '全选本页' }).check()
  await page
    .getByRole('region', { name: '批量操作' })
    .getByRole('button', { name: /对\s?比/ })
    .click()
  const drawer = page.getByRole('dialog', { name: '对比数据（2 个活动）' })
  await expect(
    drawer.getByRole('img', { name: /消耗：三月甲 1,684.50/ }).or(drawer.getByRole('img', { name: /消耗：三月乙/ })),
  ).toBeVisible()
  await expect(drawer.getByRole('row', { name: /消耗/ })).toContainText('1,684.50')
  await expectAccessible(page)
  await page.screenshot({ path: 'test-results/compare-1280.png' })
  await expect(page).toHaveURL(/compare=/)
  await lookAtNight(page, 'compare', drawer)
  await page.keyboard.press('Escape')
})

test('a page has 10, 20, 50 or 100 activities, and up to 11 are compared', async ({
  page,
  brand: { anActivity, open },
}) => {
  for (let no = 1; no <= 12; no++) await anActivity(page, `分页${no}`, [], { submit: false })
  await open(page, `${LIST}?name=分页`)
  const rows = page.locator('.ant-table-row')
  const sizes = page.locator('.ant-pagination-options').getByRole('combobox')
  const size = (count: number) =>
    page.locator('.ant-select-dropdown:visible .ant-select-item-option').getByText(new RegExp(`^${count} `))
  await expect(rows).toHaveCount(10)
  await sizes.click()
  await expect(page.locator('.ant-select-dropdown:visible .ant-select-item-option')).toHaveText([
    ...['10 条/页', '20 条/页', '50 条/页', '100 条/页'],
  ])
  await page.keyboard.press('Escape')
  await page.getByRole('listitem', { name: '2', exact: true }).click()
  await expect(rows).toHaveCount(2)
  await expect(page).toHaveURL(/page=2/)
  // Another size starts at the first page, and the URL keeps it.
  await sizes.click()
  await size(20).click()
  await expect(rows).toHaveCount(12)
  await expect(page).toHaveURL(/page_size=20/)
  await expect(page).not.toHaveURL(/[?&]page=/)
  await page.reload()
  await expect(rows).toHaveCount(12)
  // A search starts at the first page with 10.
  await page.getByLabel('名称', { exact: true }).fill('分页1')
  await page.keyboard.press('Enter')
  await expect(page).not.toHaveURL(/page_size=/)
  await expect(rows).toHaveCount(4)

  await page.goto(`${LIST}?name=分页&page_size=20`)
  const compare = page.getByRole('button', { name: '对比数据' })
  const drawer = (count: number) => page.getByRole('dialog', { name: `对比数据（${count} 个活动）` })
  await compare.click()
  await expect(page.getByText('请选择活动')).toBeVisible()
  await rows.first().getByRole('checkbox').check()
  await compare.click()
  await expect(drawer(1)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer(1)).toBeHidden()
  await page.getByRole('checkbox', { name: '全选本页' }).check()
  await compare.click()
  await expect(page.getByText('列数不应超过11条')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await rows.last().getByRole('checkbox').uncheck()
  await compare.click()
  await expect(drawer(11).getByRole('columnheader')).toHaveCount(12)
})

test('totals and marks that cannot be read say so, and are read again on request', async ({
  page,
  brand: { plan, anActivity, open },
}) => {
  await anActivity(page, '算不出', [plan('己一')])
  const PARTS = /api\/(campaign\/total|report\/marks)/
  await page.route(PARTS, (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body: '{"code":1,"msg":"请求失败","data":null}' }),
  )
  await open(page, `${LIST}?name=算不出`)
  const sums = page.locator('tfoot')
  await expect(row(page, '算不出')).toBeVisible()
  await expect(sums).toContainText('加载失败')
  await expect(page.getByText('数据标记加载失败')).toBeVisible()
  await expectAccessible(page)
  await page.unroute(PARTS)
  await sums.getByRole('button', { name: /重\s?试/ }).click()
  await expect(sums).toContainText('1 个活动，1 个计划')
  await page.getByRole('button', { name: /重\s?试/ }).click()
  await expect(page.getByText('数据标记加载失败')).toBeHidden()

  await page.getByRole('columnheader', { name: '点击率' }).getByText('点击率').hover()
  await expect(page.getByText('点击量 ÷ 曝光量。来源：计算指标')).toBeVisible()
})

const LIST_CALL = /api\/campaign\/list/
const FAILURE = { status: 500, contentType: 'application/json', body: '{"code":1,"msg":"请求失败","data":null}' }
/** How often a failure of the list's call was logged. */
function failuresLogged(page: Page): () => number {
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  return () => said.filter((text) => text.startsWith('[renqun] GET /api/campaign/list')).length
}
const popups = (page: Page) => page.locator('.ant-message-notice')

test('a list that cannot be loaded says so in its place, logs it without a popup, and is loaded on request', async ({
  page,
  brand: { anActivity, open },
}) => {
  await anActivity(page, '加载不了', [], { submit: false })
  const logged = failuresLogged(page)
  await page.route(LIST_CALL, (route) => route.fulfill(FAILURE))
  await open(page, `${LIST}?name=加载不了`)
  await expect(page.getByRole('alert').filter({ hasText: '活动列表加载失败' })).toContainText('请求失败')
  await expect.poll(logged).toBe(1)
  await expect(popups(page)).toHaveCount(0)
  await expectAccessible(page)
  await page.screenshot({ path: 'test-results/activities-failed-1280.png' })
  await page.unroute(LIST_CALL)
  await page.getByRole('button', { name: /重\s?试/ }).click()
  await expect(row(page, '加载不了')).toBeVisible()
})

test('a list that cannot be read again keeps its rows, says of when they are, and logs each failure without a popup', async ({
  page,
  brand: { anActivity, open },
}) => {
  await anActivity(page, '读不到新的', [], { submit: false })
  const logged = failuresLogged(page)
  let isFailing = false
  // While plans are read from their platforms, the page looks again every few seconds.
  await page.route(LIST_CALL, async (route) => {
    if (isFailing) return route.fulfill(FAILURE)
    const response = await route.fetch()
    const answer = await response.json()
    return route.fulfill({ response, json: { ...answer, data: { ...answer.data, is_reading: true } } })
  })
  await open(page, `${LIST}?name=读不到`)
  await expect(row(page, '读不到新的')).toBeVisible()
  const note = page.getByText(/^列表更新失败，数据截至 \d\d-\d\d \d\d:\d\d/)
  await expect(note).toBeHidden()
  isFailing = true
  for (const times of [1, 2]) {
    await expect.poll(logged).toBeGreaterThanOrEqual(times)
    await expect(note).toBeVisible()
    await expect(popups(page)).toHaveCount(0)
    await expect(row(page, '读不到新的')).toBeVisible()
  }
  await expectAccessible(page)
  for (const [width, height] of [
    [1920, 1080],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.screenshot({ path: `test-results/activities-old-${width}.png` })
  }
  isFailing = false
  await note.getByRole('button', { name: /重\s?试/ }).click()
  await expect(note).toBeHidden()
})

test('an id that no activity can have finds nothing', async ({ page, brand: { anActivity, open } }) => {
  const id = await anActivity(page, '有编号', [], { submit: false })
  await open(page, `${LIST}?id=${id}`)
  await expect(row(page, '有编号')).toBeVisible()
  const field = page.getByLabel('活动ID', { exact: true })
  await field.fill('99999999999999999999')
  await field.press('Enter')
  await expect(page).toHaveURL(/id=99999999999999999999/)
  await expect(page.getByText('没有符合条件的活动')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.getByRole('table').getByRole('button', { name: '清除筛选' }).click()
  await expect(row(page, '有编号')).toBeVisible()
})

test('days to come cannot be chosen, and this month ends today', async ({ page, brand: { open } }) => {
  /** In the server's zone, which is eight hours ahead of UTC. */
  const day = (later: number) => new Date(Date.now() + (8 + later * 24) * 3_600_000).toISOString().slice(0, 10)
  await open(page, LIST)
  await page.getByPlaceholder('数据时间起').click()
  const cell = (of: string) => page.locator(`.ant-picker-dropdown:visible .ant-picker-cell[title="${of}"]`).first()
  await expect(cell(day(0))).not.toHaveClass(/ant-picker-cell-disabled/)
  await expect(cell(day(1))).toHaveClass(/ant-picker-cell-disabled/)
  await page.getByText('本月', { exact: true }).click()
  const days = page.locator('.ant-picker-range').getByRole('textbox')
  await expect(days.nth(0)).toHaveValue(`${day(0).slice(0, 8)}01`)
  await expect(days.nth(1)).toHaveValue(day(0))
  // Nor by the keyboard.
  await days.nth(1).fill(day(1))
  await days.nth(1).press('Tab')
  await expect(days.nth(1)).toHaveValue(day(0))
})

test('a switch that is refused returns, and the reason names each plan', async ({
  page,
  brand: { account, plan, anActivity, open },
}) => {
  const { id } = await api<{ id: number }>(page, 'post', '/api/v1/gdtcrowd/custom/targetings/add', {
    ...{ targeting_name: '会失效', dir_id: 1, advertiser_id: account.id },
    targeting: { landing_type: 'LIVE' },
  })
  await anActivity(page, '打不开', [plan('丙一', { package_id: id })])
  await api(page, 'get', `/api/v1/gdtcrowd/custom/targetings/delete?id=${id}`)
  await open(page, `${LIST}?name=打不开`)
  const toggle = page.getByRole('switch', { name: '活动「打不开」的开关' })
  await toggle.click()
  await expect(page.getByText('计划「丙一」：所选定向包不存在，或不属于该账户，请重新选择')).toBeVisible()
  await page.getByRole('button', { name: '知道了' }).click()
  await expect(toggle).not.toBeChecked()
})

test('a member without the restricted metrics sees the shorter list alone', async ({
  page,
  openAs,
  brand: { adv_id, plan, anActivity, open },
}) => {
  await anActivity(page, '看不到花费', [plan('戊一', { plan_id: '704' })])
  const member = await openAs(await aViewer(page, '投放助理', [adv_id]))
  await open(member, `${LIST}?name=看不到`)
  await expect(row(member, '看不到花费')).toBeVisible()
  await expect(member.getByRole('columnheader', { name: '落地页访问量' })).toBeAttached()
  await expect(member.getByRole('columnheader', { name: '消耗' })).toHaveCount(0)
})

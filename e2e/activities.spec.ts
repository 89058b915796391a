import { COMMERCE } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { anAdvertiser, api, aViewer, selectAdvertiser } from './crowds.ts'
import { authorise } from './custom-crowds.ts'
import { importFile } from './population.ts'
import { sandboxOf } from './sandbox.ts'
import { test as base, expect, type Locator, type Page, SERVER_FIXTURE, withServer } from './test.ts'

/** A server and sandbox of its own: its authorisations affect no other journey. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  server: [async ({}, use) => withServer({}, use), SERVER_FIXTURE],
})
test.use({ viewport: { width: 1280, height: 800 } })

const LIST = '/campaign-manage/list'
/** March 2026 in the server's zone. */
const MARCH = [Date.UTC(2026, 1, 28, 16) / 1000, Date.UTC(2026, 2, 31, 16) / 1000 - 1].join(',')

let adv_id = 0
let account = { id: 0, name: '', external_id: '' }
let package_id = 0
test.beforeAll(async ({ admin }) => {
  adv_id = (await anAdvertiser(admin, '投放品牌')).id
  await authorise(admin, { adv_id, platform: COMMERCE, accounts: /./ })
  const path = `/api/advertiser/list?auth_type=${COMMERCE}&adv_id=${adv_id}`
  const { data } = await api<{ data: (typeof account)[] }>(admin, 'get', path)
  account = data[0] ?? account
  ;({ id: package_id } = await api<{ id: number }>(admin, 'post', '/api/v1/gdtcrowd/custom/targetings/add', {
    ...{ targeting_name: '高消费女性', dir_id: 1, advertiser_id: account.id },
    targeting: { landing_type: 'LIVE' },
  }))
  await reports(admin)
})

/** What the platform reported in March, as a file. */
async function reports(page: Page) {
  const days = Array.from({ length: 10 }, (_, no) => `2026-03-${String(no + 1).padStart(2, '0')}`)
  const rows = days.flatMap((day, no) => [
    `${day},c,701,${account.external_id},${(123.45 + no * 10).toFixed(2)},${10_000 + no * 500},${200 + no}`,
    `${day},c,702,${account.external_id},${(50 + no).toFixed(2)},${4000},${40}`,
    `${day},c,705,${account.external_id},10.00,100,1`,
  ])
  const mapping = {
    ...{ kind: 'reports', date: '日期', campaign: '活动', plan: '计划', account: '账户' },
    metrics: [
      { column: '消耗', metric: 'cost' },
      { column: '曝光', metric: 'imp_pv' },
      { column: '点击', metric: 'click_pv' },
    ],
  }
  const file = ['日期,活动,计划,账户,消耗,曝光,点击', ...rows].join('\n')
  await importFile(page, '报表.csv', file, adv_id, mapping)
}

const plan = (name: string, given: object = {}) => ({
  ...{ name, platform: COMMERCE, account_id: account.id, package_id, budget_mode: 'day', budget: 50_000 },
  ...{ start_date: '2026-01-01' },
  ...given,
})
const anActivity = async (page: Page, name: string, plans: object[], more: object = {}) =>
  (
    await api<{ id: number }>(page, 'post', '/api/campaign', {
      advertiser_id: adv_id,
      name,
      plans,
      submit: true,
      ...more,
    })
  ).id

const row = (page: Page, name: string) =>
  page.locator('.ant-table-row').filter({ has: page.getByText(name, { exact: true }) })
/** A field of a form with what is said of it. */
const field = (page: Page, label: string) =>
  page.locator('.ant-form-item').filter({ has: page.locator('.ant-form-item-label').getByText(label, { exact: true }) })
async function open(page: Page, path: string) {
  await selectAdvertiser(page, adv_id)
  await page.goto(path)
}

/** Looks at the page by night, on a laptop and on a large screen. `shown`: what stands there once it is loaded. */
async function lookAtNight(page: Page, name: string, shown: Locator) {
  const choose = async (theme: 'light' | 'dark') => {
    await page.evaluate((chosen) => localStorage.setItem('theme', JSON.stringify(chosen)), theme)
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    await expect(shown).toBeVisible()
  }
  await choose('dark')
  await expectAccessible(page)
  for (const [width, height] of [
    [1280, 800],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.screenshot({ path: `test-results/${name}-dark-${width}.png` })
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await choose('light')
}

test('an activity is made, submitted, switched, copied, logged, saved as an asset and deleted', async ({
  page,
  admin,
}) => {
  test.slow()
  await open(page, LIST)
  await expect(page.getByText('还没有活动')).toBeVisible()
  await expectAccessible(page)
  await page
    .getByRole('button', { name: /新建活动/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: '空白新建' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '新建活动' })).toBeVisible()

  await page.getByLabel('活动名称').fill('春季上新')
  await page.getByRole('button', { name: '添加计划' }).first().click()
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await expect(field(page, '投放账户')).toContainText('请选择投放账户')
  await expect(field(page, '定向包')).toContainText('请选择定向包或人群')
  await expect(field(page, '预算')).toContainText('请输入预算')
  await expect(page.getByRole('combobox', { name: '投放账户' })).toBeFocused()
  await expect(page.getByRole('button', { name: '还有 3 处需修改' })).toBeVisible()
  await expectAccessible(page)
  await page.screenshot({ path: 'test-results/work-bench-faults-1280.png' })

  await page.getByText('巨量千川', { exact: true }).click()
  await page.getByLabel('计划名称').fill('直播间拉新')
  await page.getByRole('combobox', { name: '投放账户' }).click()
  await page.locator('.ant-select-item-option', { hasText: account.name }).first().click()
  await page.getByRole('combobox', { name: '定向包' }).click()
  await page.locator('.ant-select-item-option', { hasText: '高消费女性' }).click()
  await page.getByLabel('预算', { exact: true }).fill('299')
  const { control } = await sandboxOf(admin)
  const there = { platform: 'commerce', account_id: account.external_id, name: '直播间', is_on: false, budget: 50_050 }
  const { id: plan_id } = await control<{ id: string }>('plans', there)
  await page.getByLabel('平台计划 ID').fill(plan_id)
  await expect(page.getByText('预算应在 300 到 9,999,999.99 元之间')).toBeVisible()
  for (const [typed, said] of [
    ['0', '预算应在 300 到 9,999,999.99 元之间'],
    ['1000.555', '预算最多两位小数'],
  ] as const) {
    await page.getByLabel('预算', { exact: true }).fill(typed)
    await page.getByLabel('预算', { exact: true }).press('Tab')
    await expect(field(page, '预算')).toContainText(said)
    await expect(page.getByLabel('预算', { exact: true })).toHaveValue(typed === '0' ? '0.00' : typed)
  }
  await page.getByRole('button', { name: '存为草稿' }).click()
  await expect(page.getByLabel('预算', { exact: true })).toBeFocused()
  await page.getByLabel('预算', { exact: true }).fill('５００．５')
  await expect(page.getByText('处需修改')).toBeHidden()
  await page.getByText('指定时段').click()
  await page.getByRole('button', { name: '工作日 9–18 点' }).click()
  await expect(page.getByText('周一、周二、周三、周四、周五 09:00–18:00')).toBeVisible()
  await page.screenshot({ path: 'test-results/work-bench-1280.png', fullPage: true })
  await expectAccessible(page)

  // Leaving asks.
  await page.getByRole('button', { name: /取\s?消/ }).click()
  await expect(page.getByRole('dialog', { name: '有未保存的修改，确定离开吗？' })).toBeVisible()
  await page.getByRole('button', { name: '继续编辑' }).click()
  await page.getByRole('button', { name: /提\s?交/ }).click()
  await expect(page.getByText('提交成功')).toBeVisible()
  await expect(page).toHaveURL(LIST)

  const mine = row(page, '春季上新')
  await expect(mine).toContainText('暂停')
  await expect(mine).toContainText('500.50')
  const toggle = page.getByRole('switch', { name: '活动「春季上新」的开关' })
  await toggle.click()
  await expect(page.getByText('修改活动状态成功')).toBeVisible()
  await expect(toggle).toBeChecked()
  await mine.getByRole('button', { name: '展开行' }).click()
  await expect(row(page, '直播间拉新')).toContainText(`平台计划 ${plan_id}`)
  await page.getByRole('switch', { name: '计划「直播间拉新」的开关' }).click()
  await expect(page.getByText('修改计划状态成功')).toBeVisible()

  await mine.getByRole('button', { name: '「春季上新」的更多操作' }).click()
  await page.getByRole('menuitem', { name: '日志' }).click()
  const log = page.getByRole('dialog', { name: '操作日志' })
  await expect(log.getByText('计划开关：开启 → 关闭')).toBeVisible()
  await expect(log.getByText('发布')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(log).toBeHidden()

  await mine.getByRole('button', { name: '复制', exact: true }).click()
  await expect(page.getByText('复制活动成功')).toBeVisible()
  await expect(row(page, '春季上新_副本')).toContainText('未提交')
  await expect(row(page, '春季上新_副本').getByRole('button', { name: '数据' })).toBeDisabled()

  await mine.getByRole('button', { name: '「春季上新」的更多操作' }).click()
  await page.getByRole('menuitem', { name: '存为资产' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /确\s?定/ })
    .click()
  await expect(page.getByText('保存成功')).toBeVisible()
  await page
    .getByRole('button', { name: /新建活动/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: '引用资产' }).click()
  await page.getByRole('button', { name: '引用', exact: true }).click()
  await expect(page.getByText('引用资产成功')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: '编辑活动' })).toBeVisible()
  await expect(page.getByLabel('活动名称')).toHaveValue('春季上新')

  await page.goto(LIST)
  await row(page, '春季上新_副本').getByRole('button', { name: '「春季上新_副本」的更多操作' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /删\s?除/ })
    .click()
  await expect(page.getByText('删除成功')).toBeVisible()
  await expect(row(page, '春季上新_副本')).toHaveCount(0)
})

test('the list shows the platform’s numbers, sums them, compares, and keeps its view in the URL', async ({ page }) => {
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

test('a page has 10, 20, 50 or 100 activities, and up to 11 are compared', async ({ page }) => {
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

test('totals and marks that cannot be read say so, and are read again on request', async ({ page }) => {
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

test('columns are chosen and ordered by each viewer, and stay', async ({ page }) => {
  await open(page, LIST)
  await page.getByRole('button', { name: '自定义列' }).click()
  const drawer = page.getByRole('dialog', { name: '自定义列' })
  await expect(drawer.getByRole('listitem').first()).toContainText('预算')
  await drawer.getByRole('checkbox', { name: '视频点赞数' }).check()
  const items = drawer.getByRole('region', { name: '显示的列' }).getByRole('listitem')
  await expect(items.last()).toContainText('视频点赞数')
  // By keyboard, then by dragging.
  await drawer.getByRole('button', { name: '上移「消耗」' }).click()
  await expect(items.first()).toContainText('消耗')
  await items.nth(0).locator('.anticon-holder').hover()
  await page.mouse.down()
  const target = await items.nth(2).boundingBox()
  await page.mouse.move((target?.x ?? 0) + 20, (target?.y ?? 0) + 10, { steps: 10 })
  await page.mouse.move((target?.x ?? 0) + 20, (target?.y ?? 0) + 24, { steps: 5 })
  await page.mouse.up()
  await expect(items.first()).toContainText('预算')
  await expectAccessible(page)
  await page.screenshot({ path: 'test-results/columns-1280.png' })
  await drawer.getByRole('button', { name: /保\s?存/ }).click()
  await expect(page.getByText('修改成功')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('columnheader', { name: '视频点赞数' })).toBeAttached()
  await page.getByRole('button', { name: '自定义列' }).click()
  await drawer.getByRole('button', { name: '恢复默认' }).click()
  await expect(page.getByRole('columnheader', { name: '视频点赞数' })).toHaveCount(0)
})

test('a long page draws only the rows and columns on the screen, and a short one only the columns', async ({
  page,
}) => {
  test.slow()
  for (let no = 1; no <= 30; no++)
    await anActivity(page, `很多${no}`, [plan(`${no}甲`, no === 30 ? { plan_id: '705' } : {}), plan(`${no}乙`)])
  const { columns } = await api<{ columns: { key: string; label: string }[] }>(page, 'get', '/api/campaign/columns')
  await api(page, 'put', '/api/campaign/columns', { keys: columns.map(({ key }) => key) })
  await open(page, `${LIST}?time_range=${MARCH}&name=很多&page_size=100`)
  await expect(row(page, '很多30')).toContainText('100.00')
  const drawn = page.locator('.ant-table-row')
  expect(await drawn.count()).toBeLessThan(30)
  await expect(page.locator('tfoot')).toContainText('30 个活动，60 个计划')
  await columnsFollow(page, columns)
  await row(page, '很多30').getByRole('button', { name: '展开行' }).click()
  await expect(row(page, '30甲')).toContainText('平台计划 705')
  await page.screenshot({ path: 'test-results/long-1280.png' })
  await expectAccessible(page)
  await page.setViewportSize({ width: 1920, height: 1080 })
  await expect(row(page, '很多30')).toBeVisible()
  await page.screenshot({ path: 'test-results/long-1920.png' })

  await page.setViewportSize({ width: 1280, height: 800 })
  await open(page, `${LIST}?time_range=${MARCH}&name=很多30`)
  await expect(row(page, '很多30')).toContainText('100.00')
  await columnsFollow(page, columns)
  await expectAccessible(page)
  await api(page, 'put', '/api/campaign/columns', { keys: [] })
})

/** Most columns are not drawn; scrolling to the last one, and the focus on a heading, bring theirs. */
async function columnsFollow(page: Page, columns: readonly { label: string }[]) {
  const heading = (name: string) => page.getByRole('columnheader', { name, exact: true })
  const first = row(page, '很多30')
  const [begin, end] = [columns[0]?.label ?? '', columns.at(-1)?.label ?? '']
  const cells = () => first.locator('.ant-table-cell').count()
  const before = await cells()
  expect(before).toBeLessThan(30)
  expect(await page.locator('tfoot td').count()).toBeLessThan(30)
  await expect(heading(begin)).toBeInViewport()
  await expect(heading(end)).toHaveCount(0)

  await first.hover()
  await page.mouse.wheel(20_000, 0)
  await expect(heading(end)).toBeInViewport()
  await expect(heading(begin)).toHaveCount(0)
  await expect(heading(end)).toHaveAttribute('aria-colindex', String(4 + columns.length))
  expect(await cells()).toBe(before)
  // The last column stands before the actions in the head, the rows and the sums.
  const { x } = await placeOf(heading(end))
  for (const cell of [first.locator('.ant-table-cell').nth(-2), page.locator('tfoot td').nth(-2)])
    expect(Math.abs((await placeOf(cell)).x - x)).toBeLessThan(2)
  await expect(first.getByText('很多30', { exact: true })).toBeInViewport()
  await expect(first.getByRole('button', { name: '复制', exact: true })).toBeInViewport()

  // The keyboard reaches the heading that sorts from anywhere, the fixed columns do not cover it, and the rows come along.
  await heading('创建时间').focus()
  const time = first.locator('.ant-table-cell').filter({ hasText: /\d{4}-\d\d-\d\d \d\d:\d\d/ })
  await expect(time).toBeInViewport()
  const sorted = await placeOf(heading('创建时间'))
  expect(Math.abs((await placeOf(time)).x - sorted.x)).toBeLessThan(2)
  const fixed = await placeOf(heading('开关'))
  expect(sorted.x).toBeGreaterThanOrEqual(fixed.x + fixed.width - 1)
}

async function placeOf(of: Locator) {
  const box = await of.boundingBox()
  if (!box) throw new Error('it is not drawn')
  return box
}

test('a switch that is refused returns, and the reason names each plan', async ({ page }) => {
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

test('the day report shows each day in a chart and a table', async ({ page }) => {
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

test('a member without the restricted metrics sees the shorter list alone', async ({ page, openAs }) => {
  await anActivity(page, '看不到花费', [plan('戊一', { plan_id: '704' })])
  const member = await openAs(await aViewer(page, '投放助理', [adv_id]))
  await open(member, `${LIST}?name=看不到`)
  await expect(row(member, '看不到花费')).toBeVisible()
  await expect(member.getByRole('columnheader', { name: '落地页访问量' })).toBeAttached()
  await expect(member.getByRole('columnheader', { name: '消耗' })).toHaveCount(0)
})

test('a link shows the day report to somebody without an account, until it is revoked', async ({ page, browser }) => {
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
  await stranger.goto('/shared/day-report')
  await expect(stranger.getByText('链接不完整')).toBeVisible()

  await dialog.getByRole('button', { name: '撤销' }).click()
  await page.getByRole('dialog', { name: '撤销这个链接？' }).getByRole('button', { name: '撤销' }).click()
  await expect(dialog.getByText('没有有效的链接')).toBeVisible()
  await stranger.goto(url)
  await expect(stranger.getByText('链接已失效或已被撤销')).toBeVisible()
  await stranger.context().close()
})

test('an end before the start is said at once, and what keeps a plan from being submitted is brought into sight', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 600 })
  await open(page, '/campaign-manage/work-bench')
  await page.getByLabel('活动名称').fill('日期颠倒')
  await page.getByRole('button', { name: '添加计划' }).first().click()
  await page.getByLabel('计划名称').fill('')
  for (const [label, day] of [
    ['开始日期', '2030-05-02'],
    ['结束日期', '2030-05-01'],
  ] as const) {
    await page.getByLabel(label).fill(day)
    await page.getByLabel(label).press('Enter')
  }
  await expect(page.getByText('结束日期不能早于开始日期')).toBeVisible()
  await expect(page.getByLabel('结束日期')).toHaveValue('2030-05-01')
  await page.getByLabel('活动名称').fill('日期 颠倒')
  await page.getByRole('button', { name: '提交' }).click()
  await expect(page.getByLabel('活动名称')).toBeInViewport()
  await expect(page.getByLabel('活动名称')).toBeFocused()
  await expect(field(page, '活动名称')).toContainText('名称只支持中英文，数字，横杠，下划线')
  await expect(field(page, '计划名称')).toContainText('请输入计划名称')

  // Each is said until its own field changes; the button beside those that save leads to the next one.
  await page.getByLabel('活动名称').fill('日期颠倒')
  await expect(field(page, '活动名称')).not.toContainText('名称只支持')
  await expect(field(page, '计划名称')).toContainText('请输入计划名称')
  await page.getByRole('button', { name: '还有 5 处需修改' }).click()
  await expect(page.getByLabel('计划名称')).toBeFocused()
  await page.keyboard.type('甲')
  await expect(field(page, '计划名称')).not.toContainText('请输入计划名称')
  await expect(page.getByRole('list', { name: '计划' }).getByText('需修改')).toBeVisible()

  // Two plans of one name are said before anything is saved, and one of another plan leads to it.
  await page.getByRole('button', { name: '添加计划' }).click()
  await page.getByLabel('计划名称').fill('甲')
  await expect(field(page, '计划名称')).toContainText('有两个计划叫「甲」，请换一个名称')
  await page.getByLabel('计划名称').fill('乙')
  await expect(field(page, '计划名称')).not.toContainText('有两个计划')
  await page.getByRole('button', { name: '还有 4 处需修改' }).click()
  await expect(page.getByLabel('计划名称')).toHaveValue('甲')
  await expect(page.getByRole('combobox', { name: '投放账户' })).toBeFocused()
})

test('an activity is filled in by the keyboard alone', async ({ page }) => {
  await open(page, '/campaign-manage/work-bench')
  await expect(page.getByLabel('活动名称')).toBeFocused()
  await page.keyboard.type('只用键盘')
  await page.getByRole('button', { name: '添加计划' }).first().press('Enter')
  const name = page.getByLabel('计划名称')
  await expect(name).toBeFocused()
  await page.keyboard.type('拉新')
  await expect(name).toHaveValue('拉新')

  // What Tab reaches is never behind the bar with the buttons.
  const bar = page.getByRole('button', { name: '存为草稿' })
  const end = page.getByLabel('结束日期')
  for (let tabs = 0; tabs < 30 && !(await end.evaluate((one) => one === document.activeElement)); tabs++) {
    await page.keyboard.press('Tab')
    const focused = await placeOf(page.locator(':focus'))
    expect(focused.y + focused.height).toBeLessThan((await placeOf(bar)).y)
  }
  await expect(end).toBeFocused()

  // The grid of hours is one tab stop.
  await page.getByText('指定时段').click()
  const grid = page.getByRole('table', { name: '一周的投放时段' })
  const at = (label: string) => grid.getByRole('button', { name: label, exact: true })
  const clear = grid.locator('xpath=..').getByRole('button', { name: '清空' })
  await clear.press('Enter')
  await clear.press('Tab')
  await expect(at('周一 0 点')).toBeFocused()
  for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowDown', 'ArrowRight', 'Space']) await page.keyboard.press(key)
  await expect(at('周二 1 点')).toBeFocused()
  await expect(at('周二 1 点')).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: /取\s?消/ })).toBeFocused()

  await page.getByRole('button', { name: '删除计划「拉新」' }).press('Enter')
  await expect(page.getByRole('button', { name: '添加计划' }).first()).toBeFocused()
})

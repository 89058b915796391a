import { activityTest, LIST, MARCH, placeOf, row } from './activity-page.ts'
import { expectAccessible } from './axe.ts'
import { api } from './crowds.ts'
import { expect, type Page } from './test.ts'

const test = activityTest()

test('columns are chosen and ordered by each viewer, and stay', async ({ page, brand: { open } }) => {
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
  brand: { plan, anActivity, open },
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

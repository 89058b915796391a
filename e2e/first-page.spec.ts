import { aCrowd, anAdvertiser, crowdRow, selectAdvertiser } from './crowds.ts'
import { FIRST_PAGE, GZIP, open } from './opening.ts'
import { expect, type Page, test } from './test.ts'

test.use({ extraHTTPHeaders: GZIP })

/** The code that the first rows are drawn with; all other code arrives after them. */
const FIRST_CODE = /\/assets\/(index|lists)-[^/]+\.js$/

async function aList(page: Page, crowd: string) {
  const { id: adv_id, everyone } = await anAdvertiser(page, `${crowd}的广告主`)
  await aCrowd(page, { name: crowd, adv_id, uses: { id: everyone, tag_type: 1 } })
  await selectAdvertiser(page, adv_id)
}

/** Holds the code that arrives after the first rows until the promise is resolved. */
async function holdLaterCode(page: Page) {
  const arrived = Promise.withResolvers<void>()
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    if (!FIRST_CODE.test(route.request().url())) await arrived.promise
    await route.continue()
  })
  return arrived
}

test('the list of rule crowds needs at most 300 KB and 25 requests until its rows are drawn', async ({ page }) => {
  await aList(page, '老客')
  // On a busy machine the page no longer waits for its calls to fetch the rest.
  await holdLaterCode(page)
  const { gzip_kb, requests } = await open(page, FIRST_PAGE.path, FIRST_PAGE)
  // More than a page that failed to load anything.
  expect(gzip_kb).toBeGreaterThan(100)
  expect(gzip_kb).toBeLessThanOrEqual(300)
  expect(requests).toBeLessThanOrEqual(25)
})

test('what arrives after the rows moves nothing, and a menu clicked before opens then', async ({ page }) => {
  await aList(page, '新客')
  await page.addInitScript(() => {
    const moved: string[] = []
    Object.assign(window, { moved })
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as (PerformanceEntry & { sources: { node: Element | null }[] })[])
        moved.push(...sources.map(({ node }) => node?.className ?? ''))
    }).observe({ type: 'layout-shift' })
  })
  const arrived = await holdLaterCode(page)
  await page.goto(FIRST_PAGE.path)
  await expect(crowdRow(page, '新客')).toContainText('已完成')
  const more = crowdRow(page, '新客').getByRole('button', { name: '「新客」的更多操作' })
  await more.click()
  await expect(page.getByRole('treeitem')).toHaveCount(0)
  arrived.resolve()
  await expect(page.getByRole('menuitem', { name: '移动到' })).toBeVisible()
  await expect(page.getByRole('treeitem', { name: '默认分组' })).toBeVisible()
  await expect(page.getByText('共 1 个')).toBeVisible()
  await expect(page.getByRole('tab', { name: '组合定向包' })).toBeVisible()
  await expect(page.getByLabel('名称', { exact: true })).toBeVisible()
  expect(await page.evaluate(() => (window as unknown as { moved: string[] }).moved)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()
})

test('a click is not lost if the code of its part arrives between pressing and releasing', async ({ page }) => {
  await aList(page, '按住')
  const arrived = await holdLaterCode(page)
  await page.goto(FIRST_PAGE.path)
  const more = crowdRow(page, '按住').getByRole('button', { name: '「按住」的更多操作' })
  await more.hover()
  await page.mouse.down()
  arrived.resolve()
  await page.waitForLoadState('networkidle')
  await page.mouse.up()
  await expect(page.getByRole('menuitem', { name: '移动到' })).toBeVisible()
})

test('code that does not arrive leaves the rows as they are, and a reload fetches it', async ({ page }) => {
  await aList(page, '断网')
  await page.route(/\/assets\/.*\.js$/, (route) =>
    FIRST_CODE.test(route.request().url()) ? route.continue() : route.abort(),
  )
  await page.goto(FIRST_PAGE.path)
  const copy = crowdRow(page, '断网').getByRole('button', { name: '复制', exact: true })
  await copy.click()
  await expect(page.getByRole('row')).toHaveCount(3)
  await page.getByRole('button', { name: '最近删除' }).click()
  await page.keyboard.press('ControlOrMeta+k')
  await page.waitForLoadState('networkidle')
  await expect(page.getByRole('row')).toHaveCount(3)
  await expect(page.getByRole('alert').filter({ hasText: '部分功能未能加载' })).toBeVisible()
  await page.unroute(/\/assets\/.*\.js$/)
  await page.getByRole('button', { name: '重新加载' }).click()
  await copy.click()
  await expect(page.getByText(/复制成功/)).toBeVisible()
  await expect(page.getByRole('treeitem').first()).toBeVisible()
})

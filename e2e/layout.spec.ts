import { aCrowd, anAdvertiser, api, aViewer, selectAdvertiser } from './crowds.ts'
import { aCustomCrowd, md5s } from './custom-crowds.ts'
import { chooseKind, DATA_ACCESS, dropFile, mapColumn, runImport } from './import-page.ts'
import { eventsCsv, somePeople } from './people.ts'
import { anAdvertiserOf } from './population.ts'
import { expect, SUFFIX, test } from './test.ts'

// The narrowest common screen.
test.use({ viewport: { width: 1280, height: 800 } })

test('at 1280 px no table scrolls sideways, however long the names are', async ({ page }) => {
  test.slow()
  const long = `名字特别长的广告主旗舰店官方自营${SUFFIX}`
  const { id: adv_id, everyone } = await anAdvertiser(page, long)
  await selectAdvertiser(page, adv_id)
  await aCrowd(page, {
    name: `${'很长的名字'.repeat(5)}${SUFFIX.slice(0, 5)}`,
    adv_id,
    uses: { id: everyone, tag_type: 1 },
  })
  await aCustomCrowd(page, { name: '很长的名字'.repeat(6), adv_id, files: { 'a.txt': md5s(2).join('\n') } })
  await page.goto(DATA_ACCESS)
  await dropFile(page, { name: `${'很长的文件名'.repeat(12)}.csv`, content: eventsCsv(somePeople(20)) })
  await chooseKind(page, '事件')
  await mapColumn(page, '用户', '用户 ID')
  await runImport(page)
  for (const path of [
    '/cowd-manage/cowd-assets?dir_id=1',
    '/cowd-manage/custom-crowd?dir_id=1',
    '/cowd-manage/tags',
    DATA_ACCESS,
    '/basic-manage/index/advertiser-data',
    '/basic-manage/index/users',
    '/basic-manage/index/tokens',
  ]) {
    await page.goto(path)
    await expect(page.locator('.ant-table-row').first(), path).toBeVisible()
    const overflowing = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('.ant-table-content, .ant-table-body')]
        .filter((element) => element.scrollWidth > element.clientWidth)
        .map((element) => `${element.className}: ${element.scrollWidth} in ${element.clientWidth}`),
    )
    expect(overflowing, path).toEqual([])
  }
})

test('folder names are readable five levels deep', async ({ page }) => {
  const names = ['华东大区投放人群', '上海市场团队', '春季活动投放', '高价值女性用户组', '近三十天支付人群'].map(
    (name) => `${name}${SUFFIX}`,
  )
  let parentId: number | null = null
  for (const name of names)
    ({ id: parentId } = await api<{ id: number }>(page, 'post', '/api/peopledir', { name, parentId }))
  for (const width of [1280, 1920]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`/cowd-manage/cowd-assets?dir_id=${parentId}`)
    const deepest = page
      .getByRole('treeitem')
      .filter({ hasText: names.at(-1) ?? '' })
      .getByText(names.at(-1) ?? '')
    await expect(deepest).toBeVisible()
    // The icon and four characters of 14 px, at least.
    expect((await deepest.boundingBox())?.width).toBeGreaterThan(76)
    // Once the code for dragging is there, the tree is drawn anew as the pointer comes over it.
    await page.waitForLoadState('networkidle')
    await page.getByRole('button', { name: '全部', exact: true }).hover()
    await deepest.hover({ position: { x: 30, y: 8 } })
    await expect(page.getByRole('tooltip')).toHaveText(names.at(-1) ?? '')
  }
})

const EIGHT = Array.from({ length: 8 }, (_, i) => i + 1)

test('at 800 px each list shows eight whole rows, and times stand on one line', async ({ page, admin }) => {
  test.slow()
  const { adv_id, tagOf } = await anAdvertiserOf(admin, `八行${SUFFIX}`, somePeople(60))
  await selectAdvertiser(page, adv_id)
  for (const no of EIGHT) {
    await aCrowd(page, { name: `八行${no}`, adv_id, uses: { id: tagOf('全部用户'), tag_type: 1 } })
    await aCustomCrowd(page, { name: `八行${no}`, adv_id, files: { 'a.txt': md5s(2, no).join('\n') } })
    await aViewer(page, `eight${no}${SUFFIX}`, [adv_id])
  }
  for (const path of [
    '/cowd-manage/cowd-assets?dir_id=0',
    '/cowd-manage/custom-crowd?dir_id=0',
    '/cowd-manage/tags',
    '/basic-manage/index/users',
  ]) {
    await page.goto(path)
    const rows = page.locator('main .ant-table-row')
    await expect(rows.nth(7), path).toBeVisible()
    // The calendar's filter arrives after the rows.
    await page.waitForLoadState('networkidle')
    const eighth = await rows.nth(7).boundingBox()
    expect((eighth?.y ?? 0) + (eighth?.height ?? 0), path).toBeLessThanOrEqual(800)
    const lines = await page.evaluate(() =>
      [...document.querySelectorAll('main .ant-table-row td')]
        .filter((cell) => /\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/.test(cell.textContent ?? ''))
        .map((cell) => {
          const text = document.createRange()
          text.selectNodeContents(cell)
          return new Set([...text.getClientRects()].map((rect) => Math.round(rect.top))).size
        }),
    )
    expect([...new Set(lines)], path).not.toContain(2)
  }
})

import { aCrowd, anAdvertiser, selectAdvertiser } from './crowds.ts'
import { chooseKind, DATA_ACCESS, dropFile, mapColumn, runImport } from './import-page.ts'
import { eventsCsv, somePeople } from './people.ts'
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
  await page.goto(DATA_ACCESS)
  await dropFile(page, { name: `${'很长的文件名'.repeat(12)}.csv`, content: eventsCsv(somePeople(20)) })
  await chooseKind(page, '事件')
  await mapColumn(page, '用户', '用户 ID')
  await runImport(page)
  for (const path of [
    '/cowd-manage/cowd-assets?dir_id=1',
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

import { SOCIAL, VIDEO } from '../server/testing/platforms.ts'
import { aCrowd, anAdvertiser, api, aViewer, selectAdvertiser } from './crowds.ts'
import { aCustomCrowd, authorise, md5s } from './custom-crowds.ts'
import { chooseKind, DATA_ACCESS, dropFile, mapColumn, runImport } from './import-page.ts'
import { eventsCsv, somePeople } from './people.ts'
import { importFile } from './population.ts'
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
  await anAdvertiser(page, `五级${SUFFIX}`)
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
    await expect(async () => {
      await page.getByRole('button', { name: '全部', exact: true }).hover()
      await deepest.hover({ position: { x: 30, y: 8 } })
      await expect(page.getByRole('tooltip')).toHaveText(names.at(-1) ?? '', { timeout: 2_000 })
    }).toPass()
  }
})

const EIGHT = Array.from({ length: 8 }, (_, i) => i + 1)

test('at 800 px each list shows eight whole rows, and times stand on one line', async ({ page, admin }) => {
  test.slow()
  const { id: adv_id, everyone } = await anAdvertiser(admin, `八行${SUFFIX}`)
  const hashes = md5s(200)
  const mapping = { kind: 'users', id: '用户', identifiers: [{ column: '设备', type: 'HASH_IMEI' }], skip: [] }
  const rows = hashes.map(
    (hash, i) =>
      `u${i},${hash},${i % 2 ? '男' : '女'},${['一线', '二线', '三线'][i % 3]},${['搜索', '信息流', '直播'][i % 3]}`,
  )
  await importFile(admin, 'users.csv', ['用户,设备,性别,城市级别,渠道', ...rows].join('\n'), adv_id, mapping)
  await selectAdvertiser(page, adv_id)
  // Pushed to two accounts of each platform, which is where a row has the most to say.
  const accounts: { cnt_type: number; account_id: number }[] = []
  for (const platform of [SOCIAL, VIDEO]) {
    await authorise(page, { adv_id, platform, login: '海棠运营', accounts: /海棠..账户[12] / })
    const path = `/api/advertiser/list?auth_type=${platform}&adv_id=${adv_id}`
    const { data } = await api<{ data: { id: number }[] }>(page, 'get', path)
    accounts.push(...data.map(({ id }) => ({ cnt_type: platform, account_id: id })))
  }
  for (const no of EIGHT) {
    const rule = await aCrowd(page, { name: `八行${no}`, adv_id, uses: { id: everyone, tag_type: 1 } })
    const custom = await aCustomCrowd(page, { name: `八行${no}`, adv_id, files: { 'a.txt': hashes.join('\n') } })
    for (const source of [
      { kind: 'rule', id: rule, types: ['HASH_IMEI'] },
      { kind: 'custom', id: custom },
    ])
      await api(page, 'post', '/api/push/start', { source, accounts })
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
    if (path.includes('cowd') && !path.includes('tags')) {
      await expect(rows.nth(7).getByRole('img', { name: '腾讯广告' }), path).toBeVisible()
      await expect(rows.nth(7).getByRole('img', { name: '巨量引擎' }), path).toBeVisible()
    }
  }
})

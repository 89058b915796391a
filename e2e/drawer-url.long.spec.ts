import { anAdvertiser, selectAdvertiser } from './crowds.ts'
import { aCustomCrowd, crowdRowOf, md5s } from './custom-crowds.ts'
import { expect, SUFFIX, test } from './test.ts'

// Checks of files take time.

test('a reload shows the same drawer, tab, page and filters; back closes the drawer', async ({ page }) => {
  const { id: adv_id } = await anAdvertiser(page, `抽屉旅程${SUFFIX}`)
  const name = `有十二个文件${SUFFIX}`
  const fileOf = (i: number) => `第${String(i + 1).padStart(2, '0')}个.txt`
  const files = Object.fromEntries(md5s(12, 500).map((md5, i) => [fileOf(i), md5]))
  await aCustomCrowd(page, { name, adv_id, files })
  await selectAdvertiser(page, adv_id)
  await page.goto('/cowd-manage/custom-crowd?dir_id=1&page_size=20')
  await crowdRowOf(page, name).getByRole('button', { name, exact: true }).click()
  const drawer = page.getByRole('dialog')
  const list = drawer.getByRole('region', { name: '文件', exact: true })
  const rows = list.getByRole('row').filter({ hasText: /第\d+个\.txt/ })
  await expect(rows).toHaveCount(10)

  await list.getByRole('listitem', { name: '2' }).click()
  await expect(rows).toHaveCount(2)
  await expect(page).toHaveURL(/[?&]page_size=20&.*files_page=2/)
  await page.reload()
  await expect(rows).toHaveCount(2)

  await list.getByLabel('文件名').fill('第03')
  await expect(rows).toHaveCount(1)
  await drawer.getByRole('tab', { name: '更新记录' }).click()
  const logs = drawer.getByRole('region', { name: '更新记录' })
  await expect(logs.getByText(name).or(logs.getByText('新建')).first()).toBeVisible()
  await logs.getByLabel('操作类型').click()
  await page.locator('.ant-select-item-option').filter({ hasText: '删除' }).click()
  await expect(logs.getByText('没有更新记录')).toBeVisible()
  await page.reload()
  await expect(logs.getByText('没有更新记录')).toBeVisible()
  await expect(logs.locator('.ant-select')).toContainText('删除')
  await drawer.getByRole('tab', { name: '详情' }).click()
  await expect(list.getByLabel('文件名')).toHaveValue('第03')
  await expect(rows).toHaveCount(1)

  await page.goBack()
  await expect(drawer).toHaveCount(0)
  await expect(page).toHaveURL(/\?dir_id=1&page_size=20$/)

  // Closed by hand it forgets its lists too.
  await crowdRowOf(page, name).getByRole('button', { name, exact: true }).click()
  await expect(rows).toHaveCount(10)
  await list.getByRole('listitem', { name: '2' }).click()
  await expect(page).toHaveURL(/files_page=2/)
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(page).toHaveURL(/\?dir_id=1&page_size=20$/)

  // A link beyond the last page leads to the first.
  await crowdRowOf(page, name).getByRole('button', { name, exact: true }).click()
  await page.goto(`${page.url()}&panel=pushes&pushes_page=9`)
  await expect(drawer.getByText('还没有推送记录')).toBeVisible()
  await expect(page).not.toHaveURL(/pushes_page/)
})

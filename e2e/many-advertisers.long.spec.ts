import type { Locator } from '@playwright/test'
import { anAdvertiser } from './crowds.ts'
import { inRecords } from './records.ts'
import { test as base, expect, type Page, SERVER_FIXTURE, withServer } from './test.ts'

/** More than a page loads at its start. */
const MANY = 520
const LAST = `品牌${MANY}`

/** A server of its own: hundreds of advertisers would be in the way of the other tests. */
const test = base.extend<object, { adv_id: number }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  server: [async ({}, use) => withServer({}, use), SERVER_FIXTURE],
  adv_id: [
    async ({ admin, server }, use) => {
      const { id } = await anAdvertiser(admin, '第一个')
      await inRecords(
        server.dataDir,
        `INSERT INTO advertiser (name, created_at) SELECT '品牌' || n, extract(epoch from now())::bigint FROM generate_series(1, $1) AS n`,
        MANY,
      )
      await use(id)
    },
    { scope: 'worker', auto: true },
  ],
})

/** Types into the field and chooses what the server found. */
async function choose(page: Page, field: Locator, name: string) {
  await field.click()
  await field.fill(name)
  await page.locator(`.ant-select-dropdown:visible .ant-select-item[title="${name}"]`).click()
}

test('an advertiser beyond those loaded at first can be chosen wherever one is chosen', async ({ page }) => {
  await page.goto('/cowd-manage/custom-crowd')
  const filter = page.getByRole('search').getByRole('combobox', { name: '广告主' })
  await choose(page, filter, LAST)
  await expect(page).toHaveURL(/adv_id=\d+/)
  await page.reload()
  await expect(page.getByRole('search')).toContainText(LAST)

  await page.goto('/cowd-manage/custom-crowd/upload')
  await choose(page, page.getByRole('combobox', { name: '广告主', exact: true }), LAST)
  await expect(page.getByRole('main')).toContainText(LAST)

  await page.goto('/basic-manage/index/data-access')
  const users = { name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from('user_id,city\nu1,北京\n') }
  await page.setInputFiles('input[type=file]', users)
  await choose(page, page.getByRole('combobox', { name: '广告主', exact: true }), LAST)
  await expect(page.locator('pre')).toContainText(`--advertiser '${LAST}'`)
  // Another advertiser in the top bar is another one in the form.
  await choose(page, page.getByRole('combobox', { name: '当前广告主' }), '品牌7')
  await expect(page.locator('pre')).toContainText(`--advertiser '品牌7'`)

  // The imports listed are the advertiser's too.
  await page.getByRole('button', { name: '开始导入' }).click()
  await expect(page.getByRole('dialog').getByText('新增 1 人')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: /关闭/ }).click()
  await expect(page.getByRole('button', { name: 'users.csv' })).toBeVisible()
  await choose(page, page.getByRole('combobox', { name: '当前广告主' }), '品牌8')
  await expect(page.getByText('还没有导入记录')).toBeVisible()

  await page.goto('/basic-manage/index/users')
  await page.getByRole('button', { name: '新建成员' }).click()
  const dialog = page.getByRole('dialog')
  await choose(page, dialog.getByLabel('可见广告主'), LAST)
  await choose(page, dialog.getByLabel('其中只能查看'), LAST)
  await dialog.getByLabel('用户名').fill('远处')
  await dialog.getByLabel('初始密码').fill('correct horse battery')
  await dialog.getByRole('button', { name: '确定' }).click()
  const row = page.getByRole('row', { name: /远处/ })
  await expect(row).toBeVisible()
  await row.getByRole('button', { name: '编辑' }).click()
  await expect(dialog).toContainText(LAST)
})

import pg from 'pg'
import type { PlatformCode } from '#contract/platform.ts'
import { VIDEO } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { aCrowd, anAdvertiser, crowdRow } from './crowds.ts'
import { aCustomCrowd, authorise, md5s } from './custom-crowds.ts'
import { test as base, expect, type Page, SERVER_FIXTURE, withServer } from './test.ts'

const LIST = '/cowd-manage/cowd-assets'
const refusalOf = (page: Page, module: string) => page.getByText(`没有权限，无法查看或新建${module}`)

/** A server of its own, since the deployment is set at its start. */
const test = base.extend<object, { adv_id: number }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  server: [async ({}, use) => withServer({ DEPLOYMENT: 'rps' }, use), SERVER_FIXTURE],
  /** Its one advertiser, with a crowd 全体. */
  adv_id: [
    async ({ admin }, use) => {
      const { id, everyone } = await anAdvertiser(admin, '唯一广告主')
      await aCrowd(admin, { name: '全体', adv_id: id, uses: { id: everyone, tag_type: 1 } })
      await use(id)
    },
    { scope: 'worker', auto: true },
  ],
})

/** Accounts come from the platforms, which are not called here, so they are written to the database. */
async function holdScopes(dataDir: string, adv_id: number, held: Record<PlatformCode, string[] | null>) {
  const db = new pg.Client({ host: dataDir, user: 'postgres', database: 'postgres' })
  await db.connect()
  try {
    await db.query('DELETE FROM platform_account WHERE adv_id = $1', [adv_id])
    for (const [platform, scopes] of Object.entries(held)) {
      if (scopes === null) continue
      await db.query(
        'INSERT INTO platform_account (adv_id, platform, external_id, name, scope_list) VALUES ($1, $2, $3, $4, $5)',
        [adv_id, Number(platform), `rps-${platform}`, `账户${platform}`, JSON.stringify(scopes)],
      )
    }
  } finally {
    await db.end()
  }
}

test('RPS hides the advertiser, and finds creators by text', async ({ page, adv_id }) => {
  await page.goto(`${LIST}?dir_id=1`)
  await expect(crowdRow(page, '全体')).toContainText('已完成')
  await expect(page.getByRole('combobox', { name: '当前广告主' })).toHaveCount(0)
  await expect(page.getByRole('columnheader', { name: '广告主' })).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: '广告主' })).toHaveCount(0)
  await expect(page.getByText('唯一广告主')).toHaveCount(0)
  await page.getByRole('textbox', { name: '创建人' }).fill('没有这个人')
  await expect(page.getByText('没有符合条件的定向包')).toBeVisible()
  await page.getByRole('textbox', { name: '创建人' }).fill('管理')
  await expect(crowdRow(page, '全体')).toBeVisible()
  await expectAccessible(page)

  await crowdRow(page, '全体').getByRole('link', { name: '编辑' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '编辑组合定向包' })).toBeVisible()
  await expect(page.getByText('唯一广告主')).toHaveCount(0)
  await page.goto('/basic-manage/index/data-access')
  await expect(page.getByText('导入记录', { exact: true })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: '广告主' })).toHaveCount(0)

  const users = { name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from('user_id,city\nu1,北京\n') }
  await page.setInputFiles('input[type=file]', users)
  await expect(page.getByRole('button', { name: '开始导入' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: '广告主' })).toHaveCount(0)
  await expect(page.getByText('唯一广告主')).toHaveCount(0)
  await page.getByRole('button', { name: '开始导入' }).click()
  await expect(page.getByRole('dialog').getByText('新增 1 人')).toBeVisible()
  await expect(page.getByText('唯一广告主')).toHaveCount(0)

  const id = await aCustomCrowd(page, { name: '文件人群', adv_id, files: { 'a.txt': md5s(3).join('\n') } })
  await page.goto(`/cowd-manage/custom-crowd?crowd=${id}`)
  await expect(page.getByRole('dialog').getByText('人群大小')).toBeVisible()
  await expect(page.getByText('唯一广告主')).toHaveCount(0)
})

test('in RPS each tab needs its own scopes, and links to where they are granted', async ({ page, server, adv_id }) => {
  const expectTabs = async (open: Record<2 | 3 | 4, boolean>) => {
    for (const [tab, name] of [
      [2, '腾讯广告定向包'],
      [3, '巨量引擎定向包'],
      [4, '巨量千川定向包'],
    ] as const) {
      await page.goto(`${LIST}/${tab}`)
      const shown = open[tab] ? page.getByText(new RegExp(`还没有${name}`)) : refusalOf(page, name)
      await expect(shown, name).toBeVisible()
    }
  }
  await test.step('without accounts only the first tab is shown', async () => {
    await expectTabs({ 2: false, 3: false, 4: false })
    await expectAccessible(page)
    await page.getByRole('link', { name: '重新授权' }).click()
    await expect(page).toHaveURL(`/basic-manage/index/advertiser-data?adv_id=${adv_id}&platform=3`)
    await page.getByRole('menuitem', { name: '人群资产' }).click()
    await expect(crowdRow(page, '全体')).toBeVisible()
  })
  await test.step('insufficient scopes', async () => {
    await holdScopes(server.dataDir, adv_id, { 1: ['ads_management'], 2: ['audience_management'], 3: [] })
    await expectTabs({ 2: false, 3: false, 4: false })
    await page.goto(`${LIST}/3`)
    await page.getByRole('link', { name: '重新授权' }).click()
    await expect(page.locator('tr[aria-current]')).toContainText('账户2')
    await expect(page.locator('tr[aria-current]')).toBeInViewport()
  })
  await test.step('the social platform needs only the audience scope, the others need all', async () => {
    await holdScopes(server.dataDir, adv_id, { 1: ['audience_management'], 2: ['all'], 3: null })
    await expectTabs({ 2: true, 3: true, 4: false })
    await holdScopes(server.dataDir, adv_id, { 1: ['all'], 2: null, 3: ['all'] })
    await expectTabs({ 2: true, 3: false, 4: true })
  })
})

test('in RPS a new package asks for the platform account where there are several', async ({ page, admin, adv_id }) => {
  await authorise(admin, { adv_id, platform: VIDEO, accounts: /云杉巨量账户[12]/ })
  await page.goto(`${LIST}/3`)
  await page.getByRole('button', { name: '新建巨量引擎定向包' }).click()
  const dialog = page.getByRole('dialog', { name: '新建巨量引擎定向包' })
  await expect(dialog.getByText('广告主')).toHaveCount(0)
  await dialog.getByLabel('定向包名称').fill('两个账户')
  await dialog.getByRole('radio', { name: '应用' }).first().check()
  await dialog.getByRole('checkbox', { name: '长期有效' }).check()
  await dialog.getByRole('button', { name: '去设置' }).click()
  await expect(dialog.getByText('请选择平台账户')).toHaveCount(2)
  await expectAccessible(page)

  await dialog.getByRole('combobox', { name: '平台账户' }).fill('yunshan')
  const options = page.locator('.ant-select-item-option')
  await expect(options).toHaveCount(2)
  await options.last().click()
  await dialog.getByRole('button', { name: '去设置' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '新建巨量引擎定向包' })).toBeVisible()
  await expect(page.getByText('云杉巨量账户2', { exact: false })).toBeVisible()
})

test('in RPS an activity is made directly, and the list says where else one enters', async ({ page }) => {
  await page.goto('/campaign-manage/list')
  await expect(page.getByText('也可以从 RPS 的活动中进入')).toBeVisible()
  await expect(page.getByRole('textbox', { name: '创建人' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: '广告主' })).toHaveCount(0)
  await page
    .getByRole('button', { name: /新建活动/ })
    .first()
    .click()
  await expect(page).toHaveURL('/campaign-manage/work-bench')
  await page.getByLabel('活动名称').fill('直接新建')
  await page.getByRole('button', { name: '存为草稿' }).click()
  await expect(page.getByText('保存成功')).toBeVisible()
  await page.goto('/campaign-manage/list')
  await expect(page.locator('.ant-table-row').filter({ hasText: '直接新建' })).toContainText('未提交')
  await expect(page.getByText('唯一广告主')).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: '「直接新建」的更多操作' }).click()
  await expect(page.getByRole('menuitem', { name: '日志' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: '存为资产' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '自定义列' }).click()
  const columns = page.getByRole('dialog', { name: '自定义列' })
  await expect(columns.getByText('产品', { exact: true })).toBeVisible()
  await expect(columns.getByText('广告主', { exact: true })).toHaveCount(0)
})

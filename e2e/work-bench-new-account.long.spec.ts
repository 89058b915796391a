import { COMMERCE, VIDEO } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { anAdvertiser, api, selectAdvertiser } from './crowds.ts'
import { authorise } from './custom-crowds.ts'
import { test as base, expect, type Page, SERVER_FIXTURE, withServer } from './test.ts'

/** A server and sandbox of its own: its authorisations affect no other journey. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  server: [async ({}, use) => withServer({}, use), SERVER_FIXTURE],
})
test.use({ viewport: { width: 1280, height: 800 } })

type Account = { id: number; name: string; external_id: string }
const accountsOf = async (page: Page, adv_id: number, platform: number) =>
  (await api<{ data: Account[] }>(page, 'get', `/api/advertiser/list?auth_type=${platform}&adv_id=${adv_id}`)).data
const A_MOMENT = { timeout: 3_000 }

/** The viewer returns from another tab, again until the page has seen it: what was asked before answers with the old state. */
const comeBack = (page: Page, seen: () => Promise<void>) =>
  expect(async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await seen()
  }).toPass({ timeout: 30_000 })

const option = (page: Page, name: string) =>
  page.locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: name })

test('an account that has nothing yet leads on: to authorise it, to make a package and to push a crowd', async ({
  page,
  admin,
}) => {
  const { id: adv_id } = await anAdvertiser(admin, '新账户品牌')
  await anAdvertiser(admin, '顶栏品牌')
  await selectAdvertiser(page, adv_id)
  await page.goto('/campaign-manage/work-bench')
  await page.getByLabel('活动名称').fill('新账户的活动')
  await page.getByRole('button', { name: '添加计划' }).first().click()

  await expect(page.getByText('巨量引擎没有已授权的账户')).toBeVisible()
  const authorising = page.getByRole('link', { name: '去授权' })
  await expect(authorising).toHaveAttribute('target', '_blank')
  await expectAccessible(page)
  const [elsewhere] = await Promise.all([page.waitForEvent('popup'), authorising.click()])
  await expect(elsewhere.getByRole('heading', { level: 1, name: '广告主授权' })).toBeVisible()
  await elsewhere.close()
  for (const platform of [VIDEO, COMMERCE] as const) await authorise(admin, { adv_id, platform, accounts: /./ })
  await comeBack(page, () => expect(page.getByText('巨量引擎没有已授权的账户')).toBeHidden(A_MOMENT))

  // A platform that takes crowds.
  const [video] = await accountsOf(admin, adv_id, VIDEO)
  await page.getByRole('combobox', { name: '投放账户' }).click()
  await option(page, video?.name ?? '')
    .first()
    .click()
  await expect(page.getByText(`账户「${video?.name}」还没有可用的定向包`)).toBeVisible()
  await expect(page.getByText(`账户「${video?.name}」还没有可用的人群`)).toBeVisible()
  await expect(page.getByRole('link', { name: '推送自定义人群' })).toHaveAttribute('target', '_blank')
  await expect(page.getByRole('link', { name: '推送组合定向包' })).toHaveAttribute('target', '_blank')
  await expectAccessible(page)
  await page.screenshot({ path: 'test-results/work-bench-nothing-yet-1280.png', fullPage: true })
  await page.setViewportSize({ width: 1920, height: 1080 })
  await page.screenshot({ path: 'test-results/work-bench-nothing-yet-1920.png' })
  await page.setViewportSize({ width: 1280, height: 800 })

  // The dialog of a new package has the account, though the top bar has another advertiser by then.
  await page.getByText('巨量千川', { exact: true }).click()
  const shops = await accountsOf(admin, adv_id, COMMERCE)
  const shop = shops.at(-1)
  await page.getByRole('combobox', { name: '投放账户' }).click()
  await option(page, shop?.name ?? '')
    .last()
    .click()
  const making = page.getByRole('link', { name: '新建巨量千川定向包' })
  const other = await anAdvertiser(admin, '另一个品牌')
  await selectAdvertiser(page, other.id)
  const [tab] = await Promise.all([page.waitForEvent('popup'), making.click()])
  const dialog = tab.getByRole('dialog', { name: '新建巨量千川定向包' })
  await expect(dialog.locator('.ant-form-item', { hasText: '平台账户' })).toContainText(shop?.external_id ?? '')
  await dialog.getByLabel('定向包名称').fill('第一个定向包')
  await dialog.getByRole('button', { name: '取消' }).click()
  await expect(tab).not.toHaveURL(/new=|account_id=/)
  await tab.close()

  // What was made meanwhile is there once the list is opened, and what was filled in is still there.
  await api(admin, 'post', '/api/v1/gdtcrowd/custom/targetings/add', {
    ...{ targeting_name: '第一个定向包', dir_id: 1, advertiser_id: shop?.id },
    targeting: { landing_type: 'LIVE' },
  })
  await page.getByRole('combobox', { name: '定向包' }).click()
  await option(page, '第一个定向包').click()
  await expect(page.getByText('还没有可用的定向包')).toBeHidden()
  await expect(page.getByLabel('活动名称')).toHaveValue('新账户的活动')
  await page.getByRole('button', { name: '存为草稿' }).click()
  await expect(page.getByText('保存成功')).toBeVisible()

  // The account loses its authorisation.
  await api(admin, 'post', `/api/oauth/revoke/${shop?.id}`, {})
  await comeBack(page, () => expect(page.getByText('这个账户现在没有授权')).toBeVisible(A_MOMENT))
  await expect(page.getByRole('link', { name: '去授权' })).toHaveAttribute('href', new RegExp(`account_id=${shop?.id}`))
  await expectAccessible(page)
})

test('an equal name of another activity is pointed out, and may be saved', async ({ page, admin }) => {
  const { id: adv_id } = await anAdvertiser(admin, '同名品牌')
  const { id } = await api<{ id: number }>(admin, 'post', '/api/campaign', { advertiser_id: adv_id, name: '双11' })
  await selectAdvertiser(page, adv_id)
  await page.goto('/campaign-manage/work-bench')
  const said = page.getByText(`已有同名的活动（ID ${id}），可以保存，但不易分辨`)
  await page.getByLabel('活动名称').fill('双11')
  await expect(said).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('活动名称').fill('双11二期')
  await expect(said).toBeHidden()
  await page.getByLabel('活动名称').fill('双11')
  await expect(said).toBeVisible()
  await page.getByRole('button', { name: '存为草稿' }).click()
  await expect(page.getByText('保存成功')).toBeVisible()
  await page.goto(`/campaign-manage/work-bench?campaign_id=${id}`)
  await expect(page.getByText('已有同名的活动')).toBeVisible()
})

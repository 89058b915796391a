import { outcome } from '#contract/outcome.ts'
import { SOCIAL } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { api, aViewer } from './crowds.ts'
import { inRecords } from './records.ts'
import { test as base, expect, type Page, SERVER_FIXTURE, withServer } from './test.ts'

const PAGE = '/basic-manage/index/advertiser-data'

/** A server and sandbox of its own: its authorisations affect no other journey. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  server: [async ({}, use) => withServer({}, use), SERVER_FIXTURE],
})

const anAdvertiser = async (page: Page, name: string) =>
  (await api<{ id: number }>(page, 'post', '/api/advertiser', { name })).id

/** The expanded part below an advertiser's row. */
const accountsOf = (page: Page, advertiser: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: advertiser, exact: true }) })
    .locator('+ tr')

const rowOf = (page: Page, advertiser: string, account: string) =>
  accountsOf(page, advertiser).getByRole('row').filter({ hasText: account })

/** On the platform's page: allows only these accounts, or refuses. */
async function answer(
  page: Page,
  { accounts, decision = '同意授权' }: { accounts?: string[]; decision?: string } = {},
) {
  await expect(page.getByText('沙箱：这里不是真实的广告平台')).toBeVisible()
  if (accounts) {
    for (const box of await page.locator('input[name=account][type=checkbox]').all()) await box.uncheck()
    for (const account of accounts) await page.getByRole('checkbox', { name: account }).check()
  }
  await page.getByRole('button', { name: decision }).click()
  await page.waitForURL(`**${PAGE}?*`)
}

test('an account is authorised or refused on the platform’s page', async ({ page }) => {
  await anAdvertiser(page, '授权品牌')
  await page.goto(PAGE)
  await expect(page.getByText('腾讯广告、巨量引擎、巨量千川当前连接的是沙箱')).toBeVisible()
  const brand = accountsOf(page, '授权品牌')
  await expect(brand.getByText('还没有平台账户')).toBeVisible()

  await brand.getByRole('button', { name: '授权腾讯广告账户' }).click()
  await answer(page, { decision: '拒绝' })
  await expect(page.getByText('您在腾讯广告的授权页上取消了授权')).toBeVisible()
  await expect(brand.getByText('还没有平台账户')).toBeVisible()

  await brand.getByRole('button', { name: '授权腾讯广告账户' }).click()
  await page.getByRole('checkbox', { name: '广告投放' }).uncheck()
  await answer(page)
  await expect(page.getByText('腾讯广告授权成功：1 个账户')).toBeVisible()
  const row = rowOf(page, '授权品牌', '云杉腾讯账户1（云杉科技有限公司）')
  await expect(row).toContainText('已授权')
  await expect(row).toContainText('人群管理')
  await expect(row).not.toContainText('广告投放')
  await expectAccessible(page)

  await page.getByRole('button', { name: '关闭', exact: true }).click()
  await expect(page).toHaveURL(PAGE)
  await page.reload()
  await expect(row).toContainText('已授权')
})

test('an authorisation that ends soon or has ended is announced with a link, and renewed', async ({ page, server }) => {
  await anAdvertiser(page, '再次品牌')
  await page.goto(PAGE)
  const brand = accountsOf(page, '再次品牌')
  await brand.getByRole('button', { name: '授权巨量引擎账户' }).click()
  await answer(page, { accounts: ['云杉巨量账户1', '云杉巨量账户2'] })
  await expect(page.getByText('巨量引擎授权成功：2 个账户')).toBeVisible()
  const row = rowOf(page, '再次品牌', '云杉巨量账户1')
  await expect(row).toContainText('2 个账户共用登录')

  const days = Math.floor(Date.now() / 1000) + 3 * 86_400 + 600
  await inRecords(server.dataDir, 'UPDATE platform_login SET refresh_expires_at = $1 WHERE platform = 2', days)
  await page.goto(PAGE)
  await expect(page.getByText('2 个账户的授权将在 7 天内到期')).toBeVisible()
  await expect(row).toContainText('还有 3 天到期')

  await inRecords(
    server.dataDir,
    'UPDATE platform_login SET tokens = NULL, error = $1 WHERE platform = 2',
    JSON.stringify(outcome('platform_refused', { text: '平台不再接受原来的授权' })),
  )
  await page.goto(PAGE)
  await expect(page.getByText('2 个账户的授权已失效')).toBeVisible()
  await page.getByRole('link', { name: '云杉巨量账户2' }).click()
  const broken = page.locator('tr[aria-current]')
  await expect(broken).toContainText('云杉巨量账户2')
  await expect(broken).toContainText('平台不再接受原来的授权')
  await broken.getByRole('button', { name: '重新授权' }).click()
  await answer(page, { accounts: ['云杉巨量账户2'] })
  await expect(page.getByText('巨量引擎授权成功：1 个账户')).toBeVisible()
  await expect(page.getByText('这次授权没有包含、不能再使用：云杉巨量账户1')).toBeVisible()
  await expect(rowOf(page, '再次品牌', '云杉巨量账户2')).toContainText('已授权')
  await expect(row).toContainText('需重新授权')
})

test('an account of another advertiser is not taken over', async ({ page, openAs }) => {
  const adv_id = await anAdvertiser(page, '旁边品牌')
  const member = await openAs(await aViewer(page, 'neighbour', [adv_id]))
  await member.goto(PAGE)
  await member.getByRole('button', { name: '授权巨量引擎账户' }).click()
  await answer(member, { accounts: ['云杉巨量账户2', '云杉巨量账户3'] })
  await expect(member.getByText('已属于其他广告主，没有变动：云杉巨量账户2（9107199254750005）')).toBeVisible()
  await expect(member.getByText('再次品牌')).toHaveCount(0)
  await expect(rowOf(member, '旁边品牌', '云杉巨量账户3')).toContainText('已授权')
})

test('revoking an authorisation says what stops, and removes it', async ({ page }) => {
  await page.goto(PAGE)
  const row = rowOf(page, '旁边品牌', '云杉巨量账户3')
  await row.getByRole('button', { name: '撤销' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('撤销账户「云杉巨量账户3」的授权')
  await expect(dialog).toContainText('个账户共用登录')
  await expect(dialog).toContainText('云杉巨量账户2（9107199254750005）')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '取消' }).click()
  await expect(row).toContainText('已授权')
  await row.getByRole('button', { name: '撤销' }).click()
  await dialog.getByRole('button', { name: '撤销授权' }).click()
  await expect(row).toContainText('已撤销')
  await expect(row.getByRole('button', { name: '撤销' })).toHaveCount(0)
})

test('an account’s remark is written in its row', async ({ page }) => {
  await page.goto(PAGE)
  const row = rowOf(page, '旁边品牌', '云杉巨量账户3')
  await row.getByText('添加备注').click()
  await row.getByRole('textbox').fill('双11 拉新')
  await row.getByRole('textbox').press('Enter')
  await expect(row.getByText('备注：双11 拉新')).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(row.getByText('备注：双11 拉新')).toBeVisible()
})

test('the platform’s answer works only for its viewer and only once', async ({ page, openAs }) => {
  const adv_id = await anAdvertiser(page, '回调品牌')
  const { url } = await api<{ url: string }>(page, 'post', '/api/oauth/authorise', { adv_id, platform: SOCIAL })
  const callback = `/api/oauth/callback/social?state=${new URL(url).searchParams.get('state')}&authorization_code=x`
  const other = await openAs(await aViewer(page, 'curious', [adv_id]))
  await other.goto(callback)
  await expect(other.getByText('这次授权不是您在本页面发起的')).toBeVisible()
  await page.goto(callback)
  await expect(page.getByText('授权码已失效或已被使用')).toBeVisible()
  await page.goto(callback)
  await expect(page.getByText('这次授权已经处理过，不能重复使用')).toBeVisible()
  const nobody = await openAs(null)
  await nobody.goto(callback)
  await expect(nobody.getByLabel('用户名')).toBeVisible()
})

test('an agency’s commerce accounts are authorised on that platform’s own page, and take no crowds', async ({
  page,
}) => {
  await anAdvertiser(page, '千川品牌')
  await page.goto(PAGE)
  await accountsOf(page, '千川品牌').getByRole('button', { name: '授权巨量千川账户' }).click()
  await expect(page.getByRole('heading', { name: '巨量千川授权' })).toBeVisible()
  await page.getByRole('link', { name: /百川代理/ }).click()
  await answer(page, { accounts: ['百川千川代理'] })
  await expect(page.getByText('巨量千川授权成功：2 个账户')).toBeVisible()
  const row = rowOf(page, '千川品牌', '百川千川客户1')
  await expect(row).toContainText('全部权限')
  await expect(row.getByRole('cell', { name: '--' })).toBeVisible()
  await expect(row.getByRole('cell', { name: '0 上限平台未公布' })).toBeVisible()
})

import { SOCIAL } from '../server/testing/platforms.ts'
import { expectAccessible } from './axe.ts'
import { anAdvertiser, api, selectAdvertiser } from './crowds.ts'
import { authorise } from './custom-crowds.ts'
import { type Sandbox, sandboxOf } from './sandbox.ts'
import { test as base, expect, type Page, SERVER_FIXTURE, withServer } from './test.ts'

/** A server and sandbox of its own: its authorisations affect no other journey. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  server: [async ({}, use) => withServer({}, use), SERVER_FIXTURE],
})
test.use({ viewport: { width: 1440, height: 900 } })

const day = (ago: number) => new Date(Date.now() + 8 * 3_600_000 - ago * 86_400_000).toISOString().slice(0, 10)
/** The week before today, in the server's zone: days that no longer grow. */
const second = (date: string) => Date.parse(`${date}T00:00:00+08:00`) / 1000
const WEEK = `${second(day(7))},${second(day(0)) - 1}`

/** What the stand-in itself says of the account's ad groups in that week. */
async function rowsThere(sandbox: Sandbox, external: string) {
  const url = new URL(`${sandbox.socialUrl}/v3.0/daily_reports/get`)
  url.search = new URLSearchParams({
    access_token: await sandbox.token('social', external),
    timestamp: String(Math.floor(Date.now() / 1000)),
    nonce: Math.random().toString(16).slice(2),
    account_id: external,
    level: 'REPORT_LEVEL_ADGROUP',
    group_by: '["date","adgroup_id"]',
    date_range: JSON.stringify({ start_date: day(7), end_date: day(1) }),
    fields: '["cost","view_count"]',
    page_size: '2000',
  }).toString()
  const text = (await (await fetch(url)).text()).replaceAll(/"adgroup_id":(\d+)/g, '"adgroup_id":"$1"')
  type Row = { date: string; adgroup_id: string; cost: number; view_count: number }
  return (JSON.parse(text) as { data: { list: Row[] } }).data.list
}

const yuan = (fen: number) => (fen / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })
const row = (page: Page, name: string) =>
  page.locator('.ant-table-row').filter({ has: page.getByText(name, { exact: true }) })

test('an activity’s numbers are read from the platform, and are the platform’s own', async ({ admin, page }) => {
  test.slow()
  const { id: adv_id } = await anAdvertiser(admin, '报表品牌')
  await authorise(admin, { adv_id, platform: SOCIAL, accounts: /云杉腾讯账户1/ })
  const path = `/api/advertiser/list?auth_type=${SOCIAL}&adv_id=${adv_id}`
  const { data } = await api<{ data: { id: number; external_id: string; name: string }[] }>(admin, 'get', path)
  const [account] = data
  if (!account) throw new Error('no account')
  const sandbox = await sandboxOf(admin)
  // Made forty days ago, so that they have numbers.
  const ago = 40 * 86_400
  await sandbox.control('report-plans', { account_id: account.external_id, count: 0 })
  await sandbox.control('clock', { advance: -ago })
  for (const name of ['甲', '乙', '丙']) {
    await sandbox.control('plans', { platform: 'social', account_id: account.external_id, name })
  }
  await sandbox.control('clock', { advance: ago })
  const there = await rowsThere(sandbox, account.external_id)
  const plan_ids = [...new Set(there.map(({ adgroup_id }) => adgroup_id))]
  await api(admin, 'post', '/api/campaign', {
    advertiser_id: adv_id,
    name: '秋季促销',
    plans: plan_ids.map((plan_id, no) => ({
      ...{ name: `计划${no}`, platform: SOCIAL, account_id: account.id, plan_id },
    })),
  })

  // All advertisers are listed, and so all their accounts are read, whichever one is current.
  const { id: other } = await anAdvertiser(admin, '另一品牌')
  await selectAdvertiser(page, other)
  await page.goto(`/campaign-manage/list?adv_id=all&time_range=${WEEK}`)
  const activity = row(page, '秋季促销')
  await expect(activity).toContainText('未同步 7 天')
  const status = page.getByRole('button', { name: /平台数据/ })
  await expect(status).toHaveText('平台数据还没有同步')
  await page.getByRole('button', { name: 'sync 同步', exact: true }).click()
  await expect(page.getByText('已开始同步')).toBeVisible()
  await expect(status).toContainText('平台数据同步于', { timeout: 60_000 })
  const cost = there.reduce((sum, one) => sum + one.cost, 0)
  await expect(activity).toContainText(yuan(cost))
  await expect(activity.getByRole('img', { name: /^消耗的走势：最低 .+，最高 .+，最近 / })).toBeVisible()
  await page.screenshot({ path: 'test-results/activity-trends-1440.png' })
  await expect(activity).not.toContainText('未同步')
  await status.hover()
  const states = page.getByRole('list', { name: '账户的同步状态' })
  await expect(states).toContainText(account.name)
  await expect(states).toContainText(`数据完整到 ${day(1)}`)
  await page.screenshot({ path: 'test-results/report-sync-list.png' })
  await page.mouse.move(0, 0)
  await expect(states).toBeHidden()
  await expectAccessible(page)

  const { data: rows } = await api<{ data: { list: { id: number }[] } }>(admin, 'get', '/api/campaign/list').then(
    (answer) => ('data' in answer ? answer : { data: answer as never }),
  )
  const id = rows.list[0]?.id ?? 0
  await selectAdvertiser(page, adv_id)
  await page.goto(`/campaign-manage/day-report?campaign_id=${id}&time_range=${WEEK}`)
  const table = page.getByRole('table').filter({ has: page.getByText(day(1)) })
  for (const date of [day(1), day(4), day(7)]) {
    const own = there.filter((one) => one.date === date).reduce((sum, one) => sum + one.cost, 0)
    await expect(table.locator('.ant-table-row').filter({ hasText: date })).toContainText(own === 0 ? date : yuan(own))
  }
  await page.screenshot({ path: 'test-results/report-sync-days.png', fullPage: true })
  await expectAccessible(page)

  // Taken back on the platform: said where the numbers are, and nothing is lost.
  await sandbox.control('tokens/revoke', { platform: 'social', account_id: account.external_id })
  await page.getByRole('button', { name: 'sync 同步', exact: true }).click()
  await expect(status).toContainText('1 个账户有问题', { timeout: 60_000 })
  await expect(page.getByRole('button', { name: 'sync 同步', exact: true })).toBeDisabled()
  await status.hover()
  await expect(states).toContainText('重新授权')
  // The same stands where all data come in.
  await page.goto('/basic-manage/index/data-access?tab=reports')
  await expect(page.getByRole('list', { name: '账户的同步状态' })).toContainText('重新授权')
  await expectAccessible(page)
  await page.screenshot({ path: 'test-results/report-sync-access.png' })
})

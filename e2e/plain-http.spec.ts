import { chromium } from '@playwright/test'
import { freePort } from '../server/testing/free-port.ts'
import { chromiumLaunch } from './chromium.ts'
import { ADMIN, test as base, expect, SERVER_FIXTURE, withServer } from './test.ts'

const HOST = 'renqun.test'

/** A console that colleagues open by its name in the office's network: browsers offer less there than on loopback. */
const test = base.extend({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
    async ({}, use) => {
      const port = await freePort()
      await withServer({ PORT: String(port), PUBLIC_URL: `http://${HOST}:${port}` }, use)
    },
    SERVER_FIXTURE,
  ],
})

test('files are uploaded over plain http by a name of the network', async ({ server }) => {
  const launch = await chromiumLaunch()
  const browser = await chromium.launch({
    ...launch,
    args: [...(launch.args ?? []), `--host-resolver-rules=MAP ${HOST} 127.0.0.1`],
  })
  const page = await browser.newPage({ baseURL: `http://${HOST}:${new URL(server.url).port}` })
  await page.goto('/login')
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false)
  await page.getByLabel('用户名').fill(ADMIN.username)
  await page.getByLabel('密码').fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '人群资产' })).toBeVisible()
  await page.evaluate(async () => {
    const headers = { 'content-type': 'application/json' }
    await fetch('/api/advertiser', { method: 'POST', headers, body: JSON.stringify({ name: '内网品牌' }) })
  })

  await page.goto('/basic-manage/index/data-access')
  const users = { name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from('用户,城市\nu1,北京\nu2,上海') }
  await page.locator('input[type=file]').first().setInputFiles(users)
  await expect(page.getByText('共 2 列')).toBeVisible()

  await page.goto('/cowd-manage/custom-crowd/upload')
  await page.getByRole('radio', { name: 'IMEI-MD5', exact: true }).check({ force: true })
  const ids = { name: 'ids.txt', mimeType: 'text/plain', buffer: Buffer.from(`${'a'.repeat(32)}\n`) }
  await page.locator('input[type=file]').first().setInputFiles(ids)
  await expect(page.getByRole('row').filter({ hasText: 'ids.txt' })).toContainText('成功', { timeout: 20_000 })
  await browser.close()
})

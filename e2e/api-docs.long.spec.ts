import { expect, test } from './test.ts'

test('the API page shows the calls, without errors in the browser’s console', async ({ page }) => {
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto('/api/docs')
  await expect(page.getByRole('heading', { name: /人群 Renqun/ })).toBeVisible()
  await expect(page.getByRole('heading', { name: '错误码' })).toBeVisible()
  // Later calls are drawn as the page is scrolled.
  const call = page.locator('[data-path="/api/login"]')
  await call.scrollIntoViewIfNeeded()
  await call.click()
  await expect(page.getByText('请求内容').or(page.getByText('Request body')).first()).toBeVisible()
  expect(faults).toEqual([])
})

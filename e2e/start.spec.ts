import { expect, signIn, test } from './test.ts'

test('a newcomer is sent to sign in, and is in afterwards', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveURL(/\/login/)
  await signIn(page)
  await page.goto('/')
  await expect(page).not.toHaveURL(/\/login/)
  await expect(page.locator('#root')).not.toBeEmpty()
})

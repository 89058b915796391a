import { test as base, expect, type Page } from '@playwright/test'
import { ADMIN_PASSWORD } from './server.ts'

export { expect, type Page }

/** Playwright's `test`, on the server that setup.ts started. */
export const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  baseURL: async ({}, use) => use(process.env.E2E_URL),
})

export async function signIn(page: Page, username = 'admin', password = ADMIN_PASSWORD): Promise<void> {
  const answer = await page.request.post('/api/login', {
    data: { username, password },
    headers: { 'sec-fetch-site': 'same-origin', origin: new URL(process.env.E2E_URL ?? '').origin },
  })
  expect(answer.ok(), await answer.text()).toBe(true)
}

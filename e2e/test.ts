import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { ADMIN_PASSWORD } from './server.ts'

export { expect, type Page }

export interface Account {
  username: string
  password: string
}
export const ADMIN: Account = { username: 'admin', password: ADMIN_PASSWORD }

/** Keeps names apart when the journeys run again on a server that still holds the ones before (E2E_URL). */
export const SUFFIX = process.env.E2E_SUFFIX ?? ''

/** What says to the server that a call comes from its own page. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }

interface Journey {
  /** Who is signed in when the page opens; null: nobody. */
  as: Account | null
  /** Another viewer's page, with cookies and storage of its own. */
  openAs(account: Account | null): Promise<Page>
}

interface Shared {
  /** The server that the journeys of a file run on. */
  serverUrl: string
  /** The administrator's page, for what is prepared once for a file. */
  admin: Page
}

/** Playwright's `test`, on the server that setup.ts started, with the administrator signed in. */
export const test = base.extend<Journey, Shared>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
  serverUrl: [async ({}, use) => use(process.env.E2E_URL ?? ''), { scope: 'worker' }],
  admin: [
    async ({ browser, serverUrl }, use) => {
      const page = await browser.newPage({ baseURL: serverUrl })
      await signIn(page, ADMIN)
      await use(page)
      await page.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ serverUrl }, use) => use(serverUrl),
  as: [ADMIN, { option: true }],
  page: async ({ page, as }, use) => {
    if (as) await signIn(page, as)
    await use(page)
  },
  openAs: async ({ browser, baseURL }, use) => {
    const opened: BrowserContext[] = []
    await use(async (account) => {
      const context = await browser.newContext(baseURL ? { baseURL } : {})
      opened.push(context)
      const page = await context.newPage()
      if (account) await signIn(page, account)
      return page
    })
    for (const context of opened) await context.close()
  },
})

export async function signIn(page: Page, account: Account): Promise<void> {
  const answer = await page.request.post('/api/login', { data: account, headers: OWN_PAGE })
  expect(answer.ok(), await answer.text()).toBe(true)
}

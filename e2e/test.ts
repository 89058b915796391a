import { type BrowserContext, test as base, expect, type FrameLocator, type Locator, type Page } from '@playwright/test'
import { ADMIN_PASSWORD, type RunningServer, startServer } from './server.ts'

export { expect, type FrameLocator, type Locator, type Page }

export interface Account {
  username: string
  password: string
}
export const ADMIN: Account = { username: 'admin', password: ADMIN_PASSWORD }

/** Makes names unique when the tests run again on an existing server (E2E_URL). */
export const SUFFIX = process.env.E2E_SUFFIX ?? ''

/** Headers of a call from the console's own page. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }

/** Starting takes seconds, and longer on a busy machine. */
export const SERVER_FIXTURE = { scope: 'worker', timeout: 180_000 } as const

/** A fixture that starts a server without the demo, which polls platforms often. */
export async function withServer(
  env: Record<string, string>,
  use: (server: RunningServer) => Promise<void>,
): Promise<void> {
  const { E2E_DEMO = '0', E2E_MIGRATED } = process.env
  const server = await startServer({ DEMO: E2E_DEMO, PUSH_PACE: '0.2', ...env }, E2E_MIGRATED)
  await use(server)
  await server.stop()
}

export interface Journey {
  /** The viewer who is signed in when the page opens; null: nobody. */
  as: Account | null
  /** Another viewer's page, with its own cookies and storage. */
  openAs(account: Account | null): Promise<Page>
}

export interface Shared {
  /** One server per worker, so that files running side by side do not interfere. A file may override it. */
  server: Pick<RunningServer, 'url' | 'dataDir'>
  /** The administrator's page, for preparing data once per file. */
  admin: Page
}

/**
 * Playwright's `test` with a server of ours and the administrator signed in. E2E_URL
 * may name a running server while a test is being written.
 */
export const test = base.extend<Journey, Shared>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
    async ({}, use) => {
      const { E2E_URL, E2E_DATA_DIR = '' } = process.env
      if (E2E_URL) return use({ url: E2E_URL, dataDir: E2E_DATA_DIR })
      await withServer({}, use)
    },
    SERVER_FIXTURE,
  ],
  admin: [
    async ({ browser, server }, use) => {
      const page = await browser.newPage({ baseURL: server.url })
      await signIn(page, ADMIN)
      await use(page)
      await page.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.url),
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

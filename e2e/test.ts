import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { ADMIN_PASSWORD, type RunningServer, startServer } from './server.ts'

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

/** A start takes seconds; on a busy machine many. */
export const SERVER_FIXTURE = { scope: 'worker', timeout: 180_000 } as const

/** Starts a server as a fixture, without the demo and with an eye on platforms that is quicker than people need. */
export async function lendServer(
  env: Record<string, string>,
  use: (server: RunningServer) => Promise<void>,
): Promise<void> {
  const server = await startServer({ DEMO: process.env.E2E_DEMO ?? '0', PUSH_PACE: '0.2', ...env })
  await use(server)
  await server.stop()
}

interface Journey {
  /** Who is signed in when the page opens; null: nobody. */
  as: Account | null
  /** Another viewer's page, with cookies and storage of its own. */
  openAs(account: Account | null): Promise<Page>
}

interface Shared {
  /** The server of one worker, so that files that run side by side never meet. A file that needs another overrides it. */
  server: Pick<RunningServer, 'url' | 'dataDir'>
  /** The administrator's page, for what is prepared once for a file. */
  admin: Page
}

/**
 * Playwright's `test` on a server of ours, with the administrator signed in. While a journey is being written E2E_URL
 * may name one that already runs.
 */
export const test = base.extend<Journey, Shared>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
    async ({}, use) => {
      const { E2E_URL, E2E_DATA_DIR = '' } = process.env
      if (E2E_URL) return use({ url: E2E_URL, dataDir: E2E_DATA_DIR })
      await lendServer({}, use)
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

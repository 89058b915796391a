// Opens the list of rule crowds in Chromium with a processor four times slower, and beside it a page of another make.
// `node e2e/first-paint.ts PEER_URL ROUNDS` prints JSON; part of `npm run bench -- web`.
import { type Browser, chromium, type Page } from '@playwright/test'
import { chromiumLaunch } from './chromium.ts'
import { interactionsOf, watchInteractions } from './interaction.ts'
import { FIRST_PAGE, GZIP, type Opening, open, type Parts } from './opening.ts'
import { ADMIN_PASSWORD, buildWeb, startServer } from './server.ts'

const SLOWER = 4
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }

interface Target extends Parts {
  url: string
  signIn(page: Page): Promise<unknown>
}

const [peerUrl, rounds = '5'] = process.argv.slice(2)
if (!peerUrl) throw new Error('PEER_URL')

/** How long each of some clicks takes until its effect is painted, ms. */
async function interactions(page: Page): Promise<number[]> {
  await page.waitForTimeout(2000)
  await watchInteractions(page)
  const boxes = page.locator('tr.ant-table-row .ant-checkbox-input')
  for (let round = 0; round < 6; round++)
    for (let row = 0; row < 4; row++) {
      await boxes.nth(row).click()
      await page.waitForTimeout(150)
    }
  return interactionsOf(page)
}

async function measure(browser: Browser, target: Target) {
  const cold: Opening[] = []
  const cached: Opening[] = []
  const clicks: number[] = []
  for (let round = 0; round < Number(rounds); round++) {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      extraHTTPHeaders: GZIP,
    })
    const first = await context.newPage()
    await target.signIn(first)
    cold.push(await open(first, target.url, target, SLOWER))
    await first.close()
    const second = await context.newPage()
    cached.push(await open(second, target.url, target, SLOWER))
    clicks.push(...(await interactions(second)))
    await context.close()
  }
  return { cold, cached, clicks }
}

/** The demo has five crowds; with their copies the page is full, as the other one is. */
async function fillPage(browser: Browser, url: string) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await signIn(page, url)
  const crowds = `${url}/api/people?page=1&page_size=10&sort=-created_at`
  const { data } = (await (await page.request.get(crowds)).json()) as { data: { res: { id: number }[] } }
  for (const { id } of data.res) {
    const copied = await page.request.post(`${url}/api/people/${id}/copy`, { data: {}, headers: OWN_PAGE })
    if (!copied.ok()) throw new Error(await copied.text())
  }
  await context.close()
}

const signIn = (page: Page, url: string) =>
  page.request.post(`${url}/api/login`, { data: { username: 'admin', password: ADMIN_PASSWORD }, headers: OWN_PAGE })

await buildWeb()
const server = await startServer()
const browser = await chromium.launch(await chromiumLaunch())
try {
  await fillPage(browser, server.url)
  const ours = await measure(browser, {
    ...FIRST_PAGE,
    url: server.url + FIRST_PAGE.path,
    signIn: (page) => signIn(page, server.url),
  })
  const peer = await measure(browser, {
    ...FIRST_PAGE,
    url: peerUrl,
    signIn: async () => {},
  })
  console.log(JSON.stringify({ ours, peer }))
} finally {
  await browser.close()
  await server.stop()
}

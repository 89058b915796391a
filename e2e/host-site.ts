import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEmbedToken } from '#contract/embed.ts'
import { test as base, expect, type Page, SERVER_FIXTURE, withServer } from './test.ts'

/** A site whose page shows a frame and keeps the messages that it receives. */
export async function aSite(): Promise<{ url: string; close(): void }> {
  const site = createServer((request, response) => {
    const frame = new URL(request.url ?? '/', 'http://localhost').searchParams.get('frame') ?? ''
    response.setHeader('content-type', 'text/html').end(`<!doctype html><html lang="zh"><title>工作台</title>
      <script>window.received = []; addEventListener('message', (event) => received.push([event.origin, event.data]))</script>
      <body style="margin: 0">
      <iframe title="人群" src="${frame.replaceAll('&', '&amp;')}" style="width: 1278px; height: 850px; border: 0"></iframe>`)
  })
  await new Promise<void>((listening) => site.listen(0, () => listening()))
  return {
    url: `http://localhost:${(site.address() as AddressInfo).port}`,
    close: () => {
      site.closeAllConnections()
      site.close()
    },
  }
}

/** A console that one other site may embed: localhost, which for browsers is another site than 127.0.0.1. */
export const test = base.extend<object, { host: string }>({
  host: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's needs from the pattern.
    async ({}, use) => {
      const site = await aSite()
      await use(site.url)
      site.close()
    },
    { scope: 'worker' },
  ],
  server: [async ({ host }, use) => withServer({ EMBED_ORIGINS: host }, use), SERVER_FIXTURE],
})
// The frame signs in by itself.
test.use({ as: null })

/** The site's server requests a token, and its page opens the frame with it. */
export async function openFrame(page: Page, host: string, apiToken: string, named: { adv_id: number } & object) {
  const headers = { authorization: `Bearer ${apiToken}` }
  const answer = await page.request.post(createEmbedToken.path, { headers, data: named })
  const { url } = (await answer.json()).data
  const opened = new URL(url, answer.url()).href
  await page.goto(`${host}/?frame=${encodeURIComponent(opened)}`)
  return { frame: page.frameLocator('iframe'), url: opened }
}

declare global {
  interface Window {
    /** Messages that the site's page received, with their origin. */
    received: [origin: string, data: object][]
  }
}

/** The messages to the site; all must be from the console. */
export async function receivedMessages(page: Page, server: { url: string }) {
  const received = await page.evaluate(() => window.received)
  expect(received.filter(([origin]) => origin !== server.url)).toEqual([])
  return received.map(([, message]) => message)
}
export const READY = { type: 'renqun:ready' }
export const CANCEL = { type: 'renqun:cancel' }

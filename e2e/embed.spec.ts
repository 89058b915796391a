import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdvertiser } from '#contract/advertiser.ts'
import { createEmbedToken } from '#contract/embed.ts'
import { createToken } from '#contract/viewer.ts'
import { ADMIN_PASSWORD, type RunningServer, startServer } from './server.ts'
import { expect, type Page, test } from './test.ts'

// The site around the frame: localhost, which is another site than the console's 127.0.0.1.
const site = createServer((request, response) => {
  const frame = new URL(request.url ?? '/', 'http://localhost').searchParams.get('frame') ?? ''
  response.setHeader('content-type', 'text/html').end(`<!doctype html><title>工作台</title>
    <script>window.heard = []; addEventListener('message', (event) => heard.push([event.origin, event.data]))</script>
    <iframe title="人群" src="${frame.replaceAll('&', '&amp;')}" style="width: 1400px; height: 850px"></iframe>`)
})
let host = ''
let server: RunningServer
let headers: Record<string, string>
let adv_id = 0

test.beforeAll(async () => {
  test.setTimeout(200_000)
  await new Promise<void>((listening) => site.listen(0, () => listening()))
  host = `http://localhost:${(site.address() as AddressInfo).port}`
  server = await startServer({ DEMO: '0', EMBED_ORIGINS: host })
  const same = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  const post = async (path: string, body: object, more: Record<string, string>) => {
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    })
    return { data: (await answer.json()).data, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
  }
  const { cookie } = await post('/api/login', { username: 'admin', password: ADMIN_PASSWORD }, same)
  const { data } = await post(createToken.path, { name: '工作台' }, { ...same, cookie })
  headers = { authorization: `Bearer ${data.token}` }
  adv_id = (await post(createAdvertiser.path, { name: '嵌入' }, headers)).data.id
})
test.afterAll(async () => {
  site.close()
  await server?.stop()
})

async function open(page: Page, more: object = {}) {
  const answer = await page.request.post(server.url + createEmbedToken.path, { headers, data: { adv_id, ...more } })
  const { url } = (await answer.json()).data
  await page.goto(`${host}/?frame=${encodeURIComponent(server.url + url)}`)
  return { frame: page.frameLocator('iframe'), url }
}
const heard = (page: Page) => page.evaluate<unknown[]>('heard')

test('a frame of another site is signed in, shows the workbench’s editor alone, and tells that site', async ({
  page,
}) => {
  const { frame } = await open(page)
  await expect(frame.getByRole('tab', { name: '历史人群' })).toBeVisible()
  await expect(frame.getByRole('menuitem', { name: '人群资产' })).toHaveCount(0)
  await expect.poll(() => heard(page)).toEqual([[server.url, { type: 'renqun:ready' }]])
})

test('leaving without saving is told too, and a token that was used opens nothing', async ({ page }) => {
  const { frame, url } = await open(page)
  await frame.getByRole('button', { name: '取消', exact: true }).click()
  await expect
    .poll(() => heard(page))
    .toEqual([
      [server.url, { type: 'renqun:ready' }],
      [server.url, { type: 'renqun:cancel' }],
    ])
  await page.goto(`${host}/?frame=${encodeURIComponent(server.url + url)}`)
  await expect(frame.getByText('嵌入令牌已使用或已失效，请重新打开')).toBeVisible()
})

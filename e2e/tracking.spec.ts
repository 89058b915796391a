import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'vite'
import { bundledSnippet, DWELL_EVENT, LONG_PRESS_EVENT, pageSnippet } from '#contract/tracking-snippets.ts'
import { expectAccessible } from './axe.ts'
import { anAdvertiser, api, selectAdvertiser } from './crowds.ts'
import { importFile } from './population.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'

const PAGE = '/basic-manage/index/data-access?tab=tracking'

let adv_id = 0
let keyNo = 0
let site: Server
let html = ''
let script = ''
test.beforeAll(async ({ admin }) => {
  adv_id = (await anAdvertiser(admin, `上报${SUFFIX}`)).id
  site = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isScript ? script : html)
  })
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
})
test.afterAll(() => {
  site.closeAllConnections()
  site.close()
})
/** A page of another site, on another origin than the console's. */
const siteUrl = () => `http://localhost:${(site.address() as AddressInfo).port}/`

const aKey = (page: Page, kind: 'page' | 'server') =>
  api<{ id: number; key: string }>(page, 'post', '/api/write_key', { adv_id, kind, name: `密钥${++keyNo}` })

const arrived = (page: Page) => page.getByRole('table').filter({ hasText: '内容' }).getByRole('row')

test('a key is made, its code pasted into a page of another site, and what the page sends is seen', async ({
  page,
}) => {
  await selectAdvertiser(page, adv_id)
  await page.goto(PAGE)
  await expect(page.getByText('还没有写入密钥')).toBeVisible()
  await expect(page.getByText('最近 15 分钟没有收到消息')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: '新建写入密钥' }).click()
  const dialog = page.getByRole('dialog', { name: '新建写入密钥' })
  await dialog.getByRole('button', { name: '创建' }).click()
  await expect(dialog.getByText('请输入密钥名称')).toBeVisible()
  await dialog.getByLabel('名称').fill('官网')
  await dialog.getByRole('button', { name: '创建' }).click()
  const drawer = page.getByRole('dialog', { name: '写入密钥「官网」' })
  const key = await drawer.getByLabel('写入密钥').inputValue()
  const origin = new URL(page.url()).origin
  const code = drawer.getByRole('region', { name: '代码' })
  await expect(code).toHaveText(pageSnippet({ origin, key }))
  await expectAccessible(page)
  html = `<!doctype html><head><meta charset="utf-8"><title>双十一主会场</title>${await code.textContent()}</head>
    <body><button onclick="analytics.track('下单', { amount: 299 })">下单</button></body>`
  await drawer.getByRole('button', { name: '关闭' }).click()

  const visit = await page.context().newPage()
  const problems: string[] = []
  visit.on('pageerror', (error) => problems.push(error.message))
  visit.on(
    'console',
    (line) => line.type() === 'error' && !line.text().includes('favicon') && problems.push(line.text()),
  )
  await visit.goto(siteUrl())
  await visit.getByRole('button', { name: '下单' }).click()
  await expect(arrived(page).filter({ hasText: '浏览页面' }).filter({ hasText: '双十一主会场' })).toHaveCount(1)
  await expect(arrived(page).filter({ hasText: '下单' })).toContainText('amount：299')
  await expect(arrived(page).filter({ hasText: '下单' })).toContainText('已计入')
  expect(problems).toEqual([])
  await visit.close()
  await expectAccessible(page)
})

const QR =
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80"><rect width="80" height="80"/></svg>'

test('the page script says how long a page was in sight and what was pressed long', async ({ page }) => {
  const origin = new URL((await page.request.get('/healthz')).url()).origin
  const { key } = await aKey(page, 'page')
  const snippet = pageSnippet({ origin, key })
  const body = `<body><img alt="客服二维码" src='${QR}'></body>`
  html = `<!doctype html><head><meta charset="utf-8"><title>扫码页</title>${snippet}</head>${body}`
  const visit = await page.context().newPage()
  const ready = () => visit.waitForFunction(() => !Array.isArray((window as { analytics?: unknown }).analytics))
  await visit.goto(siteUrl())
  await ready()
  const image = visit.getByRole('img', { name: '客服二维码' })
  await image.click()
  await image.hover()
  await visit.mouse.down()
  await visit.waitForRequest((request) => (request.postData() ?? '').includes(LONG_PRESS_EVENT))
  await visit.mouse.up()
  // Leaving the page at once must not lose how long it was in sight.
  await visit.waitForFunction(() => performance.now() > 2500)
  html = html.replace('data-write-key', 'data-auto="off" data-write-key').replace('扫码页', '不自动记录')
  await visit.goto(siteUrl())
  await ready()
  const off = visit.getByRole('img', { name: '客服二维码' })
  await off.click({ delay: 500 })
  await visit.close()

  await selectAdvertiser(page, adv_id)
  await page.goto(PAGE)
  await expect(arrived(page).filter({ hasText: '浏览页面' }).filter({ hasText: '不自动记录' })).toHaveCount(1)
  await expect(arrived(page).filter({ hasText: DWELL_EVENT })).toHaveCount(1)
  await expect(arrived(page).filter({ hasText: DWELL_EVENT })).toContainText(/seconds：[1-9]/)
  await expect(arrived(page).filter({ hasText: LONG_PRESS_EVENT })).toHaveCount(1)
  await expect(arrived(page).filter({ hasText: LONG_PRESS_EVENT })).toContainText('image：客服二维码')
})

test('the snippet for npm works in a bundled page of another site', async ({ page }) => {
  const origin = new URL((await page.request.get('/healthz')).url()).origin
  const { key } = await aKey(page, 'page')
  // Beside the packages, so that the import is found.
  const folder = mkdtempSync(join(import.meta.dirname, '../node_modules/.snippet-'))
  try {
    writeFileSync(join(folder, 'page.ts'), bundledSnippet({ origin, key }))
    await build({
      configFile: false,
      root: folder,
      logLevel: 'error',
      build: {
        outDir: folder,
        emptyOutDir: false,
        rolldownOptions: {
          input: join(folder, 'page.ts'),
          output: { entryFileNames: 'page.js', codeSplitting: false },
        },
      },
    })
    script = readFileSync(join(folder, 'page.js'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  html = '<!doctype html><meta charset="utf-8"><title>会员中心</title><script type="module" src="/page.js"></script>'
  const visit = await page.context().newPage()
  await visit.goto(siteUrl())
  await selectAdvertiser(page, adv_id)
  await page.goto(PAGE)
  await expect(arrived(page).filter({ hasText: '浏览页面' }).filter({ hasText: '会员中心' })).toHaveCount(1)
  await expect(arrived(page).filter({ hasText: 'city：上海' })).toHaveCount(1)
  await visit.close()
})

test('what is refused is shown with its reason, and a revoked key is refused at once', async ({ page, request }) => {
  const { key } = await aKey(page, 'server')
  await selectAdvertiser(page, adv_id)
  await page.goto(PAGE)
  const send = (event: object) =>
    request.post('/v1/track', {
      headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
      data: event,
    })
  expect((await send({ event: '下单', properties: {} })).status()).toBe(400)
  await page.getByText(/^拒绝的/).click()
  await expect(page.getByText('userId 与 anonymousId 都为空')).toBeVisible()
  await expectAccessible(page)
  expect((await send({ event: '下单', userId: '8' })).status()).toBe(200)

  const row = page
    .getByRole('row')
    .filter({ hasText: `密钥${keyNo}` })
    .first()
  await row.getByRole('button', { name: '撤销' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '撤销' }).click()
  await expect(page.getByText('已撤销', { exact: true })).toBeVisible()
  expect((await send({ event: '下单', userId: '8' })).status()).toBe(401)
})

test('an attribute that a key brought is deleted once it was asked, one that a file brought is refused', async ({
  page,
  admin,
}) => {
  const { id } = await anAdvertiser(admin, `删属性${SUFFIX}`)
  const mapping = { kind: 'users', id: '编号', identifiers: [], skip: [] }
  await importFile(admin, '用户.csv', '编号,等级\nu1,金\nu2,银', id, mapping)
  const { key } = await api<{ key: string }>(admin, 'post', '/api/write_key', {
    adv_id: id,
    kind: 'server',
    name: '误发',
  })
  const sent = await admin.request.post('/v1/identify', {
    headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
    data: { userId: 'u1', traits: { 误发的属性: '甲' }, messageId: `删属性${SUFFIX}` },
  })
  expect(sent.status()).toBe(200)
  await expect(async () => {
    const { attributes } = await api<{ attributes: { name: string }[] }>(admin, 'get', `/api/tag/fields?adv_id=${id}`)
    expect(attributes.map(({ name }) => name)).toContain('误发的属性')
  }).toPass({ timeout: 30_000 })

  await selectAdvertiser(page, id)
  await page.goto(PAGE)
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })
  await row('等级').getByRole('button', { name: '删除' }).click()
  await page.getByRole('dialog', { name: '删除属性「等级」？' }).getByRole('button', { name: '删除' }).click()
  const refused = page.getByRole('dialog', { name: '无法删除属性「等级」' })
  await expect(refused).toContainText('导入')
  await expectAccessible(page)
  await refused.getByRole('button', { name: '知道了' }).click()

  await row('误发的属性').getByRole('button', { name: '删除' }).click()
  await page.getByRole('dialog', { name: '删除属性「误发的属性」？' }).getByRole('button', { name: '删除' }).click()
  await expect(page.getByText('已开始删除')).toBeVisible()
  await expect(row('误发的属性')).toHaveCount(0)
  await expect(row('等级')).toBeVisible()
})

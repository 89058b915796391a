import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { chromiumLaunch } from './chromium.ts'
import { chooseKind, dropFile, mapColumn } from './import-page.ts'
import { eventsCsv, somePeople } from './people.ts'
import { ADMIN_PASSWORD, buildWeb, startServer } from './server.ts'

const { values } = parseArgs({
  options: {
    width: { type: 'string', default: '1440' },
    height: { type: 'string', default: '900' },
    dark: { type: 'boolean', default: false },
    out: { type: 'string', default: join(import.meta.dirname, '..', 'docs', 'screenshots') },
    /** A running server with the demo; without it one is started. */
    url: { type: 'string' },
    only: { type: 'string' },
  },
})

/** A crowd with several nested operators. */
const CROWD = '一二线年轻果粉'

const open = (path: string) => async (page: Page) => {
  await page.goto(path)
}
async function crowdId(page: Page, wanted: string): Promise<number> {
  const answer = await page.request.get(`/api/people?name=${encodeURIComponent(wanted)}`)
  const { data } = (await answer.json()) as { data: { res: { id: number; name: string }[] } }
  const crowd = data.res.find((one) => one.name === wanted)
  if (!crowd) throw new Error(`the demo has no crowd ${wanted}`)
  return crowd.id
}
const crowdPage = (kind: 'edit' | 'watch') => async (page: Page) => {
  await page.goto(`/cowd-manage/cowd-assets/${kind}/${await crowdId(page, CROWD)}`)
  await page.locator('[data-total]').waitFor()
}

const CUSTOM_CROWD = '会员手机号-生成数据'
const customCrowds = async (page: Page) => {
  const answer = await page.request.get(`/api/v1/gdtcrowd/crowd/custom/list?name=${encodeURIComponent(CUSTOM_CROWD)}`)
  const { data } = (await answer.json()) as { data: { list: { dir_id: number }[] } }
  await page.goto(`/cowd-manage/custom-crowd?dir_id=${data.list[0]?.dir_id ?? 1}`)
  await page.getByRole('button', { name: CUSTOM_CROWD, exact: true }).waitFor()
}

const PACKAGE = '一二线年轻女性'
const targetingEditor = async (page: Page) => {
  const answer = await page.request.post('/api/v1/gdtcrowd/custom/targetings/list', {
    data: { platform: 1 },
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  const { data } = (await answer.json()) as { data: { list: { id: number; name: string }[] } }
  const found = data.list.find(({ name }) => name === PACKAGE)
  if (!found) throw new Error(`the demo has no package ${PACKAGE}`)
  await page.goto(`/cowd-manage/cowd-assets/gdt-cowd/edit/${found.id}`)
  await page.getByRole('tab', { name: '人口学属性' }).click()
}

/** The main pages, by the file names in the docs. */
const SHOTS: Record<string, (page: Page) => Promise<void>> = {
  'crowd-assets': open('/cowd-manage/cowd-assets?dir_id=1'),
  'rule-editor': crowdPage('edit'),
  'crowd-view': crowdPage('watch'),
  'crowd-profile': async (page) => {
    await page.goto(`/cowd-manage/cowd-assets/profile/${await crowdId(page, CROWD)}`)
    await page.getByRole('radiogroup', { name: '看哪个分类的占比' }).getByText('城市级别', { exact: true }).click()
  },
  'crowd-overlap': async (page) => {
    await page.goto(`/cowd-manage/cowd-assets/profile/${await crowdId(page, CROWD)}?tab=overlap`)
    await page.getByRole('combobox', { name: '与哪些人群重叠' }).click()
    for (const name of ['秋季新品投放人群', '双11核心人群', '看过广告未到店'])
      await page.locator('.ant-select-item-option:visible').filter({ hasText: name }).click()
    await page.keyboard.press('Escape')
    await page.getByText('4 个人群共').waitFor()
  },
  'custom-crowds': customCrowds,
  'custom-crowd-detail': async (page) => {
    await customCrowds(page)
    await page.getByRole('button', { name: CUSTOM_CROWD, exact: true }).click()
    await page.getByRole('dialog').getByText('行数').first().waitFor()
  },
  'custom-crowd-upload': open('/cowd-manage/custom-crowd/upload?dir_id=1'),
  'user-list': open('/cowd-manage/user-list'),
  'user-behaviour': async (page) => {
    const answer = await page.request.get('/api/linkuser/list')
    const { data } = (await answer.json()) as { data: { data: { oneID: string }[] } }
    await page.goto(`/cowd-manage/user-behavior/${data.data[0]?.oneID}`)
    await page.getByRole('img', { name: '事件总量' }).waitFor()
  },
  tags: open('/cowd-manage/tags'),
  'targeting-packages': open('/cowd-manage/cowd-assets/3?dir_id=0'),
  'targeting-editor': targetingEditor,
  activities: async (page) => {
    await page.goto('/campaign-manage/list')
    await page.locator('.ant-table-row-expand-icon').nth(2).click()
  },
  'day-report': async (page) => {
    const answer = await page.request.get('/api/campaign/list')
    const { data } = (await answer.json()) as { data: { list: { id: number; status: number }[] } }
    await page.goto(`/campaign-manage/day-report?campaign_id=${data.list.find(({ status }) => status === 1)?.id}`)
    await page.getByRole('img', { name: /消耗合计/ }).waitFor()
  },
  'data-access': async (page) => {
    await page.goto('/basic-manage/index/data-access')
    await dropFile(page, { name: '支付与退款.csv', content: eventsCsv(somePeople(5_000)) })
    await chooseKind(page, '事件')
    await mapColumn(page, '用户', '用户 ID')
  },
  'advertiser-data': open('/basic-manage/index/advertiser-data'),
  tokens: open('/basic-manage/index/tokens'),
  users: open('/basic-manage/index/users'),
}

if (!values.url) await buildWeb()
const server = values.url ? null : await startServer({ DEMO: '1' })
const baseURL = values.url ?? (server?.url as string)
const browser = await chromium.launch(await chromiumLaunch())
try {
  const context = await browser.newContext({
    baseURL,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: Number(values.width), height: Number(values.height) },
    colorScheme: values.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  await context.addInitScript(
    (theme) => {
      window.localStorage.setItem('theme', JSON.stringify(theme))
    },
    values.dark ? 'dark' : 'light',
  )
  const page = await context.newPage()
  const signedIn = await page.request.post('/api/login', {
    data: { username: 'admin', password: ADMIN_PASSWORD },
    headers: { origin: new URL(baseURL).origin },
  })
  if (!signedIn.ok()) throw new Error(await signedIn.text())
  mkdirSync(values.out, { recursive: true })
  for (const [name, show] of Object.entries(SHOTS)) {
    if (values.only && values.only !== name) continue
    await show(page)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    // A slow machine may still be rendering.
    await page.waitForFunction(() => document.querySelector('.ant-skeleton, .ant-spin-spinning') === null)
    await page.evaluate(() => document.fonts.ready)
    await page.mouse.move(0, 0)
    await page.screenshot({ path: join(values.out, `${name}.png`), animations: 'disabled' })
    console.log(`${name}.png`)
  }
} finally {
  await browser.close()
  await server?.stop()
}

// Opens each main page of the production build in Chromium with a processor four times slower, and works in those that hold
// much; beside each, a like page of another make.
// `node e2e/page-speed.ts PEER_URL ROUNDS` prints JSON; part of `npm run bench -- web`.
import { type Browser, chromium, type Page } from '@playwright/test'
import { chromiumLaunch } from './chromium.ts'
import { api } from './crowds.ts'
import { authorise } from './custom-crowds.ts'
import { interactionsOf, longestFrames, watchInteractions } from './interaction.ts'
import { GZIP, type Opening, open } from './opening.ts'
import { manyTags } from './population.ts'
import { ADMIN_PASSWORD, buildWeb, startServer } from './server.ts'
import { OWN_PAGE } from './test.ts'

const SLOWER = 4
/** With that of 全部用户. */
const CATEGORIES = 51
const SHELL = '[role=menuitem]'
/** Two attributes of these are searched for, by characters, pinyin and initials. */
const TYPED = ['属性7', 'quzhi', 'sx']

const [peerUrl, rounds = '3'] = process.argv.slice(2)
if (!peerUrl) throw new Error('PEER_URL')

/** What a page is waited for, and its like among the peer's. */
interface MainPage {
  name: string
  path: string
  works: string
  peer: { path: string; works: string }
}
interface Work {
  name: string
  path: string
  works: string
  peer: { path: string; works: string; act(page: Page): Promise<number[]> }
  act(page: Page): Promise<number[]>
}

const LIST = { path: '', works: 'tbody .ant-table-row' }
/** Of a list that may be empty. */
const ROWS = '.ant-table-placeholder, tbody .ant-table-row'
const TREE = { path: '?page=tags', works: '[role=treeitem], .ant-tree-treenode' }
const EDITOR = { path: '?page=editor', works: '[role=tabpanel] input' }
/** Most districts have it in their names, so that all branches open. */
const OF_DISTRICTS = '区'

/** Advertiser with 10,000 tags, an account on each platform, and a package on each. */
async function prepare(page: Page): Promise<{ pages: MainPage[]; editors: string[] }> {
  const { adv_id } = await manyTags(page, '一万个标签')
  await page.addInitScript((id) => window.localStorage.setItem('advertiser', String(id)), adv_id)
  const editors: string[] = []
  for (const { platform, path, targeting } of [
    {
      platform: 1,
      path: (id: number) => `/cowd-manage/cowd-assets/gdt-cowd/edit/${id}`,
      targeting: { gender: ['MALE'], geo_location: 'REGIONS', regions: ['310000'], location_types: ['LIVE_IN'] },
    },
    { platform: 2, path: (id: number) => `/cowd-manage/assets/crowd/2/${id}`, targeting: { landing_type: 'EXTERNAL' } },
    { platform: 3, path: (id: number) => `/cowd-manage/assets/crowd/3/${id}`, targeting: { landing_type: 'LIVE' } },
  ] as const) {
    await authorise(page, { adv_id, platform, accounts: /./ })
    const accounts = `/api/advertiser/list?auth_type=${platform}&adv_id=${adv_id}`
    const { data } = await api<{ data: { id: number }[] }>(page, 'get', accounts)
    const added = await api<{ id: number }>(page, 'post', '/api/v1/gdtcrowd/custom/targetings/add', {
      ...{ targeting_name: '一二线年轻女性', dir_id: 1, advertiser_id: data[0]?.id, targeting },
    })
    editors.push(path(added.id))
  }
  const page_ = (name: string, path: string, works: string, peer: MainPage['peer']) => ({
    name,
    path,
    works,
    peer,
  })
  const tab = (no: number) => page_(`定向包列表 ${no}`, `/cowd-manage/cowd-assets/${no}?dir_id=0`, LIST.works, LIST)
  return {
    editors,
    pages: [
      page_('自定义人群', '/cowd-manage/custom-crowd', ROWS, LIST),
      ...[2, 3, 4].map(tab),
      page_('规则编辑器', '/cowd-manage/cowd-assets/edit/0', '[role=treeitem]', TREE),
      ...editors.map((path, at) => page_(`定向编辑器 ${at + 2}`, path, '[role=tabpanel] input', EDITOR)),
      page_('用户列表', '/cowd-manage/user-list', ROWS, LIST),
      page_('标签管理', '/cowd-manage/tags', 'tbody .ant-table-row', LIST),
      page_('广告主授权', '/basic-manage/index/advertiser-data', 'tbody .ant-table-row', LIST),
      page_('成员管理', '/basic-manage/index/users', LIST.works, LIST),
      page_('活动列表', '/campaign-manage/list', ROWS, LIST),
      page_('活动工作台', '/campaign-manage/work-bench', 'main input', EDITOR),
      page_('数据接入', '/basic-manage/index/data-access', 'tbody .ant-table-row, .ant-upload-drag', LIST),
    ],
  }
}

/** Types and clears some words, one key after the other. */
async function type(page: Page, search: string): Promise<number[]> {
  const field = page.locator(search).first()
  for (const word of TYPED) {
    await field.pressSequentially(word, { delay: 200 })
    await page.waitForTimeout(800)
    await field.fill('')
    await page.waitForTimeout(800)
  }
  return interactionsOf(page)
}

/** Opens each tab, twice. */
async function openTabs(page: Page): Promise<number[]> {
  const tabs = page.getByRole('tab')
  for (let round = 0; round < 2; round++)
    for (let at = (await tabs.count()) - 1; at >= 0; at--) {
      await tabs.nth(at).click()
      await page.waitForTimeout(1200)
    }
  return interactionsOf(page)
}

/** Opens every category of the tags and turns the wheel. */
async function scrollTags(page: Page, row: string): Promise<number[]> {
  await page.locator(row).first().hover()
  return longestFrames(page, { turns: 30, by: 1500 })
}

/** Searches for most districts, which opens all regions, and turns the wheel over them. */
async function scrollRegions(page: Page): Promise<number[]> {
  await page.locator('input[aria-label="搜索地域"]').fill(OF_DISTRICTS)
  await page.waitForTimeout(3000)
  const tree = page.locator('.ant-tree-list-holder').filter({ visible: true }).first()
  await tree.scrollIntoViewIfNeeded()
  await tree.hover()
  return longestFrames(page, { turns: 30, by: 600 })
}

/** From the last one up, so that an open one moves none of those to come. */
async function openCategories(page: Page): Promise<void> {
  await page.locator('[role=tree]').first().focus()
  await page.keyboard.press('End')
  for (let category = 0; category < CATEGORIES; category++) {
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowUp')
  }
  await page.waitForTimeout(3000)
}

const worksOf = (editors: readonly string[]): Work[] => {
  const peerTabs = { path: '?page=tabs', works: LIST.works, act: openTabs }
  const [withRegions = ''] = editors
  return [
    {
      name: '在一万个标签中搜索',
      path: '/cowd-manage/cowd-assets/edit/0',
      works: '[role=treeitem]',
      act: (page) => type(page, 'input[aria-label="搜索标签与历史人群"]'),
      peer: { ...TREE, act: (page) => type(page, 'input') },
    },
    {
      name: '滚动一万个标签',
      path: '/cowd-manage/cowd-assets/edit/0',
      works: '[role=treeitem]',
      act: async (page) => {
        await openCategories(page)
        return scrollTags(page, '[role=treeitem]')
      },
      peer: { ...TREE, act: (page) => scrollTags(page, '.ant-tree-node-content-wrapper') },
    },
    {
      name: '滚动定向编辑器的地域',
      path: withRegions,
      works: 'input[aria-label="搜索地域"]',
      act: scrollRegions,
      peer: { path: EDITOR.path, works: 'input[aria-label="搜索地域"]', act: scrollRegions },
    },
    {
      name: '打开人群资产的各个页签',
      path: '/cowd-manage/cowd-assets',
      works: '[role=tab]',
      act: openTabs,
      peer: peerTabs,
    },
    ...editors.map((path, at) => ({
      name: `打开定向编辑器 ${at + 2} 的各个页签`,
      path,
      works: '[role=tab]',
      act: openTabs,
      peer: { ...EDITOR, act: openTabs },
    })),
  ]
}

async function inPage<T>(browser: Browser, signIn: (page: Page) => Promise<unknown>, work: (page: Page) => Promise<T>) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, extraHTTPHeaders: GZIP })
  try {
    const page = await context.newPage()
    await signIn(page)
    return await work(page)
  } finally {
    await context.close()
  }
}

await buildWeb()
const server = await startServer()
const browser = await chromium.launch(await chromiumLaunch())
try {
  const signIn = (page: Page) =>
    page.request.post(`${server.url}/api/login`, {
      data: { username: 'admin', password: ADMIN_PASSWORD },
      headers: OWN_PAGE,
    })
  const context = await browser.newContext({ baseURL: server.url })
  const setUp = await context.newPage()
  await signIn(setUp)
  const { pages, editors } = await prepare(setUp)
  const advertiser = await setUp.evaluate(() => window.localStorage.getItem('advertiser'))
  await context.close()

  const ready = async (page: Page) => {
    await signIn(page)
    await page.addInitScript((id) => window.localStorage.setItem('advertiser', id ?? ''), advertiser)
  }
  const nobody = async () => {}
  const repeat = async <T>(work: () => Promise<T>): Promise<T[]> => {
    const all: T[] = []
    for (let round = 0; round < Number(rounds); round++) all.push(await work())
    return all
  }
  const opened = (url: string, works: string, sign: (page: Page) => Promise<unknown>): Promise<Opening[]> =>
    repeat(() => inPage(browser, sign, (page) => open(page, url, { shell: SHELL, works }, SLOWER)))
  const worked = async (url: string, works: string, sign: (page: Page) => Promise<unknown>, act: Work['act']) => {
    const all = await repeat(() =>
      inPage(browser, sign, async (page) => {
        await open(page, url, { shell: SHELL, works }, SLOWER)
        await page.waitForTimeout(2000)
        await watchInteractions(page)
        return act(page)
      }),
    )
    return all.flat()
  }

  const openings = []
  // What it is at goes to the other stream: the whole takes half an hour.
  for (const { name, path, works, peer } of pages) {
    console.error(name)
    const ours = await opened(server.url + path, works, ready)
    openings.push({ name, ours, peer: await opened(peerUrl + peer.path, peer.works, nobody) })
  }
  const works = []
  for (const { name, path, works: shown, act, peer } of worksOf(editors)) {
    console.error(name)
    const ours = await worked(server.url + path, shown, ready, act)
    works.push({ name, ours, peer: await worked(peerUrl + peer.path, peer.works, nobody, peer.act) })
  }
  console.log(JSON.stringify({ openings, works }))
} finally {
  await browser.close()
  await server.stop()
}

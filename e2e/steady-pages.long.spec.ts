import { aCrowd, anAdvertiser, api, selectAdvertiser } from './crowds.ts'
import { aCustomCrowd, md5s } from './custom-crowds.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'

let adv_id = 0
test.beforeAll(async ({ admin }) => {
  const name = `不移动${SUFFIX}`
  const made = await anAdvertiser(admin, name)
  adv_id = made.id
  await aCrowd(admin, { name, adv_id, uses: { id: made.everyone, tag_type: 1 } })
  await aCustomCrowd(admin, { name, adv_id, files: { 'a.txt': md5s(2).join('\n') } })
  await api(admin, 'post', '/api/webhook', { adv_id, kind: 'json', url: 'https://example.com/hook', is_on: true })
})

/** Where the pages of the menu are. */
async function menuPaths(page: Page): Promise<string[]> {
  await page.goto('/cowd-manage/tags')
  await expect(page.getByRole('menuitem', { name: '成员管理' })).toBeVisible()
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('[role=menu] a')].map((link) => new URL(link.href).pathname),
  )
}

type Order = 'the oldest' | 'the newest'

/** Answers the page's calls one by one, with the page drawn in between, and notes what moves by itself. */
function slowly(order: Order) {
  // What stands below a notice is drawn after half a second at most, and a busy machine needs longer for two answers.
  const patient = new CSSStyleSheet()
  patient.replaceSync('* { animation-delay: 3600s !important }')
  document.adoptedStyleSheets = [patient]

  const { fetch } = window
  const waiting: (() => Promise<unknown>)[] = []
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  let isAnswering = false
  async function answer() {
    isAnswering = true
    await drawn()
    for (;;) {
      const next = order === 'the oldest' ? waiting.shift() : waiting.pop()
      if (!next) break
      await next().catch(() => {})
      await drawn()
    }
    isAnswering = false
  }
  window.fetch = (...given) =>
    new Promise((done, failed) => {
      waiting.push(() => {
        const answered = fetch(...given)
        answered.then(done, failed)
        return answered
      })
      if (!isAnswering) void answer()
    })

  const moved: string[] = []
  Object.assign(window, { moved })
  type Shift = PerformanceEntry & { sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[] }
  new PerformanceObserver((list) => {
    for (const { sources } of list.getEntries() as Shift[])
      for (const { node, previousRect, currentRect } of sources) {
        const element = node instanceof Element ? node : node?.parentElement
        moved.push(`${element?.className} from ${previousRect.y} to ${currentRect.y}`)
      }
  }).observe({ type: 'layout-shift' })
}

for (const order of ['the oldest', 'the newest'] as const) {
  test(`no page of the menu moves after it is drawn, with ${order} call answered first`, async ({ page }) => {
    await selectAdvertiser(page, adv_id)
    const paths = await menuPaths(page)
    expect(paths.length).toBeGreaterThan(5)
    await page.addInitScript(slowly, order)
    const moved: Record<string, string[]> = {}
    for (const path of paths) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.waitForLoadState('networkidle')
      await expect(page.locator('.ant-skeleton')).toHaveCount(0)
      moved[path] = await page.evaluate(() => (window as unknown as { moved: string[] }).moved)
    }
    expect(moved).toEqual(Object.fromEntries(paths.map((path) => [path, []])))
  })
}

import { aCrowd, anAdvertiser, aViewer, crowdRow, selectAdvertiser } from './crowds.ts'
import { editorOf } from './editor-page.ts'
import { type Account, ADMIN, expect, type Page, SUFFIX, test } from './test.ts'

const LIST = '/cowd-manage/cowd-assets'
const ONE = /\/api\/people\/\d+$/

let adv_id = 0
let everyone = 0

test.beforeAll(async ({ admin }) => {
  ;({ id: adv_id, everyone } = await anAdvertiser(admin, `中断旅程${SUFFIX}`))
})

test.beforeEach(async ({ page }) => {
  await selectAdvertiser(page, adv_id)
})

async function anEditor(page: Page, name: string) {
  const id = await aCrowd(page, { name, adv_id, uses: { id: everyone, tag_type: 1 } })
  await page.goto(`${LIST}/edit/${id}`)
  const editor = editorOf(page)
  await expect(editor.name).toHaveValue(name)
  await expect(editor.rule(1)).toBeVisible()
  return { id, editor }
}

async function signInAgain(page: Page, { username, password }: Account) {
  await expect(page.getByText('登录已失效')).toBeVisible()
  await page.getByLabel('用户名').fill(username)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录' }).click()
}

test('a crowd can be saved again when the first call got no answer', async ({ page }) => {
  const name = `没有答复${SUFFIX}`
  const { editor } = await anEditor(page, name)
  await editor.name.fill(`${name}一`)
  await page.route(ONE, async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    await route.fetch()
    await route.abort()
  })
  await editor.save.click()
  await expect(page.getByText('无法连接服务器')).toBeVisible()
  await page.unroute(ONE)

  await editor.name.fill(`${name}二`)
  await editor.save.click()
  // The version saved without an answer is shown as a conflict and can be overwritten.
  await page.getByRole('dialog', { name: '此人群已被他人修改' }).getByRole('button', { name: '覆盖保存' }).click()
  await expect(page).toHaveURL(/cowd-assets(\?|$)/)
  await expect(crowdRow(page, `${name}二`)).toBeVisible()
})

test('an answer that arrives after the editor was left does not navigate', async ({ page }) => {
  const name = `慢保存${SUFFIX}`
  const { editor } = await anEditor(page, name)
  await editor.name.fill(`${name}一`)
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(ONE, async (route) => {
    if (route.request().method() === 'PUT') await held
    await route.continue()
  })
  const saving = page.waitForRequest((request) => request.method() === 'PUT' && ONE.test(request.url()))
  await editor.save.click()
  await saving
  // The editor is still shown while the code of the next page is fetched.
  let fetched = () => {}
  const fetching = new Promise<void>((resolve) => {
    fetched = resolve
  })
  await page.route(/\/assets\/TagsPage-.*\.js/, async (route) => {
    await fetching
    await route.continue()
  })
  await page.getByRole('menuitem', { name: '标签管理' }).click()
  await page.getByRole('button', { name: '放弃修改' }).click()
  const answered = page.waitForResponse((response) => response.request().method() === 'PUT' && ONE.test(response.url()))
  answer()
  await answered
  // Longer than the page needs to act on an answer.
  await page.waitForTimeout(500)
  fetched()
  await expect(page).toHaveURL(/cowd-manage\/tags/)
  await page.getByRole('button', { name: '新建标签' }).click()
  await expect(page.getByRole('dialog', { name: '新建标签' })).toBeVisible()
  await expect(page).toHaveURL(/cowd-manage\/tags/)
})

test('unsaved work is kept after the session ends, for its viewer only', async ({ page, context }) => {
  const name = `会话结束${SUFFIX}`
  const other = await aViewer(page, `other${SUFFIX}`, [adv_id])
  const { editor } = await anEditor(page, name)
  const end = async () => {
    let release = () => {}
    const clicked = new Promise<void>((resolve) => {
      release = resolve
    })
    // A poll or a count of the page would notice the end before the click; all calls wait for it.
    await page.route(/\/api\//, async (route) => {
      await clicked
      await route.continue()
    })
    await context.clearCookies()
    await editor.save.click()
    release()
    await page.unrouteAll({ behavior: 'wait' })
  }
  await editor.name.fill(`${name}未保存`)
  await end()
  await signInAgain(page, ADMIN)
  await expect(page.getByText('已恢复上次未保存的修改')).toBeVisible()
  await expect(editor.name).toHaveValue(`${name}未保存`)

  await end()
  await signInAgain(page, other)
  await expect(editor.name).toHaveValue(name)
})

test('a second click during a copy does not copy twice', async ({ page }) => {
  const name = `只复制一次${SUFFIX}`
  await aCrowd(page, { name, adv_id, uses: { id: everyone, tag_type: 1 } })
  await page.goto(LIST)
  await crowdRow(page, name).getByRole('button', { name: '复制', exact: true }).dblclick()
  await expect(crowdRow(page, `${name}_副本`)).toBeVisible()
  await page.reload()
  await expect(crowdRow(page, `${name}_副本`)).toBeVisible()
  await expect(crowdRow(page, `${name}_副本2`)).toHaveCount(0)
})

test('a setting that another viewer changed is shown with its new value', async ({ page }) => {
  let refused = '男'
  await page.route('**/api/consent?*', (route) =>
    route.fulfill({
      json: { code: 0, msg: 'OK', data: { attribute: '性别', refused_values: [refused], refused_people: 1 } },
    }),
  )
  const menu = (name: string) => page.getByRole('menuitem', { name })
  const value = (text: string) => page.locator('form').getByText(text, { exact: true })
  await page.goto('/basic-manage/index/suppression')
  await expect(value('男')).toBeVisible()
  await menu('接口与令牌').click()
  await expect(page).toHaveURL(/tokens/)
  refused = '女'
  await page.clock.setSystemTime(Date.now() + 60_000)
  await menu('屏蔽与同意').click()
  await expect(value('女')).toBeVisible()
  await expect(value('男')).toHaveCount(0)
})

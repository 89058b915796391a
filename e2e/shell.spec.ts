import { expectAccessible } from './axe.ts'
import { aCrowd, anAdvertiser } from './crowds.ts'
import { ADMIN, expect, type Page, SUFFIX, test } from './test.ts'

const fillSignIn = async (page: Page, username: string, password: string) => {
  await page.getByLabel('用户名').fill(username)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录' }).click()
}

test.describe('nobody signed in', () => {
  test.use({ as: null })

  test('a visitor is sent to the sign-in page', async ({ page }) => {
    await page.goto('/')
    await expect(page).toHaveURL(/\/login/)
    await expect(page.getByRole('button', { name: '登录' })).toBeVisible()
  })

  test('signing in refuses missing or wrong values, and leads to the requested page', async ({ page }) => {
    await page.goto('/basic-manage/index/tokens?from=mail')
    await expect(page).toHaveURL(/\/login\?from=/)

    await page.getByRole('button', { name: '登录' }).click()
    await expect(page.getByText('请输入用户名')).toBeVisible()
    await expect(page.getByText('请输入密码')).toBeVisible()

    await fillSignIn(page, 'admin', 'not-the-password')
    await expect(page.getByText('用户名或密码错误')).toBeVisible()
    await expect(page.getByLabel('密码', { exact: true })).toBeFocused()
    await expectAccessible(page)

    await fillSignIn(page, ADMIN.username, ADMIN.password)
    await expect(page).toHaveURL('/basic-manage/index/tokens?from=mail')
    await expect(page.getByRole('heading', { level: 1, name: '接口与令牌' })).toBeVisible()
  })

  test('signing in never leads to another site', async ({ page }) => {
    await page.goto('/login?from=//example.com/')
    await fillSignIn(page, ADMIN.username, ADMIN.password)
    await expect(page).toHaveURL(/\/cowd-manage\/cowd-assets/)
  })
})

test('the end of a session asks to sign in and returns to the page', async ({ page, context }) => {
  await page.goto('/basic-manage/index/users')
  await expect(page.getByRole('cell', { name: 'admin', exact: true })).toBeVisible()
  // A call of the page itself would lead to the sign-in page first.
  await page.waitForLoadState('networkidle')
  await context.clearCookies()
  await page.getByRole('menuitem', { name: '接口与令牌' }).click()
  await expect(page).toHaveURL(/\/login\?from=.*tokens/)
  await fillSignIn(page, ADMIN.username, ADMIN.password)
  await expect(page).toHaveURL('/basic-manage/index/tokens')
})

test('folding the side bar and changing the theme are remembered', async ({ page }) => {
  await page.goto('/basic-manage/index/users')
  const sideBar = page.locator('aside')
  await expect(sideBar).toHaveCSS('width', '210px')
  await page.getByRole('button', { name: '收起菜单' }).click()
  await expect(sideBar).toHaveCSS('width', '50px')
  await page.getByRole('button', { name: /当前成员/ }).click()
  await page.getByRole('menuitem', { name: /主题/ }).hover()
  await page.getByRole('menuitem', { name: '深色' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')

  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(sideBar).toHaveCSS('width', '50px')
  await page.getByRole('button', { name: '展开菜单' }).click()
  await expect(page.getByRole('menuitem', { name: '成员管理' })).toBeVisible()
})

test('the search opens by keyboard and leads to a page', async ({ page }) => {
  await page.goto('/basic-manage/index/users')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: /搜索页面/ })
  await expect(search).toBeFocused()
  await page.keyboard.type('管理')
  await expect(page.getByRole('option', { name: /成员管理/ })).toBeVisible()
  await expectAccessible(page)
  await search.fill('令牌')
  await expect(page.getByRole('option', { name: /接口与令牌/ })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/basic-manage/index/tokens')
  await expect(search).toBeHidden()
})

test('the search covers all advertisers, and opening a result switches to its advertiser', async ({ page }) => {
  const here = await anAdvertiser(page, `搜索本家${SUFFIX}`)
  const there = await anAdvertiser(page, `搜索别家${SUFFIX}`)
  const name = (where: string) => `搜得到-${where}${SUFFIX}`
  const uses = (advertiser: { everyone: number }) => ({ id: advertiser.everyone, tag_type: 1 as const })
  await aCrowd(page, { name: name('本家'), adv_id: here.id, uses: uses(here) })
  const id = await aCrowd(page, { name: name('别家'), adv_id: there.id, uses: uses(there) })
  await page.goto('/login')
  await page.evaluate((id) => window.localStorage.setItem('advertiser', String(id)), here.id)
  await page.goto('/cowd-manage/tags')
  const current = page.locator('.ant-select', { has: page.getByRole('combobox', { name: '当前广告主' }) })
  await expect(current).toContainText('搜索本家')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /搜索页面/ }).fill('搜得到')
  const found = page.getByRole('group', { name: '人群' }).getByRole('option')
  // The current advertiser's results come first, then the newest.
  await expect(found.first()).toContainText(name('本家'))
  await expect(found.filter({ hasText: name('别家') })).toContainText('搜索别家')
  await found.filter({ hasText: name('别家') }).click()
  await expect(page).toHaveURL(`/cowd-manage/cowd-assets/watch/${id}`)
  await expect(current).toContainText('搜索别家')
  await expect(page.getByText('已切换到广告主「搜索别家')).toBeVisible()
})

test('an advertiser is created and renamed, with a unique name', async ({ page }) => {
  await page.goto('/basic-manage/index/advertiser-data')
  const dialog = page.getByRole('dialog')
  const save = async (name: string) => {
    await dialog.getByLabel('广告主名称').fill(name)
    await dialog.getByRole('button', { name: '确定' }).click()
  }
  await page.getByRole('button', { name: '新建广告主' }).click()
  await save(' ')
  await expect(dialog.getByText('请输入广告主名称')).toBeVisible()
  await save('外壳测试')
  await expect(dialog).toBeHidden()
  // There may be more advertisers than a page shows.
  await page.getByPlaceholder('搜索广告主名称').fill('外壳')
  await expect(page.getByRole('cell', { name: '外壳测试' })).toBeVisible()

  await page.getByRole('button', { name: '新建广告主' }).click()
  await save('外壳测试')
  await expect(page.getByText('广告主名称已存在')).toBeVisible()
  await dialog.getByLabel('广告主名称').fill('另一个')
  await dialog.getByRole('button', { name: '取消' }).click()

  await page
    .getByRole('row', { name: /外壳测试/ })
    .getByRole('button', { name: '重命名' })
    .click()
  await expect(dialog.getByLabel('广告主名称')).toHaveValue('外壳测试')
  await save('外壳测试二')
  await expect(page.getByRole('cell', { name: '外壳测试二' })).toBeVisible()
})

test('a new user can sign in, and is signed out at once when disabled', async ({ page, openAs }) => {
  await page.goto('/basic-manage/index/users')
  await page.getByRole('button', { name: '新建成员' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('用户名').fill('li.lei')
  await dialog.getByRole('button', { name: '随机生成' }).click()
  const password = await dialog.getByLabel('初始密码').inputValue()
  expect(password).toHaveLength(16)
  await dialog.getByRole('button', { name: '确定' }).click()
  const row = page.getByRole('row', { name: /li\.lei/ })
  await expect(row).toContainText('普通成员')

  // The dialog shows this user's values, not the previous user's.
  const admin = page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'admin', exact: true }) })
  await admin.getByRole('button', { name: '编辑' }).click()
  await expect(dialog.getByRole('checkbox', { name: /管理员/ })).toBeChecked()
  await dialog.getByRole('button', { name: '取消' }).click()
  await row.getByRole('button', { name: '编辑' }).click()
  await expect(dialog.getByText('编辑成员 li.lei')).toBeVisible()
  await expect(dialog.getByRole('checkbox', { name: /管理员/ })).not.toBeChecked()
  await dialog.getByRole('button', { name: '取消' }).click()

  const theirs = await openAs(null)
  await theirs.goto('/login')
  await fillSignIn(theirs, 'li.lei', password)
  await expect(theirs).not.toHaveURL(/\/login/)
  await theirs.goto('/basic-manage/index/users')
  await expect(theirs.getByText('没有权限查看成员管理')).toBeVisible()
  await expect(theirs.getByRole('menuitem', { name: '成员管理' })).toHaveCount(0)

  await row.getByRole('button', { name: '停用' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '停用' }).click()
  await expect(row).toContainText('已停用')
  // Not a click: a call of the page itself may have led to the sign-in page already.
  await theirs.goto('/basic-manage/index/tokens')
  await expect(theirs).toHaveURL(/\/login/)
})

test('a token is shown once, works, and stops working once revoked', async ({ page, playwright, baseURL }) => {
  await page.goto('/basic-manage/index/tokens')
  await page.getByRole('button', { name: '新建令牌' }).click()
  await page.getByLabel('名称').fill('同步脚本')
  await page.getByRole('button', { name: '创建', exact: true }).click()
  const token = await page.getByRole('textbox', { name: '令牌' }).inputValue()
  await expectAccessible(page)
  await page.getByRole('button', { name: '我已保存' }).click()
  await expect(page.getByRole('row', { name: /同步脚本/ })).toContainText(`…${token.slice(-4)}`)
  await expect(page.getByText(token)).toHaveCount(0)

  const outside = await playwright.request.newContext({ extraHTTPHeaders: { authorization: `Bearer ${token}` } })
  expect((await outside.get(`${baseURL}/api/viewer`)).status()).toBe(200)
  await page
    .getByRole('row', { name: /同步脚本/ })
    .getByRole('button', { name: '撤销' })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: '撤销' }).click()
  await expect(page.getByRole('row', { name: /同步脚本/ })).toHaveCount(0)
  expect((await outside.get(`${baseURL}/api/viewer`)).status()).toBe(401)
  await outside.dispose()
})

test('a failed load is shown once, in place, and can be retried', async ({ page }) => {
  await page.route('**/api/token/list', (route) =>
    route.fulfill({ status: 500, json: { code: 1, msg: '请求失败', data: null } }),
  )
  await page.goto('/basic-manage/index/tokens')
  const failure = page.getByRole('alert').filter({ hasText: '请求失败' })
  await expect(failure).toHaveCount(1)
  await page.unroute('**/api/token/list')
  await failure.getByRole('button', { name: '重试' }).click()
  await expect(failure).toHaveCount(0)
  await expect(page.getByRole('columnheader', { name: '最近使用' }).first()).toBeVisible()
})

test('a failing page keeps the menu and offers a way back', async ({ page }) => {
  await page.route('**/api/token/list', (route) => route.fulfill({ json: { code: 0, msg: 'OK', data: {} } }))
  await page.goto('/basic-manage/index/tokens')
  await expect(page.getByText('页面出错了')).toBeVisible()
  await page.getByRole('menuitem', { name: '成员管理' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '成员管理' })).toBeVisible()
})

test('an unknown address has a page that says so, and old addresses lead on', async ({ page }) => {
  await page.goto('/no/such/page')
  await expect(page.getByRole('heading', { name: '页面不存在' })).toBeVisible()
  await page.getByRole('link', { name: '返回首页', exact: true }).click()
  await expect(page).toHaveURL(/\/cowd-manage\/cowd-assets/)
  for (const [old, now] of [
    ['assets/crowd/4/9?mode=copy', 'assets/crowd/3/9?mode=copy'],
    ['assets/crowd/9?mode=copy', 'assets/crowd/2/9?mode=copy'],
    ['cowd-assets/oceanengine-cowd/edit/9?mode=copy', 'assets/crowd/2/9?mode=copy'],
    ['cowd-assets/qianchuan-cowd/watch/9', 'assets/crowd/3/9?mode=read'],
  ]) {
    await page.goto(`/cowd-manage/${old}`)
    await expect(page).toHaveURL(`/cowd-manage/${now}`)
  }
})

for (const theme of ['light', 'dark']) {
  test(`no serious accessibility fault in the ${theme} theme`, async ({ page }) => {
    await page.addInitScript((chosen) => localStorage.setItem('theme', JSON.stringify(chosen)), theme)
    await page.goto('/basic-manage/index/advertiser-data')
    // The notice comes after the page's heading.
    await expect(page.getByRole('link', { name: '沙箱的状态与开关' })).toBeVisible()
    await expectAccessible(page)
    for (const path of [
      '/basic-manage/index/users',
      '/basic-manage/index/tokens',
      '/campaign-manage/list',
      '/no/such/page',
    ]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectAccessible(page)
    }
    await page.getByRole('button', { name: /^任务/ }).click()
    await expect(page.getByRole('region', { name: '任务列表' })).toBeVisible()
    await expectAccessible(page)
  })
}

import type { Locator } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { aCrowd, anAdvertiser, api, crowdRow, selectAdvertiser } from './crowds.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'

// Opens three pages for the first time on a possibly busy machine.

const LIST = '/cowd-manage/cowd-assets'

/** A dialog that is still moving could miss a click on a busy machine. */
const still = (page: Page) =>
  page.evaluate(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => undefined))
/** Drags a folder with the mouse and drops it once the hint is shown. */
async function drag(page: Page, folder: Locator, over: Locator, words: string) {
  await folder.locator('.ant-tree-title').hover()
  await page.mouse.down()
  await over.hover()
  // The hint may cover the target.
  await over.hover({ force: true })
  await expect(page.getByRole('status').getByText(words)).toBeVisible()
  await page.mouse.up()
}
const folderMenu = async (page: Page, folder: string, item: string) => {
  await page.getByRole('treeitem', { name: folder }).hover()
  await page.getByRole('button', { name: `文件夹「${folder}」的操作` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
const addFolder = async (page: Page, name: string) => {
  await page.getByRole('button', { name: '新建文件夹' }).click()
  await page.getByRole('dialog').getByLabel('文件夹名称').fill(name)
  await still(page)
  await page.getByRole('dialog').getByLabel('上级文件夹').click()
  await page.getByRole('menuitemcheckbox', { name: '最上层' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
}
const rowMenu = async (page: Page, crowd: string, item: string) => {
  await page.getByRole('button', { name: `「${crowd}」的更多操作` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('folders are added, refused, renamed, moved, found and deleted, and the selected one is remembered', async ({
  page,
}) => {
  await anAdvertiser(page, '文件夹测试')
  await page.goto(LIST)
  await expect(page.getByRole('treeitem').first()).toContainText('默认分组')
  // The tree's own tooltip of a node without a title.
  await expect(page.getByTitle('---')).toHaveCount(0)

  await page.getByRole('button', { name: '新建文件夹' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
  await expect(page.getByRole('dialog').locator('.ant-form-item-explain-error')).toHaveText([
    '请输入文件夹名称',
    '请选择目录',
  ])
  await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await addFolder(page, '大促')
  await expect(page.getByRole('treeitem', { name: '大促' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await addFolder(page, '大促')
  await expect(page.getByRole('dialog').getByText('同级目录下不允许重名')).toBeVisible()
  await page.getByRole('dialog').getByLabel('文件夹名称').fill('大促 !')
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
  await expect(page.getByRole('dialog').getByText('名称只支持中英文，数字，横杠，下划线')).toBeVisible()
  await page.getByRole('dialog').getByLabel('文件夹名称').fill('日常')
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
  await expect(page.getByRole('treeitem', { name: '日常' })).toBeVisible()

  await folderMenu(page, '日常', '重命名')
  await page.getByRole('dialog').getByLabel('文件夹名称').fill('日常投放')
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
  await expect(page.getByText('编辑文件夹成功')).toBeVisible()
  await expect(page.getByRole('treeitem', { name: '日常投放' })).toHaveAttribute('aria-selected', 'true')

  await folderMenu(page, '日常投放', '移动到')
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
  await expect(page.getByText('请选择移动的文件夹')).toBeVisible()
  await page.getByRole('dialog').getByRole('treeitem', { name: '大促' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
  await expect(page.getByText('文件夹移动成功')).toBeVisible()
  await expect(page.getByRole('treeitem', { name: '日常投放' }).locator('.ant-tree-indent-unit')).toHaveCount(1)

  await page.goto(LIST)
  await expect(page.getByRole('treeitem', { name: '日常投放' })).toHaveAttribute('aria-selected', 'true')
  await expect(page).toHaveURL(/dir_id=\d+/)

  await page.getByLabel('搜索文件夹').fill('toufang')
  await expect(page.getByRole('treeitem', { name: '默认分组' })).toHaveCount(0)
  await expect(page.getByRole('treeitem', { name: '日常投放' })).toBeVisible()
  await page.getByLabel('搜索文件夹').fill('')
  await page.getByRole('button', { name: '新建文件夹' }).click()
  await page.getByRole('dialog').getByLabel('上级文件夹').fill('rctf')
  await expect(page.getByRole('menuitemcheckbox')).toHaveText(['大促 / 日常投放'])
  await page.getByRole('menuitemcheckbox').click()
  await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()

  await folderMenu(page, '日常投放', '删除')
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
  await expect(page.getByText('删除文件夹成功')).toBeVisible()
  await expect(page.getByRole('treeitem', { name: '日常投放' })).toHaveCount(0)
  await expect(page.getByRole('treeitem', { name: '大促' })).toHaveAttribute('aria-selected', 'true')
})

test('folders have at most five levels, can be dragged, and the search waits until typing stops', async ({ page }) => {
  await anAdvertiser(page, '层级测试')
  const levels = ['一', '二', '三', '四', '五'].map((level) => `第${level}级${SUFFIX}`)
  const beside = `旁边${SUFFIX}`
  let parentId: number | null = null
  for (const name of levels)
    parentId = (await api<{ id: number }>(page, 'post', '/api/peopledir', { name, parentId })).id
  await api(page, 'post', '/api/peopledir', { name: beside, parentId: null })
  await page.goto(`${LIST}?dir_id=${parentId}`)
  const folder = (name: string) => page.getByRole('treeitem', { name })
  const indent = (name: string) => folder(name).locator('.ant-tree-indent-unit')
  const [first = '', , , fourth = '', fifth = ''] = levels
  await expect(folder(fifth)).toHaveAttribute('aria-selected', 'true')
  await expect(indent(fifth)).toHaveCount(4)

  await test.step('a sixth level is disabled, and says why', async () => {
    await folder(fifth).hover()
    await page.getByRole('button', { name: `文件夹「${fifth}」的操作` }).click()
    const add = page.getByRole('menuitem', { name: '新建子文件夹' })
    await expect(add).toHaveAttribute('aria-disabled', 'true')
    await expect(add).toContainText('目录层级最多只有5级')
    await page.keyboard.press('Escape')
    await expect(add).toBeHidden()
    await folderMenu(page, fourth, '新建子文件夹')
    await expect(page.getByRole('dialog').getByLabel('文件夹名称')).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
  })

  await test.step('a folder is dropped on another, unless that would be too deep', async () => {
    await drag(page, folder(beside), folder(fifth), '目录层级最多只有5级')
    await expect(page.locator('.ant-message').getByText('目录层级最多只有5级')).toBeVisible()
    await expect(indent(beside)).toHaveCount(0)
    await drag(page, folder(beside), folder(fourth), `移到「${fourth}」`)
    await expect(page.getByText('文件夹移动成功')).toBeVisible()
    await expect(indent(beside)).toHaveCount(4)
    await drag(page, folder(beside), page.getByText('文件管理'), '移到最上层')
    await expect(indent(beside)).toHaveCount(0)
    // The default folder cannot be dragged.
    await folder('默认分组').getByText('默认分组').hover()
    await page.mouse.down()
    await folder(first).getByText(first).hover()
    await expect(page.getByText('移到最上层')).toHaveCount(0)
    await page.mouse.up()
    await drag(page, folder(beside), folder(fourth), `移到「${fourth}」`)
    await expect(indent(beside)).toHaveCount(4)
  })

  await test.step('the search starts half a second after the last key', async () => {
    const search = page.getByLabel('搜索文件夹')
    const began = Date.now()
    await search.pressSequentially('旁边', { delay: 100 })
    await expect(folder('默认分组')).toHaveCount(0)
    expect(Date.now() - began).toBeGreaterThanOrEqual(600)
    await expect(folder(beside)).toBeVisible()
    await expect(folder(first)).toBeVisible()
    await search.fill('没有这个文件夹')
    await expect(page.getByText('没有匹配的文件夹')).toBeVisible()
    await search.fill('')
    await expect(folder('默认分组')).toBeVisible()
  })

  await test.step('after a reload the chosen folder is selected, and its parents are expanded', async () => {
    await folder(beside).getByText(beside).click()
    await expect(folder(beside)).toHaveAttribute('aria-selected', 'true')
    await page.reload()
    await expect(folder(beside)).toHaveAttribute('aria-selected', 'true')
    await page.goto(LIST)
    await expect(folder(beside)).toHaveAttribute('aria-selected', 'true')
  })
})

test('rule crowds are found, copied, moved, refused deletion, deleted and restored', async ({ page }) => {
  const { id: adv_id, everyone } = await anAdvertiser(page, '资产测试')
  const base = await aCrowd(page, { name: '老客', adv_id, uses: { id: everyone, tag_type: 1 } })
  await aCrowd(page, { name: '老客召回', adv_id, uses: { id: base, tag_type: 3 } })
  await page.goto(`${LIST}?dir_id=1&adv_id=${adv_id}`)
  await expect(crowdRow(page, '老客')).toContainText('已完成')
  await expectAccessible(page)

  await page.getByLabel('名称', { exact: true }).fill('召回')
  await expect(crowdRow(page, '老客')).toHaveCount(0)
  await expect(page).toHaveURL(/name=/)
  await page.reload()
  await expect(crowdRow(page, '老客召回')).toBeVisible()
  await expect(page.getByLabel('名称', { exact: true })).toHaveValue('召回')
  await page.goBack()
  await expect(crowdRow(page, '老客')).toBeVisible()

  const refused = { status: 409, json: { code: 1, msg: '定向包已达上限', data: null } }
  await page.route('**/api/people/*/copy', (route) => route.fulfill(refused), { times: 1 })
  await crowdRow(page, '老客').getByRole('button', { name: '复制', exact: true }).click()
  await expect(page.getByText('复制失败')).toBeVisible()
  await expect(page.getByText('定向包已达上限')).toBeVisible()
  await crowdRow(page, '老客').getByRole('button', { name: '复制', exact: true }).click()
  await expect(page.getByText(/复制成功/)).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(4)

  await rowMenu(page, '老客', '删除')
  const refusal = page.getByRole('dialog').filter({ hasText: '无法删除' })
  await expect(refusal.getByRole('link', { name: '老客召回' })).toHaveAttribute('href', /watch\/\d+/)
  await refusal.getByRole('button', { name: '知道了' }).click()

  await rowMenu(page, '老客召回', '删除')
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
  await expect(page.getByText('删除成功')).toBeVisible()
  await expect(crowdRow(page, '老客召回')).toHaveCount(0)
  await page.getByRole('button', { name: '撤销' }).click()
  await expect(crowdRow(page, '老客召回')).toBeVisible()

  await rowMenu(page, '老客召回', '删除')
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
  await expect(crowdRow(page, '老客召回')).toHaveCount(0)
  const undo = page.getByRole('button', { name: '撤销' })
  await expect(undo).toBeVisible()
  await page.getByRole('button', { name: '最近删除' }).click()
  const deleted = page.getByRole('dialog').filter({ hasText: '最近删除的定向包' })
  const gone = deleted.getByRole('row', { name: /老客召回/ })
  await expect(gone).toContainText('还可恢复')
  await expectAccessible(page)
  await gone.getByRole('button', { name: '恢复' }).click()
  await expect(page.getByText('已恢复到文件夹「默认分组」')).toBeVisible()
  await expect(undo).toHaveCount(0)
  await expect(gone).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(crowdRow(page, '老客召回')).toBeVisible()

  await addFolder(page, '归档')
  await expect(page.getByRole('treeitem', { name: '归档' })).toBeVisible()
  await page.goto(`${LIST}?dir_id=1&adv_id=${adv_id}`)
  await page.getByLabel('选择「老客」').check()
  const bar = page.getByRole('region', { name: '批量操作' })
  // The use is checked before the question whether to delete.
  await bar.getByRole('button', { name: '删除' }).click()
  await expect(refusal.getByRole('link', { name: '老客召回' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await refusal.getByRole('button', { name: '知道了' }).click()
  await expect(refusal).toHaveCount(0)
  await page.getByLabel('选择「老客召回」').check()
  await expect(bar).toContainText('已选 2 项')
  await bar.getByRole('button', { name: '移动' }).click()
  await page.getByRole('dialog').getByRole('treeitem', { name: '归档' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
  await expect(page.getByText('文件夹移动成功')).toBeVisible()
  await expect(crowdRow(page, '老客')).toHaveCount(0)
  await expect(bar).toHaveCount(0)

  await folderMenu(page, '归档', '删除')
  await expect(page.getByText('当前文件夹下存在定向包，请先移除定向包后再对文件夹进行删除操作。')).toBeVisible()
})

test('an open menu stays under the pointer when its crowd has been computed', async ({ page }) => {
  const { id: adv_id, everyone } = await anAdvertiser(page, '菜单测试')
  await aCrowd(page, { name: '计算中的人群', adv_id, uses: { id: everyone, tag_type: 1 } })
  let isComputing = true
  await page.route(/api\/people\?/, async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    for (const row of answer.data.res) row.refreshing = isComputing
    await route.fulfill({ response, json: answer })
  })
  await page.goto(`${LIST}?dir_id=1&adv_id=${adv_id}`)
  await page.getByRole('button', { name: '「计算中的人群」的更多操作' }).click()
  const menu = page.getByRole('menu').filter({ hasText: '重新计算' })
  await expect(menu.getByText('正在计算')).toBeVisible()
  const remove = menu.getByRole('menuitem', { name: '删除' })
  const before = await remove.boundingBox()
  isComputing = false
  await page.waitForResponse((response) => /api\/people\?/.test(response.url()))
  await expect(page.getByRole('row', { name: /计算中的人群/ }).locator('[class*=stale]')).toHaveCount(0)
  expect(await remove.boundingBox()).toEqual(before)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '「计算中的人群」的更多操作' }).click()
  await expect(menu.getByText('正在计算')).toHaveCount(0)
  await expect(menu.getByRole('menuitem', { name: '重新计算' })).toBeEnabled()
})

test('全部 lists the crowds of every folder, and a search just typed survives a change of folder', async ({ page }) => {
  const { id: adv_id, everyone } = await anAdvertiser(page, '全部测试')
  const inside = await api<{ id: number }>(page, 'post', '/api/peopledir', { name: `里面${SUFFIX}`, parentId: null })
  await aCrowd(page, { name: '外面的人群', adv_id, uses: { id: everyone, tag_type: 1 } })
  await aCrowd(page, { name: '里面的人群', adv_id, uses: { id: everyone, tag_type: 1 }, dirId: inside.id })
  await selectAdvertiser(page, adv_id)
  await page.goto(LIST)
  await page.getByRole('treeitem', { name: '默认分组' }).getByText('默认分组').click()
  await expect(crowdRow(page, '外面的人群')).toBeVisible()
  await expect(crowdRow(page, '里面的人群')).toHaveCount(0)

  const everything = page.getByRole('button', { name: '全部', exact: true })
  await everything.click()
  await expect(everything).toHaveAttribute('aria-pressed', 'true')
  await expect(crowdRow(page, '外面的人群')).toBeVisible()
  await expect(crowdRow(page, '里面的人群')).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(crowdRow(page, '里面的人群')).toBeVisible()
  // Without a folder in the address the last choice is shown again.
  await page.goto(LIST)
  await expect(everything).toHaveAttribute('aria-pressed', 'true')

  // The folder changes before the search has started.
  const search = page.getByLabel('名称', { exact: true })
  await search.pressSequentially('里面')
  await page
    .getByRole('treeitem', { name: `里面${SUFFIX}` })
    .getByText(`里面${SUFFIX}`)
    .click()
  await expect(search).toHaveValue('里面')
  await expect(page).toHaveURL(new RegExp(`dir_id=${inside.id}.*name=`))
  await expect(crowdRow(page, '里面的人群')).toBeVisible()
  await page.getByRole('treeitem', { name: '默认分组' }).getByText('默认分组').click()
  await expect(page.getByText('没有符合条件的定向包')).toBeVisible()
  await expect(search).toHaveValue('里面')
})

test('a platform’s tab shows its packages, an unknown tab leads to the first', async ({ page }) => {
  await anAdvertiser(page, '页签测试')
  await page.goto(`${LIST}/2`)
  await expect(page.getByText('还没有腾讯广告定向包')).toBeVisible()
  await expect(page.getByRole('button', { name: '新建组合定向包' })).toHaveCount(0)
  await expectAccessible(page)
  await page.goto(`${LIST}/9`)
  await expect(page).toHaveURL(/cowd-assets(\?|$)/)
})

test('a list that fails to load says so in place and can be retried', async ({ page }) => {
  await anAdvertiser(page, '失败测试')
  await page.route('**/api/people?*', (route) =>
    route.fulfill({ status: 500, json: { code: 1, msg: '请求失败', data: null } }),
  )
  await page.goto(LIST)
  await expect(page.getByText('定向包列表加载失败')).toBeVisible()
  await page.unroute('**/api/people?*')
  await page.getByRole('alert').getByRole('button', { name: '重试' }).click()
  await expect(page.getByText('定向包列表加载失败')).toHaveCount(0)
})

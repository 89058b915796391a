import type { Locator } from '@playwright/test'
import { aCrowd, anAdvertiser, api, crowdRow, selectAdvertiser } from './crowds.ts'
import { aCustomCrowd, crowdRowOf, md5s } from './custom-crowds.ts'
import { importFile } from './population.ts'
import { expect, type Page, SUFFIX, test } from './test.ts'

let adv_id = 0
let everyone = 0
test.beforeAll(async ({ admin }) => {
  ;({ id: adv_id, everyone } = await anAdvertiser(admin, `焦点${SUFFIX}`))
})
test.beforeEach(async ({ page }) => {
  await selectAdvertiser(page, adv_id)
})

/** With the keyboard, as whoever depends on the focus does. */
async function press(page: Page, button: Locator): Promise<void> {
  await button.focus()
  await page.keyboard.press('Enter')
}

async function deleteFrom(page: Page, more: Locator): Promise<void> {
  await more.click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
  await expect(more).toHaveCount(0)
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const moreOf = (page: Page, name: string) => page.getByRole('button', { name: `「${name}」的更多操作` })

test('after a rule crowd is deleted the next row has the focus, and after the last one the heading', async ({
  page,
}) => {
  const names = ['焦点甲', '焦点乙'].map((name) => `${name}${SUFFIX}`) as [string, string]
  for (const name of names) await aCrowd(page, { name, adv_id, uses: { id: everyone, tag_type: 1 } })
  await page.goto('/cowd-manage/cowd-assets?dir_id=0')
  // The newest stands first.
  await deleteFrom(page, moreOf(page, names[1]))
  await expect(crowdRow(page, names[0]).locator(':focus')).toHaveCount(1)
  await deleteFrom(page, moreOf(page, names[0]))
  await expect(heading(page)).toBeFocused()
})

test('the menu of a row is entered by the arrow keys, left by Esc, and its dialog gives the focus back', async ({
  page,
}) => {
  const name = `焦点菜单${SUFFIX}`
  await aCrowd(page, { name, adv_id, uses: { id: everyone, tag_type: 1 } })
  await page.goto('/cowd-manage/cowd-assets?dir_id=0')
  const more = moreOf(page, name)
  await press(page, more)
  const items = page.getByRole('menuitem').filter({ visible: true })
  await expect(items.filter({ hasText: '移动到' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(items.and(page.locator(':focus'))).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()
  await press(page, more)
  await page.keyboard.press('ArrowDown')
  const move = items.filter({ hasText: '移动到' })
  await expect(async () => {
    if (await move.and(page.locator(':focus')).count()) return
    await page.keyboard.press('ArrowDown')
    expect(await move.and(page.locator(':focus')).count()).toBe(1)
  }).toPass()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(more).toBeFocused()
})

test('after a restore in 最近删除 the next row has the focus', async ({ page }) => {
  const names = ['焦点丙', '焦点丁'].map((name) => `${name}${SUFFIX}`) as [string, string]
  for (const [no, name] of names.entries()) {
    const id = await aCustomCrowd(page, { name, adv_id, files: { 'a.txt': md5s(2, 10 * no).join('\n') } })
    await page.goto('/cowd-manage/custom-crowd?dir_id=0')
    await expect(crowdRowOf(page, name)).toBeVisible()
    await deleteFrom(page, moreOf(page, name))
    expect(id).toBeGreaterThan(0)
  }
  await page.getByRole('button', { name: '最近删除' }).click()
  const drawer = page.getByRole('dialog', { name: '最近删除' })
  const restore = (name: string) =>
    drawer.getByRole('row').filter({ hasText: name }).getByRole('button', { name: '恢复' })
  await press(page, restore(names[1]))
  await expect(restore(names[1])).toHaveCount(0)
  await expect(restore(names[0])).toBeFocused()
  await press(page, restore(names[0]))
  await expect(restore(names[0])).toHaveCount(0)
  await expect(drawer).toBeFocused()
})

test('after a folder, a tag and a category are deleted the focus stays beside them', async ({ page }) => {
  const folder = `焦点文件夹${SUFFIX}`
  await api(page, 'post', '/api/peopledir', { name: folder, parentId: null })
  await page.goto('/cowd-manage/cowd-assets?dir_id=0')
  await deleteFrom(page, page.getByRole('button', { name: `文件夹「${folder}」的操作` }))
  await expect(page.getByRole('tree').locator(':focus')).toHaveCount(1)

  await page.goto('/cowd-manage/tags')
  const categories = page.getByRole('region', { name: '标签分类' })
  for (const name of ['焦点分类一', '焦点分类二']) {
    await categories.getByRole('button', { name: '新建分类' }).click()
    await page.getByRole('dialog').getByLabel('分类名称').fill(name)
    await page.keyboard.press('Enter')
    await expect(categories.getByText(name)).toBeVisible()
  }
  await deleteFrom(page, categories.getByRole('button', { name: '分类「焦点分类一」的操作' }))
  await expect(categories.locator(':focus')).toHaveCount(1)
})

test('a click beside a list takes the focus, and later changes of the list do not bring it back', async ({ page }) => {
  const name = `焦点戊${SUFFIX}`
  await aCrowd(page, { name, adv_id, uses: { id: everyone, tag_type: 1 } })
  await page.goto('/cowd-manage/cowd-assets?dir_id=0')
  await moreOf(page, name).focus()
  await heading(page).click()
  // The part of the page that the click was in.
  await expect(page.locator('#content')).toBeFocused()
  await page
    .getByRole('row')
    .filter({ hasText: name })
    .evaluate((row) => row.remove())
  await expect(page.locator('#content')).toBeFocused()
})

test('the first field of a dialog or drawer has the focus: push, attribute, folder', async ({ page }) => {
  await importFile(page, '焦点.csv', '用户,性别\n1,男\n2,女', adv_id, { kind: 'users', id: '用户' })
  const name = `焦点己${SUFFIX}`
  await aCustomCrowd(page, { name, adv_id, files: { 'a.txt': md5s(2, 100).join('\n') } })
  await page.goto('/cowd-manage/custom-crowd?dir_id=0')
  await crowdRowOf(page, name).getByRole('button', { name: '推送至' }).click()
  await expect(page.getByRole('dialog').getByLabel('平台')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await moreOf(page, name).click()
  await page.getByRole('menuitem', { name: '移动到' }).click()
  await expect(page.getByRole('dialog').getByLabel('搜索文件夹')).toBeFocused()

  await page.goto('/basic-manage/index/data-access')
  await page.getByRole('row').filter({ hasText: '性别' }).getByRole('button', { name: '编辑' }).click()
  await expect(page.getByRole('dialog').getByLabel('显示名称').first()).toBeFocused()
})

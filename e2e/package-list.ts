import type { Locator } from '@playwright/test'
import { api } from './crowds.ts'
import { inRecords } from './records.ts'
import { expect, type Page } from './test.ts'

/** The row of a package in its list, which may cut its name. */
export const packageRow = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name: `「${name}」的更多操作`, exact: true }) })

/** Chooses an action of the menu in a package's row. */
export async function chooseAction(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `「${name}」的更多操作`, exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** Gives a package another name in the list. */
export async function renamePackage(page: Page, from: string, to: string): Promise<void> {
  await chooseAction(page, from, '重命名')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('定向包名称').fill(to)
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(packageRow(page, to)).toBeVisible()
}

/** Chooses where a copy stands, in the dialog that asks for it: its folder is not that of the original. */
export async function chooseFolder(page: Page, name = '默认分组'): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '去设置' }).click()
  await expect(dialog.locator('.ant-form-item-explain').getByText('请选择存储路径')).toBeVisible()
  await dialog.getByRole('combobox', { name: '存储路径' }).click()
  await page.locator('.ant-cascader-menu-item').filter({ hasText: name }).click()
  await expect(dialog.locator('.ant-form-item-explain').getByText('请选择存储路径')).toHaveCount(0)
}

const toFolder = async (page: Page, title: string, folder: string, seen?: (dialog: Locator) => Promise<void>) => {
  const dialog = page.getByRole('dialog', { name: title })
  await seen?.(dialog)
  await dialog.getByRole('treeitem', { name: folder }).click()
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(dialog).toHaveCount(0)
}
const openFolder = (page: Page, folder: string) => page.getByRole('treeitem', { name: folder }).click()

/** Moves the first package alone, then both at once, and finds them in their folders. */
export async function movePackages(page: Page, list: string, [first, second]: readonly [string, string]) {
  for (const name of ['单独的文件夹', '一起的文件夹'])
    await api(page, 'post', '/api/peopledir', { name, parentId: null })
  await page.goto(list)
  await chooseAction(page, first, '移动到')
  await toFolder(page, `移动「${first}」`, '单独的文件夹', (dialog) =>
    expect(dialog.getByText('当前位置')).toHaveCount(1),
  )
  await openFolder(page, '单独的文件夹')
  await expect(packageRow(page, second)).toHaveCount(0)
  await expect(packageRow(page, first)).toBeVisible()

  await page.goto(list)
  for (const name of [first, second]) await packageRow(page, name).getByRole('checkbox').check()
  await page.getByRole('region', { name: '批量操作' }).getByRole('button', { name: '移动' }).click()
  await toFolder(page, '移动 2 个定向包', '一起的文件夹')
  await openFolder(page, '单独的文件夹')
  await expect(packageRow(page, first)).toHaveCount(0)
  await openFolder(page, '一起的文件夹')
  for (const name of [first, second]) await expect(packageRow(page, name)).toBeVisible()
}

/** A deletion that a live plan refuses, beside the list or in a dialog. */
export async function seeDeletionRefused(page: Page, name: string, plan: string): Promise<void> {
  await expect(packageRow(page, name)).toContainText('使用中')
  await chooseAction(page, name, '删除')
  const reason = `定向包 ${name} 正在被计划使用中，请先解绑或关闭计划：${plan}`
  await expect(page.getByText(reason, { exact: true })).toBeVisible()
  await expect(packageRow(page, name)).toBeAttached()
}

/** Has a live plan use the package, where the platform tells of none; ends it when called. */
export async function beginPlan({ dataDir }: { dataDir: string }, id: number, plan: string) {
  const use = 'INSERT INTO targeting_use (package_id, plan_id, plan_name, live) VALUES ($1, 7, $2, true)'
  await inRecords(dataDir, use, id, plan)
  return () => inRecords(dataDir, 'UPDATE targeting_use SET live = false WHERE package_id = $1', id)
}

/** Deletes a package. */
export async function deletePackage(page: Page, name: string): Promise<void> {
  await chooseAction(page, name, '删除')
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
  await expect(packageRow(page, name)).toHaveCount(0)
}

/** Opens a package that its platform has too, which has the platform read, and goes back to the list. */
export async function openAndLeave(page: Page, editor: string): Promise<void> {
  const read = page.waitForResponse((answer) => answer.url().includes('/targetings/refresh'))
  await page.goto(editor)
  await read
  await page.getByRole('button', { name: '取消' }).click()
  await expect(page).toHaveURL(/cowd-assets\//)
}

/** Each of what the platform has no more is said in its tab, is removed there, and leaves the preview. */
export async function expectRemovable(
  page: Page,
  lost: readonly (readonly [tab: string, chosen: string, name: string])[],
): Promise<void> {
  const preview = page.getByRole('complementary', { name: '预览' })
  for (const [tab, picked, name] of lost) {
    await expect(preview).toContainText(`${name}（已下线）`)
    await page.getByRole('tab', { name: tab }).click()
    const chosen = page.getByRole('region', { name: picked })
    await expect(chosen).toContainText('1 项已下线')
    await chosen.getByRole('button', { name: `移除「${name}」` }).click()
    await expect(chosen).toContainText('还没有选择')
    await expect(preview).not.toContainText(name)
  }
}

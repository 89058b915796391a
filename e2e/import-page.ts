import { expect, type Locator, type Page } from '@playwright/test'

export const DATA_ACCESS = '/basic-manage/index/data-access'

export interface DroppedFile {
  name: string
  content: string
}

/** Drops a file on the drop zone. */
export async function dropFile(page: Page, { name, content }: DroppedFile): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([fileName, text]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text], fileName))
      return transfer
    },
    [name, content] as const,
  )
  await page.getByRole('button', { name: /将文件拖到此处/ }).dispatchEvent('drop', { dataTransfer })
}

/** Chooses an option of an antd select. */
export async function choose(page: Page, select: Locator, option: string): Promise<void> {
  await select.click()
  await page.locator('.ant-select-dropdown:visible').getByTitle(option, { exact: true }).click()
  // A list that is still closing would be visible beside the next one.
  await expect(page.locator('.ant-select-dropdown:visible')).toHaveCount(0)
}

export const chooseKind = (page: Page, kind: '用户' | '事件'): Promise<void> =>
  page.getByRole('radiogroup', { name: '数据类型' }).getByText(kind, { exact: true }).click()

/** Sets the role of a column. */
export const mapColumn = (page: Page, column: string, role: string): Promise<void> =>
  choose(page, page.getByRole('combobox', { name: `列「${column}」导入为` }), role)

/** Creates an advertiser in the import form; a file must have been chosen. */
export async function makeAdvertiser(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: '新建广告主' }).click()
  const dialog = page.getByRole('dialog', { name: '新建广告主' })
  await dialog.getByLabel('广告主名称').fill(name)
  await dialog.getByRole('button', { name: '确定' }).click()
  await expect(dialog).toBeHidden()
}

/** Starts the import and waits for its report, which stays open. */
export async function runImport(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: '开始导入' }).click()
  const drawer = page.getByRole('dialog').filter({ hasText: '等价的命令行' })
  await expect(drawer.getByText('已完成')).toBeVisible({ timeout: 60_000 })
  return drawer
}

/** A report's row counts in one line. */
export const reportOf = (drawer: Locator): Locator => drawer.getByRole('img', { name: /^已存入/ })

export async function closeReport(page: Page, drawer: Locator): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
}
